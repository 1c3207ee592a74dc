// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <poplar/InOutTypes.hpp>

#define SUPERVISOR_TARGET __attribute__((target("supervisor")))
#define WORKER_ALIGN
#define NO_INSTRUMENT
#ifndef IS_EXTERNAL_CODELET
#define IS_EXTERNAL_CODELET(is_external) static constexpr bool isExternalCodelet = (is_external)
#endif

namespace poplar {

/// A vertex whose compute() runs once, in one worker.
class Vertex {};

/// A vertex whose compute(worker) runs once in each worker of the tile.
class MultiVertex {
 public:
  static unsigned numWorkers() { return ipusim_device::context->workers; }
};

/// A vertex whose compute() runs in the supervisor.
class SupervisorVertex {};

template <bool IsSupervisor>
class SupervisorVertexIf : public std::conditional_t<IsSupervisor, SupervisorVertex, Vertex> {};

}  // namespace poplar
