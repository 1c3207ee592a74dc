// SPDX-License-Identifier: Apache-2.0
#include "sim/report/page/page.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "ipusim/error.h"
#include "sim/report/page/assets.h"
#include "sim/report/page/page_data.h"

namespace ipusim::run {

namespace {

/// JSON for a script element. Without "<" no text in it can end the element or begin a comment.
std::string scriptJson(const nlohmann::ordered_json& data) {
  const std::string json =
      data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

void writePage(const nlohmann::ordered_json& data, const Sink& sink) {
  const std::string json = scriptJson(data);
  const std::array<std::pair<std::string_view, std::string_view>, 4> parts = {{
      {"{{style}}", assets::kStyle},
      {"{{data}}", json},
      {"{{charts}}", assets::kCharts},
      {"{{script}}", assets::kScript},
  }};
  std::string_view rest = assets::kPage;
  for (const auto& [place, text] : parts) {
    const std::size_t at = rest.find(place);
    check(at != std::string_view::npos, "page.html has a place for every part, in order");
    sink(rest.substr(0, at));
    sink(text);
    rest.remove_prefix(at + place.size());
  }
  sink(rest);
}

std::string pageText(const RunResult& result) {
  std::string text;
  writePage(pageData(result), [&text](std::string_view part) { text += part; });
  return text;
}

bool hasCharts() {
  return !assets::kCharts.empty();
}

}  // namespace ipusim::run
