// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error_boundary.h"
#include "base/text/json.h"
#include "poplar/codelets/codelets.h"
#include "poplar/codelets/module.h"
#include "poplar/codelets/run/object_file.h"

// An archive is a line that names the format, the length of a description, the description as JSON,
// and the object files one after the other.

namespace ipusim::codelets {

namespace {

constexpr std::string_view kFormat = "ipusim codelets 3\n";
constexpr std::size_t kLengthDigits = 16;

SortedJson toJson(const Field& field) {
  return SortedJson::array({field.name, field.kind, field.shape, field.element.name,
                            field.element.kind, field.element.bytes, field.layout, field.rows,
                            field.extent, field.min_align, field.interleaved, field.offset,
                            field.bytes});
}

Field fieldFrom(const SortedJson& from) {
  Field field;
  std::size_t at = 0;
  const auto take = [&](auto& value) { from.at(at++).get_to(value); };
  take(field.name);
  take(field.kind);
  take(field.shape);
  take(field.element.name);
  take(field.element.kind);
  take(field.element.bytes);
  take(field.layout);
  take(field.rows);
  take(field.extent);
  take(field.min_align);
  take(field.interleaved);
  take(field.offset);
  take(field.bytes);
  return field;
}

SortedJson toJson(const VertexType& vertex) {
  SortedJson fields = SortedJson::array();
  for (const Field& field : vertex.fields) fields.push_back(toJson(field));
  return {{"name", vertex.name},
          {"kind", vertex.kind},
          {"bytes", vertex.bytes},
          {"alignment", vertex.alignment},
          {"fields", std::move(fields)},
          {"file", vertex.file},
          {"line", vertex.line},
          {"symbol", vertex.symbol},
          {"returns_value", vertex.returns_value},
          {"code_bytes", vertex.code_bytes.value()},
          {"stack_bytes", vertex.stack_bytes.value()}};
}

/// The bytes that are written of a field in the struct.
std::uint64_t bytesInStruct(const Field& field) {
  const bool is_plain = field.kind == FieldKind::State && field.shape == FieldShape::Scalar;
  if (is_plain) return std::uint64_t{field.element.bytes} * field.extent;
  return field.shape != FieldShape::Scalar && hasCount(field.layout) ? 8 : 4;
}

/// Throws ConfigError for a field that lies outside the struct of its vertex, and for values that
/// an enumeration does not have.
void checkField(const Field& field, std::uint64_t struct_bytes) {
  const bool are_known = field.kind <= FieldKind::State && field.shape <= FieldShape::VectorList &&
                         field.element.kind <= ElementKind::Struct &&
                         field.layout <= VectorLayout::CompactDeltaN &&
                         field.rows <= VectorLayout::CompactDeltaN;
  const std::uint64_t bytes = bytesInStruct(field);
  const bool is_inside = bytes <= struct_bytes && field.offset <= struct_bytes - bytes;
  if (are_known && is_inside && field.element.bytes > 0) return;
  throw ConfigError("field " + field.name + " is none of its vertex");
}

void checkVertex(const VertexType& vertex) {
  constexpr std::uint32_t kMostBytes = 1U << 20U;  // more than a tile has
  if (vertex.kind > VertexClass::Supervisor || vertex.bytes > kMostBytes) {
    throw ConfigError("vertex " + vertex.name + " is of no kind or size");
  }
  for (const Field& field : vertex.fields) checkField(field, vertex.bytes);
}

VertexType vertexFrom(const SortedJson& from) {
  VertexType vertex;
  from.at("name").get_to(vertex.name);
  from.at("kind").get_to(vertex.kind);
  from.at("bytes").get_to(vertex.bytes);
  from.at("alignment").get_to(vertex.alignment);
  for (const SortedJson& field : from.at("fields")) vertex.fields.push_back(fieldFrom(field));
  from.at("file").get_to(vertex.file);
  from.at("line").get_to(vertex.line);
  from.at("symbol").get_to(vertex.symbol);
  from.at("returns_value").get_to(vertex.returns_value);
  vertex.code_bytes = Bytes(from.at("code_bytes").get<std::uint64_t>());
  vertex.stack_bytes = Bytes(from.at("stack_bytes").get<std::uint64_t>());
  checkVertex(vertex);
  return vertex;
}

SortedJson toJson(const CodeBlock& block) {
  SortedJson lines = SortedJson::array();
  for (const LineSlots& line : block.lines) lines.push_back({line.file, line.line, line.slots});
  const CodeWork& work = block.work;
  return SortedJson::array({block.function, block.slots, std::move(lines), work.flops.value(),
                            work.loaded.value(), work.stored.value()});
}

CodeBlock blockFrom(const SortedJson& from) {
  CodeBlock block{from.at(0), from.at(1), {}, {}};
  for (const SortedJson& line : from.at(2)) {
    block.lines.push_back({line.at(0), line.at(1), line.at(2)});
  }
  const auto number = [&](std::size_t at) { return from.at(at).get<std::uint64_t>(); };
  block.work = {Flops(number(3)), Bytes(number(4)), Bytes(number(5))};
  return block;
}

SortedJson describe(const detail::Module& module) {
  SortedJson vertices = SortedJson::array();
  for (const VertexType& vertex : module.vertices) vertices.push_back(toJson(vertex));
  SortedJson blocks = SortedJson::array();
  for (const CodeBlock& block : module.blocks) blocks.push_back(toJson(block));
  SortedJson objects = SortedJson::array();
  for (const std::string& object : module.objects) objects.push_back(object.size());
  return {{"vertices", std::move(vertices)},
          {"blocks", std::move(blocks)},
          {"objects", std::move(objects)}};
}

detail::Module moduleFrom(const SortedJson& from, std::string_view bytes) {
  detail::Module module;
  for (const SortedJson& vertex : from.at("vertices"))
    module.vertices.push_back(vertexFrom(vertex));
  for (const SortedJson& block : from.at("blocks")) module.blocks.push_back(blockFrom(block));
  for (const SortedJson& size : from.at("objects")) {
    const auto count = size.get<std::size_t>();
    if (count > bytes.size()) throw ConfigError("cut off");
    module.objects.emplace_back(bytes.substr(0, count));
    bytes.remove_prefix(count);
    static_cast<void>(ObjectFile(module.objects.back()));
  }
  return module;
}

}  // namespace

bool isArchive(std::string_view bytes) {
  return bytes.substr(0, kFormat.size()) == kFormat;
}

std::string toArchive(const Codelets& codelets) {
  const std::string description = describe(codelets.module()).dump();
  std::string bytes(kFormat);
  bytes += fmt::format("{:>{}}", description.size(), kLengthDigits);
  bytes += description;
  for (const std::string& object : codelets.module().objects) bytes += object;
  return bytes;
}

Codelets fromArchive(std::string_view bytes, const std::string& name) {
  if (!isArchive(bytes)) {
    throw ConfigError(fmt::format("{}: wanted codelets compiled by this version's popc", name));
  }
  const auto read = [&] {
    bytes.remove_prefix(kFormat.size());
    const std::size_t length = std::stoull(std::string(bytes.substr(0, kLengthDigits)));
    const std::string_view description = bytes.substr(kLengthDigits, length);
    bytes.remove_prefix(kLengthDigits + description.size());
    return Codelets(
        std::make_shared<const detail::Module>(moduleFrom(SortedJson::parse(description), bytes)));
  };
  return translateErrors<std::exception>(read, [&](const std::exception& fault) {
    return ConfigError(
        fmt::format("{}: the compiled codelets are damaged ({})", name, fault.what()));
  });
}

}  // namespace ipusim::codelets
