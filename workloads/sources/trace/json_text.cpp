// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/json.h"

namespace ipusim::workloads {

namespace {

/// True when the text stands in JSON as it is.
bool isPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char letter) {
    return letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\';
  });
}

}  // namespace

JsonText& JsonText::value(std::string_view text) {
  separate();
  if (isPlain(text)) {
    text_ += '"';
    text_ += text;
    text_ += '"';
    return *this;
  }
  // Bytes that are no UTF-8 become U+FFFD.
  text_ += SortedJson(text).dump(-1, ' ', false, SortedJson::error_handler_t::replace);
  return *this;
}

}  // namespace ipusim::workloads
