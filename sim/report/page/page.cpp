// SPDX-License-Identifier: Apache-2.0
#include "sim/report/page/page.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/text/json.h"
#include "ipusim/error.h"
#include "sim/report/page/assets.h"
#include "sim/report/page/page_data.h"

namespace ipusim::report {

namespace {

/// Gives JSON for a script element. Without "<" no text in it can end the element or begin a
/// comment.
void writeScriptText(const Json& value, const Sink& sink) {
  const std::string json = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string_view rest = json;
  for (std::size_t at = rest.find('<'); at != std::string_view::npos; at = rest.find('<')) {
    sink(rest.substr(0, at));
    sink("\\u003c");
    rest.remove_prefix(at + 1);
  }
  sink(rest);
}

/// The text of one member is in memory at a time.
void writeScriptJson(const Json& data, const Sink& sink) {
  sink("{");
  bool is_first = true;
  for (const auto& [key, value] : data.items()) {
    if (!is_first) sink(",");
    is_first = false;
    writeScriptText(key, sink);
    sink(":");
    writeScriptText(value, sink);
  }
  sink("}");
}

std::string_view scriptOf(PageKind kind) {
  switch (kind) {
    case PageKind::Run:
      break;
    case PageKind::Parallel:
      return report::assets::kParallelScript;
    case PageKind::Points:
      return report::assets::kPointsScript;
    case PageKind::Changes:
      return report::assets::kChangesScript;
  }
  return report::assets::kRunScript;
}

}  // namespace

std::array<std::string_view, 3> scriptsOf(PageKind kind) {
  return {report::assets::kCommonScript, scriptOf(kind), report::assets::kStartScript};
}

void writePage(PageKind kind, const Json& data, const Sink& sink) {
  const std::array<std::pair<std::string_view, Fill>, 4> parts = {{
      {"{{style}}", [](const Sink& to) { to(report::assets::kStyle); }},
      {"{{data}}", [&data](const Sink& to) { writeScriptJson(data, to); }},
      {"{{charts}}", [](const Sink& to) { to(report::assets::kCharts); }},
      {"{{script}}",
       [kind](const Sink& to) {
         for (const std::string_view script : scriptsOf(kind)) to(script);
       }},
  }};
  std::string_view rest = report::assets::kPage;
  for (const auto& [place, fill] : parts) {
    const std::size_t at = rest.find(place);
    check(at != std::string_view::npos, "page.html has a place for every part, in order");
    sink(rest.substr(0, at));
    fill(sink);
    rest.remove_prefix(at + place.size());
  }
  sink(rest);
}

void writePageFile(PageKind kind, const Json& data, const std::string& path) {
  writeFile(path, [&](const Sink& sink) { writePage(kind, data, sink); });
}

std::string pageText(const run::RunResult& result) {
  std::string text;
  writePage(PageKind::Run, pageData(result), [&text](std::string_view part) { text += part; });
  return text;
}

void expectPages() {}

bool hasCharts() {
  return !report::assets::kCharts.empty();
}

}  // namespace ipusim::report
