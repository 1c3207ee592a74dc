// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/energy/calibration.h"

#include <algorithm>
#include <map>

#include "base/config/errors_at.h"
#include "sim/studies/calibrate/fragment_file.h"

namespace ipusim::calibrate {

namespace {

constexpr const char* kTarget = "energy";
constexpr double kMostWatts = 1e6;
constexpr double kMostClock = 1e12;
constexpr double kMostCelsius = 150;
constexpr double kMostBytes = 1024;
constexpr double kEnergyLeastPercent = 0.01;
constexpr double kEnergyMostPercent = 100;
constexpr std::uint64_t kFewestDraws = 1000;
constexpr std::uint64_t kMostDraws = 10'000'000;
constexpr std::uint64_t kMostIpus = 4096;

energy::Band bandAt(const ConfigReader& config, const char* key, double most) {
  const ConfigReader table = config.table(key);
  energy::Band band;
  band.shape = energy::Shape::Normal;
  band.low = table.real("low", 0, most);
  band.median = table.real("median", band.low, most);
  band.high = table.real("high", band.median, most);
  return band;
}

std::map<std::string, LoadWork> readWorks(const ConfigReader& config) {
  std::map<std::string, LoadWork> works;
  const ConfigReader all = config.table("works");
  for (const std::string& name : all.keys()) {
    const ConfigReader table = all.table(name);
    LoadWork work;
    work.compute_share = table.real("compute_share", 0, 1);
    work.exchange_share = table.real("exchange_share", 0, 1 - work.compute_share);
    work.bytes_per_compute_cycle = table.real("bytes_per_compute_cycle", 0, kMostBytes);
    work.amp_share = bandAt(table, "amp_share", 1);
    work.issue_share = bandAt(table, "issue_share", 1);
    static_cast<void>(table.text("source"));
    works[name] = work;
  }
  return works;
}

std::vector<PowerLoad> readLoads(const ConfigReader& config) {
  const std::map<std::string, LoadWork> works = readWorks(config);
  std::vector<std::string> names;
  names.reserve(works.size());
  for (const auto& [name, work] : works) names.push_back(name);
  std::vector<PowerLoad> loads;
  const ConfigReader all = config.table("loads");
  for (const std::string& name : all.keys()) {
    const ConfigReader table = all.table(name);
    PowerLoad load;
    load.name = name;
    load.machine = readSystem(table);
    load.machine.ipus =
        static_cast<std::uint32_t>(table.whole("ipus", 1, kMostIpus, load.machine.ipus));
    load.clock_hz = table.real("clock_hz", 1, kMostClock);
    load.celsius = table.real("celsius", 0, kMostCelsius);
    load.work = works.at(table.choice("work", names));
    load.on_card = table.flag("card", false);
    loads.push_back(load);
  }
  return loads;
}

std::size_t loadAt(const ConfigReader& table, const char* key,
                   const std::vector<PowerLoad>& loads) {
  std::vector<std::string> names;
  names.reserve(loads.size());
  for (const PowerLoad& load : loads) names.push_back(load.name);
  const std::string name = table.choice(key, names);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

const validate::Measurement& rowAt(const ConfigReader& table, const char* key,
                                   const std::vector<validate::Measurement>& known) {
  const std::string id = table.text(key);
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&id](const validate::Measurement& row) { return row.id == id; });
  if (found == known.end()) throw table.error(key, "the id of a row of the measurements");
  return *found;
}

PowerRow readRow(const ConfigReader& table, const EnergyCalibration& calibration,
                 const std::vector<validate::Measurement>& known) {
  const validate::Measurement& measured = rowAt(table, "row", known);
  PowerRow row{measured.id, measured.role, measured.value, 0, {}, {}};
  if (table.has("over_row")) {
    const validate::Measurement& other = rowAt(table, "over_row", known);
    row.id += '/' + other.id;
    row.published /= other.value;
  }
  row.load = loadAt(table, "load", calibration.loads);
  if (table.has("over_load")) row.over = loadAt(table, "over_load", calibration.loads);
  if (row.role == validate::Role::Calibrate) {
    row.error = table.real("error_percent", kEnergyLeastPercent, kEnergyMostPercent) / 100;
  }
  return row;
}

void readRows(const ConfigReader& config, EnergyCalibration& calibration) {
  const auto file = config.path("measurements");
  const auto known =
      withErrorsAt(config, "measurements", [&] { return validate::readMeasurements(file); });
  const ConfigReader all = config.table("rows");
  for (const std::string& name : all.keys()) {
    const ConfigReader table = all.table(name);
    calibration.rows.push_back(readRow(table, calibration, known));
    const Machine& ipu = calibration.loads[calibration.rows.back().load].machine.ipu;
    if (calibration.rows.back().error && !energy::whyUnpriced(ipu).empty()) {
      throw table.error("load", "a load of a machine that has prices");
    }
  }
}

void readLimits(const ConfigReader& config, EnergyCalibration& calibration) {
  const ConfigReader all = config.table("limits");
  for (const std::string& name : all.keys()) {
    const ConfigReader table = all.table(name);
    PowerLimit limit;
    limit.load = loadAt(table, "load", calibration.loads);
    limit.least_watts = table.real("least_watts", 0, kMostWatts);
    limit.most_watts = table.real("most_watts", limit.least_watts, kMostWatts);
    limit.softness = table.real("softness_percent", kEnergyLeastPercent, kEnergyMostPercent) / 100;
    static_cast<void>(table.text("source"));
    calibration.limits.push_back(limit);
  }
}

}  // namespace

bool isOfEnergy(const ConfigReader& config) {
  return config.peekText("target") == kTarget;
}

EnergyCalibration readEnergyCalibration(const ConfigReader& config) {
  static_cast<void>(config.choice("target", {kTarget}));
  EnergyCalibration calibration;
  calibration.fragment = fragmentOf(config);
  const auto constants = config.path("constants");
  calibration.priors = withErrorsAt(
      config, "constants", [&] { return energy::readPriors(ConfigReader::fromFile(constants)); });
  calibration.draws = config.whole("draws", kFewestDraws, kMostDraws);
  calibration.seed = config.whole("seed", 0, kMostDraws);
  calibration.card_watts = bandAt(config, "card_watts", kMostWatts);
  static_cast<void>(config.table("card_watts").text("source"));
  calibration.loads = readLoads(config);
  readRows(config, calibration);
  readLimits(config, calibration);
  config.expectAllRead();
  return calibration;
}

}  // namespace ipusim::calibrate
