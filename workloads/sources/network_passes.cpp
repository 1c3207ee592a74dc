// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_passes.h"

#include <fmt/format.h>

#include "base/config/words.h"

namespace ipusim::workloads {

namespace {

constexpr Words<bool, 2> kSwitch{{{false, "no"}, {true, "yes"}}};

}  // namespace

ChosenPasses readPasses(const ConfigReader& config, FrontEnd front_end, bool is_training) {
  std::optional<ConfigReader> table;
  if (config.has("passes")) table = config.table("passes");
  ChosenPasses chosen{{}, {}, !is_training};
  if (table) chosen.outlines = readWord(*table, kOutlinePass, kSwitch, chosen.outlines);
  if (is_training && chosen.outlines) {
    throw table->error(kOutlinePass,
                       "no outline beside train: functions of a backward pass have no "
                       "steps yet");
  }
  for (const GraphPass& pass : graphPasses()) {
    const bool otherwise = pass.isDefault(front_end, is_training);
    const bool runs = table ? readWord(*table, pass.name, kSwitch, otherwise) : otherwise;
    if (!runs) continue;
    if (is_training && pass.effect == PassEffect::FoldsParameters) {
      throw table->error(pass.name, fmt::format("no {} beside train: it folds numbers into "
                                                "parameters that training learns",
                                                pass.name));
    }
    auto& passes = pass.effect == PassEffect::Recognises ? chosen.recognising : chosen.changing;
    passes.push_back(&pass);
  }
  return chosen;
}

void applyPasses(const std::vector<const GraphPass*>& passes, ForwardNetwork& network,
                 std::vector<PassSummary>& ran) {
  PassedNetwork passed{std::move(network.graph), std::move(network.results)};
  for (const GraphPass* const pass : passes) {
    const std::uint64_t times = pass->apply(passed);
    if (times > 0) ran.push_back({pass->name, times});
  }
  network.graph = std::move(passed.graph);
  network.results = std::move(passed.results);
}

}  // namespace ipusim::workloads
