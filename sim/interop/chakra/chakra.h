// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/result.h"
#include "sim/compile/executable.h"
#include "sim/interop/chakra/trace.h"

namespace ipusim::interop {

/// How many nodes a trace of a program may have unless somebody says otherwise.
constexpr std::uint64_t kMostChakraNodes = 1'000'000;

/// The compiled program as a Chakra execution trace: one node, or one
/// for each pair of IPUs, for each time that a step runs. The
/// format has no loops, so they are unrolled.
///
/// * Compute sets and copies on tiles are COMP_NODEs with the attributes num_ops and tensor_size.
/// * Exchanges inside an IPU are COMM_COLL_NODEs of type ALL_TO_ALL; comm_size is the bytes that
/// all
///   tiles receive together.
/// * Exchanges between IPUs are COMM_SEND_NODEs, one for each IPU that sends, comm_src, and each
/// that
///   it sends to, comm_dst; comm_size is the bytes between the two, without packet headers.
/// * Host copies are MEM_LOAD_NODEs and MEM_STORE_NODEs of tensor_size.
///
/// Syncs are no nodes: `ctrl_deps` is the step before, because steps run one at a time.
/// `data_deps` are the last writers of what a step reads or writes, and the steps that read what it
/// overwrites. The attribute "cycles" holds the mean cycles of a run of the step on its slowest
/// tile; duration_micros is the same time, rounded up. Throws ConfigError for more than `most`
/// nodes. `result` must be that of running `executable`.
interop::chakra::Trace chakraOf(const compiler::Executable& executable, const Result& result,
                                std::uint64_t most = kMostChakraNodes);

}  // namespace ipusim::interop
