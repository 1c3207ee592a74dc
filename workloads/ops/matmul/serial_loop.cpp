// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/serial_loop.h"

#include <memory>

#include "workloads/ops/fill/zero.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/data_movement.h"
#include "workloads/vertices/elementwise.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

// The tile of the loop's counter.
// Source: poplibs lib/poplin/ConvProgramTree.cpp.
constexpr TileId kCounterTile(0);

}  // namespace

SerialLoop::SerialLoop(const MatmulSite& site)
    : site_(site),
      steps_(site.layout.plan().partition.steps()),
      counter_(site.graph.addVariable(ElementType::UInt32, {1}, site.name + "/counter")) {
  site.graph.setTileMapping(counter_, kCounterTile);
  addZero(site.graph, site.machine, {counter_}, site.name + "/counter", before_);
}

void SerialLoop::addSlices(const Tensor& all, const Tensor& step, models::SliceDirection direction,
                           const std::string& name) {
  const ComputeSetId compute_set = site_.graph.addComputeSet(name);
  const std::uint64_t steps = all.elements() / step.elements();
  TypeCache<std::uint64_t> types;  // by the number of elements of a share
  for (const auto& [tile, share] : sharesByTile(site_.graph, step)) {
    const View base = repeated(shareIn(all, share, step), steps, step.elements());
    const SlicedShape shape{step.type(), elementsOf(share), steps, direction};
    site_.graph.addVertices(compute_set,
                            {types.get(shape.elements, [&] { return dynamicSliceVertex(shape); }),
                             tile,
                             1,
                             {{counter_.view()}, {base}, {share}}});
  }
  body_.add(execute(compute_set));
}

BlockedOperand SerialLoop::slice(const std::vector<BlockedOperand>& steps) {
  const BlockedOperand& first = steps.front();
  if (steps.size() == 1) return first;
  const std::string name = first.name + "/slice";
  BlockedOperand taken =
      site_.layout
          .addOperand(site_.graph, {first.role, first.storage.type(), name, Lifetime::Temporary}, 1)
          .front();
  std::vector<Tensor> storages;
  storages.reserve(steps.size());
  for (const BlockedOperand& step : steps) storages.push_back(step.storage);
  addSlices(concat(storages, 0), taken.storage, models::SliceDirection::Slice,
            first.name + "/dynamicSlice");
  return taken;
}

void SerialLoop::update(const Tensor& all, const Tensor& step) {
  mapAlike(site_.graph, step, all);
  addSlices(all, step, models::SliceDirection::Update, site_.name + "/dynamicUpdateSlice");
}

void SerialLoop::accumulate(const Tensor& sum, const Tensor& step) {
  mapAlike(site_.graph, step, sum);
  addZero(site_.graph, site_.machine, {sum}, site_.name + "/sum", before_);
  body_.add(addInPlace(sum, step, site_.name + "/AddInPlace"));
}

Program SerialLoop::addInPlace(const Tensor& sum, const Tensor& step, const std::string& name) {
  const ComputeSetId compute_set = site_.graph.addComputeSet(name);
  const models::BinaryOpKind add{models::BinaryOp::Add, step.type(), models::OpPlacement::InPlace};
  TypeCache<std::uint64_t> types;  // by the number of elements of a share
  for (const auto& [tile, share] : sharesByTile(site_.graph, step)) {
    const std::uint64_t elements = elementsOf(share);
    const auto& type = types.get(elements, [&] {
      return binaryOpVertex({add, Runs::one(elements)});
    });
    site_.graph.addVertices(compute_set, {type, tile, 1, {{shareIn(sum, share, step)}, {share}}});
  }
  return execute(compute_set);
}

void SerialLoop::finish(Program& program) {
  const Tensor one = site_.graph.addConstant(ElementType::UInt32, {1}, 1, site_.name + "/one");
  site_.graph.setTileMapping(one, kCounterTile);
  body_.add(addInPlace(counter_, one, site_.name + "/counter/AddInPlace"));
  program.add(std::move(before_));
  program.add(repeat(steps_, {std::move(body_)}));
}

}  // namespace ipusim::workloads
