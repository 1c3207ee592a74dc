// SPDX-License-Identifier: Apache-2.0
#include "poplar/tests/tile_compiler/mini_language.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "poplar/tests/tile_compiler/mini_names.h"
#include "poplar/tests/tile_compiler/mini_words.h"

namespace ipusim::tests {
namespace {

using namespace tile_compiler;  // NOLINT(google-build-using-namespace): every name here is its own

std::invalid_argument unknown(const std::string& what, const std::string& text) {
  return std::invalid_argument("unknown " + what + " in '" + text + "'");
}

class Parser : private MiniNames {
 public:
  explicit Parser(LoopForm form) : form_(form) { openBlock("entry"); }

  Function parse(const std::string& text) {
    for (const std::string& statement : statementsOf(text)) read(statement);
    resolveTargets();
    return std::move(function);
  }

 private:
  // ---- blocks

  void openBlock(const std::string& name) {
    function.blocks.push_back({name, {}, 0, std::nullopt});
  }
  std::vector<Operation>& operations() { return function.blocks.back().operations; }
  [[nodiscard]] BlockId current() const { return static_cast<BlockId>(function.blocks.size() - 1); }

  void append(Operation operation, const std::string& result) {
    if (!result.empty()) {
      operation.result = newValue(operation.type);
      names[result] = *operation.result;
    }
    operations().push_back(std::move(operation));
  }

  // ---- statements

  void read(const std::string& statement) {
    if (statement.find("->") != std::string::npos) {
      readHead(statement);
    } else if (statement.rfind("loop", 0) == 0) {
      openLoop(statement);
    } else if (statement[0] == '}') {
      closeLoop();
    } else if (statement.back() == ':') {
      openBlock(statement.substr(0, statement.size() - 1));
    } else if (const auto step = statement.find("+="); step != std::string::npos) {
      stepPointer(statement.substr(0, step), statement.substr(step + 2));
    } else if (isDeclaration(statement)) {
      for (const std::string& word : split(statement, ' ')) readDeclaration(word);
    } else {
      readOperation(statement);
    }
  }

  /// Loop rows begin with `acc:f32=1.0 i=0 n=@len`.
  [[nodiscard]] bool isDeclaration(const std::string& statement) const {
    const std::string first = statement.substr(0, statement.find(' '));
    const auto equals = first.find('=');
    const bool is_typed =
        first.find(':') != std::string::npos && first.find('.') == std::string::npos;
    return equals != std::string::npos && function.blocks.back().operations.empty() &&
           (first.find(':') < equals || is_typed);
  }
  void readDeclaration(const std::string& word) {
    const auto equals = word.find('=');
    std::string name = word.substr(0, equals);
    Type type = Type::I32;
    if (const auto colon = name.find(':'); colon != std::string::npos) {
      type = parameterType(name.substr(colon + 1)).type;
      name = name.substr(0, colon);
    }
    declare(name, type);
    starts_[name] = word.substr(equals + 1);
  }

  void readHead(const std::string& statement) {
    const auto arrow = statement.find("->");
    for (const std::string& word : split(statement.substr(0, arrow), ' ')) {
      if (word == "vertex") {
        function.convention = Convention::Vertex;
        continue;
      }
      const auto colon = word.find(':');
      if (colon == std::string::npos) throw unknown("parameter", word);
      const Value value = parameterType(word.substr(colon + 1));
      declare(word.substr(0, colon), value.type, value.extension);
    }
    function.result = parameterType(split(statement.substr(arrow + 2), ' ').at(0)).type;
  }

  void readOperation(const std::string& statement) {
    std::vector<std::string> words = split(statement, ' ');
    std::string result;
    const auto equals = words[0].find('=');
    if (equals != std::string::npos) {
      result = words[0].substr(0, equals);
      words[0] = words[0].substr(equals + 1);
    }
    const std::vector<std::string> name = split(words[0], '.');
    words.erase(words.begin());
    if (name[0] == "load" || name[0] == "store") {
      readAccess(name, words, result);
    } else if (name[0] == "call" || name[0] == "ret" || name[0] == "br" || name[0] == "cbr") {
      readControl(name, words);
      if (name[0] == "call" && !result.empty()) nameLast(result);
    } else if (isLibraryCall(name[0])) {
      readControl({"call", "f32"}, prepended(name[0], words));
      nameLast(result);
    } else {
      readValue(name, words, result);
    }
  }

  static std::vector<std::string> prepended(const std::string& first,
                                            std::vector<std::string> words) {
    words.insert(words.begin(), first);
    return words;
  }

  void nameLast(const std::string& result) {
    operations().back().result = newValue(operations().back().type);
    names[result] = *operations().back().result;
  }

  /// `p` or `b[i]`, whose index counts elements and goes up by one a turn.
  Operand address(const std::string& text, Type type) {
    const auto bracket = text.find('[');
    if (bracket == std::string::npos) return operand(text, Type::Pointer);
    const std::string index = text.substr(bracket + 1, text.find(']') - bracket - 1);
    Operation offset;
    offset.op = Op::Offset;
    offset.type = Type::Pointer;
    offset.operands = {operand(text.substr(0, bracket), Type::Pointer), operand(index, Type::I32)};
    offset.immediate = bytesOf(type);
    offset.result = newValue(Type::Pointer);
    operations().push_back(offset);
    stepped_indices_.push_back(index);
    return Operand::of(*offset.result);
  }

  void readAccess(const std::vector<std::string>& name, const std::vector<std::string>& words,
                  const std::string& result) {
    const auto type = name.size() == 3 ? typeNamed(name[1]) : std::nullopt;
    if (!type) throw unknown("access", words.empty() ? name[0] : words[0]);
    Operation access;
    access.op = name[0] == "load" ? Op::Load : Op::Store;
    access.type = *type;
    access.alignment = static_cast<unsigned>(std::stoul(name[2]));
    if (access.op == Op::Store) access.operands.push_back(operand(words.at(0), *type));
    access.operands.push_back(address(words.at(access.op == Op::Load ? 0 : 1), *type));
    append(access, result);
  }

  void readControl(const std::vector<std::string>& name, const std::vector<std::string>& words) {
    if (name[0] == "ret") {
      Operation& end = appendPlain(Op::Return);
      for (const std::string& word : words) end.operands.push_back(operand(word, function.result));
    } else if (name[0] == "call") {
      readCall(name, words);
    } else {
      const std::size_t first = name[0] == "cbr" ? 1 : 0;
      Operation& branch = appendPlain(first == 1 ? Op::CondBranch : Op::Branch);
      if (first == 1) branch.operands.push_back(operand(words.at(0), Type::I1));
      for (std::size_t n = first; n < words.size(); ++n) targets_.emplace_back(current(), words[n]);
    }
  }

  Operation& appendPlain(Op op) {
    Operation operation;
    operation.op = op;
    operations().push_back(std::move(operation));
    return operations().back();
  }

  void readCall(const std::vector<std::string>& name, const std::vector<std::string>& words) {
    Operation& call = appendPlain(Op::Call);
    if (name.size() > 1) call.type = parameterType(name[1]).type;
    call.callee = words.at(0);
    for (std::size_t n = 1; n < words.size(); ++n) {
      const Type type = words[n].rfind("bits:", 0) == 0 ? Type::F32 : Type::I32;
      call.operands.push_back(operand(words[n], type));
      call.argument_types.push_back(type);
    }
  }

  /// The type of an operation's result: what its word says, or what its operands have.
  [[nodiscard]] Type resultType(const Operation& operation,
                                const std::vector<std::string>& words) const {
    const Type common = commonType(words, function.result);
    switch (operation.op) {
      case Op::ICmp:
      case Op::FCmp:
        return Type::I1;
      case Op::MulWide:
        return Type::I64;
      case Op::Element:
        return elementOf(common);
      case Op::Offset:
      case Op::Alloca:
        return Type::Pointer;
      case Op::Select:
        return commonType({words.begin() + 1, words.end()}, Type::I32);
      default:
        return operation.type == Type::Void ? common : operation.type;
    }
  }

  void readValue(const std::vector<std::string>& name, const std::vector<std::string>& words,
                 const std::string& result) {
    const auto word = valueWord(name);
    if (!word || words.empty()) throw unknown("operation", name[0]);
    Operation operation = *word;
    const Type common = commonType(words, function.result);
    operation.type = resultType(operation, words);
    if (operation.op == Op::Alloca) {
      operation.immediate = std::stol(words[0]);
      append(operation, result);
      return;
    }
    const bool is_offset = operation.op == Op::Offset;
    for (const std::string& text : words) {
      operation.operands.push_back(operand(text, is_offset ? Type::I32 : common));
    }
    if (is_offset && operation.operands[0].isConstant()) throw unknown("base", words[0]);
    append(operation, result);
  }

  // ---- loops

  void append(Op op, std::vector<Operand> operands, std::vector<BlockId> blocks) {
    Operation operation;
    operation.op = op;
    operation.operands = std::move(operands);
    operation.blocks = std::move(blocks);
    operation.loop = form_;
    operations().push_back(std::move(operation));
  }

  /// The name or number of a count such as `n`, `n+1`, `n/2`.
  Operand baseOf(const std::string& text) {
    return operand(text.substr(0, text.find_first_of("+/")), Type::I32);
  }

  /// `loop n {`, `loop n+1 {`, `loop n/2 {`, `loop 128 {`, and `loop.rpt`. A count that may be zero
  /// has a test in front.
  void openLoop(const std::string& statement) {
    const std::vector<std::string> words = split(statement, ' ');
    if (words.at(0) == "loop.rpt") form_ = LoopForm::Repeat;
    const Operand count = countOf(words.at(1));
    const BlockId entry = current();
    if (!count.isConstant()) {
      Operation test;
      test.op = Op::ICmp;
      test.type = Type::I1;
      test.predicate = Predicate::SLt;
      test.operands = {baseOf(words.at(1)), Operand::constant(1)};
      test.result = newValue(Type::I1);
      operations().push_back(test);
      append(Op::CondBranch, {Operand::of(*test.result)}, {entry + 3, entry + 1});
      openBlock("preheader");
    } else {
      append(Op::Branch, {}, {entry + 1});
      openBlock("preheader");
    }
    Operation counter;
    counter.op = Op::LoopEntry;
    counter.type = Type::I32;
    counter.loop = form_;
    counter.operands = {count};
    counter.result = newValue(Type::I32);
    counter_ = *counter.result;
    operations().push_back(counter);
    append(Op::Branch, {}, {current() + 1});
    openBlock("loop");
    function.blocks.back().loop_depth = 1;
    function.blocks.back().preheader = current() - 1;
    outside_ = names;
  }

  Operand countOf(const std::string& text) {
    const auto sign = text.find_first_of("+/");
    const Operand base = baseOf(text);
    if (sign == std::string::npos) return base;
    Operation operation;
    operation.op = text[sign] == '+' ? Op::Add : Op::LShr;
    operation.type = Type::I32;
    const std::uint64_t number = std::stoul(text.substr(sign + 1));
    operation.operands = {base, Operand::constant(text[sign] == '+' ? number : number / 2)};
    operation.result = newValue(Type::I32);
    operations().push_back(operation);
    return Operand::of(*operation.result);
  }

  void stepPointer(const std::string& name, const std::string& bytes) {
    Operation step;
    step.op = Op::Offset;
    step.type = Type::Pointer;
    step.immediate = 1;
    step.operands = {operand(name, Type::Pointer), Operand::constant(std::stoul(bytes))};
    append(step, name);
  }

  /// Makes a phi of each variable that a turn changes, and of each index that went up.
  void closeLoop() {
    const BlockId loop = current();
    for (const std::string& index : stepped_indices_) addIndexStep(index);
    std::vector<Operation> phis;
    for (const auto& [name, now] : names) {
      const auto before = outside_.find(name);
      if (before == outside_.end() || before->second == now) continue;
      Operation phi;
      phi.op = Op::Phi;
      phi.type = function.values[now].type;
      phi.operands = {startOf(name, before->second), Operand::of(now)};
      phi.blocks = {loop - 1, loop};
      phi.result = newValue(phi.type);
      replace(before->second, *phi.result);
      phis.push_back(std::move(phi));
    }
    auto& body = operations();
    body.insert(body.begin(), phis.begin(), phis.end());
    append(Op::LoopBranch, {Operand::of(counter_)}, {loop, loop + 1});
    openBlock("exit");
  }

  Operand startOf(const std::string& name, ValueId from) {
    const auto start = starts_.find(name);
    if (start == starts_.end()) return Operand::of(from);
    const auto bits = constantBits(start->second, function.values[from].type);
    return bits ? Operand::constant(*bits) : Operand::of(from);
  }

  void addIndexStep(const std::string& index) {
    Operation next;
    next.op = Op::Add;
    next.type = Type::I32;
    next.operands = {Operand::of(names.at(index)), Operand::constant(1)};
    append(next, index);
  }

  /// The body of the loop reads the phi where it read the variable.
  void replace(ValueId from, ValueId to) {
    for (Operation& operation : operations()) {
      for (Operand& operand : operation.operands) {
        if (operand.isValue() && operand.value == from) operand.value = to;
      }
    }
  }

  void resolveTargets() {
    for (const auto& target : targets_) {
      const auto found =
          std::find_if(function.blocks.begin(), function.blocks.end(),
                       [&](const BasicBlock& other) { return other.name == target.second; });
      if (found == function.blocks.end()) throw unknown("label", target.second);
      function.blocks[target.first].operations.back().blocks.push_back(
          static_cast<BlockId>(found - function.blocks.begin()));
    }
  }

  LoopForm form_;
  std::map<std::string, ValueId> outside_;  // before the loop
  std::map<std::string, std::string> starts_;
  std::vector<std::string> stepped_indices_;
  std::vector<std::pair<BlockId, std::string>> targets_;
  ValueId counter_ = 0;
};

}  // namespace

Function parseMini(const std::string& text, LoopForm form) {
  try {
    return Parser(form).parse(text);
  } catch (const std::out_of_range&) {
    throw std::invalid_argument("too few words in '" + text + "'");
  }
}

Function parseMini(const std::string& text) {
  return parseMini(text, LoopForm::CountDown);
}

}  // namespace ipusim::tests
