// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/flops.h"

namespace ipusim::tile_compiler {
namespace {

unsigned flopsOfElement(Op op) {
  if (op == Op::MulAdd) return 2;
  if (op == Op::FAbs || op == Op::CopySign || op == Op::Round) return 0;
  return op >= Op::FAdd && op <= Op::Sigmoid ? 1 : 0;
}

}  // namespace

unsigned flopsOf(const Operation& operation) {
  if (!isFloat(operation.type)) return 0;
  return flopsOfElement(operation.op) * bytesOf(operation.type) /
         bytesOf(elementOf(operation.type));
}

}  // namespace ipusim::tile_compiler
