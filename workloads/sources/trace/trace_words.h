// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/words.h"
#include "ipusim/graph.h"
#include "models/ipu/machine/timing_mode.h"

// The words of a trace for values of enumerations.

namespace ipusim::workloads {

constexpr Words<TimingMode, 3> kTimingWords{{{TimingMode::Program, "program"},
                                             {TimingMode::TileCounters, "tile_counters"},
                                             {TimingMode::TileCountersRaw, "tile_counters_raw"}}};
constexpr Words<Lifetime, 2> kLifetimeWords{
    {{Lifetime::Temporary, "temporary"}, {Lifetime::Always, "always"}}};
constexpr Words<FieldDirection, 3> kDirectionWords{{{FieldDirection::Input, "in"},
                                                    {FieldDirection::Output, "out"},
                                                    {FieldDirection::InOut, "inout"}}};
constexpr Words<FieldMemory, 2> kMemoryWords{
    {{FieldMemory::Any, "any"}, {FieldMemory::Interleaved, "interleaved"}}};
constexpr Words<Origin, 2> kOriginWords{{{Origin::Library, "library"}, {Origin::User, "user"}}};
constexpr Words<VertexKind, 2> kKindWords{
    {{VertexKind::Worker, "worker"}, {VertexKind::Supervisor, "supervisor"}}};
constexpr Words<HostDirection, 2> kHostDirectionWords{
    {{HostDirection::ToChip, "to_chip"}, {HostDirection::ToHost, "to_host"}}};
constexpr Words<RemoteDirection, 2> kRemoteDirectionWords{
    {{RemoteDirection::Load, "load"}, {RemoteDirection::Store, "store"}}};
constexpr Words<HostPath, 2> kHostPathWords{
    {{HostPath::Link, "link"}, {HostPath::Framework, "framework"}}};

}  // namespace ipusim::workloads
