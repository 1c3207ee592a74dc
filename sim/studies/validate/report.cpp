// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/json.h"
#include "base/text/json_text.h"
#include "base/text/message.h"
#include "sim/report/text/text_table.h"
#include "sim/run/uncertainty.h"
#include "sim/studies/validate/number_text.h"
#include "sim/studies/validate/statistics.h"

namespace ipusim::validate {

using report::Align;
using report::TextTable;

namespace {

constexpr int kIndent = 2;
constexpr double kHundred = 100;

/// The text of the value, or a dash when there is none.
template <typename Text>
std::string orDash(const std::optional<double>& value, const Text& text) {
  return value ? text(*value) : "-";
}

/// A reason, and the rows that it applies to.
struct Reason {
  Status status;
  std::string note;
  std::vector<std::string> ids;
};

std::vector<Reason> reasonsIn(const std::vector<Verdict>& verdicts) {
  std::vector<Reason> reasons;
  for (const Verdict& verdict : verdicts) {
    if (verdict.status == Status::Ok) continue;
    const auto same = std::find_if(reasons.begin(), reasons.end(), [&](const Reason& reason) {
      return reason.status == verdict.status && reason.note == verdict.note;
    });
    if (same != reasons.end()) {
      same->ids.push_back(verdict.id);
    } else {
      reasons.push_back({verdict.status, verdict.note, {verdict.id}});
    }
  }
  return reasons;
}

Json orNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// How far predictions like that of a row are off, as a run prints it. Null for a number of several
/// runs, which no run prints.
Json bandOf(const Verdict& verdict) {
  if (verdict.prediction.empty()) return nullptr;
  if (verdict.sizes.empty()) return kHundred * run::spreadOf(verdict.prediction).spread;
  return kHundred * run::spreadOf(verdict.prediction, verdict.sizes).spread;
}

Json rowJson(const Verdict& verdict) {
  Json row = {{"id", verdict.id},
              {"machine", verdict.machine},
              {"kind", verdict.kind},
              {"unit", verdict.unit},
              {"published", verdict.published},
              {"predicted", orNull(verdict.predicted)},
              {"error_percent", orNull(verdict.errorPercent())},
              {"status", nameOf(verdict.status)},
              {"role", nameOf(verdict.role)},
              {"band_percent", bandOf(verdict)},
              {"source", verdict.source}};
  if (verdict.status != Status::Ok) row["note"] = verdict.note;
  return row;
}

/// The name of a kind in tables.
std::string labelOf(const KindErrors& kind) {
  if (kind.role == Role::Validate) return kind.kind;
  return fmt::format("{} ({})", kind.kind, roleText(kind.role));
}

Json kindJson(const KindErrors& kind) {
  const auto number = [&kind](double Errors::*which) {
    return kind.errors ? Json((*kind.errors).*which) : Json(nullptr);
  };
  return {{"kind", kind.kind},
          {"role", nameOf(kind.role)},
          {"count", kind.count},
          {"median_abs_error_percent", number(&Errors::median_percent)},
          {"worst_abs_error_percent", number(&Errors::worst_percent)},
          {"within_10_percent", number(&Errors::within_10_percent)},
          {"within_30_percent", number(&Errors::within_30_percent)}};
}

/// The cells of a kind after its name.
std::vector<std::string> kindCells(const KindErrors& kind) {
  if (!kind.errors) return {fmt::format("0 of {}", kind.rows), "-", "-", "-", "-"};
  const Errors& errors = *kind.errors;
  const auto percent = [](double value) { return fmt::format("{:.1f} %", value); };
  const auto share = [](double value) { return fmt::format("{:.0f} %", kHundred * value); };
  return {fmt::format("{} of {}", kind.count, kind.rows), percent(errors.median_percent),
          percent(errors.worst_percent), share(errors.within_10_percent),
          share(errors.within_30_percent)};
}

std::string kindsText(const std::vector<Verdict>& verdicts) {
  constexpr std::size_t kSuffix = 11;  // length of " (constant)"
  std::size_t width = std::string_view("kind").size();
  for (const Verdict& verdict : verdicts) width = std::max(width, verdict.kind.size());
  TextTable table({{width + kSuffix, Align::Left}, {10}, {12}, {12}, {11}, {11}}, {0, 2});
  table.add({"kind", "rows ok", "median |err|", "worst |err|", "within 10 %", "within 30 %"});
  for (const KindErrors& kind : errorsByKind(verdicts)) {
    std::vector<std::string> cells = kindCells(kind);
    cells.insert(cells.begin(), labelOf(kind));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string rowsText(const std::vector<Verdict>& verdicts) {
  TextTable table({{0, Align::Left},
                   {0, Align::Left},
                   {0, Align::Left},
                   {8, Align::Left},
                   {12},
                   {12},
                   {0, Align::Left},
                   {8},
                   {0, Align::Left}},
                  {0, 2});
  table.add(
      {"id", "machine", "kind", "row is", "published", "predicted", "unit", "error %", "status"});
  for (const Verdict& verdict : verdicts) {
    table.add({verdict.id, verdict.machine, verdict.kind, roleText(verdict.role),
               numberText(verdict.published), orDash(verdict.predicted, numberText),
               oneLine(verdict.unit), orDash(verdict.errorPercent(), percentText),
               nameOf(verdict.status)});
  }
  return table.text();
}

}  // namespace

std::string tableText(const std::vector<Verdict>& verdicts) {
  std::string text = rowsText(verdicts) + '\n';
  for (const Reason& reason : reasonsIn(verdicts)) {
    text += fmt::format("{} ({}): {}\n\n", nameOf(reason.status), fmt::join(reason.ids, ", "),
                        reason.note);
  }
  return text + kindsText(verdicts);
}

std::string jsonText(const std::vector<Verdict>& verdicts) {
  Json rows = Json::array();
  for (const Verdict& verdict : verdicts) rows.push_back(rowJson(verdict));
  Json kinds = Json::array();
  for (const KindErrors& kind : errorsByKind(verdicts)) kinds.push_back(kindJson(kind));
  const Json object = {{"rows", std::move(rows)}, {"kinds", std::move(kinds)}};
  return jsonTextOf(object, kIndent) + '\n';
}

std::string markdownText(const std::vector<Verdict>& verdicts) {
  std::string text =
      "| kind | rows ok | median error | worst error | within 10 % | within 30 % |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n";
  for (const KindErrors& kind : errorsByKind(verdicts)) {
    text += fmt::format("| {} | {} |\n", labelOf(kind), fmt::join(kindCells(kind), " | "));
  }
  text +=
      "\n| id | row is | published | predicted | unit | error | status |\n"
      "| --- | --- | ---: | ---: | --- | ---: | --- |\n";
  for (const Verdict& verdict : verdicts) {
    const auto percent = [](double value) { return percentText(value) + " %"; };
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", verdict.id,
                        roleText(verdict.role), numberText(verdict.published),
                        orDash(verdict.predicted, numberText), oneLine(verdict.unit),
                        orDash(verdict.errorPercent(), percent), nameOf(verdict.status));
  }
  const std::vector<Reason> reasons = reasonsIn(verdicts);
  if (!reasons.empty()) text += '\n';
  for (const Reason& reason : reasons) {
    text += fmt::format("* {}: {} ({})\n", nameOf(reason.status), reason.note,
                        fmt::join(reason.ids, ", "));
  }
  return text;
}

}  // namespace ipusim::validate
