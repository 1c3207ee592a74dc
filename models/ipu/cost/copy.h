// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// `count` runs of `bytes` each that lie in one piece on both sides of a copy, at regular strides.
struct CopyRun {
  std::uint64_t count;
  Bytes bytes;
  /// What the offsets and strides of both sides are multiples of, 8 bytes at most. Runs that lie
  /// one after the other on a side have their length for stride.
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
/// pieces: each run by a memcpy of its own, long ones cut between workers. strided: a loop over
/// whole runs.
///
/// S(r): issue slots that move a run of r bytes. Where the alignment is a multiple of 8, a slot
/// moves 8 bytes and one more a word (4 bytes) that is left; where it is a multiple of 4, a slot
/// moves a word. Bytes left cost 4 slots, and without alignment every word does: loads of both
/// words that hold it, a shift and a store.
///
/// No estimate of these vertices is public. Where the constants come from, all by inference:
/// * 8 bytes a cycle and 26 slots: a copy by six workers was measured at 288 cycles and 8 bytes a
///   cycle beyond (osmarks/ipu-stack, cost.rs, C600). 127 of the 288 are taken for the call and the
///   cycle counter: by so much does a measured add, of 10 or of 1,024 floats, exceed its estimate
///   (graphcore-research/tessellate-ipu). 8 KiB: 1,182 + 127 = 1,309 against 1,308 measured.
/// * 86 and 6 slots: 100 floats in 786 to 801 slots, if the strided copies in
///   thorbenlouw/lbm-graphcore, experiments/halo-exchange-approaches/results.txt (first-generation
///   chip, vendor's model) are columns of its 100 x 100 float blocks; sizes are not given there.
/// * 4 slots for a word that is not whole: about 10 cycles an element for copies of single halves,
///   in cost.rs as above, and 5.1 cycles a byte in the regression of graphcore/poplibs
///   lib/poplin/ConvModel.cpp (MIT).
///
/// How well they meet what is printed there: row of 100 floats 76 (ShortMemcpy 76 to 83,
/// Memcpy64Bit 67 to 83), column of 100 floats 786 (DstStridedCopyDA32 786 and 801; its means of
/// 1,159 and 1,298 and the 1,464 to 1,579 of DstLongStridedCopy are of unknown sizes). The
/// regression has 587 cycles, and 12.5 a float or 3.5 a pair: with the 127 we say 643, and 7 for
/// either.
///
/// Calibrated: no. Valid for: long runs as measured; single elements within a factor of two.
Cycles copyCycles(const Architecture& machine, const CopyShape& shape);

/// Issue slots of a copy vertex that does `run` alone, on one worker: 26 + S for a single run, else
/// 86 + count (6 + S). Constants and sources as above.
Cycles copyWorkerCycles(const Architecture& machine, const CopyRun& run);

}  // namespace ipusim::models
