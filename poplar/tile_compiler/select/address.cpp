// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/select/address.h"

#include "poplar/tile_compiler/machine_facts.h"

namespace ipusim::tile_compiler {
namespace {

std::int64_t constantOffset(const Operation& offset) {
  return offset.immediate * static_cast<std::int32_t>(offset.operands[1].bits);
}

/// Walks from the pointer to the base and keeps what one instruction can hold.
class Folding {
 public:
  Folding(Selection& to, unsigned unit) : to_(to), unit_(unit) {}

  Operand fold(Operand pointer) {
    pointer = to_.uses().resolve(pointer);
    while (const Operation* const maker = to_.definition(pointer)) {
      if (!take(*maker)) break;
      pointer = to_.uses().resolve(maker->operands[0]);
    }
    return pointer;
  }

  [[nodiscard]] std::int64_t offset() const { return offset_; }
  std::vector<RegisterPart> registers() {
    std::vector<RegisterPart> parts;
    if (delta_) parts.push_back(to_.use(*delta_, Type::I32));
    if (index_) parts.push_back(to_.use(*index_, Type::I32));
    return parts;
  }
  [[nodiscard]] bool hasBoth() const { return delta_ && index_; }

 private:
  bool take(const Operation& maker) {
    if (maker.result && to_.uses().stepOf(*maker.result)) return false;
    if (maker.op == Op::Add) return takeDelta(maker.operands[1]);
    if (maker.op != Op::Offset) return false;
    if (maker.operands[1].isConstant()) return takeConstant(constantOffset(maker));
    if (maker.immediate == unit_ && !index_ && offset_ == 0) {
      index_ = maker.operands[1];
      return true;
    }
    return maker.immediate == 1 && takeDelta(maker.operands[1]);
  }

  bool takeConstant(std::int64_t bytes) {
    const std::int64_t total = offset_ + bytes;
    if (index_ || total < 0 || total % unit_ != 0 || total / unit_ > kOffsetHigh) return false;
    offset_ = total;
    return true;
  }

  bool takeDelta(const Operand& delta) {
    if (delta.isConstant()) return takeConstant(static_cast<std::int32_t>(delta.bits));
    if (delta_) return false;
    delta_ = delta;
    return true;
  }

  Selection& to_;
  std::int64_t unit_;
  std::int64_t offset_ = 0;
  std::optional<Operand> delta_;
  std::optional<Operand> index_;
};

bool isAlloca(const Selection& to, const Operand& base) {
  const Operation* const maker = to.definition(base);
  return maker != nullptr && maker->op == Op::Alloca;
}

}  // namespace

Address addressOf(Selection& to, const Operand& pointer, unsigned unit, AddressForm form) {
  Folding folding(to, unit);
  const Operand base = folding.fold(pointer);
  Address address;
  address.offset = folding.offset();
  address.place = placeOf(to, pointer, unit);
  if (!isAlloca(to, base)) address.registers.push_back(to.use(base, Type::Pointer));
  for (const RegisterPart part : folding.registers()) address.registers.push_back(part);
  if (form == AddressForm::MainStore && folding.hasBoth() && address.registers.size() == 3) {
    const RegisterPart sum = to.temporary(Lane::Main);
    to.emit(Lane::Main, "add", {sum}, {address.registers[0], address.registers[1]});
    address.registers = {sum, address.registers[2]};
  }
  return address;
}

RegisterPart addressInRegister(Selection& to, const Operand& pointer) {
  const Operand base = to.uses().resolve(pointer);
  if (!isAlloca(to, base)) return to.use(base, Type::Pointer);
  const RegisterPart address = to.temporary(Lane::Main);
  to.emit(Lane::Main, "add", {address}, {});
  return address;
}

MemoryAccess placeOf(const Selection& to, const Operand& pointer, unsigned bytes) {
  MemoryAccess place;
  place.bytes = bytes;
  Operand base = to.uses().resolve(pointer);
  while (const Operation* const maker = to.definition(base)) {
    if (maker->op != Op::Offset || !maker->operands[1].isConstant()) break;
    place.offset += constantOffset(*maker);
    base = to.uses().resolve(maker->operands[0]);
  }
  if (base.isValue()) place.base = base.value;
  return place;
}

}  // namespace ipusim::tile_compiler
