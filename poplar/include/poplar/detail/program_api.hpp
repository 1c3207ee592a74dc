// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "poplar/detail/tensor_api.hpp"

namespace poplar {
namespace detail {

/// A step of a program with the steps inside it. It never changes once two hold it.
struct ProgramData;
void retain(ProgramData* program);
void release(ProgramData* program);

enum class LoopUntil { False, True };
enum class TransferTo { Device, Host };

// Each of these gives away a new reference.
ProgramData* makeSequence(const ProgramData* const* steps, std::size_t count);
ProgramData* makeExecute(std::uint32_t compute_set, Text name);
ProgramData* makeExecute(std::uint32_t compute_set, const TensorData* all_true, Text name);
ProgramData* makeCopy(const TensorData* from, const TensorData* to, Text name);
ProgramData* makeStream(std::uint32_t stream, const TensorData* tensor, TransferTo to, Text name);
/// `row` is null for row 0.
ProgramData* makeRemote(std::uint32_t buffer, const TensorData* tensor, const TensorData* row,
                        TransferTo to, Text name);
ProgramData* makeRepeat(std::uint64_t count, const ProgramData* body);
ProgramData* makeRepeatWhile(const ProgramData* condition, const TensorData* predicate,
                             const ProgramData* body, LoopUntil until);
ProgramData* makeIf(const TensorData* predicate, const ProgramData* then,
                    const ProgramData* otherwise);
ProgramData* makeSwitch(const TensorData* control, const ProgramData* otherwise);
ProgramData* makeCall(std::uint32_t function);
/// Calls a host function between transfers of its arguments.
ProgramData* makeHostCall(std::uint32_t function);
/// Throws control_program_error unless the tensor has the type and the size of an argument of a
/// host function.
void checkArgument(const TensorData* tensor, TypeId type, std::size_t elements);
ProgramData* makePrint(Text title, const TensorData* tensor);
ProgramData* makeSync(Text name);
ProgramData* makeWriteUndef(const TensorData* tensor);
/// Ends the run with an application_runtime_error. With a condition, it does so only if that is
/// true.
ProgramData* makeAbort(const TensorData* condition, Text message);
/// Writes the cycle counter of the tile of `stamp` to it, low word first. With `since`, an earlier
/// stamp, it writes the cycles since that one.
ProgramData* makeCycleStamp(const TensorData* stamp, const TensorData* since);

// Each takes over the reference to `program`, and gives away one to the changed program. It copies
// a program that others hold before it changes it.
ProgramData* withStep(ProgramData* program, const ProgramData* step);
ProgramData* withCase(ProgramData* program, std::int32_t value, const ProgramData* body);

}  // namespace detail
}  // namespace poplar
