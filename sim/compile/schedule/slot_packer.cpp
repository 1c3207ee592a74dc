// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/slot_packer.h"

#include <algorithm>

#include "sim/compile/schedule/bits.h"

namespace ipusim::compiler {

namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// Bits [first, end) of a word; end is at most kWordBits.
std::uint64_t bitsOf(std::uint32_t first, std::uint32_t end) {
  const std::uint64_t below_end = end == kWordBits ? kAll : (std::uint64_t{1} << end) - 1;
  return below_end & (kAll << first);
}

/// Looks in the word, from `slot` on, for `length` free slots in a row; the `run` free slots right
/// before `slot` count too. Returns the slot where the word's part of them begins, or kWordBits if
/// there are not so many. `run` then holds the free slots before the returned slot.
std::uint32_t findInWord(std::uint64_t free, std::uint32_t slot, std::uint32_t length,
                         std::uint32_t& run) {
  while (slot < kWordBits) {
    const std::uint64_t busy_ahead = ~free & (kAll << slot);
    const std::uint32_t busy = busy_ahead == 0 ? kWordBits : lowestBit(busy_ahead);
    if (run + busy - slot >= length) return slot;
    if (busy == kWordBits) {
      run += kWordBits - slot;
      return kWordBits;
    }
    run = 0;
    const std::uint64_t free_ahead = free & (kAll << busy);
    slot = free_ahead == 0 ? kWordBits : lowestBit(free_ahead);
  }
  return kWordBits;
}

}  // namespace

SlotPacker::SlotPacker(std::size_t ports, std::uint32_t slots)
    : words_((slots + kWordBits - 1) / kWordBits), busy_(ports * words_), open_(ports) {}

std::uint32_t SlotPacker::slots() const {
  return words_ * kWordBits;
}

std::uint64_t SlotPacker::freeWord(const PortId* ports, std::uint32_t count,
                                   std::uint32_t word) const {
  std::uint64_t busy = 0;
  for (std::uint32_t p = 0; p < count; ++p) busy |= busy_[indexOf(ports[p]) * words_ + word];
  return ~busy;
}

std::uint32_t SlotPacker::find(const PortId* ports, std::uint32_t count, SlotRequest wanted) const {
  std::uint32_t word = wanted.from / kWordBits;
  std::uint32_t slot = wanted.from % kWordBits;
  for (std::uint32_t p = 0; p < count; ++p) {
    if (open_[indexOf(ports[p])] <= word) continue;
    word = open_[indexOf(ports[p])];
    slot = 0;
  }
  std::uint32_t run = 0;
  for (; word < words_; ++word) {
    slot = findInWord(freeWord(ports, count, word), slot, wanted.length, run);
    if (slot < kWordBits) return word * kWordBits + slot - run;
    slot = 0;
  }
  return slots();
}

void SlotPacker::take(PortId port, std::uint32_t first, std::uint32_t length) {
  std::uint64_t* words = &busy_[indexOf(port) * words_];
  for (std::uint32_t slot = first; slot < first + length;) {
    const std::uint32_t word = slot / kWordBits;
    const std::uint32_t end = std::min(first + length, (word + 1) * kWordBits);
    words[word] |= bitsOf(slot % kWordBits, end - word * kWordBits);
    slot = end;
  }
  std::uint32_t& open = open_[indexOf(port)];
  while (open < words_ && words[open] == kAll) ++open;
}

std::uint32_t SlotPacker::place(const PortId* ports, std::uint32_t count, SlotRequest wanted) {
  const std::uint32_t first = find(ports, count, wanted);
  if (first == slots()) return first;
  for (std::uint32_t p = 0; p < count; ++p) take(ports[p], first, wanted.length);
  return first;
}

}  // namespace ipusim::compiler
