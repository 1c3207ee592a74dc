// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/convolve.h"

#include <array>
#include <memory>
#include <utility>

#include "ipusim/error.h"
#include "workloads/vertices/products.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

/// The data that one part of the plan reads and writes.
struct ProductPart {
  TileId tile;
  Tensor input;    ///< (groups * in groups, positions, channels of a group)
  Tensor weights;  ///< (groups * out groups * in groups, channels of an out group, of an in group)
  Tensor out;      ///< one dimension: groups, out groups, positions, channels of a group
};

/// The sizes of a part.
struct PartSizes {
  std::uint64_t groups;
  std::uint64_t in_groups;
  std::uint64_t out_groups;
  std::uint64_t field;
};

class ProductConvolve {
 public:
  ProductConvolve(const MatmulSite& site, const ConvolveOperands& operands, Lifetime lifetime)
      : graph_(site.graph),
        workers_(site.machine.workers_per_tile),
        layout_(site.layout),
        method_(site.layout.plan().method),
        operands_(operands),
        compute_set_(graph_.addComputeSet(site.name + "/Convolve")) {
    const std::uint64_t elements = layout_.resultElements() * layout_.plan().partition.in_chans;
    partials_.storage =
        graph_.addVariable(method_.partials, {elements}, site.name + "/partials", lifetime);
    Shape shape = layout_.resultShape(1);
    const std::uint64_t sets = layout_.plan().partition.in_chans;
    if (sets > 1) shape.insert(shape.begin(), sets);
    graph_.setShape(partials_.storage, std::move(shape));
  }

  MatmulPartials run() {
    const std::vector<PartIndex> blocks = layout_.resultBlocks();
    partials_.of_block.resize(blocks.size());
    for (std::uint32_t in = 0; in < layout_.plan().partition.in_chans; ++in) {
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        PartIndex part = blocks[b];
        part.in = in;
        const Tensor out = addPart(part);
        partials_.of_block[b].push_back({out, {layout_.tile(part)}});
      }
    }
    return std::move(partials_);
  }

  [[nodiscard]] ComputeSetId computeSet() const { return compute_set_; }

 private:
  Tensor addPart(const PartIndex& part) {
    const std::uint64_t size = layout_.resultElements(part);
    const ProductPart data{
        layout_.tile(part), inputOf(part),
        blockTensor(operands_.weights, layout_.blockIndex(OperandRole::Weights, part)),
        partials_.storage.slice(next_, next_ + size, 0)};
    next_ += size;
    graph_.setTileMapping(data.out, data.tile);
    const PartSizes sizes{layout_.groups(part.group).count, layout_.inGroups(part.in).count,
                          layout_.outGroups(part.out).count, layout_.field(part.field).count};
    switch (method_.kind) {
      case MatmulMethod::Amp:
        addAmp(data, sizes);
        break;
      case MatmulMethod::Hmac:
        addHmac(data, sizes);
        break;
      case MatmulMethod::OuterProduct:
        addOuterProducts(data, sizes);
        break;
      case MatmulMethod::AmpNx1:
      case MatmulMethod::Slic:
      case MatmulMethod::Vmac:
        throw InternalError("a plan that can only be costed");
    }
    return data.out;
  }

  [[nodiscard]] Tensor inputOf(const PartIndex& part) const {
    if (!operands_.input_copies.empty()) {
      return operands_.input_copies.at(layout_.tile(part).tile());
    }
    return blockTensor(operands_.input, layout_.blockIndex(OperandRole::Input, part));
  }

  void addVertex(std::shared_ptr<const VertexType> type, const ProductPart& data) {
    graph_.addVertices(compute_set_,
                       {std::move(type),
                        data.tile,
                        1,
                        {{data.input.view()}, {data.weights.view()}, {data.out.view()}}});
  }

  /// The sizes in which the vertices of one product differ.
  using Key = std::array<std::uint64_t, 4>;
  static Key keyOf(const PartSizes& sizes) {
    return {sizes.groups, sizes.in_groups, sizes.out_groups, sizes.field};
  }

  void addAmp(const ProductPart& data, const PartSizes& sizes) {
    const models::Amp1x1Shape shape{{data.input.type(), method_.partials, method_.conv_units},
                                    sizes.field,
                                    sizes.groups,
                                    sizes.in_groups,
                                    sizes.out_groups,
                                    method_.partial_chans_per_group};
    addVertex(types_.get(keyOf(sizes),
                         [&] {
                           return ampVertex({shape, method_.in_chans_per_group});
                         }),
              data);
  }

  void addHmac(const ProductPart& data, const PartSizes& sizes) {
    const models::HmacShape shape{models::hmacVariant(data.input.type(), method_.partials),
                                  data.input.type(),
                                  method_.partials,
                                  1,
                                  sizes.groups,
                                  sizes.in_groups,
                                  sizes.out_groups,
                                  method_.in_chans_per_group,
                                  method_.partial_chans_per_group};
    addVertex(types_.get(keyOf(sizes), [&] { return hmacVertex({shape, sizes.field}); }), data);
  }

  /// Adds the vertices for one in channel: each worker takes a share of the positions of each conv
  /// group.
  void addOuterProducts(const ProductPart& data, const PartSizes& sizes) {
    const std::uint64_t chans = method_.partial_chans_per_group;
    const Tensor out = data.out.reshape({sizes.groups, sizes.out_groups, sizes.field * chans});
    for (std::uint64_t group = 0; group < sizes.groups; ++group) {
      const Tensor weights =
          data.weights.slice(group * sizes.out_groups, (group + 1) * sizes.out_groups, 0);
      for (std::uint64_t w = 0; w < workers_; ++w) {
        const std::uint64_t first = sizes.field * w / workers_;
        const std::uint64_t end = sizes.field * (w + 1) / workers_;
        if (first == end) continue;
        const Tensor in = data.input.slice(group, group + 1, 0).slice(first, end, 1);
        const models::OuterProductShape shape{in.type(), end - first, sizes.out_groups * chans,
                                              method_.partial_chans_per_group};
        const auto type =
            types_.get({shape.width, shape.chans, 0, 0}, [&] { return outerProductVertex(shape); });
        addVertex(type, {data.tile, in, weights,
                         out.slice(group, group + 1, 0).slice(first * chans, end * chans, 2)});
      }
    }
  }

  Graph& graph_;
  std::uint64_t workers_;
  const MatmulLayout& layout_;
  const VertexMethod& method_;
  const ConvolveOperands& operands_;
  ComputeSetId compute_set_;
  TypeCache<Key> types_;
  MatmulPartials partials_;
  std::uint64_t next_ = 0;
};

}  // namespace

MatmulPartials addConvolve(const MatmulSite& site, const ConvolveOperands& operands,
                           Lifetime lifetime, Program& program) {
  ProductConvolve convolve(site, operands, lifetime);
  program.add(execute(convolve.computeSet()));
  return convolve.run();
}

}  // namespace ipusim::workloads
