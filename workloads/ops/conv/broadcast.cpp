// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/broadcast.h"

#include "workloads/ops/conv/input_walk.h"

namespace ipusim::workloads {

namespace {

/// Calls `visit` with every tile and the inputs that its part reads.
template <typename Visit>
void forEachTile(const ConvLayout& layout, const Tensor& input, const Visit& visit) {
  const auto visit_part = [&](const PartInput& inputs) {
    ConvPart part = inputs.part;
    for (; part.out < layout.plan().partition.out_chans; ++part.out) {
      visit(layout.tile(part), inputs.input);
    }
  };
  InputWalk(layout, visit_part).run(layout.input().whole(input));
}

}  // namespace

std::vector<Tensor> addInputCopies(const ConvSite& site, const Tensor& input,
                                   const std::string& operand, Program& program) {
  const std::string name = site.name + operand + "/broadcast";
  std::uint64_t elements = 0;
  forEachTile(site.layout, input,
              [&](TileId, const Tensor& inputs) { elements += inputs.elements(); });
  const Tensor storage = site.graph.addVariable(input.type(), {elements}, name);
  std::vector<Tensor> copies(site.layout.plan().partition.tiles());
  std::vector<CopyPair> pairs;
  std::uint64_t next = 0;
  forEachTile(site.layout, input, [&](TileId tile, const Tensor& inputs) {
    const Tensor own = storage.slice(next, next + inputs.elements(), 0);
    next += inputs.elements();
    site.graph.setTileMapping(own, tile);
    copies[tile.tile()] = own.reshape(inputs.shape());
    pairs.push_back({inputs, copies[tile.tile()]});
  });
  program.add(site.graph.copy(pairs, name));
  return copies;
}

}  // namespace ipusim::workloads
