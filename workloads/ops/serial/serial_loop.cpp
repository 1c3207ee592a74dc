// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/serial/serial_loop.h"

#include <memory>

#include "workloads/ops/fill/zero.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

// The tile of the loop's counter.
// Source: poplibs lib/poplin/ConvProgramTree.cpp.
constexpr TileId kCounterTile(0);

}  // namespace

SerialLoop::SerialLoop(SerialSite site)
    : site_(std::move(site)),
      counter_(site_.graph.addVariable(ElementType::UInt32, {1}, site_.name + "/counter")) {
  site_.graph.setTileMapping(counter_, kCounterTile);
  addZero(site_.graph, site_.machine, {counter_}, site_.name + "/counter", before_);
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

void SerialLoop::slice(const Tensor& all, const Tensor& step, const std::string& name) {
  addSlices(all, step, models::SliceDirection::Slice, name + "/dynamicSlice");
}

void SerialLoop::update(const Tensor& all, const Tensor& step) {
  mapAlike(site_.graph, step, all);
  before_.add(writeUndef(all));
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
  program.add(repeat(site_.steps, {std::move(body_)}));
}

}  // namespace ipusim::workloads
