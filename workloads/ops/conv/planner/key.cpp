// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/key.h"

#include <type_traits>

namespace ipusim::workloads {
namespace {

/// Appends values to a key, one after the other and without the gaps that they have in memory.
///
/// A structured binding names every field of a struct: a new field is a fault of compilation here
/// until the key has the field too.
class PlanKey {
 public:
  template <typename... Values>
  void add(const Values&... values) {
    (addOne(values), ...);
  }

  std::string take() { return std::move(key_); }

 private:
  template <typename Number>
  std::enable_if_t<std::is_arithmetic_v<Number> || std::is_enum_v<Number>> addOne(Number number) {
    key_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  template <typename Unit>
  void addOne(const Count<Unit>& count) {
    addOne(count.value());
  }
  template <typename What>
  void addOne(const PerCycle<What>& rate) {
    addOne(rate.value());
  }
  void addOne(const ConvUnits& units) {
    const auto& [half_half, half_float, float_float] = units;
    add(half_half, half_float, float_float);
  }
  void addOne(const Overheads& overheads) {
    const auto& [launch, call, entry] = overheads;
    add(launch, call, entry);
  }
  void addOne(const CompiledCode& code) {
    const auto& [per_elements, per_loop] = code;
    add(per_elements, per_loop);
  }
  void addOne(const Fabric& fabric) {
    const auto& [column, row, bus, rate, longest, per_column, per_row, per_receiver_row, control,
                 sync, sync_row, sync_column] = fabric;
    add(column, row, bus, rate, longest, per_column, per_row, per_receiver_row, control, sync,
        sync_row, sync_column);
  }
  void addOne(const TileCore& core) {
    const auto& [workers, memcpy_rate, data_path, store, units, depth, weights, overheads,
                 compiled] = core;
    add(workers, memcpy_rate, data_path, store, units, depth, weights, overheads, compiled);
  }
  void addOne(const TileSram& sram) {
    const auto& [bytes, code, element, interleaved] = sram;
    add(bytes, code, element, interleaved);
  }
  void addOne(const Interconnect& interconnect) {
    const auto& [tiles, fabric] = interconnect;
    add(tiles, fabric);
  }
  void addOne(const OperandTransform& transform) {
    const auto& [trunc_lower, trunc_upper, dilation, pad_lower, pad_upper, flip] = transform;
    add(trunc_lower, trunc_upper, dilation, pad_lower, pad_upper, flip);
  }
  void addOne(const OutputTransform& transform) {
    const auto& [trunc_lower, trunc_upper, stride, pad_lower, pad_upper] = transform;
    add(trunc_lower, trunc_upper, stride, pad_lower, pad_upper);
  }
  void addOne(const ConvDim& dim) {
    const auto& [field, kernel, input, weights, output] = dim;
    add(field, kernel, input, weights, output);
  }
  void addOne(const ConvParams& params) {
    const auto& [groups, batch, in_chans, out_chans, input, output, dims] = params;
    add(groups, batch, in_chans, out_chans, input, output, dims.size());
    for (const ConvDim& dim : dims) add(dim);
  }
  void addOne(const std::optional<ConvMethod>& method) {
    add(method.has_value(), method.value_or(ConvMethod{}));
  }
  void addOne(const ConvProblem& problem) {
    const auto& [params, pass, partials, memory, load, method, serial, combining] = problem;
    add(params, pass, partials, memory, load, method, serial, combining);
  }

  std::string key_;
};

}  // namespace

std::string planKey(const Architecture& machine, const ConvProblem& problem) {
  PlanKey key;
  key.add(static_cast<const TileCore&>(machine), static_cast<const TileSram&>(machine),
          static_cast<const Interconnect&>(machine), problem);
  return key.take();
}

}  // namespace ipusim::workloads
