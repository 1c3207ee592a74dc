// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/check_answer.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "base/text/json_text.h"
#include "base/text/message.h"
#include "sim/report/memory_json.h"
#include "sim/report/text/quantity.h"

namespace ipusim::cli {

namespace {

std::string machineOf(const run::Experiment& experiment) {
  return oneLine(experiment.executable.system.machineName());
}

Json headOf(const run::Experiment& experiment, bool fits) {
  return {{"schema", "ipusim-check-1"},
          {"workload", experiment.workload_kind},
          {"machine", machineOf(experiment)},
          {"fits", fits}};
}

std::string textOf(const Json& json) {
  constexpr int kIndent = 2;
  return jsonTextOf(json, kIndent) + '\n';
}

/// Null for what is no number: JSON has neither infinities nor NaN.
Json numberOf(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// Whether rounding alone moves the numbers of the output farther than the tolerance: they are
/// small differences of large numbers.
bool isIllConditioned(const run::NumberCheck& check) {
  return check.found.max_slack > check.tolerance * check.found.max_reference;
}

std::string jsonOf(const run::Experiment& experiment, const run::NumberCheck& check) {
  const executor::CheckResult& found = check.found;
  Json json = headOf(experiment, true);
  json["right"] = found.ok;
  json["elements"] = found.elements;
  json["output"] = found.output;
  json["round"] = found.round;
  json["scale"] = found.max_reference;
  json["tolerance"] = check.tolerance;
  json["largest_error"] = numberOf(found.max_error);
  json["largest_rounding"] = found.max_slack;
  json["ill_conditioned"] = isIllConditioned(check);
  json["worst"] = {{"index", found.index},
                   {"wanted", found.wanted},
                   {"found", numberOf(found.found)},
                   {"rounding", found.slack},
                   {"allowed", found.allowed}};
  json["unchecked"] = check.unchecked;
  json["warnings"] = experiment.workload.warnings;
  return textOf(json);
}

/// What rounding explains of the errors of a network.
std::string roundingText(const run::NumberCheck& check) {
  const executor::CheckResult& found = check.found;
  if (found.max_slack == 0) return {};
  std::string text = fmt::format(
      "  allowed there  {:.3g}: the tolerance, and {:.3g} by which rounding alone moves it\n",
      found.allowed, found.slack);
  if (!isIllConditioned(check)) return text;
  return text + fmt::format(
                    "  ill-conditioned: rounding alone moves {} by up to {:.3g}, {:.3g} times the "
                    "tolerance\n",
                    oneLine(found.output), found.max_slack,
                    found.max_slack / (check.tolerance * found.max_reference));
}

}  // namespace

std::string checkAnswer(const run::Experiment& experiment, const run::NumberCheck& check,
                        Form form) {
  if (form == Form::Json) return jsonOf(experiment, check);
  const executor::CheckResult& found = check.found;
  std::string answer = fmt::format(
      "{} on {}: the numbers are {}\n"
      "  compared       {} elements\n"
      "  largest error  {:.3g} beside numbers up to {:.3g}: {:.3g}, tolerance {:.3g}\n"
      "  found at       {}[{}]{}: wanted {:.9g}, found {:.9g}\n",
      experiment.workload_kind, machineOf(experiment), found.ok ? "right" : "WRONG",
      report::countText(found.elements), found.max_error, found.max_reference, found.relative,
      check.tolerance, found.output, found.index,
      found.round > 0 ? fmt::format(" after round {}", found.round) : "", found.wanted,
      found.found);
  answer += roundingText(check);
  for (const std::string& name : check.unchecked) {
    answer += fmt::format("  not checked    {}: it does not live until the program ends\n",
                          oneLine(name));
  }
  for (const std::string& warning : experiment.workload.warnings) {
    answer += fmt::format("  left out       {}\n", warning);
  }
  return answer;
}

std::string doesNotFitAnswer(const run::Experiment& experiment, const OutOfMemory& oom, Form form) {
  if (form == Form::Json) {
    Json json = headOf(experiment, false);
    json["oom"] = report::oomJson(oom);
    return textOf(json);
  }
  return fmt::format(
      "{} on {}: it does not fit, so that there are no numbers: tile {} lacks {} in {}\n",
      experiment.workload_kind, machineOf(experiment), oom.tile, report::bytesText(oom.bytes_over),
      oneLine(oom.step));
}

std::string digestsAnswer(const run::Experiment& experiment,
                          const std::vector<run::VariableDigest>& digests, Form form) {
  if (form == Form::Json) {
    Json json = headOf(experiment, true);
    json["digests"] = Json::array();
    for (const run::VariableDigest& one : digests) {
      json["digests"].push_back({{"variable", one.variable},
                                 {"elements", one.elements},
                                 {"digest", fmt::format("{:016x}", one.digest)}});
    }
    return textOf(json);
  }
  std::string answer = fmt::format("{} on {}: nobody says what the numbers should be; they are\n",
                                   experiment.workload_kind, machineOf(experiment));
  for (const run::VariableDigest& one : digests) {
    answer += fmt::format("  {:016x}  {} ({} elements)\n", one.digest, oneLine(one.variable),
                          report::countText(one.elements));
  }
  return answer;
}

}  // namespace ipusim::cli
