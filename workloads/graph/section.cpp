// SPDX-License-Identifier: Apache-2.0
#include "ipusim/section.h"

#include <algorithm>

namespace ipusim {

std::uint64_t elementsOf(const View& view) {
  std::uint64_t count = 0;
  for (const Section& section : view) count += section.elements();
  return count;
}

Section contiguous(VariableId variable, std::uint64_t offset, std::uint64_t count) {
  Section section{variable, {VariableElements(offset)}};
  if (count != 1) section.walk.levels.push_back({count, VariableElements(1)});
  return section;
}

void appendRegular(View& view, Section section) {
  if (view.empty() || view.back().variable != section.variable ||
      section.begin() <= view.back().begin()) {
    view.push_back(std::move(section));
    return;
  }
  Walk<VariableElements>& last = view.back().walk;
  const auto& levels = section.walk.levels;
  if (last.levels == levels) {
    last.levels.insert(last.levels.begin(), {2, excess(section.walk.begin, last.begin)});
    return;
  }
  const bool steps = last.levels.size() == levels.size() + 1 &&
                     std::equal(levels.begin(), levels.end(), last.levels.begin() + 1);
  if (steps && last.begin + last.levels[0].stride * last.levels[0].count == section.walk.begin) {
    ++last.levels[0].count;
    return;
  }
  view.push_back(std::move(section));
}

View repeated(const View& view, std::uint64_t count, std::uint64_t step) {
  if (count == 1) return view;
  View all;
  if (view.size() == 1) {
    all.push_back(view.front());
    auto& levels = all.front().walk.levels;
    levels.insert(levels.begin(), {count, VariableElements(step)});
    return all;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    for (const Section& section : view) {
      all.push_back(section);
      all.back().walk.begin += VariableElements(i * step);
    }
  }
  return all;
}

}  // namespace ipusim
