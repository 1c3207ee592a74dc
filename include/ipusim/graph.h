// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/ids.h"
#include "ipusim/machine.h"
#include "ipusim/program.h"
#include "ipusim/section.h"
#include "ipusim/tensor.h"
#include "ipusim/vertex_type.h"

namespace ipusim {

/// Consecutive elements of a variable on one tile.
struct MappedInterval {
  std::uint64_t begin;
  std::uint64_t end;
  TileId tile;
  std::uint64_t local;  ///< how many elements of the variable lie before `begin` on this tile
};

/// Where the elements of a variable live. A tile stores its share in the order of the elements.
class TileMapping {
 public:
  /// Maps [begin, end) to `tile`. A later call overrides earlier ones.
  void set(std::uint64_t begin, std::uint64_t end, TileId tile);

  /// The intervals in order. Neighbours on one tile are joined. Valid until the next set(). The
  /// first call after a set() sorts the intervals: no two threads may make that call at once.
  [[nodiscard]] const std::vector<MappedInterval>& intervals() const;

 private:
  enum class State : std::uint8_t {
    Complete,
    InOrder,  ///< sorted, and no two overlap; `local` is not counted yet
    AsSet,    ///< in the order of the calls of set()
  };

  mutable std::vector<MappedInterval> intervals_;
  mutable State state_ = State::Complete;
};

/// The vendor's library spreads a tensor over the tiles in grains of at least 128 bytes.
/// Source: graphcore/poplibs poputil::mapTensorLinearly, recorded profiles in graphcore/tensorflow.
constexpr Bytes kLinearGrain(128);

/// The value of each element, given its row-major index. As a formula it may stand for more
/// elements than memory could hold.
using ConstantValues = std::function<double(std::uint64_t)>;

/// How long a variable must keep its value.
enum class Lifetime : std::uint8_t {
  Temporary,  ///< from its first write to its last read
  Always,     ///< the whole run: operands and results that the host reads or writes
};

struct Variable {
  std::string name;
  ElementType type;
  std::uint64_t elements;
  Lifetime lifetime;
  TileMapping mapping;
  /// The values that the elements have from the load of the program on. Empty: not known before the
  /// run.
  ConstantValues constant = {};
  /// The tensor that the elements stand for. They may be stored in another order, and more of them
  /// where the storage is padded.
  Shape shape = {};
};

/// The data of one field of a family. Vertex 0 has `view`. The sections of vertex v start `step` *
/// v elements later in their variable.
struct Connection {
  View view;
  std::uint64_t step = 0;
};

/// `count` equal vertices on one tile. The data of their fields is an affine step apart.
struct VertexFamily {
  std::shared_ptr<const VertexType> type;
  TileId tile;
  std::uint32_t count = 1;
  std::vector<Connection> fields;  ///< one entry per field of the type, in the order of the type
  /// The vertices take turns with those of the family before on the same tile: the first vertex of
  /// both runs, then the second of both, as long as there are any. More than two families may do
  /// so.
  bool round_robin = false;
  /// Where some of the data lies on another tile, each vertex gets buffers of its own, as separate
  /// vertices do. Otherwise a field has one buffer for all vertices.
  bool apart = false;
};

struct ComputeSet {
  std::string name;
  std::vector<VertexFamily> families;
};

/// What a workload builds: variables, vertices in compute sets, and the program that runs them.
class Graph {
 public:
  /// Adds an unmapped variable of that shape. The tensor is the whole variable, row-major.
  Tensor addVariable(ElementType type, const Shape& shape, const std::string& name,
                     Lifetime lifetime = Lifetime::Temporary);
  /// Adds a variable that lives always and whose elements all are `value`; no vertex writes it.
  Tensor addConstant(ElementType type, const Shape& shape, double value, const std::string& name);
  /// Adds a constant with one value per element, row-major.
  Tensor addConstant(ElementType type, const Shape& shape, std::vector<double> values,
                     const std::string& name);
  /// Adds a constant whose values a formula gives.
  Tensor addConstant(ElementType type, const Shape& shape, ConstantValues values,
                     const std::string& name);
  /// Says what tensor the variable of `storage` stands for, where its elements are stored in blocks
  /// or padded. Only reports read it. Throws GraphError for more elements than the variable has,
  /// and where `storage` is not in one variable.
  void setShape(const Tensor& storage, Shape shape);
  /// Puts the elements of `tensor` on `tile`.
  void setTileMapping(const Tensor& tensor, TileId tile);
  /// Puts a section of consecutive elements on `tile`.
  void setTileMapping(const Section& section, TileId tile);
  /// Spreads the variable of `tensor` over the tiles in its storage order, in grains of
  /// `grain_bytes`. Starts at the tile where the previous call ended.
  void mapLinearly(const Tensor& tensor, const Architecture& machine,
                   Bytes grain_bytes = kLinearGrain);

  ComputeSetId addComputeSet(const std::string& name);
  /// Throws GraphError where the fields do not match those of the vertex type.
  void addVertices(ComputeSetId compute_set, VertexFamily family);
  /// Adds a family of one vertex. Where the vertex continues the pattern of the last family, it
  /// joins that family. No family of the compute set may take turns.
  void addVertex(ComputeSetId compute_set, VertexFamily vertex);

  /// Adds the step that copies `from` into `to`, index by index; their shapes must agree.
  Program copy(const Tensor& from, const Tensor& to, const std::string& name);
  /// Adds the step that copies several pairs at once.
  Program copy(const std::vector<CopyPair>& pairs, const std::string& name);
  /// Adds the step that makes `moves`; appendMove() collects them.
  Program copy(std::vector<MoveRun> moves, const std::string& name);

  /// Adds the step `name`, which moves all `tensors` between the host and the chip at once.
  Program stream(const std::string& name, const std::vector<Tensor>& tensors,
                 HostDirection direction, HostPath path);
  /// Adds the step that moves what `stream` says.
  Program stream(HostStream stream);

  /// Adds `rows` rows of `row_elements` elements in the streaming memory.
  RemoteBufferId addRemoteBuffer(ElementType type, std::uint64_t row_elements, std::uint64_t rows,
                                 const std::string& name);
  /// Adds the step that fills `to` with a row of the buffer. The row is a number, or the only
  /// element of a tensor, which is read during the run.
  Program load(RemoteBufferId buffer, std::uint64_t row, const Tensor& to, const std::string& name);
  Program load(RemoteBufferId buffer, const Tensor& row, const Tensor& to, const std::string& name);
  /// Adds the step that fills a row of the buffer with `from`.
  Program store(const Tensor& from, RemoteBufferId buffer, std::uint64_t row,
                const std::string& name);
  Program store(const Tensor& from, RemoteBufferId buffer, const Tensor& row,
                const std::string& name);
  /// Adds the step that moves what `copy` says. Throws GraphError where types or sizes do not
  /// match, and for a constant row that the buffer does not have.
  Program remoteCopy(RemoteCopy copy);
  /// Sets tiles apart for an Overlap: an even number of at least 32 on each IPU that has any.
  void setIoTiles(std::vector<TileId> tiles);

  /// Adds a sub-program that may be called more than once. It exists once: its steps count once.
  FunctionId addFunction(Program body);

  [[nodiscard]] Program& program() { return program_; }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  [[nodiscard]] const Variable& variable(VariableId id) const { return variables_.at(indexOf(id)); }
  [[nodiscard]] const std::vector<ComputeSet>& computeSets() const { return compute_sets_; }
  [[nodiscard]] const std::vector<CopyStep>& copies() const { return copies_; }
  [[nodiscard]] const CopyStep& copy(CopyId id) const { return copies_.at(indexOf(id)); }
  [[nodiscard]] const std::vector<HostStream>& streams() const { return streams_; }
  [[nodiscard]] const HostStream& stream(StreamId id) const { return streams_.at(indexOf(id)); }
  [[nodiscard]] const std::vector<RemoteBuffer>& remoteBuffers() const { return remote_buffers_; }
  [[nodiscard]] const RemoteBuffer& remoteBuffer(RemoteBufferId id) const {
    return remote_buffers_.at(indexOf(id));
  }
  [[nodiscard]] const std::vector<RemoteCopy>& remoteCopies() const { return remote_copies_; }
  [[nodiscard]] const RemoteCopy& remoteCopy(RemoteCopyId id) const {
    return remote_copies_.at(indexOf(id));
  }
  /// In ascending order.
  [[nodiscard]] const std::vector<TileId>& ioTiles() const { return io_tiles_; }
  [[nodiscard]] const std::vector<Program>& functions() const { return functions_; }
  [[nodiscard]] const Program& function(FunctionId id) const { return functions_.at(indexOf(id)); }

  /// Frees the vertices, and the moves of copies: all of them, those of one compute set, or those
  /// of one copy. A compiled graph keeps all that is read later: variables, functions, streams and
  /// the program.
  void releaseSteps();
  void release(ComputeSetId compute_set);
  void release(CopyId copy);

  /// The floating-point work of `program`, which must be a program of this graph. Throws GraphError
  /// where the work depends on data.
  [[nodiscard]] Flops flops(const Program& program) const;

 private:
  std::vector<Variable> variables_;
  std::vector<ComputeSet> compute_sets_;
  std::vector<CopyStep> copies_;
  std::vector<HostStream> streams_;
  std::vector<RemoteBuffer> remote_buffers_;
  std::vector<RemoteCopy> remote_copies_;
  std::vector<TileId> io_tiles_;
  std::vector<Program> functions_;
  Program program_;
  std::uint32_t next_linear_tile_ = 0;
};

/// "variable NAME": the variable that holds the first element of `tensor`.
std::string nameOf(const Tensor& tensor, const Graph& graph);

}  // namespace ipusim
