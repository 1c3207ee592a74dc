// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/codelet_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

namespace codelets = ipusim::codelets;
using codelets::byteAt;
using ipusim::Cycles;

namespace {

/// Alignment of structs, tables and arrays: that of the tile's widest load.
constexpr std::uint64_t kAlignment = 16;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint64_t rowBytes(const codelets::Field& field) {
  return codelets::hasCount(field.rows) ? 8 : 4;
}

void put(std::uint32_t address, std::uint32_t value) {
  std::memcpy(byteAt(address), &value, sizeof value);
}

/// The address of data that a codelet is given.
std::uint32_t addressOf(const std::byte* data) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  ipusim::check(address <= ~std::uint32_t{0}, "memory of tiles that codelets can address");
  return static_cast<std::uint32_t>(address);
}

TypeId floatingType(const codelets::Element& element) {
  if (element.name == "quarter") return TypeId::Quarter;
  if (element.bytes == 2) return TypeId::Half;
  return element.bytes == 4 ? TypeId::Float : TypeId::Double;
}

/// The type that values of the host become.
TypeId memberType(const Vertex& vertex, const codelets::Field& field) {
  const codelets::Element& element = field.element;
  switch (element.kind) {
    case codelets::ElementKind::Bool:
      return TypeId::Bool;
    case codelets::ElementKind::Signed:
      return signedType(element.bytes);
    case codelets::ElementKind::Unsigned:
      return unsignedType(element.bytes);
    case codelets::ElementKind::Floating:
      return floatingType(element);
    case codelets::ElementKind::Struct:
      break;
  }
  throw type_error(fmt::format("vertex {}.{}: wanted a number for initial values, found a {}",
                               vertex.type, field.name, element.name)
                       .c_str());
}

/// How many elements a member array has by the settings of the vertex.
std::uint64_t arraySize(const Vertex& vertex, const codelets::Field& field) {
  std::uint64_t size = 0;
  for (const FieldSetting& setting : vertex.settings) {
    if (setting.field != field.name) continue;
    if (setting.kind == FieldSetting::Kind::Size) {
      std::memcpy(&size, setting.values.bytes.data(), sizeof size);
    } else {
      size = std::max<std::uint64_t>(size, setting.values.count);
    }
  }
  return size;
}

bool isArray(const codelets::Field& field) {
  return field.kind == codelets::FieldKind::State && field.shape == codelets::FieldShape::Vector;
}

/// What a vertex takes besides its struct.
struct Room {
  std::uint64_t tables = 0;  ///< bytes, of pointers to rows
  std::uint64_t arrays = 0;  ///< bytes, of members that are arrays
};

Room roomOf(const Vertex& vertex, const codelets::VertexType& type,
            const std::vector<ipusim::EdgeGroups>& edges) {
  Room room;
  std::size_t edge_field = 0;
  for (const codelets::Field& field : type.fields) {
    if (isArray(field)) room.arrays += aligned(arraySize(vertex, field) * field.element.bytes);
    if (field.kind == codelets::FieldKind::State) continue;
    std::uint64_t rows = 0;
    for (const ipusim::EdgeGroup& group : edges[edge_field]) rows += group.count;
    ++edge_field;
    if (field.shape == codelets::FieldShape::VectorList) {
      room.tables += aligned(rows * rowBytes(field));
    }
  }
  return room;
}

/// Sets a member, which has `room` bytes at `to`, to the initial values that its vertex has.
void setValues(const Vertex& vertex, const codelets::Field& field, std::uint32_t to,
               std::uint64_t room) {
  for (const FieldSetting& setting : vertex.settings) {
    const bool is_value = setting.kind == FieldSetting::Kind::InitialValue;
    if (setting.field != field.name || !is_value) continue;
    const std::vector<std::byte> bytes =
        converted(setting.values.view(), memberType(vertex, field));
    if (bytes.size() > room) {
      throw graph_object_creation_error(
          fmt::format("vertex {}.{}: wanted an initial value of {} bytes, found {}", vertex.type,
                      field.name, room, bytes.size())
              .c_str());
    }
    if (!bytes.empty()) std::memcpy(byteAt(to), bytes.data(), bytes.size());
  }
}

/// Where pointers to rows stand, from `begin` on.
struct PointerTable {
  std::uint32_t begin;
  std::uint32_t stride;
  bool has_count;  ///< behind each pointer
};

/// Writes the pointers to the rows of field `number`. Returns how many there are.
std::uint32_t writePointers(const PointerTable& table, const ipusim::VertexData& edges,
                            std::size_t number, const ipusim::EdgeGroups& groups) {
  std::uint32_t row = 0;
  for (const ipusim::EdgeGroup& group : groups) {
    for (std::uint64_t e = 0; e < group.count; ++e, ++row) {
      const std::uint32_t at = table.begin + row * table.stride;
      put(at, group.elements == 0 ? 0 : addressOf(edges.edge(number, row)));
      if (table.has_count) put(at + 4, static_cast<std::uint32_t>(group.elements));
    }
  }
  return row;
}

/// Adds what a call did. A supervisor has all the slots of its tile while it runs.
void add(const codelets::Outcome& outcome, codelets::VertexClass kind, unsigned workers,
         ipusim::Activity& sum) {
  const bool is_supervisor = kind == codelets::VertexClass::Supervisor;
  sum.bundles += outcome.slots * (is_supervisor ? workers : 1);
  sum.other_flops += outcome.work.flops;
  sum.loaded_bytes += outcome.work.loaded;
  sum.stored_bytes += outcome.work.stored;
}

}  // namespace

CodeletMemory::CodeletMemory(const ExecutableData& data, CyclesFrom from)
    : data_(data),
      execution_(data.codelets, data.state->tiles(), {data.state->target.workers}),
      tally_(data.codelets.blocks().size(), data.state->tiles()),
      activity_(data.state->tiles()),
      from_(from),
      estimates_(data.state->tiles()) {
  place();
  reset();
}

/// Gives every vertex that runs its places.
void CodeletMemory::place() {
  const std::vector<Vertex>& vertices = data_.state->vertices;
  const auto& types = data_.codelets.vertices();
  instances_.resize(vertices.size());
  const auto take = [this](std::uint64_t bytes) {
    const std::uint64_t at = bytes_;
    bytes_ += aligned(bytes);
    return static_cast<std::uint32_t>(at);
  };
  for (const auto& [v, fields] : data_.edges) {
    const codelets::VertexType* type = data_.codelets.find(vertices[v].type);
    Instance& instance = instances_[v];
    instance.type = static_cast<std::size_t>(type - types.data());
    instance.state = take(type->bytes);
    const Room room = roomOf(vertices[v], *type, fields);
    instance.tables = take(room.tables);
    instance.arrays = take(room.arrays);
  }
  memory_ = codelets::LowMemory(1, ipusim::Bytes(std::max<std::uint64_t>(bytes_, kAlignment)));
  for (Instance& instance : instances_) {
    instance.state += memory_.address(0);
    instance.tables += memory_.address(0);
    instance.arrays += memory_.address(0);
  }
}

void CodeletMemory::reset() {
  std::memset(memory_.at(0), 0, bytes_);
  for (const auto& [v, fields] : data_.edges) {
    setMembers(data_.state->vertices[v], instances_[v]);
  }
}

void CodeletMemory::setMembers(const Vertex& vertex, const Instance& instance) {
  std::uint32_t array = instance.arrays;
  for (const codelets::Field& field : typeOf(instance).fields) {
    if (field.kind != codelets::FieldKind::State) continue;
    std::uint32_t to = instance.state + field.offset;
    std::uint64_t room = field.element.bytes * std::uint64_t{field.extent};
    if (isArray(field)) {
      const std::uint64_t size = arraySize(vertex, field);
      put(to, array);
      if (codelets::hasCount(field.layout)) put(to + 4, static_cast<std::uint32_t>(size));
      to = array;
      room = size * field.element.bytes;
      array += static_cast<std::uint32_t>(aligned(room));
    }
    setValues(vertex, field, to, room);
  }
}

/// Writes the pointers of the edges into the struct and its tables.
void CodeletMemory::pointAt(const ipusim::VertexData& edges,
                            const std::vector<ipusim::EdgeGroups>& groups,
                            const Instance& instance) {
  std::uint32_t table = instance.tables;
  std::size_t f = 0;
  for (const codelets::Field& field : typeOf(instance).fields) {
    if (field.kind == codelets::FieldKind::State) continue;
    const std::uint32_t to = instance.state + field.offset;
    const bool has_rows = field.shape == codelets::FieldShape::VectorList;
    const bool has_count = field.shape != codelets::FieldShape::Scalar &&
                           codelets::hasCount(has_rows ? field.rows : field.layout);
    const auto stride = has_rows ? static_cast<std::uint32_t>(rowBytes(field)) : 0U;
    const std::uint32_t rows =
        writePointers({has_rows ? table : to, stride, has_count}, edges, f, groups[f]);
    if (has_rows) {
      put(to, table);
      if (codelets::hasCount(field.layout)) put(to + 4, rows);
      table += static_cast<std::uint32_t>(aligned(std::uint64_t{rows} * stride));
    }
    ++f;
  }
}

Cycles CodeletMemory::run(const ipusim::VertexData& edges, const ipusim::VertexPlace& place) {
  const std::uint64_t vertex = data_.instances.vertexAt(place);
  const Instance& instance = instances_[vertex];
  pointAt(edges, data_.edges.at(vertex), instance);
  const codelets::VertexClass kind = typeOf(instance).kind;
  // Vertices of a tile go to its workers by turns, so that each has random numbers of its own.
  const unsigned of_tile = data_.state->target.workers;
  const bool is_in_all = kind == codelets::VertexClass::MultiVertex;
  const unsigned first = kind == codelets::VertexClass::Vertex ? place.index % of_tile : 0;
  const unsigned end = is_in_all ? of_tile : first + 1;
  thread_local codelets::Outcome outcome;
  std::uint64_t slots = 0;
  ipusim::Activity& activity = activity_[place.tile.tile()];
  for (unsigned worker = first; worker < end; ++worker) {
    outcome.printed.clear();
    execution_.run({instance.type, place.tile.tile(), instance.state, worker}, outcome);
    slots = std::max(slots, outcome.slots);
    add(outcome, kind, of_tile, activity);
    tally_.add(place.tile.tile(), outcome.counts);
    if (outcome.result && outcome.printed.empty()) continue;
    const std::lock_guard<std::mutex> lock(mutex_);
    all_true_ = all_true_ && outcome.result;
    if (!outcome.printed.empty()) printed_[place] += outcome.printed;
  }
  // The workers of a MultiVertex take turns, an issue slot each. A supervisor issues an instruction
  // when a worker would: 36.5 cycles for the six of an empty loop were measured.
  const bool is_worker = kind == codelets::VertexClass::Vertex;
  const Cycles counted(is_worker ? slots : slots * of_tile);
  return besideEstimate(data_.state->vertices[vertex], place.tile.tile(), counted);
}

/// The cycles that a call takes. Keeps them beside the estimate of the program, if it has one.
Cycles CodeletMemory::besideEstimate(const Vertex& vertex, std::uint32_t tile, Cycles counted) {
  if (vertex.estimate == 0) return counted;
  const Cycles estimated(vertex.estimate);
  estimates_[tile] += {1, estimated, counted};
  return from_ == CyclesFrom::Estimates ? estimated : counted;
}

EstimateTally CodeletMemory::estimates() const {
  EstimateTally all;
  for (const EstimateTally& of_tile : estimates_) all += of_tile;
  return all;
}

ipusim::Activity CodeletMemory::takeActivity() {
  ipusim::Activity all;
  for (ipusim::Activity& of_tile : activity_) all += std::exchange(of_tile, {});
  return all;
}

std::string CodeletMemory::takePrinted() {
  std::string all;
  for (const auto& [place, text] : printed_) all += text;
  printed_.clear();
  return all;
}

}  // namespace poplar::detail
