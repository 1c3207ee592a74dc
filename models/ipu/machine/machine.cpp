// SPDX-License-Identifier: Apache-2.0
#include "ipusim/machine.h"

#include <tuple>

#include "ipusim/error.h"

namespace ipusim {
namespace {

/// Cycles in which an AMP engine uses each of its weights once, by the type of the inputs.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT), AMP core loops.
constexpr double kHalfPassCycles = 4;
constexpr double kFloatPassCycles = 8;

}  // namespace

double Architecture::peakFlopsPerCycle(ElementType inputs, ElementType partials) const {
  const bool half = inputs == ElementType::Half;
  check(half || (inputs == ElementType::Float && partials == ElementType::Float),
        "AMP engines take half or float, and float partials for float");
  const std::uint32_t half_units =
      partials == ElementType::Half ? conv_units.half_half : conv_units.half_float;
  const std::uint32_t units = half ? half_units : conv_units.float_float;
  const double weights = static_cast<double>(conv_pipeline_depth) * vectorWidth(inputs);
  constexpr double kFlopsPerMultiplyAdd = 2;
  const double per_cycle = units * weights / (half ? kHalfPassCycles : kFloatPassCycles);
  return kFlopsPerMultiplyAdd * per_cycle * tiles;
}

bool operator==(const ConvUnits& a, const ConvUnits& b) {
  return std::tie(a.half_half, a.half_float, a.float_float) ==
         std::tie(b.half_half, b.half_float, b.float_float);
}

bool operator==(const Fabric& a, const Fabric& b) {
  return std::tie(a.tiles_per_column, a.tiles_per_row, a.tiles_per_bus, a.start_delay_longest,
                  a.start_delay_per_column, a.start_delay_per_row, a.start_delay_per_receiver_row,
                  a.receive_control_words, a.sync_base, a.sync_per_row, a.sync_per_column) ==
             std::tie(b.tiles_per_column, b.tiles_per_row, b.tiles_per_bus, b.start_delay_longest,
                      b.start_delay_per_column, b.start_delay_per_row,
                      b.start_delay_per_receiver_row, b.receive_control_words, b.sync_base,
                      b.sync_per_row, b.sync_per_column) &&
         a.exchange_rate.value() == b.exchange_rate.value();
}

bool operator==(const Overheads& a, const Overheads& b) {
  return std::tie(a.vertex_launch, a.supervisor_call, a.compute_set_entry) ==
         std::tie(b.vertex_launch, b.supervisor_call, b.compute_set_entry);
}

bool operator==(const HostRates& a, const HostRates& b) {
  return std::tie(a.link_bytes_per_second, a.fixed, a.framework_bytes_per_second) ==
         std::tie(b.link_bytes_per_second, b.fixed, b.framework_bytes_per_second);
}

bool operator==(const CompiledCode& a, const CompiledCode& b) {
  return std::tie(a.slots_per_1000_elements, a.slots_per_loop) ==
         std::tie(b.slots_per_1000_elements, b.slots_per_loop);
}

bool operator==(const CodeSizes& a, const CodeSizes& b) {
  return std::tie(a.stack, a.control_program, a.control_per_step, a.exchange_entry,
                  a.exchange_per_send, a.exchange_per_receive, a.host_exchange) ==
         std::tie(b.stack, b.control_program, b.control_per_step, b.exchange_entry,
                  b.exchange_per_send, b.exchange_per_receive, b.host_exchange);
}

bool operator==(const TileCore& a, const TileCore& b) {
  return std::tie(a.workers_per_tile, a.data_path, a.atomic_store, a.conv_units,
                  a.conv_pipeline_depth, a.overheads, a.compiled) ==
             std::tie(b.workers_per_tile, b.data_path, b.atomic_store, b.conv_units,
                      b.conv_pipeline_depth, b.overheads, b.compiled) &&
         a.memcpy_rate.value() == b.memcpy_rate.value() &&
         a.weight_load_rate.value() == b.weight_load_rate.value();
}

bool operator==(const TileSram& a, const TileSram& b) {
  return std::tie(a.sram_per_tile, a.code_region, a.memory_element, a.interleaved_element) ==
         std::tie(b.sram_per_tile, b.code_region, b.memory_element, b.interleaved_element);
}

bool operator==(const Interconnect& a, const Interconnect& b) {
  return std::tie(a.tiles, a.fabric) == std::tie(b.tiles, b.fabric);
}

bool operator==(const Architecture& a, const Architecture& b) {
  return static_cast<const TileCore&>(a) == static_cast<const TileCore&>(b) &&
         static_cast<const TileSram&>(a) == static_cast<const TileSram&>(b) &&
         static_cast<const Interconnect&>(a) == static_cast<const Interconnect&>(b);
}

bool operator==(const StreamingMemory& a, const StreamingMemory& b) {
  return std::tie(a.ipus, a.bytes, a.bytes_per_second, a.ipu_bytes_per_second, a.contexts,
                  a.packet_payload, a.packet_header, a.sync_hop_seconds) ==
         std::tie(b.ipus, b.bytes, b.bytes_per_second, b.ipu_bytes_per_second, b.contexts,
                  b.packet_payload, b.packet_header, b.sync_hop_seconds);
}

bool operator==(const Platform& a, const Platform& b) {
  return std::tie(a.clock_hz, a.cycle_counter, a.host) ==
         std::tie(b.clock_hz, b.cycle_counter, b.host);
}

}  // namespace ipusim
