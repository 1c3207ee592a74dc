// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/movement/multi_slice.h"
#include "tests/cost/oracle/oracle_names.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using tests::OracleRow;

LookUps lookUps(const OracleRow& row) {
  return {row.number("num_offsets"), row.number("num_offsets_in_range"), row.flag("indices_sorted"),
          row.number("offsets_per_dict_entry")};
}

Cycles multiSliceOf(const OracleRow& row) {
  static const std::map<std::string, SliceDirection> kVertices{
      {"MultiSlice", SliceDirection::Slice},
      {"MultiUpdate", SliceDirection::Update},
  };
  const bool single = row.flag("split_single_region");
  return multiSliceCycles(
      gc200(), {named(row, "vertex", kVertices), elementSize(row), row.number("elems_per_slice"),
                lookUps(row), single ? SliceSplit::SingleRegion : SliceSplit::Offsets});
}

/// The operator of a vertex: only a scaled vertex adds.
UpdateOp updateOp(const OracleRow& row) {
  static const std::map<std::string, std::map<std::string, UpdateOp>> kVertices{
      {"ScaledMultiUpdateOp", {{"ADD", UpdateOp::ScaledAdd}}},
      {"MultiUpdateOp", {{"MAX", UpdateOp::Maximum}, {"MUL", UpdateOp::Multiply}}},
  };
  return named(row, "op", named(row, "vertex", kVertices));
}

Cycles multiUpdateOf(const OracleRow& row) {
  const bool parts = row.flag("sub_word_writes");
  return multiUpdateCycles(gc200(), {updateOp(row), elementType(row),
                                     elementType(row, "scale_type"), row.number("elems_per_slice"),
                                     lookUps(row), Bytes(row.number("atomic_write_bytes")),
                                     parts ? SubWordWrites::Needed : SubWordWrites::Avoided});
}

TEST(MultiSliceOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("multi_slice.csv", multiSliceOf);
}

TEST(MultiUpdateOracle, EqualsThePublishedEstimate) {
  tests::expectOracleCycles("multi_update_op.csv", multiUpdateOf);
}

}  // namespace
}  // namespace ipusim::models
