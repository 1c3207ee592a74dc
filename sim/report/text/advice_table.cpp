// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/advice_table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "base/text/message.h"
#include "sim/report/text/quantity.h"
#include "sim/report/text/text_layout.h"

namespace ipusim::report {

namespace {

std::string headingText(const run::Advice& advice) {
  std::string text = "no change was tried.";
  if (advice.tried > 0) {
    text = fmt::format("none of the {} tried makes it fit.", countOf(advice.tried, "change"));
  }
  if (!advice.changes.empty()) {
    text = fmt::format("it fits with {}, as runs of {} have shown:",
                       advice.changes.size() == 1 ? "this change" : "each of these changes",
                       countOf(advice.tried, "change"));
  }
  if (advice.left_out > 0) {
    text += fmt::format(
        " {} more would take too long or too much memory to try (--advice-time, "
        "--max-memory).",
        countOf(advice.left_out, "change"));
  }
  return "ADVICE    " + text + '\n';
}

/// What the work of one run without the change then takes.
std::string durationText(const run::AdvisedChange& change) {
  const std::string one = secondsText(change.seconds);
  return change.runs == 1 ? one : fmt::format("{} runs of {}", countText(change.runs), one);
}

}  // namespace

std::string adviceText(const run::Advice& advice, std::size_t width) {
  constexpr std::size_t kAdviceTableIndent = 6;
  std::string text = headingText(advice);
  for (const run::AdvisedChange& change : advice.changes) {
    text += ' ';
    for (const std::string& setting : change.settings) {
      text += fmt::format(" --set {}", oneLine(setting, setting.size()));
    }
    const std::string costs =
        fmt::format("{} of {}, {}: {}", bytesText(change.max_tile), bytesText(change.capacity),
                    durationText(change), oneLine(change.words));
    text += fmt::format("\n{:{}}{}\n", "", kAdviceTableIndent,
                        shortened(costs, width - kAdviceTableIndent));
  }
  return text + '\n';
}

std::string betterSizeText(const run::AdvisedChange& change, double seconds) {
  std::string options;
  for (const std::string& setting : change.settings) {
    options += fmt::format(" --set {}", oneLine(setting, setting.size()));
  }
  return wrapped("SIZES", {fmt::format("{} take {} in place of {}, {:.2g} of it",
                                       oneLine(change.words), secondsText(change.seconds),
                                       secondsText(seconds), change.seconds / seconds)}) +
         wrapped("", {options.substr(1)});
}

Json changeJson(const run::AdvisedChange& change) {
  return {{"kind", change.kind},
          {"words", change.words},
          {"set", change.settings},
          {"max_tile_including_gaps_bytes", change.max_tile.value()},
          {"capacity_tile_bytes", change.capacity.value()},
          {"seconds", change.seconds},
          {"runs", change.runs}};
}

Json adviceJson(const run::Advice& advice) {
  Json json = {{"tried", advice.tried}, {"left_out", advice.left_out}, {"changes", Json::array()}};
  for (const run::AdvisedChange& change : advice.changes) {
    json["changes"].push_back(changeJson(change));
  }
  return json;
}

}  // namespace ipusim::report
