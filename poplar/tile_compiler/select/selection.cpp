// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/select/selection.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ipusim/units.h"
#include "poplar/tile_compiler/argument_places.h"
#include "poplar/tile_compiler/dead_code.h"
#include "poplar/tile_compiler/flops.h"
#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/rules.h"

namespace ipusim::tile_compiler {
namespace {

/// True when the operation may become a call of a routine.
bool mayCall(const Operation& operation, const Function& function) {
  const Op op = operation.op;
  const auto is_double = [&](const Operand& operand) {
    return operand.isValue() && function.values[operand.value].type == Type::F64;
  };
  const bool is_part = bytesOf(operation.type) < kWordBytes || operation.alignment < kWordBytes;
  return op == Op::Call || (op >= Op::UDiv && op <= Op::SRem) || (op == Op::Store && is_part) ||
         op == Op::IntToFloat || op == Op::FloatToInt || operation.type == Type::F64 ||
         std::any_of(operation.operands.begin(), operation.operands.end(), is_double);
}

bool endsABlock(const Operation& operation) {
  return operation.op >= Op::Return;
}

/// Notes which block may follow which.
void linkBlocks(const Function& function, std::vector<MachineBlock>& blocks) {
  std::vector<std::size_t> first(function.blocks.size(), 0);
  for (std::size_t n = blocks.size(); n-- > 0;) first[blocks[n].source] = n;
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    MachineBlock& block = blocks[n];
    if (n + 1 < blocks.size() && blocks[n + 1].source == block.source) {
      block.successors.push_back(n + 1);
      if (blocks[n + 1].role != Role::Whole) block.successors.push_back(n + 2);
      continue;
    }
    const auto& operations = function.blocks[block.source].operations;
    if (operations.empty()) continue;
    for (const BlockId target : operations.back().blocks) {
      block.successors.push_back(first[target]);
    }
  }
}

}  // namespace

Selection::Selection(const Function& function)
    : function_(&function),
      uses_(function),
      demanded_(function.values.size(), false),
      constants_(function.blocks.size()) {
  machine_.convention = function.convention;
  machine_.registers.push_back({});  // kZero
}

MachineFunction Selection::run() {
  for (const BasicBlock& block : function_->blocks) demandPhis(block);
  for (auto block = static_cast<BlockId>(function_->blocks.size()); block-- > 0;) {
    selectBlock(block);
  }
  machine_.blocks.assign(std::make_move_iterator(blocks_.rbegin()),
                         std::make_move_iterator(blocks_.rend()));
  machine_.stack_bytes += object_bytes_;
  return std::move(machine_);
}

void Selection::demandPhis(const BasicBlock& block) {
  for (const Operation& operation : block.operations) {
    if (operation.op != Op::Phi) break;
    demanded_[*operation.result] = true;
    for (const Operand& operand : operation.operands) {
      const Operand source = uses_.resolve(operand);
      if (source.isValue()) demanded_[source.value] = true;
    }
  }
}

const Operation* Selection::definition(const Operand& operand) const {
  const Operand source = uses_.resolve(operand);
  return source.isValue() ? uses_.definition(source.value) : nullptr;
}

Type Selection::typeOf(const Operand& operand, Type of_constant) const {
  return operand.isValue() ? function_->values[operand.value].type : of_constant;
}

RegisterId Selection::newRegister(Lane lane, unsigned words) {
  machine_.registers.push_back({lane, words});
  return static_cast<RegisterId>(machine_.registers.size() - 1);
}

RegisterId Selection::registerOf(ValueId value, unsigned word) {
  const auto [entry, is_new] = registers_.try_emplace({value, word}, kZero);
  if (is_new) {
    const Type type = function_->values[value].type;
    entry->second = newRegister(uses_.laneOfValue(value), isPair(type) ? 2 : 1);
  }
  return entry->second;
}

RegisterPart Selection::use(const Operand& operand, Type type) {
  const Operand source = uses_.resolve(operand);
  if (source.kind == Operand::Kind::Address) {
    return constantWord(static_cast<std::uint32_t>(source.bits), Lane::Main);
  }
  if (source.isConstant()) return constant(source.bits, type);
  demanded_[source.value] = true;
  const Operation* const maker = uses_.definition(source.value);
  if (maker != nullptr && maker->op == Op::Element && maker->operands[0].isValue() &&
      function_->values[maker->operands[0].value].type == Type::V2F32) {
    return {use(maker->operands[0], Type::V2F32).id, static_cast<std::uint8_t>(maker->immediate)};
  }
  return {registerOf(source.value, 0), RegisterPart::kWhole};
}

RegisterPart Selection::useWord(const Operand& operand, Type type, unsigned word) {
  const Operand source = uses_.resolve(operand);
  if (!source.isValue()) {
    return constantWord(static_cast<std::uint32_t>(source.bits >> (32 * word)), laneOf(type));
  }
  demanded_[source.value] = true;
  const Type kept = function_->values[source.value].type;
  if (isPair(kept)) return {registerOf(source.value, 0), static_cast<std::uint8_t>(word)};
  return {registerOf(source.value, word), RegisterPart::kWhole};
}

RegisterPart Selection::result(const Operation& operation) {
  return {registerOf(*operation.result, 0), RegisterPart::kWhole};
}

RegisterPart Selection::resultWord(const Operation& operation, unsigned word) {
  if (isPair(function_->values[*operation.result].type)) {
    return {registerOf(*operation.result, 0), static_cast<std::uint8_t>(word)};
  }
  return {registerOf(*operation.result, word), RegisterPart::kWhole};
}

RegisterPart Selection::temporary(Lane lane, unsigned words) {
  return {newRegister(lane, words), RegisterPart::kWhole};
}

Instruction& Selection::emit(Lane lane, std::string_view name, std::vector<RegisterPart> writes,
                             std::vector<RegisterPart> reads) {
  Instruction instruction;
  instruction.lane = lane;
  instruction.name = name;
  instruction.writes = std::move(writes);
  instruction.reads = std::move(reads);
  instruction.line = line_;
  return pending_.emplace_back(std::move(instruction));
}

void Selection::emitChain(Lane lane, unsigned count, RegisterPart write,
                          const std::vector<RegisterPart>& reads) {
  std::vector<RegisterPart> inputs = reads;
  for (unsigned n = 1; n < count; ++n) {
    const RegisterPart step = temporary(lane);
    emit(lane, "step", {step}, inputs);
    inputs = {step};
  }
  emit(lane, "step", {write}, inputs);
}

void Selection::emitCopy(RegisterPart write, RegisterPart read) {
  emit(machine_.registers[write.id].lane, "mov", {write}, {read}).copy = true;
}

void Selection::append(Instruction instruction) {
  instruction.line = line_;
  pending_.push_back(std::move(instruction));
}

RegisterPart Selection::partOfValue(ValueId value) {
  return {registerOf(value, 0), RegisterPart::kWhole};
}

MemoryAccess Selection::slotAccess(MemoryAccess::Kind kind, std::int64_t offset, unsigned bytes) {
  MemoryAccess access;
  access.base = MemoryAccess::kStack;
  access.offset = offset;
  access.bytes = bytes;
  access.kind = kind;
  return access;
}

void Selection::addObject(std::uint64_t bytes) {
  object_bytes_ += roundUp<std::uint64_t>(bytes, kWordBytes);
}

void Selection::needStack(std::uint64_t bytes) {
  machine_.stack_bytes = std::max(machine_.stack_bytes, bytes);
}

void Selection::emitDiamond(const Operation& select, RegisterPart tested, RegisterPart to,
                            RegisterPart otherwise, Role role) {
  std::vector<Instruction> before = std::move(pending_);
  pending_.clear();
  closeBlock(Role::Whole, std::nullopt);
  emitCopy(to, otherwise);
  flushPending();
  closeBlock(role, select.operands[0].value);
  pending_ = std::move(before);
  emit(Lane::Main, "brnz", {}, {tested}).kind = Instruction::Kind::Control;
}

void Selection::flushPending() {
  backwards_.insert(backwards_.end(), std::make_move_iterator(pending_.rbegin()),
                    std::make_move_iterator(pending_.rend()));
  pending_.clear();
}

bool Selection::isNeeded(const Operation& operation) const {
  if (actsOnItsOwn(operation)) return true;
  if (operation.op == Op::Phi || !operation.result) return false;
  if (uses_.stepOf(*operation.result)) return false;  // its access makes it
  const std::optional<ValueId> stepped = uses_.steppedBy(operation);
  return demanded_[*operation.result] || (stepped && demanded_[*stepped]);
}

void Selection::selectBlock(BlockId block) {
  block_ = block;
  const auto& operations = function_->blocks[block].operations;
  const std::vector<std::size_t> order = uses_.orderOf(block);
  bool before_end = false;
  for (std::size_t n = order.size(); n-- > 0;) {
    const Operation& operation = operations[order[n]];
    if (!before_end && !endsABlock(operation)) {
      emitPhiCopies();
      before_end = true;
    }
    if (isNeeded(operation)) select(operation);
  }
  if (!before_end) emitPhiCopies();
  line_ = 0;
  placeConstants();
  if (block == 0) emitEntry();
  closeBlock(Role::Whole, std::nullopt);
}

void Selection::emitEntry() {
  ArgumentPlaces places;
  std::vector<RegisterPart> on_stack;
  Instruction entry;
  entry.kind = Instruction::Kind::Entry;
  entry.name = "entry";
  for (const ValueId parameter : function_->parameters) {
    const auto first = places.next(function_->values[parameter].type);
    for (const auto& [word, part] : partsOf(parameter)) {
      if (first) {
        entry.fixed_writes.push_back({part, static_cast<PhysicalId>(*first + word)});
      } else {
        on_stack.push_back(part);
      }
    }
  }
  pending_.push_back(std::move(entry));
  for (const RegisterPart& part : on_stack) emit(Lane::Main, "ld32", {part}, {});
  flushPending();
}

std::vector<std::pair<unsigned, RegisterPart>> Selection::partsOf(ValueId value) const {
  std::vector<std::pair<unsigned, RegisterPart>> parts;
  for (unsigned word = 0; word < 2; ++word) {
    const auto found = registers_.find({value, word});
    if (found != registers_.end())
      parts.emplace_back(word, RegisterPart{found->second, RegisterPart::kWhole});
  }
  return parts;
}

std::vector<Selection::PhiCopy> Selection::phiCopies() {
  std::vector<PhiCopy> copies;
  for (const BasicBlock& block : function_->blocks) {
    for (const Operation& phi : block.operations) {
      if (phi.op != Op::Phi) break;
      const auto found = std::find(phi.blocks.begin(), phi.blocks.end(), block_);
      if (found == phi.blocks.end()) continue;
      addPhiCopies(phi, phi.operands[static_cast<std::size_t>(found - phi.blocks.begin())], copies);
    }
  }
  return copies;
}

void Selection::addPhiCopies(const Operation& phi, const Operand& from,
                             std::vector<PhiCopy>& copies) {
  const unsigned registers = isPair(phi.type) ? 1 : wordsOf(phi.type);
  for (unsigned word = 0; word < registers; ++word) {
    const RegisterPart read = registers == 1 ? use(from, phi.type) : useWord(from, phi.type, word);
    copies.push_back({{registerOf(*phi.result, word), RegisterPart::kWhole}, read});
  }
}

/// All phis of a block change at once: each is read before it is written, by way of another
/// register where they form a ring.
void Selection::emitPhiCopies() {
  std::vector<PhiCopy> copies = phiCopies();
  while (!copies.empty()) {
    const auto is_safe = [&](const PhiCopy& copy) {
      return std::none_of(copies.begin(), copies.end(), [&](const PhiCopy& other) {
        return &other != &copy && other.read.id == copy.write.id;
      });
    };
    const auto next = std::find_if(copies.begin(), copies.end(), is_safe);
    if (next != copies.end()) {
      const PhiCopy copy = *next;
      copies.erase(next);
      if (copy.write.id != copy.read.id) emitCopy(copy.write, copy.read);
      continue;
    }
    const VirtualRegister kept = machine_.registers[copies[0].read.id];
    const RegisterPart other = temporary(kept.lane, kept.words);
    emitCopy(other, {copies[0].read.id, RegisterPart::kWhole});
    copies[0].read.id = other.id;
  }
  flushPending();
}

void Selection::select(const Operation& operation) {
  line_ = operation.line;
  std::vector<OpenConstant> of_followers;
  if (mayCall(operation, *function_)) of_followers.swap(constants_[block_]);
  applyRule(operation);
  if (!pending_.empty()) pending_.back().flops = flopsOf(operation);
  if (!of_followers.empty()) {
    // No register of the caller's lives over the call for a constant: it is made behind.
    of_followers.swap(constants_[block_]);
    placeConstants();
    of_followers.swap(constants_[block_]);
  }
  flushPending();
}

void Selection::applyRule(const Operation& operation) {
  const Op op = operation.op;
  if (op <= Op::MulWide) {
    selectInteger(*this, operation);
  } else if (op <= Op::FloatBitsAndNot) {
    selectFloatBits(*this, operation);
  } else if (op == Op::ICmp) {
    selectIntegerCompare(*this, operation);
  } else if (op == Op::FCmp) {
    selectFloatCompare(*this, operation);
  } else if (op == Op::Select) {
    selectSelect(*this, operation);
  } else if (op <= Op::MulAdd) {
    selectFloat(*this, operation);
  } else if (op <= Op::BitCast) {
    selectConversion(*this, operation);
  } else if (op <= Op::Shuffle) {
    selectVector(*this, operation);
  } else if (op <= Op::Alloca) {
    selectMemory(*this, operation);
  } else if (op == Op::LoopEntry || op == Op::LoopBranch) {
    selectLoop(*this, operation);
  } else {
    selectControl(*this, operation);
  }
}

void Selection::closeBlock(Role role, std::optional<ValueId> condition) {
  MachineBlock block;
  block.source = block_;
  block.role = role;
  block.condition = condition;
  block.loop_depth = function_->blocks[block_].loop_depth;
  const auto& operations = function_->blocks[block_].operations;
  block.repeat = !operations.empty() && operations.back().op == Op::LoopBranch &&
                 operations.back().loop == LoopForm::Repeat;
  block.instructions.assign(std::make_move_iterator(backwards_.rbegin()),
                            std::make_move_iterator(backwards_.rend()));
  backwards_.clear();
  blocks_.push_back(std::move(block));
}

MachineFunction selectInstructions(const Function& function) {
  MachineFunction machine = Selection(function).run();
  linkBlocks(function, machine.blocks);
  return machine;
}

}  // namespace ipusim::tile_compiler
