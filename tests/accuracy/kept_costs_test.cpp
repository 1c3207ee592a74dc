// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/text/csv_reader.h"
#include "tests/accuracy/command_cost.h"
#include "tests/support/sanitizer.h"

// What runs took of one computer, and what the program says of them. host_costs.csv has a row per
// command: what the command took, what another one, the reference, took beside it, and the
// estimate. IPUSIM_UPDATE_GOLDEN=1 writes the estimates anew, and IPUSIM_MEASURE_COSTS=1 with it
// all the rest.

namespace ipusim::run {
namespace {

const std::string kKeptTable = "tests/accuracy/host_costs.csv";
constexpr const char* kHeader =
    "command,seconds,peak_bytes,reference,reference_seconds,estimated_seconds,estimated_bytes\n";
/// An estimate is wrong that is off by more.
constexpr double kFactor = 3;
/// An estimate is written with three digits.
constexpr double kRounding = 0.01;

struct KeptRun {
  std::string command;
  HostCost taken;
  std::string reference;
  double reference_seconds = 0;
  HostCost estimated;
};

CommandWords wordsOf(const std::string& command) {
  std::istringstream text(command);
  return {std::istream_iterator<std::string>(text), {}};
}

Bytes bytesIn(const std::string& cell) {
  return Bytes(std::stoull(cell));
}

std::vector<KeptRun> keptRuns() {
  std::ostringstream text;
  text << std::ifstream(kKeptTable).rdbuf();
  std::vector<KeptRun> runs;
  for (const CsvRecord& record : parseCsv(text.str(), kKeptTable)) {
    const std::vector<std::string>& cell = record.cells;
    if (cell.at(0) == "command") continue;
    runs.push_back({cell[0],
                    {std::stod(cell.at(1)), bytesIn(cell.at(2))},
                    cell.at(3),
                    std::stod(cell.at(4)),
                    {std::stod(cell.at(5)), bytesIn(cell.at(6))}});
  }
  return runs;
}

void write(const std::vector<KeptRun>& runs) {
  std::ofstream table(kKeptTable);
  table << kHeader;
  for (const KeptRun& run : runs) {
    table << fmt::format("{},{:.2f},{},{},{:.2f},{:.3g},{}\n", run.command, run.taken.seconds,
                         run.taken.memory.value(), run.reference, run.reference_seconds,
                         run.estimated.seconds, run.estimated.memory.value());
  }
}

void update(std::vector<KeptRun> runs) {
  for (KeptRun& run : runs) {
    run.estimated = estimatedCost(wordsOf(run.command));
    if (std::getenv("IPUSIM_MEASURE_COSTS") == nullptr) continue;
    run.reference_seconds = measuredCost(wordsOf(run.reference)).seconds;
    run.taken = measuredCost(wordsOf(run.command));
  }
  write(runs);
}

/// By how much one number is more than the other.
double factorBetween(double a, double b) {
  return std::max(a, b) / std::min(a, b);
}

double real(Bytes bytes) {
  return static_cast<double>(bytes.value());
}

/// The time that a run would have taken if its reference had taken what its own row says.
double usualSeconds(const KeptRun& run, const std::vector<KeptRun>& runs) {
  const auto reference = std::find_if(runs.begin(), runs.end(), [&](const KeptRun& other) {
    return other.command == run.reference;
  });
  if (reference == runs.end()) return run.taken.seconds;
  return run.taken.seconds * reference->taken.seconds / run.reference_seconds;
}

}  // namespace

TEST(KeptCosts, AreEstimatedWithinAFactorOfThree) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the estimates are of the program as it is shipped";
  std::vector<KeptRun> runs = keptRuns();
  if (std::getenv("IPUSIM_UPDATE_GOLDEN") != nullptr) return update(std::move(runs));
  EXPECT_GE(runs.size(), 60U);
  for (const KeptRun& run : runs) {
    SCOPED_TRACE(run.command);
    const HostCost cost = estimatedCost(wordsOf(run.command));
    EXPECT_LT(factorBetween(cost.seconds, usualSeconds(run, runs)), kFactor)
        << "estimated " << cost.seconds << " s, taken " << run.taken.seconds << " s";
    EXPECT_LT(factorBetween(real(cost.memory), real(run.taken.memory)), kFactor)
        << "estimated " << cost.memory.value() << " B, taken " << run.taken.memory.value() << " B";
    EXPECT_LT(factorBetween(cost.seconds, run.estimated.seconds), 1 + kRounding)
        << "IPUSIM_UPDATE_GOLDEN=1 writes the estimates anew";
    EXPECT_EQ(cost.memory, run.estimated.memory);
  }
}

}  // namespace ipusim::run
