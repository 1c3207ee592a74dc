// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// Which outputs of its pairs a butterfly vertex makes.
enum class ButterflyOutputs : std::uint8_t {
  Both,    ///< both inputs of a pair are lines of the tile
  First,   ///< the first inputs are lines of the tile, the second ones arrive
  Second,  ///< the other way round
};

/// Lines of a tile, one for each of its features.
struct ButterflyStageShape {
  models::ElementType type;  ///< half or float
  std::uint64_t features;
  std::uint64_t rows;    ///< of the batch: elements of a line
  std::uint64_t stride;  ///< features between the lines of a pair, where both are on the tile
  /// 2 x 2 twiddles that the tile has, used in turn: as many as pairs, or fewer where they repeat.
  std::uint64_t twiddles;
  ButterflyOutputs outputs;
};

/// One stage of a butterfly as a vertex for all workers that is written by hand: each pair of
/// inputs times its twiddles.
///
/// Fields, one edge each: 0 "lines", 1 "twiddles", (2 x 2 each: output, input), 2 "out", 3
/// "partners": the other inputs of the pairs, where these are not on the tile.
class ButterflyStage : public Codelet {
 public:
  explicit ButterflyStage(const ButterflyStageShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(3 * shape_.features * shape_.rows); }
  void compute(const VertexData& data) const override;

 private:
  ButterflyStageShape shape_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
