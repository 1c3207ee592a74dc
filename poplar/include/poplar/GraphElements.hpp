// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "poplar/StringRef.hpp"
#include "poplar/Type.hpp"

namespace poplar {

using vertex_id = std::uint64_t;

/// Vertices that run at once.
class ComputeSet {
 public:
  ComputeSet() = default;
  explicit ComputeSet(std::uint32_t id) : id_(id) {}
  std::uint32_t getId() const { return id_; }
  friend bool operator==(const ComputeSet& a, const ComputeSet& b) { return a.id_ == b.id_; }
  friend bool operator!=(const ComputeSet& a, const ComputeSet& b) { return a.id_ != b.id_; }
  friend bool operator<(const ComputeSet& a, const ComputeSet& b) { return a.id_ < b.id_; }

 private:
  std::uint32_t id_ = ~std::uint32_t(0);
};

/// A field of a vertex, or one row of a field of rows.
class FieldRef {
 public:
  static constexpr std::uint64_t kWhole = ~std::uint64_t(0);

  FieldRef(vertex_id vertex, const StringRef& name, std::uint64_t row = ~std::uint64_t(0))
      : vertex_(vertex), name_(name.str()), row_(row) {}
  FieldRef operator[](std::size_t row) const { return FieldRef(vertex_, name_, row); }

  vertex_id vertex() const { return vertex_; }
  const std::string& name() const { return name_; }
  std::uint64_t row() const { return row_; }

 private:
  vertex_id vertex_;
  std::string name_;
  std::uint64_t row_;
};

/// A vertex of a graph.
class VertexRef {
 public:
  VertexRef() = default;
  explicit VertexRef(vertex_id id) : id_(id) {}
  FieldRef operator[](const StringRef& field) const { return FieldRef(id_, field); }
  vertex_id getId() const { return id_; }
  friend bool operator==(const VertexRef& a, const VertexRef& b) { return a.id_ == b.id_; }
  friend bool operator!=(const VertexRef& a, const VertexRef& b) { return a.id_ != b.id_; }
  friend bool operator<(const VertexRef& a, const VertexRef& b) { return a.id_ < b.id_; }

 private:
  vertex_id id_ = ~vertex_id(0);
};

/// A program that a graph keeps, to be called more than once.
class Function {
 public:
  Function() = default;
  explicit Function(std::uint32_t id) : id_(id) {}
  std::uint32_t getId() const { return id_; }

 private:
  std::uint32_t id_ = ~std::uint32_t(0);
};

/// An input or an output of a host function: that many elements.
struct HostFunctionArgument {
  Type elementType;
  std::size_t numElements;
};

/// A function of the host that programs of a graph call.
class HostFunction {
 public:
  HostFunction() = default;
  /// The arguments, inputs first, have the streams from `first_stream` on.
  HostFunction(std::uint32_t id, std::uint32_t first_stream,
               std::vector<HostFunctionArgument> inputs, std::vector<HostFunctionArgument> outputs)
      : id_(id),
        first_stream_(first_stream),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)) {}
  std::uint32_t getId() const { return id_; }
  std::uint32_t firstStream() const { return first_stream_; }
  const std::vector<HostFunctionArgument>& inputs() const { return inputs_; }
  const std::vector<HostFunctionArgument>& outputs() const { return outputs_; }

 private:
  std::uint32_t id_ = ~std::uint32_t(0);
  std::uint32_t first_stream_ = 0;
  std::vector<HostFunctionArgument> inputs_;
  std::vector<HostFunctionArgument> outputs_;
};

}  // namespace poplar
