// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/cut_settings.h"

#include <fmt/format.h>

#include <numeric>

#include "base/text/message.h"
#include "sim/parallel/pipeline/schedule.h"

namespace ipusim::parallel {

namespace {

constexpr std::uint64_t kMostModules = 1U << 16U;

/// The key that says into how many sections the network is cut.
const char* sectionsKey(const ParallelTraining& training) {
  return training.isPhased() ? "phases" : "stages";
}

/// The module that begins with a layer.
std::size_t moduleOf(const ConfigReader& table, const workloads::TrainedNetwork& network,
                     const std::string& layer) {
  std::vector<std::string> names;
  for (std::size_t m = 1; m < network.modules(); ++m) {
    names.push_back(network.nameOf(m));
    if (names.back() == layer) return m;
  }
  throw ConfigError(fmt::format("{}: wanted first layers of modules, such as \"{}\", found {}{}",
                                table.place("cuts"), names.empty() ? "" : names[names.size() / 2],
                                inQuotes(layer), didYouMean(layer, names)));
}

}  // namespace

void readCuts(const ConfigReader& table, ParallelTraining& training) {
  if (table.has("modules")) training.modules = table.wholes("modules", 1, kMostModules);
  if (!table.has("cuts")) return;
  if (table.has("modules")) throw table.error("cuts", "no cuts beside modules");
  std::size_t first = 0;
  for (const std::string& layer : table.texts("cuts", {})) {
    const std::size_t module = moduleOf(table, *training.network, layer);
    if (module <= first) throw table.error("cuts", "layers in the order of the network");
    training.modules.push_back(module - first);
    first = module;
  }
  training.modules.push_back(training.network->modules() - first);
}

namespace {

void expectFullPipeline(const ConfigReader& table, const ParallelTraining& training) {
  if (training.execution != Execution::Pipelined || training.stages <= 1) return;
  const std::uint64_t fewest = PipelineSchedule::fewestMicroBatches(training.stages);
  if (training.micro_batches >= fewest) return;
  throw table.error(table.has("micro_batches") ? "micro_batches" : "stages",
                    fmt::format("at least 2 x {} - 1 = {} micro-batches per update, which fill "
                                "the pipeline of {} stages: raise micro_batches (now {}) or "
                                "lower stages",
                                training.stages, fewest, training.stages, training.micro_batches));
}

void expectAllModules(const ConfigReader& table, const ParallelTraining& training) {
  if (training.modules.empty()) return;
  const std::size_t count = training.network->modules();
  const std::uint32_t sections = training.sections();
  const std::uint64_t sum =
      std::accumulate(training.modules.begin(), training.modules.end(), std::uint64_t{0});
  if (training.modules.size() == sections && sum == count) return;
  const char* const section = training.isPhased() ? "phase" : "stage";
  if (table.has("cuts")) {
    throw table.error("cuts",
                      sections == 1
                          ? fmt::format("no cuts beside a single {}", section)
                          : fmt::format("the first layers of all {} {}s but the first, not of {}",
                                        sections, section, training.modules.size() - 1));
  }
  throw table.error(
      "modules", fmt::format("one number of modules for each of the {} {}{}, {} together", sections,
                             section, sections == 1 ? "" : "s", count));
}

}  // namespace

void expectCuttable(const ConfigReader& table, const ParallelTraining& training) {
  const std::size_t count = training.network->modules();
  if (training.sections() > count) {
    throw table.error(sectionsKey(training),
                      fmt::format("at most the {} modules of the network", count));
  }
  expectFullPipeline(table, training);
  expectAllModules(table, training);
}

}  // namespace ipusim::parallel
