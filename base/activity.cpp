// SPDX-License-Identifier: Apache-2.0
#include "ipusim/activity.h"

#include <limits>

namespace ipusim {

std::uint64_t cappedSum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

std::uint64_t cappedProduct(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max()
                                                : product;
}

namespace {

/// Calls `visit` with each count of `a` and the count of `b` of the same name.
template <typename First, typename Second, typename Visit>
void forEachPair(First& a, const Second& b, const Visit& visit) {
  visit(a.half_macs, b.half_macs);
  visit(a.float_macs, b.float_macs);
  visit(a.other_flops, b.other_flops);
  visit(a.loaded_bytes, b.loaded_bytes);
  visit(a.stored_bytes, b.stored_bytes);
  visit(a.bundles, b.bundles);
  visit(a.sent_words, b.sent_words);
  visit(a.received_words, b.received_words);
  visit(a.column_word_rows, b.column_word_rows);
  visit(a.spine_words, b.spine_words);
  visit(a.tile_syncs, b.tile_syncs);
  visit(a.link_bytes, b.link_bytes);
  visit(a.host_bytes, b.host_bytes);
  visit(a.streaming_bytes, b.streaming_bytes);
  visit(a.busy_tile_cycles, b.busy_tile_cycles);
  visit(a.tile_cycles, b.tile_cycles);
}

struct Add {
  void operator()(std::uint64_t& sum, std::uint64_t more) const { sum = cappedSum(sum, more); }
  template <typename Tag>
  void operator()(Count<Tag>& sum, Count<Tag> more) const {
    sum = Count<Tag>(cappedSum(sum.value(), more.value()));
  }
};

struct Multiply {
  std::uint64_t times;

  void operator()(std::uint64_t& product, std::uint64_t factor) const {
    product = cappedProduct(factor, times);
  }
  template <typename Tag>
  void operator()(Count<Tag>& product, Count<Tag> factor) const {
    product = Count<Tag>(cappedProduct(factor.value(), times));
  }
};

}  // namespace

Flops Activity::flops() const {
  const std::uint64_t macs = cappedSum(half_macs, float_macs);
  return Flops(cappedSum(cappedProduct(macs, 2), other_flops.value()));
}

Activity& Activity::operator+=(const Activity& other) {
  forEachPair(*this, other, Add{});
  return *this;
}

Activity operator*(const Activity& activity, std::uint64_t times) {
  Activity product;
  forEachPair(product, activity, Multiply{times});
  return product;
}

bool operator==(const Activity& a, const Activity& b) {
  bool equal = true;
  forEachPair(a, b, [&](const auto& of_a, const auto& of_b) { equal = equal && of_a == of_b; });
  return equal;
}

}  // namespace ipusim
