// SPDX-License-Identifier: Apache-2.0
#include "poplar/tests/tile_compiler/mini_words.h"

#include <cctype>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace ipusim::tests {

namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  std::string piece;
  for (std::istringstream in(text); std::getline(in, piece, separator);) {
    if (!trimmed(piece).empty()) pieces.push_back(trimmed(piece));
  }
  return pieces;
}

std::vector<std::string> statementsOf(const std::string& text) {
  std::string separated;
  for (const char c : text) {
    if (c == '}') separated += '|';
    separated += c;
    if (c == '{') separated += '|';
  }
  return split(separated, '|');
}

using tile_compiler::bytesOf;
using tile_compiler::Extension;
using tile_compiler::Op;
using tile_compiler::Operation;
using tile_compiler::Predicate;
using tile_compiler::Type;
using tile_compiler::typeNamed;

tile_compiler::Value parameterType(const std::string& text) {
  if (const auto type = typeNamed(text)) return {*type, Extension::None};
  const auto type = typeNamed(text.substr(0, text.size() - 1));
  if (type && text.back() == 's') return {*type, Extension::Sign};
  if (type && text.back() == 'z') return {*type, Extension::Zero};
  throw std::invalid_argument("unknown type '" + text + "'");
}

namespace {

template <typename Bits, typename Real>
Bits bitsOf(Real value) {
  static_assert(sizeof(Bits) == sizeof(Real));
  Bits bits{};
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

std::optional<std::uint64_t> constantBits(const std::string& text, Type type) {
  if (text.rfind("bits:", 0) == 0) return std::stoull(text.substr(5));
  const bool is_number = std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-';
  if (!is_number) return std::nullopt;
  if (type == Type::F64) return bitsOf<std::uint64_t>(std::stod(text));
  if (tile_compiler::isFloat(type)) return bitsOf<std::uint32_t>(std::stof(text));
  return static_cast<std::uint64_t>(std::stoll(text));
}

namespace {

const std::map<std::string, Op>& integerWords() {
  static const std::map<std::string, Op> kWords = {
      {"add", Op::Add},
      {"sub", Op::Sub},
      {"mul", Op::Mul},
      {"and", Op::And},
      {"or", Op::Or},
      {"xor", Op::Xor},
      {"shl", Op::Shl},
      {"lshr", Op::LShr},
      {"ashr", Op::AShr},
      {"udiv", Op::UDiv},
      {"sdiv", Op::SDiv},
      {"urem", Op::URem},
      {"srem", Op::SRem},
      {"smin", Op::SMin},
      {"smax", Op::SMax},
      {"umin", Op::UMin},
      {"umax", Op::UMax},
      {"abs", Op::Abs},
      {"clz", Op::CountLeadingZeros},
      {"ctlz", Op::CountLeadingZeros},
      {"cttz", Op::CountTrailingZeros},
      {"ctpop", Op::PopulationCount},
      {"popc", Op::PopulationCount},
      {"bswap", Op::ByteSwap},
      {"bitreverse", Op::BitReverse},
      {"rot", Op::Rotate},
      {"mulhu", Op::MulHigh},
      {"mulhs", Op::MulHigh},
      {"umul64", Op::MulWide},
      {"smul64", Op::MulWide},
      {"fbits_and", Op::FloatBitsAnd},
      {"fbits_or", Op::FloatBitsOr},
      {"fbits_andc", Op::FloatBitsAndNot},
  };
  return kWords;
}

const std::map<std::string, Op>& otherWords() {
  static const std::map<std::string, Op> kWords = {
      {"sel", Op::Select},    {"fadd", Op::FAdd},         {"fsub", Op::FSub},
      {"fmul", Op::FMul},     {"fdiv", Op::FDiv},         {"fneg", Op::FNeg},
      {"fabs", Op::FAbs},     {"copysign", Op::CopySign}, {"fmin", Op::FMin},
      {"fmax", Op::FMax},     {"sqrt", Op::Sqrt},         {"rsqrt", Op::RSqrt},
      {"exp", Op::Exp},       {"exp2", Op::Exp2},         {"log", Op::Log},
      {"log2", Op::Log2},     {"tanh", Op::Tanh},         {"sigmoid", Op::Sigmoid},
      {"floor", Op::Round},   {"ceil", Op::Round},        {"ftrunc", Op::Round},
      {"rint", Op::Round},    {"round", Op::Round},       {"nearbyint", Op::Round},
      {"fma", Op::MulAdd},    {"build", Op::Build},       {"shuffle", Op::Shuffle},
      {"alloca", Op::Alloca},
  };
  return kWords;
}

/// Words that name the type of their result after a point.
const std::map<std::string, Op>& convertingWords() {
  static const std::map<std::string, Op> kWords = {
      {"as", Op::BitCast},        {"zext", Op::ZExt},         {"sext", Op::SExt},
      {"trunc", Op::Trunc},       {"fpext", Op::FPExt},       {"fptrunc", Op::FPTrunc},
      {"sitofp", Op::IntToFloat}, {"uitofp", Op::IntToFloat}, {"fptosi", Op::FloatToInt},
      {"fptoui", Op::FloatToInt}, {"splat", Op::Splat},       {"build", Op::Build},
      {"gep", Op::Offset},
  };
  return kWords;
}

const std::map<std::string, Predicate>& integerPredicates() {
  static const std::map<std::string, Predicate> kWords = {
      {"eq", Predicate::Eq},   {"ne", Predicate::Ne},   {"slt", Predicate::SLt},
      {"sle", Predicate::SLe}, {"sgt", Predicate::SGt}, {"sge", Predicate::SGe},
      {"ult", Predicate::ULt}, {"ule", Predicate::ULe}, {"ugt", Predicate::UGt},
      {"uge", Predicate::UGe}};
  return kWords;
}

const std::map<std::string, Predicate>& floatPredicates() {
  static const std::map<std::string, Predicate> kWords = {
      {"false", Predicate::False}, {"oeq", Predicate::OEq},  {"ogt", Predicate::OGt},
      {"oge", Predicate::OGe},     {"olt", Predicate::OLt},  {"ole", Predicate::OLe},
      {"one", Predicate::ONe},     {"ord", Predicate::Ord},  {"uno", Predicate::Uno},
      {"ueq", Predicate::UEq},     {"ugt", Predicate::FUGt}, {"uge", Predicate::FUGe},
      {"ult", Predicate::FULt},    {"ule", Predicate::FULe}, {"une", Predicate::UNe},
      {"true", Predicate::True}};
  return kWords;
}

std::optional<Operation> comparison(Op op, const std::string& name,
                                    const std::map<std::string, Predicate>& predicates) {
  const auto found = predicates.find(name);
  if (found == predicates.end()) return std::nullopt;
  Operation operation;
  operation.op = op;
  operation.predicate = found->second;
  return operation;
}

}  // namespace

namespace {

/// An operation whose word names the type of its result.
std::optional<Operation> conversion(const std::string& name, const std::string& type_name) {
  const auto found = convertingWords().find(name);
  const auto type = typeNamed(type_name);
  if (found == convertingWords().end() || !type) return std::nullopt;
  Operation operation;
  operation.op = found->second;
  operation.type = *type;
  if (operation.op == Op::Offset) operation.immediate = bytesOf(*type);
  if (name == "uitofp") operation.predicate = Predicate::ULt;
  return operation;
}

std::optional<Operation> plain(const std::string& name) {
  Operation operation;
  for (const auto* const words : {&integerWords(), &otherWords()}) {
    const auto found = words->find(name);
    if (found == words->end()) continue;
    operation.op = found->second;
    return operation;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Operation> valueWord(const std::vector<std::string>& name) {
  if (name.size() == 1) {
    const bool has_default = name[0] == "fptosi" || name[0] == "fptoui";
    return has_default ? conversion(name[0], "i32") : plain(name[0]);
  }
  if (name[0] == "icmp") return comparison(Op::ICmp, name[1], integerPredicates());
  if (name[0] == "fcmp") return comparison(Op::FCmp, name[1], floatPredicates());
  if (name[0] != "elt") return conversion(name[0], name[1]);
  Operation element;
  element.op = Op::Element;
  element.immediate = std::stol(name[1]);
  return element;
}

bool isLibraryCall(const std::string& name) {
  static const std::set<std::string> kNames = {"sin", "cos", "tan", "pow", "fmod", "log10"};
  return kNames.count(name) != 0;
}

}  // namespace ipusim::tests
