// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/bound_fields.h"

#include "base/numbers/packed_number.h"

namespace ipusim::compiler {

namespace {

/// Reads packed numbers one after the other.
class NumberReader {
 public:
  NumberReader(const std::uint8_t* next, const std::uint8_t* end) : next_(next), end_(end) {}

  [[nodiscard]] bool isAtEnd() const { return next_ == end_; }

  std::uint64_t read() {
    std::uint64_t number = *next_ % kPackedMore;
    for (unsigned shift = kPackedBits; *next_++ >= kPackedMore; shift += kPackedBits) {
      number |= std::uint64_t{*next_ % kPackedMore} << shift;
    }
    return number;
  }

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

EdgePattern readPattern(NumberReader& numbers) {
  EdgePattern pattern{static_cast<BlockId>(numbers.read()), {}};
  pattern.walk.begin = Bytes(numbers.read());
  pattern.walk.levels.resize(numbers.read());
  for (auto& level : pattern.walk.levels) {
    level.count = numbers.read();
    level.stride = Bytes(numbers.read());
  }
  return pattern;
}

}  // namespace

BoundFields::BoundFields(const List& fields) {
  for (const BoundField& field : fields) add(field);
}

BoundFields::BoundFields(std::initializer_list<BoundField> fields) {
  for (const BoundField& field : fields) add(field);
}

BoundFields::List BoundFields::list() const {
  List fields;
  NumberReader numbers(bytes_.data(), bytes_.data() + bytes_.size());
  while (!numbers.isAtEnd()) {
    BoundField& field = fields.emplace_back();
    for (std::uint64_t left = numbers.read(); left > 0; --left) {
      field.patterns.push_back(readPattern(numbers));
    }
  }
  return fields;
}

void BoundFields::add(const BoundField& field) {
  add(field.patterns.size());
  for (const EdgePattern& pattern : field.patterns) {
    add(static_cast<std::uint64_t>(pattern.block));
    add(pattern.walk.begin.value());
    add(pattern.walk.levels.size());
    for (const auto& level : pattern.walk.levels) {
      add(level.count);
      add(level.stride.value());
    }
  }
}

void BoundFields::add(std::uint64_t number) {
  appendPacked(bytes_, number);
}

}  // namespace ipusim::compiler
