// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/address.h"
#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

bool isPowerOfTwo(std::int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// Bytes that one instruction moves between memory and a register file.
unsigned widthOf(Type type, Lane lane) {
  return std::min(bytesOf(type), lane == Lane::Aux ? 8U : kWordBytes);
}

MemoryAccess partOf(const MemoryAccess& place, const Operation& access, unsigned offset,
                    unsigned bytes) {
  MemoryAccess part = place;
  part.offset += offset;
  part.bytes = bytes;
  part.alias_class = access.alias_class;
  part.kind = access.op == Op::Load ? MemoryAccess::Kind::Load : MemoryAccess::Kind::Store;
  return part;
}

/// Makes an access step its pointer too.
void addStep(Selection& to, const Operation& access, Instruction& instruction) {
  const auto stepped = to.uses().steppedBy(access);
  if (!stepped) return;
  const RegisterPart pointer = instruction.reads.back();
  instruction.reads.pop_back();
  instruction.reads.insert(instruction.reads.begin(), pointer);
  instruction.writes.insert(instruction.writes.begin(), to.partOfValue(*stepped));
  instruction.tied = true;
}

// ---- loads

/// Loads of whole units, `width` bytes each, the one without an offset last when it steps.
void loadUnits(Selection& to, const Operation& operation, unsigned width) {
  const Address address = addressOf(to, operation.operands[0], width, AddressForm::Full);
  const unsigned units = std::max(1U, bytesOf(operation.type) / width);
  const bool steps = to.uses().steppedBy(operation).has_value();
  for (unsigned n = 0; n < units; ++n) {
    const unsigned unit = steps ? units - 1 - n : n;
    const bool is_whole = units == 1;
    const RegisterPart write = is_whole ? to.result(operation) : to.resultWord(operation, unit);
    Instruction& load = to.emit(Lane::Main, "ld", {write}, address.registers);
    load.memory = partOf(address.place, operation, unit * width, width);
    if (steps && unit == 0) addStep(to, operation, load);
  }
}

/// One word of the main file from smaller parts: a load a part, and a sort for each but the first.
void loadWord(Selection& to, const Operation& operation, unsigned offset, unsigned bytes,
              RegisterPart write) {
  const unsigned part = operation.alignment;
  std::vector<RegisterPart> parts;
  for (unsigned at = 0; at < bytes; at += part) {
    const Address address = addressOf(to, operation.operands[0], part, AddressForm::Full);
    parts.push_back(to.temporary(Lane::Main));
    to.emit(Lane::Main, "ldz", {parts.back()}, address.registers).memory =
        partOf(address.place, operation, offset + at, part);
  }
  while (parts.size() > 1) {
    const RegisterPart merged = parts.size() == 2 ? write : to.temporary(Lane::Main);
    to.emit(Lane::Main, "sort", {merged}, {parts[0], parts[1]});
    parts.erase(parts.begin(), parts.begin() + 2);
    parts.push_back(merged);
  }
}

/// Values of the aux file, and of two words, are put together on the stack.
void loadByStack(Selection& to, const Operation& operation) {
  const unsigned bytes = bytesOf(operation.type);
  to.needStack(kFrameAlignmentBytes);
  for (unsigned at = 0; at < bytes; at += kWordBytes) {
    const RegisterPart word = to.temporary(Lane::Main);
    loadWord(to, operation, at, std::min(bytes, kWordBytes), word);
    to.emit(Lane::Main, "st32", {}, {word}).memory =
        Selection::slotAccess(MemoryAccess::Kind::Store, at, kWordBytes);
  }
  const Lane lane = to.uses().laneOfValue(*operation.result);
  const unsigned width = lane == Lane::Aux ? std::max(bytes, kWordBytes) : kWordBytes;
  for (unsigned at = 0; at < bytes; at += width) {
    const RegisterPart write =
        width < bytes ? to.resultWord(operation, at / kWordBytes) : to.result(operation);
    to.emit(Lane::Main, "ld", {write}, {}).memory =
        Selection::slotAccess(MemoryAccess::Kind::Load, at, width);
  }
}

/// A word of the aux file at an even half word: two loads that broadcast, and a sort.
void loadAuxHalves(Selection& to, const Operation& operation) {
  const RegisterPart low = to.temporary(Lane::Aux);
  const RegisterPart high = to.temporary(Lane::Aux);
  unsigned at = 0;
  for (const RegisterPart half : {low, high}) {
    const Address address = addressOf(to, operation.operands[0], 2, AddressForm::Full);
    to.emit(Lane::Main, "ldb16", {half}, address.registers).memory =
        partOf(address.place, operation, at, 2);
    at += 2;
  }
  to.emit(Lane::Aux, "sort4x16lo", {to.result(operation)}, {low, high});
}

void selectLoad(Selection& to, const Operation& operation) {
  const Lane lane = to.uses().laneOfValue(*operation.result);
  const unsigned bytes = bytesOf(operation.type);
  const unsigned width = widthOf(operation.type, lane);
  if (operation.alignment >= width) {
    loadUnits(to, operation, width);
  } else if (operation.alignment >= kWordBytes) {
    loadUnits(to, operation, kWordBytes);
  } else if (lane == Lane::Aux && bytes == kWordBytes && operation.alignment == 2) {
    loadAuxHalves(to, operation);
  } else if (lane == Lane::Aux || bytes > kWordBytes) {
    loadByStack(to, operation);
  } else {
    loadWord(to, operation, 0, bytes, to.result(operation));
  }
}

// ---- stores

/// The file that a stored value comes from. Constants are made in the aux file.
Lane laneStored(Selection& to, const Operation& operation) {
  const Operand value = to.uses().resolve(operation.operands[0]);
  if (!value.isValue()) return value.bits == 0 ? laneOf(operation.type) : Lane::Aux;
  return to.uses().laneOfValue(value.value);
}

RegisterPart storedPart(Selection& to, const Operation& operation, Lane lane, unsigned unit,
                        bool is_whole) {
  const Operand value = to.uses().resolve(operation.operands[0]);
  if (!value.isValue()) {
    const auto bits = static_cast<std::uint32_t>(value.bits >> (is_whole ? 0U : 32 * unit));
    if (is_whole && bytesOf(operation.type) == 8) return to.constant(value.bits, Type::V2F32);
    return to.constantWord(bits, lane);
  }
  return is_whole ? to.use(value, operation.type) : to.useWord(value, operation.type, unit);
}

void storeUnits(Selection& to, const Operation& operation, unsigned width, Lane lane) {
  const AddressForm form = lane == Lane::Main ? AddressForm::MainStore : AddressForm::Full;
  const Address address = addressOf(to, operation.operands[1], width, form);
  const unsigned units = std::max(1U, bytesOf(operation.type) / width);
  const bool steps = to.uses().steppedBy(operation).has_value();
  for (unsigned n = 0; n < units; ++n) {
    const unsigned unit = steps ? units - 1 - n : n;
    std::vector<RegisterPart> reads = {storedPart(to, operation, lane, unit, units == 1)};
    reads.insert(reads.end(), address.registers.begin(), address.registers.end());
    Instruction& store = to.emit(Lane::Main, "st", {}, reads);
    store.memory = partOf(address.place, operation, unit * width, width);
    if (steps && unit == 0) addStep(to, operation, store);
  }
}

const char* storeRoutine(const Operation& operation) {
  if (bytesOf(operation.type) == 1) return "__st8";
  if (bytesOf(operation.type) == 2) return isFloat(operation.type) ? "__st16f" : "__st16";
  return operation.alignment == 2 ? "__st32_align2" : "__st32_align1";
}

/// Memory is written in words of 32 bits only, so that smaller parts are merged by a routine. It
/// takes the address first, then the value.
void storeByRoutine(Selection& to, const Operation& operation) {
  const unsigned words = std::max(1U, wordsOf(operation.type));
  for (unsigned word = 0; word < words; ++word) {
    const RegisterPart address = addressInRegister(to, operation.operands[1]);
    const RegisterPart value = words == 1 ? to.use(operation.operands[0], operation.type)
                                          : to.useWord(operation.operands[0], operation.type, word);
    const Type passed = laneOf(operation.type) == Lane::Aux ? Type::F32 : Type::I32;
    emitCall(to, storeRoutine(operation), {{address, Type::Pointer}, {value, passed}},
             std::nullopt);
  }
}

void selectStore(Selection& to, const Operation& operation) {
  const unsigned bytes = bytesOf(operation.type);
  if (bytes < kWordBytes || operation.alignment < kWordBytes) {
    storeByRoutine(to, operation);
    return;
  }
  const Lane lane = laneStored(to, operation);
  const unsigned width = widthOf(operation.type, lane);
  storeUnits(to, operation, operation.alignment >= width ? width : kWordBytes, lane);
}

// ---- addresses as values

void selectOffset(Selection& to, const Operation& operation) {
  const Operand& index = operation.operands[1];
  const Operand pointer = to.uses().resolve(operation.operands[0]);
  const Operation* const maker = to.definition(pointer);
  const bool is_object = maker != nullptr && maker->op == Op::Alloca;
  std::vector<RegisterPart> reads;
  if (!is_object) reads.push_back(to.use(pointer, Type::Pointer));
  if (index.isConstant()) {
    const std::int64_t bytes = operation.immediate * static_cast<std::int32_t>(index.bits);
    if (bytes < kAddImmediateLow || bytes > kAddImmediateHigh) {
      reads.push_back(to.constantWord(static_cast<std::uint32_t>(bytes), Lane::Main));
    }
  } else if (operation.immediate == 1) {
    reads.push_back(to.use(index, Type::I32));
  } else {
    const RegisterPart scaled = to.temporary(Lane::Main);
    to.emit(Lane::Main, isPowerOfTwo(operation.immediate) ? "shl" : "mul", {scaled},
            {to.use(index, Type::I32)});
    reads.push_back(scaled);
  }
  to.emit(Lane::Main, "add", {to.result(operation)}, reads);
}

void selectAlloca(Selection& to, const Operation& operation) {
  to.addObject(static_cast<std::uint64_t>(operation.immediate));
  if (operation.result && to.isDemanded(*operation.result)) {
    to.emit(Lane::Main, "add", {to.result(operation)}, {});
  }
}

}  // namespace

void selectMemory(Selection& to, const Operation& operation) {
  switch (operation.op) {
    case Op::Load:
      selectLoad(to, operation);
      return;
    case Op::Store:
      selectStore(to, operation);
      return;
    case Op::Offset:
      selectOffset(to, operation);
      return;
    default:
      selectAlloca(to, operation);
  }
}

}  // namespace ipusim::tile_compiler
