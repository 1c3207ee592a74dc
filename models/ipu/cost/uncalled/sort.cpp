// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/sort.h"

#include <algorithm>

#include "base/numbers/powers_of_two.h"
#include "ipusim/error.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in sort.h.

namespace ipusim::models {
namespace {

/// A row of the table of compareAndSwapCycles().
struct SwapSlots {
  std::uint64_t inner;
  std::uint64_t first;
  std::uint64_t outer;
  std::uint64_t outer1;
  std::uint64_t entry;
  std::uint64_t fixed;
};

SwapSlots slotsOf(SortForm form, ElementType key) {
  const bool is_float = key == ElementType::Float;
  switch (form) {
    case SortForm::Keys:
      return is_float ? SwapSlots{13, 13, 13, 3, 17, 40} : SwapSlots{12, 12, 17, 3, 22, 42};
    case SortForm::KeysWithValues:
      return is_float ? SwapSlots{11, 8, 11, 11, 4, 23} : SwapSlots{17, 17, 22, 5, 30, 43};
    case SortForm::KeysThenValues:
      return is_float ? SwapSlots{25, 25, 24, 6, 30, 45} : SwapSlots{27, 27, 25, 7, 30, 49};
  }
  throw InternalError("a form of sorting without a formula");
}

std::uint64_t workerSlots(const SwapSlots& slots, const CompareAndSwapWork& work,
                          std::uint64_t distance_to_change_order) {
  const std::uint64_t left = distance_to_change_order - work.initial_count;
  std::uint64_t sum = slots.fixed;
  for (std::size_t e = 0; e < work.entries.size(); ++e) {
    const auto [distance, n] = work.entries[e];
    const std::uint64_t first = e == 0 ? work.first_inner : std::min(distance, n);
    const std::uint64_t flips = n >= left ? 1 + (n - left) / distance_to_change_order : 0;
    sum += slots.entry + slots.first + (n - 1) * slots.inner + slots.outer1 +
           slots.outer * ceilDiv(n - first, distance) + 2 * flips;
  }
  return sum;
}

}  // namespace

Cycles heapSortCycles(SortForm form, std::uint64_t elements) {
  const std::uint64_t one = 8 * (19 * elements * floorLog2(elements) + 6 * elements + 2);
  return Cycles(form == SortForm::Keys ? one : 2 * one);
}

Cycles compareAndSwapCycles(const Architecture& machine, const CompareAndSwapShape& shape) {
  const SwapSlots slots = slotsOf(shape.form, shape.key);
  std::uint64_t most = 0;
  for (const CompareAndSwapWork& work : shape.work) {
    most = std::max(most, workerSlots(slots, work, shape.distance_to_change_order));
  }
  return Cycles(19) + tileCyclesOf(machine, most);
}

}  // namespace ipusim::models
