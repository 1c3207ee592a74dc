// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "base/config/config_reader.h"
#include "base/config/key_request.h"
#include "ipusim/machine.h"
#include "models/gpu/machine.h"
#include "models/ipu/machine/machine_reader.h"
#include "sim/answer/run_kind.h"
#include "sim/parallel/pipeline/settings.h"
#include "sim/parallel/redistribution/job.h"
#include "sim/report/text/gpu_alone.h"
#include "sim/run/simulate.h"
#include "sim/studies/calibrate/calibration.h"
#include "sim/studies/calibrate/energy/calibration.h"
#include "sim/studies/reproduce/paper.h"
#include "sim/studies/search/search_options.h"
#include "sim/studies/sweep/sweep.h"

// usage: config_keys READER FILE
//
// Reads FILE as READER does, and prints one line for every key that was asked for, with tabs: key,
// type, range, default, and 1 if the key may be left out. A test compares the reference of config
// keys with these lines.

namespace ipusim {
namespace {

using Read = std::function<void(const ConfigReader&)>;

const std::map<std::string, Read>& readers() {
  static const std::map<std::string, Read> kReaders = {
      {"run",
       [](const ConfigReader& config) {
         if (answer::kindOf(config) == answer::RunKind::Parallel) {
           (void)parallel::readParallel(config);
         } else {
           (void)run::prepare(config);
         }
       }},
      {"gpu_run",
       [](const ConfigReader& config) {
         (void)answer::kindOf(config);
         (void)report::prepareGpuAlone(config);
       }},
      {"machine", [](const ConfigReader& config) { (void)readPreset(config); }},
      {"gpu", [](const ConfigReader& config) { (void)gpu::readPreset(config); }},
      {"sweep", [](const ConfigReader& config) { (void)sweep::readSpace(config); }},
      {"explore", [](const ConfigReader& config) { (void)search::readSearchOptions(config); }},
      {"redistribution", [](const ConfigReader& config) { (void)parallel::readJob(config); }},
      {"paper", [](const ConfigReader& config) { (void)reproduce::readPaper(config, ""); }},
      {"energy_calibration",
       [](const ConfigReader& config) { (void)calibrate::readEnergyCalibration(config); }},
      {"energy_constants", [](const ConfigReader& config) { (void)energy::readPriors(config); }},
      {"calibration", [](const ConfigReader& config) { (void)calibrate::readCalibration(config); }},
  };
  return kReaders;
}

void printKeys(const std::string& reader, const std::string& file) {
  const auto found = readers().find(reader);
  if (found == readers().end()) throw ConfigError("no reader " + reader);
  const ConfigReader config = ConfigReader::fromFile(file);
  found->second(config);
  for (const AskedKey& key : config.askedKeys()) {
    std::cout << fmt::format("{}\t{}\t{}\t{}\t{:d}\n", key.key, key.type, key.range, key.otherwise,
                             key.is_optional);
  }
}

}  // namespace
}  // namespace ipusim

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: config_keys READER FILE\n";
    return 2;
  }
  try {
    ipusim::printKeys(argv[1], argv[2]);
  } catch (const ipusim::ConfigError& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
