// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/genome.h"

#include <algorithm>
#include <cmath>

namespace ipusim::search {

namespace {

/// A real gene is rounded. This margin on both sides gives all values equal shares.
constexpr double kMargin = 0.499;

}  // namespace

sweep::AxisKind kindOf(const sweep::Dimension& dimension) {
  const auto is = [&](sweep::AxisKind kind) {
    return std::all_of(dimension.axes.begin(), dimension.axes.end(),
                       [&](const sweep::Axis& axis) { return axis.kind == kind; });
  };
  if (is(sweep::AxisKind::Continuous)) return sweep::AxisKind::Continuous;
  const bool ordered = std::none_of(
      dimension.axes.begin(), dimension.axes.end(),
      [](const sweep::Axis& axis) { return axis.kind == sweep::AxisKind::Categorical; });
  return ordered ? sweep::AxisKind::Ordered : sweep::AxisKind::Categorical;
}

Genome::Genome(const sweep::Sweep& sweep, Algorithm algorithm) {
  std::uint64_t stride = sweep.numbers();
  for (const sweep::Dimension& dimension : sweep.dimensions) {
    stride /= dimension.count();
    if (dimension.count() < 2) continue;
    const bool whole =
        algorithm == Algorithm::Nsga2 && kindOf(dimension) != sweep::AxisKind::Continuous;
    genes_.push_back({dimension.count(), stride, whole});
    wholes_ += whole ? 1 : 0;
  }
  std::stable_partition(genes_.begin(), genes_.end(), [](const Gene& gene) { return !gene.whole; });
}

std::vector<double> Genome::lower() const {
  std::vector<double> bounds;
  bounds.reserve(genes_.size());
  for (const Gene& gene : genes_) bounds.push_back(gene.whole ? 0 : -kMargin);
  return bounds;
}

std::vector<double> Genome::upper() const {
  std::vector<double> bounds;
  bounds.reserve(genes_.size());
  for (const Gene& gene : genes_) {
    bounds.push_back(static_cast<double>(gene.count - 1) + (gene.whole ? 0 : kMargin));
  }
  return bounds;
}

std::uint64_t Genome::decode(const double* genes) const {
  std::uint64_t number = 0;
  for (std::size_t g = 0; g < genes_.size(); ++g) {
    const auto last = static_cast<double>(genes_[g].count - 1);
    const double index = std::clamp(std::round(genes[g]), 0.0, last);
    number += static_cast<std::uint64_t>(index) * genes_[g].stride;
  }
  return number;
}

std::vector<double> Genome::encode(std::uint64_t number) const {
  std::vector<double> genes;
  genes.reserve(genes_.size());
  for (const Gene& gene : genes_) {
    genes.push_back(static_cast<double>(number / gene.stride % gene.count));
  }
  return genes;
}

}  // namespace ipusim::search
