// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/compression/learning.h"

// Trains a residual block with each codec, from several seeds.
// Usage: compression_study SEEDS CURVES.csv [CODEC...]
// The table of docs/how-to/networks.md goes to standard output, the loss of every step to the file.

namespace {

using ipusim::workloads::Coding;
using ipusim::workloads::codings;
using ipusim::workloads::Learnt;
using ipusim::workloads::learnWith;

/// The mean of some numbers, and the least and the most of them.
std::string spreadOf(const std::vector<double>& values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{:.2g} ({:.2g} to {:.2g})", mean, *least, *most);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: compression_study SEEDS CURVES.csv [CODEC...]\n", stderr);
    return 2;
  }
  const auto seeds = static_cast<std::uint32_t>(std::max(1, std::atoi(argv[1])));
  std::ofstream curves(argv[2]);
  curves << "codec,seed,step,loss\n";
  fmt::print("| Codec | Saved bytes | Gradient error | Loss, mean of the last 20 steps |\n");
  fmt::print("| --- | --- | --- | --- |\n");
  const std::vector<std::string> wanted(argv + 3, argv + argc);
  for (const Coding& coding : codings()) {
    const bool is_wanted =
        wanted.empty() || std::find(wanted.begin(), wanted.end(), coding.name) != wanted.end();
    if (!is_wanted) continue;
    std::vector<double> errors;
    std::vector<double> losses;
    double ratio = 1;
    for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
      const Learnt learnt = learnWith(coding, seed);
      ratio = learnt.ratio;
      errors.push_back(learnt.gradient_error);
      losses.push_back(learnt.lastLoss());
      for (std::size_t step = 0; step < learnt.losses.size(); ++step) {
        curves << fmt::format("{},{},{},{:.6g}\n", coding.name, seed, step, learnt.losses[step]);
      }
    }
    fmt::print("| {} | 1 / {:.3g} | {} | {} |\n", coding.name, ratio, spreadOf(errors),
               spreadOf(losses));
    std::fflush(stdout);
  }
  return curves ? 0 : 1;
}
