// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poplar/detail/program_api.hpp"
#include "poplar/runtime/graph/tensor_data.h"

namespace poplar::detail {

enum class ProgramKind : std::uint8_t {
  Sequence,  ///< `steps` one after the other
  Execute,   ///< compute set `number`; `to` gets whether all vertices returned true, if it is set
  LibraryExecute,  ///< compute set `number` of the graph of variables, which operations made
  Copy,            ///< `from` to `to`
  LibraryCopy,     ///< copy `number` of the graph of variables, which operations made
  StreamIn,        ///< stream `number` to `to`
  StreamOut,       ///< `from` to stream `number`
  RemoteIn,        ///< row `row` of buffer `number` to `to`
  RemoteOut,       ///< `from` to row `row` of buffer `number`
  Repeat,          ///< steps[0] `number` times
  RepeatWhile,     ///< steps[0]; while `from` is `is_true`: steps[1] and steps[0]
  If,              ///< steps[0] if `from` is true, else steps[1]
  Switch,  ///< the step of `from` in `cases`, which are in step with steps[1] on; else steps[0]
  Call,    ///< function `number`
  Print,   ///< `from` under `text`
  Sync,
  Abort,       ///< with `text`; where `from` is set, only if it is true
  CycleStamp,  ///< the counter of the tile of `to`, less the stamp `from` if that is set
  HostCall,    ///< host function `number`; streams bring its arguments
  WriteUndef,  ///< nobody reads what `to` held
};

struct ProgramData : Shared {
  ProgramKind kind = ProgramKind::Sequence;
  std::uint64_t number = 0;
  std::string text = {};
  Ref<TensorData> from = {};
  Ref<TensorData> to = {};
  Ref<TensorData> row = {};
  bool is_true = true;
  std::vector<std::int32_t> cases = {};
  std::vector<Ref<ProgramData>> steps = {};

  ProgramData() = default;
  ProgramData(const ProgramData& other);
};

}  // namespace poplar::detail
