// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/type.h"

#include <algorithm>
#include <array>

namespace ipusim::tile_compiler {
namespace {

struct Traits {
  Type type;
  std::string_view name;
  Type element;
  Lane lane;
  unsigned bytes;
};

constexpr std::array kTypes = {
    Traits{Type::Void, "void", Type::Void, Lane::Main, 0},
    Traits{Type::I1, "i1", Type::I1, Lane::Main, 1},
    Traits{Type::I8, "i8", Type::I8, Lane::Main, 1},
    Traits{Type::I16, "i16", Type::I16, Lane::Main, 2},
    Traits{Type::I32, "i32", Type::I32, Lane::Main, 4},
    Traits{Type::I64, "i64", Type::I64, Lane::Main, 8},
    Traits{Type::Pointer, "p", Type::Pointer, Lane::Main, 4},
    Traits{Type::F16, "f16", Type::F16, Lane::Aux, 2},
    Traits{Type::F32, "f32", Type::F32, Lane::Aux, 4},
    Traits{Type::F64, "f64", Type::F64, Lane::Main, 8},
    Traits{Type::V2F16, "v2f16", Type::F16, Lane::Aux, 4},
    Traits{Type::V4F16, "v4f16", Type::F16, Lane::Aux, 8},
    Traits{Type::V2F32, "v2f32", Type::F32, Lane::Aux, 8},
    Traits{Type::V2I16, "v2i16", Type::I16, Lane::Main, 4},
    Traits{Type::V4I16, "v4i16", Type::I16, Lane::Main, 8},
    Traits{Type::V2I32, "v2i32", Type::I32, Lane::Main, 8},
    Traits{Type::V4I8, "v4i8", Type::I8, Lane::Main, 4},
};

const Traits& traitsOf(Type type) {
  return kTypes[static_cast<std::size_t>(type)];
}

}  // namespace

Lane laneOf(Type type) {
  return traitsOf(type).lane;
}

unsigned wordsOf(Type type) {
  return (traitsOf(type).bytes + 3) / 4;
}

unsigned bytesOf(Type type) {
  return traitsOf(type).bytes;
}

bool isPair(Type type) {
  return isVector(type) && wordsOf(type) == 2;
}

bool isVector(Type type) {
  return elementOf(type) != type;
}

Type elementOf(Type type) {
  return traitsOf(type).element;
}

bool isHalf(Type type) {
  return elementOf(type) == Type::F16;
}

bool isFloat(Type type) {
  return elementOf(type) == Type::F16 || elementOf(type) == Type::F32;
}

std::optional<Type> typeNamed(std::string_view name) {
  const auto* const found = std::find_if(kTypes.begin(), kTypes.end(),
                                         [&](const Traits& traits) { return traits.name == name; });
  if (found == kTypes.end()) return std::nullopt;
  return found->type;
}

}  // namespace ipusim::tile_compiler
