// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/convolve.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "workloads/ops/conv/input_walk.h"
#include "workloads/vertices/products/products.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

ConvPartialEngine engineOf(ConvMethod method) {
  switch (method) {
    case ConvMethod::Amp:
      return ConvPartialEngine::Amp;
    case ConvMethod::Slic:
      return ConvPartialEngine::Slic;
    case ConvMethod::Vmac:
      return ConvPartialEngine::Vmac;
    case ConvMethod::Hmac:
    case ConvMethod::OuterProduct:
      break;
  }
  return ConvPartialEngine::Hmac;
}

/// The data that one part of the plan reads and writes, and its sizes.
struct PartData {
  TileId tile;
  Tensor input;
  Tensor weights;
  Tensor out;  ///< one dimension
  ConvWindows windows;
};

class Convolve {
 public:
  Convolve(const ConvSite& site, const ConvStorage& operands, Lifetime lifetime)
      : graph_(site.graph),
        machine_(site.machine),
        layout_(site.layout),
        vertex_(site.layout.plan().vertex),
        operands_(operands),
        compute_set_(graph_.addComputeSet(site.name + "/Convolve")) {
    const std::uint64_t sets = layout_.plan().partition.reductionDepth();
    partials_.storage = graph_.addVariable(vertex_.partials, {sets * layout_.result().elements()},
                                           site.name + "/partials", lifetime);
    Shape shape = storedResultShape(layout_, site.shapes);
    if (sets > 1) shape.insert(shape.begin(), sets);
    graph_.setShape(partials_.storage, std::move(shape));
    addSlicBuffers(site.name);
    partials_.of_block.resize(layout_.result().count());
    for (auto& of_block : partials_.of_block) of_block.resize(sets);
  }

  ConvPartials run() {
    const auto visit = [this](const PartInput& input) { addParts(input); };
    InputWalk(layout_, visit).run(layout_.input().whole(operands_.input));
    return std::move(partials_);
  }

  [[nodiscard]] ComputeSetId computeSet() const { return compute_set_; }

 private:
  void addParts(const PartInput& input) {
    ConvPart part = input.part;
    for (; part.out < layout_.plan().partition.out_chans; ++part.out) {
      const TileId tile = layout_.tile(part);
      const GridIndex weights{part.group,     part.out,       part.in,
                              part.kernel[0], part.kernel[1], part.kernel[2]};
      const std::vector<Tensor>& copies = operands_.input_copies;
      PartData data{tile, copies.empty() ? input.input : copies[tile.tile()],
                    layout_.weights().block(operands_.weights, layout_.weights().blockOf(weights)),
                    addPartials(part, tile), windowsOf(part)};
      addVertices(data);
    }
  }

  /// Puts the partials of a part on its tile.
  Tensor addPartials(const ConvPart& part, TileId tile) {
    const ConvPartition& p = layout_.plan().partition;
    std::size_t set = part.in;
    for (std::size_t d = 0; d < kMaxFieldDims; ++d) set = set * p.kernel.at(d) + part.kernel.at(d);
    const std::uint64_t elements = layout_.result().elements();
    const std::size_t block = layout_.result().blockOf(
        {part.group, part.out, part.batch, part.field[0], part.field[1], part.field[2]});
    const Tensor own = partials_.storage.slice(set * elements, (set + 1) * elements, 0);
    const Tensor out = layout_.result().block(own, block);
    Tensor flat = out.reshape({out.elements()});
    graph_.setTileMapping(flat, tile);
    partials_.of_block[block][set] = {flat, {tile}};
    return flat;
  }

  [[nodiscard]] ConvWindows windowsOf(const ConvPart& part) const {
    const GridParts& weights = layout_.weights().parts();
    ConvWindows windows{weights[0][part.group].size(),
                        weights[2][part.in].size(),
                        weights[1][part.out].size(),
                        vertex_.conv_groups_per_group,
                        vertex_.in_chans_per_group,
                        vertex_.partial_chans_per_group,
                        layout_.input().parts()[2][part.batch].size(),
                        {}};
    for (std::size_t d = 0; d < layout_.plan().transformed.dims.size(); ++d) {
      windows.dims.push_back(windowOf(d, part.field.at(d), part.kernel.at(d)));
    }
    return windows;
  }

  [[nodiscard]] ConvWindow windowOf(std::size_t dim, std::uint32_t field_part,
                                    std::uint32_t kernel_part) const {
    const DimMap& map = layout_.map(dim);
    const Range field = layout_.fieldOf(dim, field_part);
    const Range kernel = layout_.kernelOf(dim, kernel_part);
    const PositionRange& needed = layout_.needed(dim, field_part, kernel_part);
    const auto computed = [&](std::uint64_t output) {
      return std::clamp(output, field.begin, field.end) - field.begin;
    };
    return {field.size(),
            kernel.size(),
            needed.size(),
            computed(map.computed.begin),
            computed(map.computed.end),
            map.out_step,
            map.kernel_step,
            map.offset + map.out_step * signedCount(field.begin) +
                map.kernel_step * signedCount(kernel.begin) -
                map.dilation * signedCount(needed.begin),
            static_cast<std::uint64_t>(map.dilation)};
  }

  void addVertices(const PartData& data) {
    switch (vertex_.method) {
      case ConvMethod::Amp:
      case ConvMethod::Hmac:
        addVertex(isOneRow(data.windows) ? rowVertex(data.windows) : windowVertex(data.windows),
                  data);
        return;
      case ConvMethod::OuterProduct:
        addOuterProducts(data);
        return;
      case ConvMethod::Slic:
      case ConvMethod::Vmac:
        addVertex(windowVertex(data.windows), data);
        return;
    }
  }

  /// True for a part that the vertices for 1x1 kernels take: one row, with an input for each
  /// output.
  [[nodiscard]] bool isOneRow(const ConvWindows& windows) const {
    if (layout_.plan().transformed.batch != 1 || windows.kernel() != 1) return false;
    const auto is_plain = [](const ConvWindow& dim) {
      return dim.inputs == dim.outputs && dim.offset == 0 && dim.out_step == 1 &&
             dim.dilation == 1 && dim.first_computed == 0 && dim.end_computed == dim.outputs;
    };
    const bool takes_whole_load =
        vertex_.method == ConvMethod::Hmac ||
        vertex_.in_chans_per_group == models::ampWeightsPerUnit(machine_, inputType());
    return takes_whole_load && windows.outputs() == windows.dims.back().outputs &&
           std::all_of(windows.dims.begin(), windows.dims.end(), is_plain);
  }

  [[nodiscard]] ElementType inputType() const { return operands_.input.type(); }

  using Types = TypeCache<std::vector<std::uint64_t>>;

  std::shared_ptr<const VertexType> rowVertex(const ConvWindows& windows) {
    const std::uint64_t field = windows.outputs();
    return row_types_.get({windows.conv_groups, windows.in_groups, windows.out_groups, field}, [&] {
      if (vertex_.method == ConvMethod::Hmac) {
        const auto variant = models::hmacVariant(inputType(), vertex_.partials);
        return hmacVertex(
            {{variant, inputType(), vertex_.partials, 1, windows.conv_groups, windows.in_groups,
              windows.out_groups, windows.in_chans, windows.out_chans},
             field});
      }
      const models::Amp1x1Shape shape{
          {inputType(), vertex_.partials, vertex_.conv_units, vertex_.weight_load},
          field,
          windows.conv_groups,
          windows.in_groups,
          windows.out_groups,
          vertex_.partial_chans_per_group};
      return ampVertex({shape, vertex_.in_chans_per_group});
    });
  }

  std::shared_ptr<const VertexType> windowVertex(const ConvWindows& windows) {
    std::vector<std::uint64_t> key{windows.conv_groups, windows.in_groups, windows.out_groups,
                                   windows.batch};
    for (const ConvWindow& dim : windows.dims) {
      key.insert(key.end(), {dim.outputs, dim.kernel, dim.inputs, dim.first_computed,
                             dim.end_computed, static_cast<std::uint64_t>(dim.offset)});
    }
    const std::uint32_t engines =
        vertex_.method == ConvMethod::Slic ? vertex_.chains : vertex_.conv_units;
    return window_types_.get(key, [&] {
      return convPartialVertex({engineOf(vertex_.method), inputType(), vertex_.partials, engines,
                                windows, vertex_.weight_load});
    });
  }

  /// The windows with the most outputs of all parts.
  [[nodiscard]] ConvWindows mostOutputs() const {
    ConvWindows most = windowsOf({});
    const GridParts& parts = layout_.result().parts();
    for (const Range& batch : parts[2]) most.batch = std::max(most.batch, batch.size());
    for (std::size_t d = 0; d < most.dims.size(); ++d) {
      for (const Range& field : parts.at(3 + d)) {
        most.dims[d].outputs = std::max(most.dims[d].outputs, field.size());
      }
    }
    return most;
  }

  /// Adds a buffer for each tile, when the vertices have one.
  void addSlicBuffers(const std::string& name) {
    if (vertex_.method != ConvMethod::Slic) return;
    buffer_elements_ = slicBufferElements(mostOutputs(), vertex_.partials);
    const std::uint32_t tiles = layout_.plan().partition.tiles();
    buffers_ =
        graph_.addVariable(vertex_.partials, {tiles * buffer_elements_}, name + "/outFieldBuffer");
    graph_.setShape(buffers_, {tiles, buffer_elements_});
    for (std::uint32_t t = 0; t < tiles; ++t) graph_.setTileMapping(bufferOf(t), TileId(t));
  }

  [[nodiscard]] Tensor bufferOf(std::uint32_t tile) const {
    return buffers_.slice(tile * buffer_elements_, (tile + 1) * buffer_elements_, 0);
  }

  void addVertex(std::shared_ptr<const VertexType> type, const PartData& data) {
    std::vector<Connection> fields{{data.input.view()}, {data.weights.view()}, {data.out.view()}};
    if (vertex_.method == ConvMethod::Slic) {
      const std::uint64_t elements = slicBufferElements(data.windows, vertex_.partials);
      fields.push_back({bufferOf(data.tile.tile()).slice(0, elements, 0).view()});
    }
    graph_.addVertices(compute_set_, {std::move(type), data.tile, 1, std::move(fields)});
  }

  /// Adds the vertices for one in channel: each worker takes a share of the positions of each conv
  /// group.
  void addOuterProducts(const PartData& data) {
    const ConvWindows& windows = data.windows;
    const std::uint64_t field = windows.outputs();
    const std::uint64_t chans = vertex_.partial_chans_per_group;
    const Tensor input = data.input.reshape({windows.conv_groups, field});
    const Tensor weights = data.weights.reshape({windows.conv_groups, windows.out_groups * chans});
    const Tensor out = data.out.reshape({windows.conv_groups, windows.out_groups, field * chans});
    for (std::uint64_t group = 0; group < windows.conv_groups; ++group) {
      for (const Range& share : evenRanges(field, machine_.workers_per_tile)) {
        if (share.size() == 0) continue;
        const models::OuterProductShape shape{inputType(), share.size(), windows.out_groups * chans,
                                              vertex_.partial_chans_per_group};
        addVertex(
            row_types_.get({shape.width, shape.chans}, [&] { return outerProductVertex(shape); }),
            {data.tile,
             input.slice(group, group + 1, 0).slice(share.begin, share.end, 1),
             weights.slice(group, group + 1, 0),
             out.slice(group, group + 1, 0).slice(share.begin * chans, share.end * chans, 2),
             {}});
      }
    }
  }

  Graph& graph_;
  const Architecture& machine_;
  const ConvLayout& layout_;
  const ConvVertex& vertex_;
  const ConvStorage& operands_;
  ComputeSetId compute_set_;
  Tensor buffers_;  ///< SLIC: one after the other, by tile
  std::uint64_t buffer_elements_ = 0;
  Types row_types_;
  Types window_types_;
  ConvPartials partials_;
};

}  // namespace

ConvPartials addConvolve(const ConvSite& site, const ConvStorage& operands, Lifetime lifetime,
                         Program& program) {
  Convolve convolve(site, operands, lifetime);
  program.add(execute(convolve.computeSet()));
  return convolve.run();
}

}  // namespace ipusim::workloads
