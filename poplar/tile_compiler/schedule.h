// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/tile_compiler/instruction.h"

namespace ipusim::tile_compiler {

/// Orders the instructions of each block before registers are assigned: from the top, a cycle at a
/// time, at most one instruction a lane and cycle. Calls and the ends of blocks stay where they
/// are.
///
/// A candidate is better by, in this order: less excess over the registers of its file; less rise
/// above the block's maximum of a file that is short; less rise of the maximum so far; longer path
/// to the end; earlier in the source. The registers count in blocks of more than kSmallBlock
/// instructions. Latencies are one cycle. Source: [B], the machine model and LLVM's generic
/// scheduler (machine_facts.h).
void scheduleInstructions(MachineFunction& function);

}  // namespace ipusim::tile_compiler
