// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ipusim::workloads {

namespace {

constexpr std::size_t kLineReaderPart = std::size_t{1} << 18U;

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

LineReader::LineReader(ByteSource& source, const std::string& name, std::uint64_t line_bytes,
                       std::uint64_t nesting)
    : source_(source),
      name_(name),
      line_bytes_(line_bytes),
      nesting_(nesting),
      bytes_(kLineReaderPart + simdjson::SIMDJSON_PADDING) {}

std::optional<JsonValue> LineReader::next() {
  while (const auto line = nextLine()) {
    ++line_;
    if (!isBlank(*line)) return parse(*line);
  }
  return std::nullopt;
}

/// The next line without its end; none at the end of the bytes.
std::optional<std::string_view> LineReader::nextLine() {
  for (;;) {
    const char* const from = bytes_.data() + searched_;
    const auto* const newline = static_cast<const char*>(std::memchr(from, '\n', end_ - searched_));
    if (newline != nullptr) {
      const std::string_view line(bytes_.data() + begin_,
                                  static_cast<std::size_t>(newline - bytes_.data()) - begin_);
      expectShort(line.size());
      begin_ = searched_ = begin_ + line.size() + 1;
      return line;
    }
    searched_ = end_;
    if (readMore()) continue;
    if (begin_ == end_) return std::nullopt;
    const std::string_view line(bytes_.data() + begin_, end_ - begin_);
    expectShort(line.size());
    begin_ = searched_ = end_;
    return line;
  }
}

void LineReader::expectShort(std::size_t bytes) {
  if (bytes <= line_bytes_) return;
  ++line_;
  throw errorAt(place(),
                fmt::format("wanted a line of at most {} bytes, found a longer one", line_bytes_));
}

/// Reads another part behind what is not parsed yet. False at the end of the bytes.
bool LineReader::readMore() {
  const std::size_t left = end_ - begin_;
  expectShort(left);
  std::memmove(bytes_.data(), bytes_.data() + begin_, left);
  searched_ -= begin_;
  begin_ = 0;
  end_ = left;
  const std::size_t room = bytes_.size() - simdjson::SIMDJSON_PADDING;
  if (left == room) bytes_.resize(2 * room + simdjson::SIMDJSON_PADDING);
  const std::size_t free = bytes_.size() - simdjson::SIMDJSON_PADDING - end_;
  const std::size_t count = source_.read(bytes_.data() + end_, free);
  end_ += count;
  return count > 0;
}

JsonValue LineReader::parse(std::string_view line) {
  if (parser_.capacity() < line.size() || parser_.max_depth() != nesting_) {
    const std::size_t capacity = std::max<std::size_t>(2 * line.size(), 1U << 12U);
    if (parser_.allocate(capacity, nesting_) != simdjson::SUCCESS) throw std::bad_alloc();
  }
  simdjson::dom::element element;
  const auto fault = parser_.parse(line.data(), line.size(), false).get(element);
  if (fault == simdjson::MEMALLOC) throw std::bad_alloc();
  if (fault == simdjson::DEPTH_ERROR) {
    throw errorAt(place(), fmt::format("wanted values at most {} deep in one another, found deeper "
                                       "ones",
                                       nesting_));
  }
  if (fault != simdjson::SUCCESS) {
    throw errorAt(place(), fmt::format("wanted a line of JSON, found a fault: {}",
                                       simdjson::error_message(fault)));
  }
  return {element, "line", place()};
}

}  // namespace ipusim::workloads
