// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/closed_form/closed_form.h"

#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "models/ipu/engines/closed_form/chip_barriers.h"
#include "models/ipu/engines/closed_form/recurrence.h"

namespace ipusim::models {

namespace {

/// Takes all chips to their next barrier; null at the end of their programs.
const TileOp* advance(std::vector<Recurrence>& chips) {
  const TileOp* const first = chips.front().advance();
  for (auto chip = chips.begin() + 1; chip != chips.end(); ++chip) {
    const TileOp* const op = chip->advance();
    const bool same = op == nullptr || first == nullptr
                          ? op == first
                          : op->kind == first->kind && op->first == first->first;
    check(same, "the chips of a system come to different barriers");
  }
  return first;
}

/// Computes `chips` up to the end of their programs.
MeasuredSystem computed(std::vector<Recurrence> chips, ChipBarriers barriers) {
  while (const TileOp* const op = advance(chips)) {
    barriers.pass(*op, chips.front().weight(), chips);
  }
  MeasuredSystem result;
  for (Recurrence& chip : chips) result.chips.push_back(chip.takeResult());
  result.links = std::move(barriers.links());
  return result;
}

}  // namespace

ChipResult closedForm(const ChipPrograms& programs, Observer* observer) {
  verify(programs);
  check(!programs.in_pod, "a chip on its own has no other chips to exchange with");
  const std::vector<GlobalExchange> none;
  std::vector<Recurrence> chip;
  chip.emplace_back(programs, observer);
  return std::move(computed(std::move(chip), {none, 0, {&programs}}).chips.front());
}

MeasuredSystem closedForm(const SystemPrograms& system, Observer* observer) {
  verify(system);
  std::vector<Recurrence> chips;
  chips.reserve(system.chips.size());
  for (const ChipPrograms& chip : system.chips) {
    chips.emplace_back(chip, system.ipus() == 1 ? observer : nullptr);
  }
  std::vector<const ChipPrograms*> ipus;
  for (const std::uint32_t chip : system.chip_of_ipu) ipus.push_back(&system.chips[chip]);
  return computed(std::move(chips), {system.exchanges, system.link_sets, std::move(ipus)});
}

}  // namespace ipusim::models
