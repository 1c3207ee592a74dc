// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/windows/window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

WindowMotion WindowMotion::plain(std::size_t dimensions) {
  const std::vector<std::uint64_t> ones(dimensions, 1);
  const std::vector<std::uint64_t> zeros(dimensions, 0);
  return {ones, zeros, zeros, ones};
}

std::string WindowMotion::text() const {
  return fmt::format("{} {} {} {}", stride, padding_lower, padding_upper, dilation);
}

Shape fieldOf(const Shape& tensor) {
  if (tensor.size() < 3) {
    throw OperandError("a shape (batch, channels, field...)", textOf(tensor));
  }
  return {tensor.begin() + 2, tensor.end()};
}

Shape WindowedField::positions() const {
  if (field.size() != window.size() || field.size() != motion.stride.size()) {
    throw OperandError(fmt::format("a field of {} dimensions", window.size()), textOf(field));
  }
  Shape result;
  for (std::size_t d = 0; d < field.size(); ++d) {
    const std::uint64_t padded = field[d] + motion.padding_lower[d] + motion.padding_upper[d];
    const std::uint64_t extent = (window[d] - 1) * motion.dilation[d] + 1;
    if (window[d] == 0 || extent > padded) {
      throw OperandError(
          fmt::format("a field of at least {} in dimension {} with its padding", extent, d),
          textOf(field));
    }
    result.push_back((padded - extent) / motion.stride[d] + 1);
  }
  return result;
}

namespace {

/// The element of the field under an element of the window, if it is no padding.
std::optional<std::uint64_t> fieldElement(const WindowedField& windowed,
                                          const std::vector<std::uint64_t>& position,
                                          const std::vector<std::uint64_t>& element) {
  std::vector<std::uint64_t> at(position.size());
  for (std::size_t d = 0; d < position.size(); ++d) {
    const WindowMotion& motion = windowed.motion;
    const std::uint64_t padded = position[d] * motion.stride[d] + element[d] * motion.dilation[d];
    if (padded < motion.padding_lower[d]) return std::nullopt;
    at[d] = padded - motion.padding_lower[d];
    if (at[d] >= windowed.field[d]) return std::nullopt;
  }
  return elementAt(windowed.field, at);
}

}  // namespace

std::vector<WindowTap> tapsOf(const WindowedField& windowed) {
  std::vector<WindowTap> taps;
  const Shape positions = windowed.positions();
  const std::uint64_t count = elementsOf(positions);
  const std::uint64_t elements = elementsOf(windowed.window);
  for (std::uint64_t p = 0; p < count; ++p) {
    const std::vector<std::uint64_t> position = coordinatesOf(positions, p);
    for (std::uint64_t e = 0; e < elements; ++e) {
      const auto field = fieldElement(windowed, position, coordinatesOf(windowed.window, e));
      if (field) taps.push_back({p, e, *field});
    }
  }
  return taps;
}

}  // namespace ipusim::workloads
