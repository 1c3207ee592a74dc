// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/store/point_result.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "base/text/json_text.h"
#include "ipusim/error.h"

namespace ipusim::sweep {

namespace {

constexpr std::array<const char*, 4> kStatusNames = {"ok", "does_not_fit", "invalid", "failed"};

}  // namespace

const char* nameOf(Status status) {
  return kStatusNames.at(static_cast<std::size_t>(status));
}

std::optional<Status> statusNamed(const std::string& name) {
  const auto* const found = std::find(kStatusNames.begin(), kStatusNames.end(), name);
  if (found == kStatusNames.end()) return std::nullopt;
  return static_cast<Status>(found - kStatusNames.begin());
}

std::string toText(const PointResult& result) {
  const Json json = {{"status", nameOf(result.status)},
                     {"reason", result.reason},
                     {"result", result.result},
                     {"seconds", result.seconds},
                     {"outcome", result.outcome ? answer::toJson(*result.outcome) : Json()}};
  return jsonTextOf(json);
}

PointResult resultFrom(const std::string& text) {
  const Json json = Json::parse(text);
  const std::optional<Status> status = statusNamed(json["status"].get<std::string>());
  check(status.has_value(), "a status of a point");
  return {*status, json["reason"].get<std::string>(), json["result"].get<std::string>(),
          json["seconds"].get<double>(), answer::outcomeFrom(json["outcome"])};
}

}  // namespace ipusim::sweep
