// SPDX-License-Identifier: Apache-2.0
#include "base/text/message.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/sources/onnx/constants/fold.h"
#include "workloads/sources/onnx/onnx_shapes.h"

namespace ipusim::workloads {

namespace {

using Folded = std::vector<OnnxArray>;

/// The value around a constant padding, of the type of the operand.
OnnxArray fillOf(const FoldSite& site) {
  if (site.isGiven(2)) return site.operand(2);
  OnnxArray fill = OnnxArray::zeros(onnx::TensorProto::DOUBLE, {});
  fill.real[0] = site.realOf("value", 0);
  return castArray(fill, site.operand(0).type);
}

/// One dimension after the other.
OnnxArray paddedAlong(const OnnxArray& x, std::size_t axis,
                      const std::vector<std::optional<std::uint64_t>>& elements,
                      const OnnxArray& fill) {
  const AxisView view = viewAround(x.shape, axis);
  OnnxArray result{x.type, x.shape, {}, {}};
  result.shape[axis] = elements.size();
  expectFoldable(result.shape);
  for (std::uint64_t outer = 0; outer < view.outer; ++outer) {
    for (const auto& element : elements) {
      for (std::uint64_t inner = 0; inner < view.inner; ++inner) {
        const OnnxArray& source = element ? x : fill;
        const std::size_t at = element ? view.at(outer, *element, inner) : 0;
        if (x.isReal()) {
          result.real.push_back(source.real[at]);
        } else {
          result.whole.push_back(source.whole[at]);
        }
      }
    }
  }
  return result;
}

Folded foldPad(const FoldSite& site) {
  OnnxArray result = site.operand(0);
  const auto pads = site.axes(1, site.opset() < 2 ? "paddings" : "pads");
  std::optional<std::vector<std::int64_t>> axes;
  if (site.isGiven(3)) axes = site.operand(3).wholes();
  const OnnxPads all =
      padsOf(pads.value_or(std::vector<std::int64_t>()), axes, result.shape.size());
  const OnnxArray fill = fillOf(site);
  if (fill.size() != 1 || fill.type != result.type) {
    throw OperandError("one padding value of the type " + onnxTypeName(result.type),
                       onnxTypeName(fill.type) + " " + textOf(fill.shape));
  }
  const std::string mode = site.textOf("mode", "constant");
  for (std::size_t d = 0; d < result.shape.size(); ++d) {
    if (all.before[d] == 0 && all.after[d] == 0) continue;
    result = paddedAlong(result, d,
                         paddedElements(mode, result.shape[d], all.before[d], all.after[d]), fill);
  }
  return {std::move(result)};
}

/// Zeros above or below a diagonal of the last two dimensions.
Folded foldTrilu(const FoldSite& site) {
  OnnxArray result = site.operand(0);
  const std::size_t rank = result.shape.size();
  if (rank < 2) throw OperandError("at least two dimensions", textOf(result.shape));
  const std::int64_t diagonal = site.isGiven(1) ? site.operand(1).wholeAt(0) : 0;
  const bool is_upper = site.isSet("upper", true);
  const std::uint64_t columns = result.shape[rank - 1];
  const std::uint64_t rows = result.shape[rank - 2];
  for (std::size_t e = 0; e < result.size(); ++e) {
    const auto column = static_cast<std::int64_t>(e % columns);
    const auto row = static_cast<std::int64_t>(e / columns % rows);
    const bool is_kept = is_upper ? column - row >= diagonal : column - row <= diagonal;
    if (is_kept) continue;
    if (result.isReal()) {
      result.real[e] = 0;
    } else {
      result.whole[e] = 0;
    }
  }
  return {std::move(result)};
}

}  // namespace

void addPaddingFolds(FoldTable& table) {
  table.insert({{"Pad", foldPad}, {"Trilu", foldTrilu}});
}

}  // namespace ipusim::workloads
