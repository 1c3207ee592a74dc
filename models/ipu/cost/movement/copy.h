// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// `count` runs of `bytes` each, at regular strides. A run is consecutive on both sides of a copy.
struct CopyRun {
  std::uint64_t count;
  Bytes bytes;
  /// The offsets and strides of both sides are multiples of this number, which is at most 8 bytes.
  /// Consecutive runs have their length as stride.
  Bytes alignment{8};
};

/// A copy within a tile's memory.
struct CopyShape {
  std::vector<CopyRun> runs;
};

/// Tile cycles of an on-tile copy, spread over all workers W:
///
///   pieces  = 26 ceil(runs / W) + ceil(sum S / W)
///   strided = 86 + max(ceil(sum (6 + S) / W), longest 6 + S)
///   cycles  = W min(pieces, strided)
///
/// pieces: each run has its own memcpy, and long runs are cut between workers. strided: a loop goes
/// over whole runs.
///
/// S(r) are the issue slots that move a run of r bytes. With an alignment that is a multiple of 8,
/// a slot moves 8 bytes, and one more slot moves a remaining word (4 bytes). With a multiple of 4,
/// a slot moves a word. Remaining bytes cost 4 slots. Without alignment every word costs 4 slots:
/// loads of both words that hold it, a shift and a store.
///
/// No estimate of these vertices is public. The constants are inferred:
///
/// * 8 bytes per cycle and 26 slots: a copy by six workers was measured at 288 cycles, and 8 bytes
///   per cycle beyond (osmarks/ipu-stack, cost.rs, C600). Of the 288 cycles, 127 are taken to be
///   the call and the cycle counter: a measured add, of 10 or of 1,024 floats, exceeds its estimate
///   by as much (graphcore-research/tessellate-ipu). For 8 KiB this gives 1,182 + 127 = 1,309,
///   against 1,308 measured.
/// * 86 and 6 slots: 100 floats take 786 to 801 slots, if the strided copies in
///   thorbenlouw/lbm-graphcore, experiments/halo-exchange-approaches/results.txt (first-generation
///   chip, vendor's model) are columns of its 100 x 100 float blocks. The file gives no sizes.
/// * 4 slots for a part of a word: about 10 cycles per element for copies of single halves in the
///   same cost.rs, and 5.1 cycles per byte in the regression of graphcore/poplibs
///   lib/poplin/ConvModel.cpp (MIT).
///
/// The formula compares with what is printed there as follows. A row of 100 floats takes 76 slots
/// (ShortMemcpy 76 to 83, Memcpy64Bit 67 to 83). A column of 100 floats takes 786
/// (DstStridedCopyDA32 786 and 801; its means of 1,159 and 1,298 and the 1,464 to 1,579 of
/// DstLongStridedCopy are of unknown sizes). The regression has 587 cycles, and 12.5 per float or
/// 3.5 per pair; the formula, with the 127, has 643, and 7 for either.
///
/// Calibrated: no.
/// Valid for: long runs as measured; single elements within a factor of two.
Cycles copyCycles(const Architecture& machine, const CopyShape& shape);

/// Issue slots of a copy vertex that does `run` alone, on one worker: 26 + S for a single run, else
/// 86 + count (6 + S). Constants and sources as above.
Cycles copyWorkerCycles(const Architecture& machine, const CopyRun& run);

}  // namespace ipusim::models
