// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/record/recorded_program.h"

// What a record file has of each type, in order. Writer and reader both go by this list.

namespace ipusim::record {

// The last value of each enumeration that is written.
constexpr StepKind lastOf(StepKind /*kind*/) {
  return StepKind::RemoteEnd;
}
constexpr OpKind lastOf(OpKind /*kind*/) {
  return OpKind::RepeatEnd;
}
constexpr VertexKind lastOf(VertexKind /*kind*/) {
  return VertexKind::Supervisor;
}
constexpr StepId lastOf(StepId /*step*/) {
  return StepId{~std::uint32_t{0}};
}

/// `of(archive, object)` calls the archive with the members of the object.
template <typename Object>
struct Members;

template <>
struct Members<RecordedStep> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& step) {
    archive(step.name, step.kind);
  }
};
template <>
struct Members<StreamingTiming> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& timing) {
    archive(timing.ipus, timing.rate, timing.ipu_rate, timing.sync, timing.fixed);
  }
};
template <>
struct Members<ChipTiming> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& timing) {
    archive(timing.clock_hz, timing.workers, timing.vertex_launch, timing.supervisor_call,
            timing.compute_set_entry, timing.sync_base, timing.sync_distance, timing.streaming);
  }
};
template <>
struct Members<TileOp> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& op) {
    archive(op.kind, op.step, op.first, op.count);
  }
};
template <>
struct Members<VertexRun> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& run) {
    archive(run.kind, run.count, run.cycles);
  }
};
template <>
struct Members<TileProgram> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& program) {
    archive(program.ops, program.vertices, program.waits);
  }
};
template <>
struct Members<Exchange> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& exchange) {
    archive(exchange.first, exchange.count);
  }
};
template <>
struct Members<Transmission> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& one) {
    archive(one.from, one.first_tile, one.lenders, one.receivers, one.start, one.length,
            one.control, one.bytes);
  }
};
template <>
struct Members<HostTransfer> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& transfer) {
    archive(transfer.cycles, transfer.bytes, transfer.to_chip);
  }
};
template <>
struct Members<RemoteTransfer> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& transfer) {
    archive(transfer.payload, transfer.on_memory, transfer.ports, transfer.address,
            transfer.to_chip);
  }
};
template <>
struct Members<ChipPrograms> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& chip) {
    archive(chip.timing, chip.tiles, chip.steps, chip.exchanges, chip.transmissions,
            chip.transmission_tiles, chip.host_transfers, chip.remote_transfers, chip.in_pod,
            chip.global_exchanges);
  }
};
template <>
struct Members<LinkLoad> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& load) {
    archive(load.set, load.bytes, load.busy);
  }
};
template <>
struct Members<GlobalExchange> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& exchange) {
    archive(exchange.sync, exchange.transfer, exchange.loads);
  }
};
template <>
struct Members<SystemPrograms> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& system) {
    archive(system.chips, system.chip_of_ipu, system.exchanges, system.link_sets);
  }
};
template <>
struct Members<models::CycleChange> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& change) {
    archive(change.step, change.run, change.play, change.cycles);
  }
};
template <>
struct Members<models::StepRecord> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& record) {
    archive(record.order, record.changes);
  }
};
template <>
struct Members<models::RecordedRun> {
  template <typename Archive, typename Object>
  static void of(Archive& archive, Object& run) {
    archive(run.programs, run.ipus);
  }
};

}  // namespace ipusim::record
