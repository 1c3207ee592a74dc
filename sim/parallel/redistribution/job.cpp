// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/job.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/config/errors_at.h"
#include "ipusim/error.h"

namespace ipusim::parallel {

namespace {

constexpr std::uint64_t kMostCases = 100'000;
constexpr std::uint64_t kMostJobDevices = 256;
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 50U;

/// Throws unless both types are of one array, which 64 bits count, on devices that there are.
void expectPossible(const ConfigReader& table, const Redistribution& asked, const Place& place) {
  const auto& [mesh, source, target] = asked;
  if (mesh.devices() > devicesOf(place)) {
    throw table.error("mesh",
                      fmt::format("at most the {} devices of {}", devicesOf(place), nameOf(place)));
  }
  const char* key = table.has("shape") ? "target_spec" : "target";
  const bool are_equal = std::equal(
      source.begin(), source.end(), target.begin(), target.end(),
      [](const ArrayDimension& a, const ArrayDimension& b) { return a.global == b.global; });
  if (!are_equal) {
    throw table.error(key, fmt::format("an array of the shape of {}", toText(source, mesh)));
  }
  std::uint64_t elements = 1;
  for (const ArrayDimension& dimension : source) {
    if (dimension.global > kMostElements / elements) {
      throw table.error(key, fmt::format("an array of at most {} elements", kMostElements));
    }
    elements *= dimension.global;
  }
}

Redistribution readTypes(const ConfigReader& table) {
  Redistribution asked;
  const std::string axes = table.text("mesh");
  asked.mesh = withErrorsAt(table, "mesh", [&] { return parseMesh(axes); });
  const auto type = [&](const char* key) {
    const std::string text = table.text(key);
    return withErrorsAt(table, key, [&] { return parseType(text, asked.mesh); });
  };
  const auto spec = [&](const char* key, const std::vector<std::uint64_t>& shape) {
    const std::string text = table.text(key);
    return withErrorsAt(table, key, [&] { return parseSpec(text, shape, asked.mesh); });
  };
  if (table.has("shape")) {
    const std::vector<std::uint64_t> shape = table.wholes("shape", 1, kMostElements);
    asked.source = spec("source_spec", shape);
    asked.target = spec("target_spec", shape);
  } else {
    asked.source = type("source");
    asked.target = type("target");
  }
  return asked;
}

RandomCases readRandom(const ConfigReader& table, const Place& place) {
  const RandomCases random{table.whole("random_cases", 1, kMostCases),
                           table.whole("seed", 0, kMostElements, 1),
                           static_cast<std::uint32_t>(table.whole("devices", 2, kMostJobDevices))};
  if (random.devices <= devicesOf(place)) return random;
  throw table.error("devices",
                    fmt::format("at most the {} devices of {}", devicesOf(place), nameOf(place)));
}

}  // namespace

RedistributionJob readJob(const ConfigReader& config) {
  RedistributionJob job{readPlace(config), ElementType::Float, {}};
  const ConfigReader table = config.table("redistribution");
  job.type = table.choice("type", {"half", "float"}, "float") == "half" ? ElementType::Half
                                                                        : ElementType::Float;
  if (table.has("random_cases")) {
    job.asked = readRandom(table, job.place);
  } else {
    const Redistribution asked = readTypes(table);
    expectPossible(table, asked, job.place);
    job.asked = asked;
  }
  config.expectAllRead();
  return job;
}

}  // namespace ipusim::parallel
