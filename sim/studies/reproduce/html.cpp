// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/html.h"

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <fstream>
#include <iterator>

#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim::reproduce {

namespace {

constexpr const char* kStyle = R"(
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.25em; margin-top: 2.2em; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; margin: .8em 0; font-size: 13px; }
th, td { padding: .2em .7em; border-bottom: 1px solid #e4e4e4; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.close { color: #00694d; } td.far { color: #8a6d00; } td.miss { color: #b03a00; font-weight: 600; }
td.note { color: #555; min-width: 18em; max-width: 26em; } img { max-width: 100%; } figure { margin: 1em 0; }
figcaption { color: #555; font-size: 13px; } pre { background: #f5f5f5; padding: .6em; overflow-x: auto; font-size: 12px; }
)";

}  // namespace

std::string escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string pngAddress(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream || bytes.empty()) {
    throw ConfigError(oneLine(file.string(), kPathLength) + ": wanted a picture, found none");
  }
  using namespace boost::archive::iterators;
  using Base64 = base64_from_binary<transform_width<std::string::const_iterator, 6, 8>>;
  constexpr std::size_t kGroup = 3;  // bytes that four digits hold
  const std::size_t padding = (kGroup - bytes.size() % kGroup) % kGroup;
  return "data:image/png;base64," + std::string(Base64(bytes.begin()), Base64(bytes.end())) +
         std::string(padding, '=');
}

std::string pageHead(std::string_view title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escaped(title) + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" +
         escaped(title) + "</h1>\n";
}

std::string pageEnd() {
  return "</body>\n</html>\n";
}

}  // namespace ipusim::reproduce
