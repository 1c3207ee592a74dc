// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "poplar/CodeletFileType.hpp"
#include "poplar/DataStream.hpp"
#include "poplar/DebugContext.hpp"
#include "poplar/Device.hpp"
#include "poplar/GraphElements.hpp"
#include "poplar/Program.hpp"
#include "poplar/SerializationFormat.hpp"
#include "poplar/Tensor.hpp"
#include "poplar/TypeTraits.hpp"
#include "poplar/VariableMappingMethod.hpp"
#include "poplar/detail/graph_api.hpp"

namespace poplar {

namespace detail {

template <typename T>
using IfNumber = typename std::enable_if<std::is_arithmetic<T>::value, int>::type;

template <typename T>
HostValues valuesOf(const T* data, std::size_t count) {
  return HostValues{HostNumber<T>::kId, data, count};
}

inline HostValues halvesOf(const std::uint16_t* bits, std::size_t count) {
  return HostValues{TypeId::Half, bits, count};
}

inline FieldName nameOf(const FieldRef& field) {
  return FieldName{field.vertex(), textOf(field.name()), field.row()};
}

}  // namespace detail

/// How many copies of a graph run. More than one is not modelled.
struct replication_factor {
  explicit replication_factor(unsigned count) : value(count) {}
  unsigned value;
};

/// A tensor or a value for a field of a vertex, in the list that Graph::addVertex takes.
class ConnectionDesc;

/// Variables, vertices in compute sets, streams and codelets for one target.
class Graph {
 public:
  using TileToTensorMapping = std::vector<std::vector<Interval>>;

  Graph() : Graph(Target(detail::hardwareTarget(1))) {}
  Graph(const Target& target, replication_factor replicas = replication_factor(1))
      : data_(detail::makeGraph(target.data())) {
    if (replicas.value > 1) {
      throw poplar_error("graph: wanted a replication factor of 1, found " +
                         std::to_string(replicas.value) + ": replicas are not modelled");
    }
  }
  Graph(const Device& device, replication_factor replicas = replication_factor(1))
      : Graph(device.getTarget(), replicas) {}
  Graph(const Graph&) = delete;
  Graph(Graph&&) = default;
  Graph& operator=(const Graph&) = delete;
  Graph& operator=(Graph&&) = default;

  Target getTarget() const { return Target(detail::targetOf(data())); }
  unsigned getReplicationFactor() const { return 1; }
  Graph createVirtualGraph(unsigned tiles_per_ipu) { return createVirtualGraph(0, tiles_per_ipu); }
  /// Tiles [begin, end) of each IPU.
  Graph createVirtualGraph(unsigned begin, unsigned end) {
    const Target target = getTarget();
    if (begin >= end || end > target.getTilesPerIPU()) {
      throw invalid_tile_mapping("createVirtualGraph: wanted tiles of one IPU, found " +
                                 std::to_string(begin) + " to " + std::to_string(end));
    }
    std::vector<unsigned> tiles;
    for (unsigned first = 0; first < target.getNumTiles(); first += target.getTilesPerIPU()) {
      for (unsigned tile = begin; tile < end; ++tile) tiles.push_back(first + tile);
    }
    return createVirtualGraph(tiles);
  }
  Graph createVirtualGraph(const std::vector<unsigned>& tiles) {
    return Graph(detail::makeVirtual(data(), tiles.data(), tiles.size()));
  }
  Graph getTopLevelGraph() {
    std::vector<unsigned> none;
    return createVirtualGraph(none);
  }

  Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape, const DebugContext& name = {}) {
    return addVariable(type, shape, VariableMappingMethod::NONE, name);
  }
  Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape, VariableMappingMethod mapping,
                     const DebugContext& name = {}) {
    return made(detail::addVariable(data(), {type.id(), shape.data(), shape.size()},
                                    mapping == VariableMappingMethod::LINEAR
                                        ? detail::MapVariable::Linearly
                                        : detail::MapVariable::Nowhere,
                                    detail::textOf(name)));
  }
  template <typename T>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, ArrayRef<T> values,
                     const DebugContext& name = {}) {
    return constant(type, shape, detail::valuesOf(values.data(), values.size()), name);
  }
  template <typename T, typename Allocator, detail::IfNumber<T> = 0>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape,
                     const std::vector<T, Allocator>& values, const DebugContext& name = {}) {
    return constant(type, shape, detail::valuesOf(values.data(), values.size()), name);
  }
  template <typename T>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const T* values,
                     const DebugContext& name = {}) {
    std::size_t count = 1;
    for (std::size_t size : shape) count *= size;
    return constant(type, shape, detail::valuesOf(values, count), name);
  }
  template <typename T, detail::IfNumber<T> = 0>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, T value,
                     const DebugContext& name = {}) {
    return constant(type, shape, detail::valuesOf(&value, 1), name);
  }
  template <typename T, detail::IfNumber<T> = 0>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, std::initializer_list<T> values,
                     const DebugContext& name = {}) {
    return constant(type, shape, detail::valuesOf(values.begin(), values.size()), name);
  }
  /// The values are bits of binary16.
  Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, const std::uint16_t* bits,
                         const DebugContext& name = {}) {
    std::size_t count = 1;
    for (std::size_t size : shape) count *= size;
    return constant(type, shape, detail::halvesOf(bits, count), name);
  }
  Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, std::uint16_t bits,
                         const DebugContext& name = {}) {
    return constant(type, shape, detail::halvesOf(&bits, 1), name);
  }
  Tensor clone(const Tensor& tensor, const DebugContext& name = {},
               TensorCloneMethod = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    return clone(tensor.elementType(), tensor, name);
  }
  Tensor clone(const Type& type, const Tensor& tensor, const DebugContext& name = {},
               TensorCloneMethod = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    return made(detail::addClone(data(), tensor.data(), type.id(), detail::textOf(name)));
  }

  /// A tensor of `count` clones, one after the other along a new first dimension.
  Tensor cloneN(const Type& type, const Tensor& tensor, std::size_t count,
                const DebugContext& name = {},
                TensorCloneMethod = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    std::vector<Tensor> clones;
    for (std::size_t i = 0; i < count; ++i) clones.push_back(clone(type, tensor, name).expand({0}));
    return concat(clones);
  }
  Tensor cloneN(const Tensor& tensor, std::size_t count, const DebugContext& name = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    return cloneN(tensor.elementType(), tensor, count, name, method);
  }

  void setTileMapping(const Tensor& tensor, unsigned tile) {
    detail::setTile(data(), tensor.data(), tile);
  }
  void setTileMapping(const Tensor& tensor, const TileToTensorMapping& mapping) {
    const Tensor flat = tensor.flatten();
    for (unsigned tile = 0; tile < mapping.size(); ++tile) {
      for (const Interval& range : mapping[tile]) {
        detail::setTile(data(), flat.data(), range.begin(), range.end(), tile);
      }
    }
  }
  void setTileMapping(const VertexRef& vertex, unsigned tile) {
    detail::setVertexTile(data(), vertex.getId(), tile);
  }
  TileToTensorMapping getTileMapping(const Tensor& tensor, bool require_complete = true) const {
    TileToTensorMapping mapping(getTarget().getNumTiles());
    detail::tilesOf(data(), tensor.data(),
                    require_complete ? detail::Unmapped::Refuse : detail::Unmapped::LeaveOut,
                    &mapping, [](void* to, unsigned tile, std::size_t begin, std::size_t end) {
                      (*static_cast<TileToTensorMapping*>(to))[tile].emplace_back(begin, end);
                    });
    return mapping;
  }
  /// Ranges of the flattened tensor in the order of the memory, those that follow one another there
  /// as one list.
  std::vector<std::vector<Interval>> getSortedContiguousRegions(
      const Tensor& tensor, ArrayRef<Interval> regions, bool remove_aliases = false,
      std::vector<std::size_t>* aliases = nullptr) const {
    if (aliases != nullptr) {
      throw poplar_error("getSortedContiguousRegions: wanted no list for aliases, found one");
    }
    std::vector<std::vector<Interval>> sorted;
    std::vector<std::size_t> bounds;
    for (const Interval& region : regions) {
      bounds.push_back(region.begin());
      bounds.push_back(region.end());
    }
    detail::sortedRegions(tensor.data(),
                          detail::Ranges{bounds.data(), regions.size(), remove_aliases}, &sorted,
                          [](void* to, bool is_next, std::size_t begin, std::size_t end) {
                            auto& lists = *static_cast<std::vector<std::vector<Interval>>*>(to);
                            if (!is_next || lists.empty()) lists.emplace_back();
                            lists.back().emplace_back(begin, end);
                          });
    return sorted;
  }
  /// Any order of the elements computes the same, so they keep theirs.
  void reorderToSimplify(Tensor*, ArrayRef<Tensor*>, bool /*requires_simplest*/ = true) const {}
  unsigned getTileMapping(const VertexRef& vertex) const {
    return detail::tileOfVertex(data(), vertex.getId());
  }

  bool addCodelets(const StringRef& path, CodeletFileType = CodeletFileType::Auto,
                   const StringRef& flags = "", const StringRef& = "") {
    detail::addCodeletFile(data(), detail::textOf(path), detail::textOf(flags));
    return true;
  }
  /// What the compiler says is in the error that it throws, so `output` gets nothing.
  bool addCodelets(const StringRef& path, CodeletFileType type, const StringRef& flags,
                   std::ostream& /*output*/, const StringRef& target = "") {
    return addCodelets(path, type, flags, target);
  }
  // A string is a path, and not a list of one path. Strings in braces are a list.
  bool addCodelets(const std::string& path, CodeletFileType type = CodeletFileType::Auto,
                   const StringRef& flags = "", const StringRef& target = "") {
    return addCodelets(StringRef(path), type, flags, target);
  }
  bool addCodelets(const char* path, CodeletFileType type = CodeletFileType::Auto,
                   const StringRef& flags = "", const StringRef& target = "") {
    return addCodelets(StringRef(path), type, flags, target);
  }
  bool addCodelets(ArrayRef<std::string> paths, const StringRef& flags = "",
                   const StringRef& = "") {
    for (const std::string& path : paths) {
      detail::addCodeletFile(data(), detail::textOf(path), detail::textOf(flags));
    }
    return true;
  }
  bool addCodelets(std::initializer_list<std::string> paths, const StringRef& flags = "",
                   const StringRef& target = "") {
    return addCodelets(ArrayRef<std::string>(std::vector<std::string>(paths)), flags, target);
  }
  bool addCodelets(std::stringstream& source, const StringRef& flags = "",
                   CodeletFileType = CodeletFileType::CppSource, const StringRef& = "") {
    const std::string text = source.str();
    detail::addCodeletText(data(), detail::textOf(text), detail::textOf(flags));
    return true;
  }
  bool addCodelets(std::stringstream& source, const StringRef& flags, CodeletFileType type,
                   std::ostream& /*output*/, const StringRef& target = "") {
    return addCodelets(source, flags, type, target);
  }

  ComputeSet addComputeSet(const DebugContext& name = {}) {
    return ComputeSet(detail::addComputeSet(data(), detail::textOf(name)));
  }
  VertexRef addVertex(const ComputeSet& compute_set, const StringRef& type) {
    return VertexRef(detail::addVertex(data(), compute_set.getId(), detail::textOf(type)));
  }
  VertexRef addVertex(const ComputeSet& compute_set, const StringRef& type,
                      ArrayRef<ConnectionDesc> connections);

  void connect(const FieldRef& field, const Tensor& tensor) {
    detail::connectTensor(data(), detail::nameOf(field), tensor.data());
  }
  void connect(const FieldRef& field, ArrayRef<Tensor> tensors) {
    const std::vector<const detail::TensorData*> all = detail::dataOf(tensors);
    detail::connectTensors(data(), detail::nameOf(field), all.data(), all.size());
  }
  template <typename T, detail::IfNumber<T> = 0>
  void connect(const FieldRef& field, T value) {
    detail::connectValues(data(), detail::nameOf(field), detail::valuesOf(&value, 1),
                          detail::Single::Yes);
  }
  template <typename T, detail::IfNumber<T> = 0>
  void connect(const FieldRef& field, ArrayRef<T> values) {
    detail::connectValues(data(), detail::nameOf(field),
                          detail::valuesOf(values.data(), values.size()), detail::Single::No);
  }
  template <typename T, typename Allocator, detail::IfNumber<T> = 0>
  void connect(const FieldRef& field, const std::vector<T, Allocator>& values) {
    connect(field, ArrayRef<T>(values));
  }
  template <typename T, detail::IfNumber<T> = 0>
  void setInitialValue(const FieldRef& field, T value) {
    detail::setFieldValues(data(), detail::nameOf(field), detail::valuesOf(&value, 1),
                           detail::Single::Yes);
  }
  template <typename T, detail::IfNumber<T> = 0>
  void setInitialValue(const FieldRef& field, ArrayRef<T> values) {
    detail::setFieldValues(data(), detail::nameOf(field),
                           detail::valuesOf(values.data(), values.size()), detail::Single::No);
  }
  template <typename T, typename Allocator, detail::IfNumber<T> = 0>
  void setInitialValue(const FieldRef& field, const std::vector<T, Allocator>& values) {
    setInitialValue(field, ArrayRef<T>(values));
  }
  template <typename T, detail::IfNumber<T> = 0>
  void setInitialValue(const Tensor& tensor, T value) {
    detail::setValues(data(), tensor.data(), detail::valuesOf(&value, 1));
  }
  template <typename T, detail::IfNumber<T> = 0>
  void setInitialValue(const Tensor& tensor, ArrayRef<T> values) {
    detail::setValues(data(), tensor.data(), detail::valuesOf(values.data(), values.size()));
  }
  template <typename T, typename Allocator, detail::IfNumber<T> = 0>
  void setInitialValue(const Tensor& tensor, const std::vector<T, Allocator>& values) {
    setInitialValue(tensor, ArrayRef<T>(values));
  }
  /// The values are bits of binary16.
  void setInitialValueHalf(const FieldRef& field, std::uint16_t bits) {
    detail::setFieldValues(data(), detail::nameOf(field), detail::halvesOf(&bits, 1),
                           detail::Single::Yes);
  }
  void setInitialValueHalf(const FieldRef& field, ArrayRef<std::uint16_t> bits) {
    detail::setFieldValues(data(), detail::nameOf(field),
                           detail::halvesOf(bits.data(), bits.size()), detail::Single::No);
  }
  void setInitialValueHalf(const Tensor& tensor, ArrayRef<std::uint16_t> bits) {
    detail::setValues(data(), tensor.data(), detail::halvesOf(bits.data(), bits.size()));
  }
  void setFieldSize(const FieldRef& field, std::size_t size) {
    detail::setFieldSize(data(), detail::nameOf(field), size);
  }
  void setPerfEstimate(const VertexRef& vertex, std::uint64_t cycles, std::uint64_t flops = 0) {
    detail::setEstimate(data(), vertex.getId(), cycles, flops);
  }
  void setCycleEstimate(const VertexRef& vertex, std::uint64_t cycles) {
    setPerfEstimate(vertex, cycles);
  }

  DataStream addHostToDeviceFIFO(const StringRef& handle, const Type& type, std::size_t elements,
                                 ReplicatedStreamMode = ReplicatedStreamMode::REPLICATE,
                                 const OptionFlags& = {}) {
    return DataStream(stream(handle, type, elements, detail::TransferTo::Device), handle.str(),
                      DataStreamType::HostToDeviceFIFO, type, elements);
  }
  DataStream addDeviceToHostFIFO(const StringRef& handle, const Type& type, std::size_t elements,
                                 const OptionFlags& = {}) {
    return DataStream(stream(handle, type, elements, detail::TransferTo::Host), handle.str(),
                      DataStreamType::DeviceToHostFIFO, type, elements);
  }
  void createHostRead(const StringRef& handle, const Tensor& tensor, bool = false) {
    detail::addHostTensor(data(), detail::textOf(handle), tensor.data(), detail::TransferTo::Host);
  }
  void createHostWrite(const StringRef& handle, const Tensor& tensor, bool = false) {
    detail::addHostTensor(data(), detail::textOf(handle), tensor.data(),
                          detail::TransferTo::Device);
  }
  RemoteBuffer addRemoteBuffer(const StringRef& handle, const Type& type, std::size_t elements,
                               std::size_t repeats = 1, bool is_rearranged = false,
                               bool saves_memory = false) {
    return RemoteBuffer(
        detail::addRemoteBuffer(data(), detail::textOf(handle), type.id(), elements, repeats),
        handle.str(), {type, elements, repeats, is_rearranged, saves_memory});
  }
  /// Writes variables, compute sets and streams as JSON. The format has no effect: the vendor's
  /// binary format is not public.
  void serialize(std::ostream& out, SerializationFormat) const {
    std::string text;
    detail::describe(data(), detail::sinkTo(text));
    out << text;
  }
  /// Writes the compute sets with the number of their vertices as a graph in DOT.
  void outputComputeGraph(std::ostream& out, ArrayRef<program::Program> = {}) const {
    std::string text;
    detail::drawComputeSets(data(), detail::sinkTo(text));
    out << text;
  }
  void outputVertexGraph(std::ostream& out, ArrayRef<program::Program> = {}) const {
    outputComputeGraph(out);
  }
  /// Writes names, types and shapes of tensors as JSON. The format has no effect.
  void serializeTensors(std::ostream& out, ArrayRef<Tensor> tensors, SerializationFormat) const {
    std::string text;
    const std::vector<const detail::TensorData*> all = detail::dataOf(tensors);
    detail::describeTensors(all.data(), all.size(), detail::sinkTo(text));
    out << text;
  }
  using HostFunctionArgument = poplar::HostFunctionArgument;
  /// Adds a function of the host. Engine::connectHostFunction sets what is called for its handle.
  HostFunction addHostFunction(const StringRef& handle, ArrayRef<HostFunctionArgument> inputs,
                               ArrayRef<HostFunctionArgument> outputs) {
    std::vector<std::uint32_t> streams;
    const auto add = [&](const HostFunctionArgument& argument, detail::TransferTo to) {
      const std::string name = handle.str() + "/" + std::to_string(streams.size());
      streams.push_back(stream(name, argument.elementType, argument.numElements, to));
    };
    for (const HostFunctionArgument& input : inputs) add(input, detail::TransferTo::Host);
    for (const HostFunctionArgument& output : outputs) add(output, detail::TransferTo::Device);
    const std::uint32_t first = streams.empty() ? 0 : streams.front();
    return HostFunction(detail::addHostFunction(data(), detail::textOf(handle), first,
                                                inputs.size(), outputs.size()),
                        first, inputs.cloneAsVector(), outputs.cloneAsVector());
  }
  Function addFunction(const program::Program& body) {
    return Function(detail::addFunction(data(), body.data()));
  }

  detail::GraphData* data() const { return data_.get(); }

 private:
  explicit Graph(detail::GraphData* data) : data_(data) {}
  static Tensor made(detail::TensorData* tensor) {
    return Tensor(detail::Handle<detail::TensorData>(tensor));
  }
  Tensor constant(const Type& type, ArrayRef<std::size_t> shape, const detail::HostValues& values,
                  const DebugContext& name) {
    return made(detail::addConstant(data(), {type.id(), shape.data(), shape.size()}, values,
                                    detail::textOf(name)));
  }
  std::uint32_t stream(const StringRef& handle, const Type& type, std::size_t elements,
                       detail::TransferTo to) {
    return detail::addStream(data(), detail::textOf(handle), type.id(), elements, to);
  }

  detail::Handle<detail::GraphData> data_;
};

class ConnectionDesc {
 public:
  ConnectionDesc(const StringRef& field, const Tensor& tensor)
      : field_(field.str()),
        connect_([tensor](Graph& graph, const FieldRef& to) { graph.connect(to, tensor); }) {}
  ConnectionDesc(const StringRef& field, std::vector<Tensor> tensors)
      : field_(field.str()), connect_([tensors](Graph& graph, const FieldRef& to) {
          graph.connect(to, ArrayRef<Tensor>(tensors));
        }) {}
  template <typename T, typename Allocator, detail::IfNumber<T> = 0>
  ConnectionDesc(const StringRef& field, const std::vector<T, Allocator>& values)
      : field_(field.str()),
        connect_([values](Graph& graph, const FieldRef& to) { graph.connect(to, values); }) {}
  template <typename T, detail::IfNumber<T> = 0>
  ConnectionDesc(const StringRef& field, ArrayRef<T> values)
      : ConnectionDesc(field, values.cloneAsVector()) {}
  template <typename T, detail::IfNumber<T> = 0>
  ConnectionDesc(const StringRef& field, T value)
      : field_(field.str()),
        connect_([value](Graph& graph, const FieldRef& to) { graph.connect(to, value); }) {}

  void connect(Graph& graph, const VertexRef& vertex) const { connect_(graph, vertex[field_]); }

 private:
  std::string field_;
  std::function<void(Graph&, const FieldRef&)> connect_;
};

inline VertexRef Graph::addVertex(const ComputeSet& compute_set, const StringRef& type,
                                  ArrayRef<ConnectionDesc> connections) {
  const VertexRef vertex = addVertex(compute_set, type);
  for (const ConnectionDesc& each : connections) each.connect(*this, vertex);
  return vertex;
}

}  // namespace poplar
