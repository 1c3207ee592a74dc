// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/saved/executable_writer.h"

#include <fmt/format.h>

#include "base/numbers/packed_bytes.h"
#include "ipusim/error.h"
#include "ipusim/vertex_table.h"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/program_checks.h"
#include "poplar/runtime/saved/saved_members.h"
#include "workloads/graph/copy_moves.h"

namespace poplar::detail {

namespace {

class Writer : public ipusim::PackedWriter<Writer> {
 public:
  /// The state must outlive this.
  explicit Writer(const GraphState& state) : state_(state) {}

 private:
  friend PackedWriter;
  using PackedWriter::put;

  template <typename T>
  void putMembers(const T& object) {
    Members<T>::of(*this, object);
  }
  template <std::size_t Size>
  void put(const char (&text)[Size]) {  // NOLINT(modernize-avoid-c-arrays): as the reader
    putBytes(text, Size);
  }
  void put(const std::vector<std::byte>& bytes) {
    putNumber(bytes.size());
    putBytes(bytes.data(), bytes.size());
  }
  template <typename T, std::size_t Inline>
  void put(const boost::container::small_vector<T, Inline>& items) {
    putItems(items);
  }

  /// 0 for none, 1 for one that follows, and from 2 on the number of an earlier one.
  template <typename Object, typename Put>
  void putShared(const Object* object, std::map<const Object*, std::uint64_t>& known,
                 const Put& contents) {
    if (object == nullptr) return putNumber(0);
    const auto found = known.find(object);
    if (found != known.end()) return putNumber(found->second);
    putNumber(1);
    contents();
    known.emplace(object, known.size() + 2);
  }
  void put(const Ref<TensorData>& tensor) {
    putShared(tensor.get(), tensors_, [&] { put(*tensor); });
  }
  void put(const Ref<ProgramData>& program) {
    putShared(program.get(), programs_, [&] {
      put(*program);
      nesting_.add(*program, state_.functions);
    });
  }
  void put(const std::shared_ptr<const ipusim::VertexType>& type) {
    putShared(type.get(), types_, [&] { put(linesOf(*type)); });
  }
  void put(const ipusim::Tensor& tensor) {
    const bool is_empty = tensor.elements() == 0;  // a variable without elements has a piece
    (*this)(tensor.type(), tensor.shape(),
            is_empty ? std::vector<ipusim::Tensor::Piece>() : tensor.pieces());
  }
  void put(const ipusim::codelets::Codelets& codelets) { put(toArchive(codelets)); }
  void put(const ipusim::Graph& graph);

  [[nodiscard]] std::string linesOf(const ipusim::VertexType& type) const;

  const GraphState& state_;
  Nesting nesting_;
  std::map<const TensorData*, std::uint64_t> tensors_;
  std::map<const ProgramData*, std::uint64_t> programs_;
  std::map<const ipusim::VertexType*, std::uint64_t> types_;
};

void Writer::put(const ipusim::Graph& graph) {
  putNumber(graph.variables().size());
  for (const ipusim::Variable& variable : graph.variables()) {
    const auto& intervals = variable.mapping.intervals();
    (*this)(variable.name, variable.type, variable.elements, intervals.size());
    for (const auto& interval : intervals) (*this)(interval.begin, interval.end, interval.tile);
  }
  putNumber(graph.computeSets().size());
  for (const ipusim::ComputeSet& each : graph.computeSets()) (*this)(each.name, each.families);
  putNumber(graph.copies().size());
  for (const ipusim::CopyStep& copy : graph.copies()) {
    std::vector<ipusim::Move> moves;
    ipusim::visitMoves(copy, [&moves](const ipusim::Move& move) { moves.push_back(move); });
    (*this)(copy.name, moves);
  }
}

/// The lines that make the type again.
std::string Writer::linesOf(const ipusim::VertexType& type) const {
  std::string lines = ipusim::toText(type);
  const auto fault = [&type](const std::string& found) {
    return poplar_error(
        fmt::format("serialize: vertex {}: wanted a type of the table of vertex "
                    "types, found {}",
                    type.name, found));
  };
  try {
    if (ipusim::vertexType(lines, state_.machine) == type) return lines;
  } catch (const ipusim::ConfigError& error) {
    throw fault(error.what());
  }
  throw fault("another than its parameters make");
}

}  // namespace

std::string bytesOf(const ExecutableData& executable) {
  Writer writer(*executable.state);
  writer(executable.state->target, *executable.state, executable.programs);
  return writer.take();
}

}  // namespace poplar::detail
