// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Operators of a popops reduction.
enum class ReduceOp : std::uint8_t { Add, SquareAdd, LogAdd, Maximum, Minimum, Multiply };

/// Whether a reduction adds to what the output holds.
enum class ReduceInto : std::uint8_t { Fresh, Update };

/// What a reduction vertex computes.
struct ReduceKind {
  ReduceOp op;
  ElementType partials;  ///< half or float
  ElementType output;
  ReduceInto into = ReduceInto::Fresh;
};

/// A strided Reduce vertex, the usual form: reduces the rows of a matrix to one.
struct StridedReduceShape {
  ReduceKind kind;
  std::uint64_t partials;   ///< number of rows
  std::uint64_t outputs;    ///< number of columns
  std::uint64_t stride;     ///< elements from one row to the next
  std::uint64_t outer = 1;  ///< number of such matrices, one after the other
};

/// Issue slots of the vertex on one worker:
///
///   16 + ceil(outputs / e) (3 + post + outer (3 + c (partials - 1))),  e = gcd(D, stride)
///   c = 1; log-add 23 float, 13 half partials
///   post             half partials                float partials
///     add            8, 7; update 10, 12          5; update 7, 8
///     max, min       8; update 11                 4; update 6, 7
///     square, mul    1                            4; update 6, 7
///     log-add        8; update 23, 57             4; update 15, 29
///
/// Two numbers stand for half and float output. D is the number of elements of the data path. The
/// library's table has no entry for squares and products of halves; its estimator then takes zero.
/// Source: graphcore/poplibs lib/popops/reduction/CycleEstimationFunctions.cpp (MIT).
/// Calibrated: no.
/// Valid for: half and float.
Cycles stridedReduceCycles(const Architecture& machine, const StridedReduceShape& shape);

/// A ContinuousReduce vertex: reduces each of `outputs` rows of `partials` elements to one element.
struct ContinuousReduceShape {
  ReduceKind kind;
  std::uint64_t partials;
  std::uint64_t outputs;
};

/// Issue slots of the vertex on one worker:
///
///   17 + (1 update) + (outputs - 1) (c floor(partials / w) + 12) + (2 if partials odd)
///
/// As published, the formula has one output less than there are. c = 1 and w = D; for log-add they
/// are 20 and 1.
/// Source: as above.
Cycles continuousReduceCycles(const Architecture& machine, const ContinuousReduceShape& shape);

/// Issue slots of a Reduce vertex with a single output and a single run of partials:
///
///   17 + floor(partials A / D / A) + partials mod A + (5 unless the output is float)
///
/// A is the number of accumulators: 2 D for add and square-add, and D otherwise.
/// Source: as above.
/// Valid for: outputs = 1, no update; the library has no such vertex for log-add.
Cycles singleReduceCycles(const Architecture& machine, const ContinuousReduceShape& shape);

/// One output region of a Reduce vertex, and the runs of partials that are reduced into it.
struct ReduceRegion {
  std::uint64_t outputs;
  std::vector<std::uint64_t> partials;  ///< elements of each run: multiples of `outputs`
};

/// Issue slots of a Reduce vertex on lists of regions. The vertex of log-add is written in C++:
///
///   31 + 8 regions + for each run: 22 + (36 + (1 where output and partials differ in type)) size
///
/// All others take 33 + for each region of o outputs and n runs
///
///   24 + 2 h + v ((6 add, 4 else) + st(A) + 10 n)
///   + for each bit i < h set in o: (4 add, 2 else) + st(2^i) + 10 n
///   + for each run of a o elements: v a ((4 add, 2 else) + A / min(A, D) + 3)
///     + for each such bit: a (5 + 2^i / min(2^i, D))
///
/// with h = log2 A, v = floor(o / A) and st(w) = (2, update 3) min(w, output's vector) + (1 add).
/// "Add" stands for add and square-add. A is as above.
/// Source: as above.
Cycles reduceCycles(const Architecture& machine, const ReduceKind& kind,
                    const std::vector<ReduceRegion>& regions);

}  // namespace ipusim::models
