// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/machine/machine_fields.h"

namespace ipusim {
namespace {

// As kMaxTiles and kMaxWorkers, these bounds are no limits of hardware.
constexpr std::uint64_t kMinSram = 1024;
constexpr std::uint64_t kMaxSram = std::uint64_t{1} << 30U;
constexpr std::uint64_t kMaxRate = 4096;
constexpr std::uint64_t kMaxWidth = 256;
constexpr std::uint64_t kMaxUnits = 256;
constexpr std::uint64_t kMaxDepth = 64;
constexpr std::uint64_t kMaxCycles = 1'000'000;
constexpr std::uint64_t kMaxWords = 1024;
constexpr std::uint64_t kMaxBandwidth = 1'000'000'000'000'000;
constexpr std::uint64_t kMaxCode = std::uint64_t{1} << 24U;
/// A load moves at least one element, and float is the widest type.
constexpr std::uint64_t kMinWidth = 4;

using Fields = std::vector<MachineField>;

std::uint32_t small(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}

void append(Fields& fields, const Fields& more) {
  fields.insert(fields.end(), more.begin(), more.end());
}

Fields tileFields() {
  using M = Machine;
  using U = std::uint64_t;
  return {
      {"tiles", 1, kMaxTiles, [](M& m, U v) { m.tiles = small(v); }},
      {"workers_per_tile", 1, kMaxWorkers, [](M& m, U v) { m.workers_per_tile = small(v); }},
      {"sram_per_tile_bytes", kMinSram, kMaxSram, [](M& m, U v) { m.sram_per_tile = Bytes(v); }},
      {"code_region_bytes", 1, kMaxSram, [](M& m, U v) { m.code_region = Bytes(v); }},
      {"memory_element_bytes", 1, kMaxSram, [](M& m, U v) { m.memory_element = Bytes(v); }},
      {"interleaved_element_bytes", 1, kMaxSram,
       [](M& m, U v) { m.interleaved_element = Bytes(v); }},
      {"memcpy_bytes_per_cycle", 1, kMaxRate, [](M& m, U v) { m.memcpy_rate = BytesPerCycle(v); }},
      {"data_path_bytes", kMinWidth, kMaxWidth, [](M& m, U v) { m.data_path = Bytes(v); }},
      {"atomic_store_bytes", 1, kMaxWidth, [](M& m, U v) { m.atomic_store = Bytes(v); }},
      {"conv_units_half_half", 1, kMaxUnits, [](M& m, U v) { m.conv_units.half_half = small(v); }},
      {"conv_units_half_float", 1, kMaxUnits,
       [](M& m, U v) { m.conv_units.half_float = small(v); }},
      {"conv_units_float_float", 1, kMaxUnits,
       [](M& m, U v) { m.conv_units.float_float = small(v); }},
      {"conv_pipeline_depth", 1, kMaxDepth, [](M& m, U v) { m.conv_pipeline_depth = small(v); }},
      {"weight_load_bytes_per_cycle", 1, kMaxRate,
       [](M& m, U v) { m.weight_load_rate = BytesPerCycle(v); }},
  };
}

Fields fabricFields() {
  using M = Machine;
  using U = std::uint64_t;
  return {
      {"tiles_per_column", 1, kMaxTiles, [](M& m, U v) { m.fabric.tiles_per_column = small(v); }},
      {"tiles_per_row", 1, kMaxTiles, [](M& m, U v) { m.fabric.tiles_per_row = small(v); }},
      {"tiles_per_bus", 1, kMaxTiles, [](M& m, U v) { m.fabric.tiles_per_bus = small(v); }},
      {"exchange_bytes_per_cycle", 1, kMaxRate,
       [](M& m, U v) { m.fabric.exchange_rate = BytesPerCycle(v); }},
      {"start_delay_longest_cycles", 0, kMaxCycles,
       [](M& m, U v) { m.fabric.start_delay_longest = Cycles(v); }},
      {"start_delay_per_column_cycles", 0, kMaxCycles,
       [](M& m, U v) { m.fabric.start_delay_per_column = Cycles(v); }},
      {"start_delay_per_row_cycles", 0, kMaxCycles,
       [](M& m, U v) { m.fabric.start_delay_per_row = Cycles(v); }},
      {"start_delay_per_receiver_row_cycles", 0, kMaxCycles,
       [](M& m, U v) { m.fabric.start_delay_per_receiver_row = Cycles(v); }},
      {"receive_control_words", 0, kMaxWords,
       [](M& m, U v) { m.fabric.receive_control_words = small(v); }},
      {"sync_base_cycles", 0, kMaxCycles, [](M& m, U v) { m.fabric.sync_base = Cycles(v); }},
      {"sync_per_row_cycles", 0, kMaxCycles, [](M& m, U v) { m.fabric.sync_per_row = Cycles(v); }},
      {"sync_per_column_cycles", 0, kMaxCycles,
       [](M& m, U v) { m.fabric.sync_per_column = Cycles(v); }},
  };
}

Fields overheadFields() {
  using M = Machine;
  using U = std::uint64_t;
  return {
      {"vertex_launch_cycles", 0, kMaxCycles,
       [](M& m, U v) { m.overheads.vertex_launch = Cycles(v); }},
      {"supervisor_call_cycles", 0, kMaxCycles,
       [](M& m, U v) { m.overheads.supervisor_call = Cycles(v); }},
      {"compute_set_entry_cycles", 0, kMaxCycles,
       [](M& m, U v) { m.overheads.compute_set_entry = Cycles(v); }},
      {"cycle_counter_cycles", 0, kMaxCycles, [](M& m, U v) { m.cycle_counter = Cycles(v); }},
      {"compiled_slots_per_1000_elements", 1, kMaxCycles,
       [](M& m, U v) { m.compiled.slots_per_1000_elements = v; }},
      {"compiled_slots_per_loop", 0, kMaxCycles, [](M& m, U v) { m.compiled.slots_per_loop = v; }},
  };
}

Fields hostFields() {
  using M = Machine;
  using U = std::uint64_t;
  return {
      {"host_link_bytes_per_second", 1, kMaxBandwidth,
       [](M& m, U v) { m.host.link_bytes_per_second = v; }},
      {"host_fixed_cycles", 0, kMaxCycles, [](M& m, U v) { m.host.fixed = Cycles(v); }},
      {"framework_bytes_per_second", 1, kMaxBandwidth,
       [](M& m, U v) { m.host.framework_bytes_per_second = v; }},
  };
}

Fields codeFields() {
  using M = Machine;
  using U = std::uint64_t;
  return {
      {"stack_bytes", 0, kMaxCode, [](M& m, U v) { m.code.stack = Bytes(v); }},
      {"control_program_bytes", 0, kMaxCode, [](M& m, U v) { m.code.control_program = Bytes(v); }},
      {"control_per_step_bytes", 0, kMaxCode,
       [](M& m, U v) { m.code.control_per_step = Bytes(v); }},
      {"exchange_entry_bytes", 0, kMaxCode, [](M& m, U v) { m.code.exchange_entry = Bytes(v); }},
      {"exchange_per_send_bytes", 0, kMaxCode,
       [](M& m, U v) { m.code.exchange_per_send = Bytes(v); }},
      {"exchange_per_receive_bytes", 0, kMaxCode,
       [](M& m, U v) { m.code.exchange_per_receive = Bytes(v); }},
      {"host_exchange_code_bytes", 0, kMaxCode, [](M& m, U v) { m.code.host_exchange = Bytes(v); }},
  };
}

}  // namespace

const std::vector<MachineField>& machineFields() {
  static const Fields kFields = [] {
    Fields fields = tileFields();
    append(fields, fabricFields());
    append(fields, overheadFields());
    append(fields, hostFields());
    append(fields, codeFields());
    return fields;
  }();
  return kFields;
}

}  // namespace ipusim
