// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/chip_graph.h"

#include <fmt/format.h>

namespace ipusim::parallel {

namespace {

/// A variable with a row per device, each the cell of the device on its tile.
Tensor addCells(const Cells& cells, ElementType type, const std::string& name, Lifetime lifetime,
                Graph& graph) {
  Shape shape{cells.size()};
  shape.insert(shape.end(), cells.front().extent.begin(), cells.front().extent.end());
  Tensor tensor = graph.addVariable(type, shape, name, lifetime);
  for (std::uint32_t device = 0; device < cells.size(); ++device) {
    graph.setTileMapping(tensor.slice(device, device + 1, 0), TileId(device));
  }
  return tensor;
}

/// The elements of `part` among those that the device holds.
Tensor partOf(const Tensor& tensor, std::uint32_t device, const Cell& cell, const Cell& part) {
  Tensor view = tensor.slice(device, device + 1, 0);
  for (std::size_t d = 0; d < part.offset.size(); ++d) {
    const std::uint64_t begin = part.offset[d] - cell.offset[d];
    view = view.slice(begin, begin + part.extent[d], d + 1);
  }
  return view;
}

/// What a step copies: from each device to itself what it keeps, and from others what it lacks.
std::vector<CopyPair> pairsOf(const DeviceStep& step, const Cells& before, const Tensor& from,
                              const Tensor& to) {
  std::vector<CopyPair> pairs;
  for (std::uint32_t device = 0; device < before.size(); ++device) {
    const Cell kept = common(before[device], step.after[device]);
    if (kept.elements() == 0) continue;
    pairs.push_back(
        {partOf(from, device, before[device], kept), partOf(to, device, step.after[device], kept)});
  }
  for (const Transfer& transfer : transfersOf(step, before)) {
    pairs.push_back({partOf(from, transfer.from, before[transfer.from], transfer.elements),
                     partOf(to, transfer.to, step.after[transfer.to], transfer.elements)});
  }
  return pairs;
}

/// A prime: the numbers below it are exact in the type, and it divides no row of a usual shape, so
/// that rows differ.
std::uint64_t exactNumbers(ElementType type) {
  constexpr std::uint64_t kHalf = 2039;
  constexpr std::uint64_t kFloat = 16'777'213;
  return type == ElementType::Half ? kHalf : kFloat;
}

TensorValues valuesOf(const Cells& cells, const Shape& global, ElementType type) {
  TensorValues values;
  for (const Cell& cell : cells) {
    forEachElement(cell, [&](const std::vector<std::uint64_t>& index) {
      std::uint64_t number = 0;
      for (std::size_t d = 0; d < index.size(); ++d) number = number * global[d] + index[d];
      values.push_back(static_cast<double>(number % exactNumbers(type)));
    });
  }
  return values;
}

}  // namespace

ChipRedistribution graphOf(const std::vector<DeviceStep>& steps, const Cells& source,
                           const Shape& global, ElementType type, WithValues with_values) {
  ChipRedistribution chip;
  const Tensor first = addCells(source, type, "source", Lifetime::Always, chip.graph);
  Tensor from = first;
  const Cells* before = &source;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const bool is_last = s + 1 == steps.size();
    const std::string name = is_last ? "target" : fmt::format("step{}", s + 1);
    const Tensor to = addCells(steps[s].after, type, name,
                               is_last ? Lifetime::Always : Lifetime::Temporary, chip.graph);
    chip.graph.program().add(chip.graph.copy(pairsOf(steps[s], *before, from, to), name));
    from = to;
    before = &steps[s].after;
  }
  const bool has_values = with_values == WithValues::Yes;
  chip.host.inputs = {
      {"source", first, 2, has_values ? valuesOf(source, global, type) : TensorValues()}};
  chip.host.outputs = {{"target", from}};
  if (has_values) chip.wanted = {valuesOf(*before, global, type)};
  return chip;
}

}  // namespace ipusim::parallel
