// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/placement/row_boxes.h"

#include <algorithm>

namespace ipusim::workloads {

std::vector<RowBox> rowBoxesOf(std::uint64_t begin, std::uint64_t end, std::uint64_t width) {
  std::vector<RowBox> boxes;
  while (begin < end) {
    const std::uint64_t column = begin % width;
    const std::uint64_t rows = column == 0 ? (end - begin) / width : 0;
    const std::uint64_t columns = rows > 0 ? width : std::min(end - begin, width - column);
    boxes.push_back({begin / width, std::max<std::uint64_t>(rows, 1), column, columns});
    begin += boxes.back().rows * columns;
  }
  return boxes;
}

}  // namespace ipusim::workloads
