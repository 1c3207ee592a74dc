// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/array_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "ipusim/units.h"

namespace ipusim::parallel {

namespace {

/// As many as the IPUs of the largest system. The time of a plan grows with their square.
constexpr std::uint64_t kMostDevices = 256;

[[noreturn]] void refuse(std::string_view wanted, std::string_view found) {
  throw ConfigError(fmt::format("wanted {}, found {}", wanted, oneLine(std::string(found))));
}

/// Reads the notation from left to right.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  [[nodiscard]] bool isAtEnd() {
    skipSpace();
    return at_ == text_.size();
  }
  bool accept(char wanted) {
    skipSpace();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail(fmt::format("'{}'", wanted));
  }
  std::uint64_t number() {
    skipSpace();
    std::uint64_t value = 0;
    const char* end = text_.data() + text_.size();
    const auto [next, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc() || value == 0) fail("a size of at least 1");
    at_ = static_cast<std::size_t>(next - text_.data());
    return value;
  }
  std::string_view name() {
    skipSpace();
    const std::size_t begin = at_;
    while (at_ < text_.size() && isOfName(text_[at_])) ++at_;
    if (at_ == begin) fail("the name of an axis");
    return text_.substr(begin, at_ - begin);
  }
  [[noreturn]] void fail(std::string_view wanted) const {
    const std::string_view rest = text_.substr(at_);
    refuse(fmt::format("{} at character {}", wanted, at_ + 1),
           rest.empty() ? "the end" : rest.substr(0, 40));
  }

 private:
  static bool isOfName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  }
  void skipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::uint32_t readAxis(Scanner& scanner, const Mesh& mesh, std::set<std::uint32_t>& used) {
  const std::string_view name = scanner.name();
  const auto found = std::find_if(mesh.axes.begin(), mesh.axes.end(),
                                  [name](const MeshAxis& axis) { return axis.name == name; });
  if (found == mesh.axes.end()) {
    refuse("an axis of the mesh " + toText(mesh), name);
  }
  const auto axis = static_cast<std::uint32_t>(found - mesh.axes.begin());
  if (!used.insert(axis).second) refuse("each axis at most once", name);
  return axis;
}

std::uint64_t parts(const ArrayDimension& dimension, const Mesh& mesh) {
  std::uint64_t count = 1;
  for (const std::uint32_t axis : dimension.axes)
    count = checkedProduct<std::uint64_t>(count, mesh.axes[axis].size);
  return count;
}

void verifyDivides(const ArrayDimension& dimension, const Mesh& mesh) {
  const std::uint64_t count = parts(dimension, mesh);
  if (dimension.global % count != 0) {
    refuse(fmt::format("a dimension that its {} parts divide", count),
           std::to_string(dimension.global));
  }
}

}  // namespace

bool isUsed(const ArrayType& type, std::uint32_t axis) {
  return std::any_of(type.begin(), type.end(), [axis](const ArrayDimension& dimension) {
    return std::find(dimension.axes.begin(), dimension.axes.end(), axis) != dimension.axes.end();
  });
}

bool operator==(const Mesh& a, const Mesh& b) {
  return std::equal(
      a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
      [](const MeshAxis& x, const MeshAxis& y) { return x.name == y.name && x.size == y.size; });
}

std::uint32_t Mesh::devices() const {
  std::uint32_t count = 1;
  for (const MeshAxis& axis : axes) count *= axis.size;
  return count;
}

std::uint32_t Mesh::stride(std::uint32_t axis) const {
  std::uint32_t apart = 1;
  for (std::size_t minor = axis + 1; minor < axes.size(); ++minor) apart *= axes[minor].size;
  return apart;
}

std::uint32_t Mesh::coordinate(std::uint32_t device, std::uint32_t axis) const {
  return device / stride(axis) % axes[axis].size;
}

std::uint64_t ArrayDimension::local(const Mesh& mesh) const {
  return global / parts(*this, mesh);
}

std::uint64_t ArrayDimension::offset(const Mesh& mesh, std::uint32_t device) const {
  std::uint64_t extent = local(mesh);
  std::uint64_t first = 0;
  for (const std::uint32_t axis : axes) {
    first += mesh.coordinate(device, axis) * extent;
    extent *= mesh.axes[axis].size;
  }
  return first;
}

std::uint64_t localElements(const ArrayType& type, const Mesh& mesh) {
  std::uint64_t elements = 1;
  for (const ArrayDimension& dimension : type)
    elements = checkedProduct(elements, dimension.local(mesh));
  return elements;
}

Mesh parseMesh(std::string_view text) {
  Scanner scanner(text);
  Mesh mesh;
  std::uint64_t devices = 1;
  do {
    const std::string name(scanner.name());
    if (name.find('.') != std::string::npos)
      refuse("a name without dots, which parts of axes have", name);
    scanner.expect('=');
    const std::uint64_t size = scanner.number();
    devices = size > kMostDevices ? size : devices * size;
    if (devices > kMostDevices) {
      refuse(fmt::format("at most {} devices", kMostDevices), text);
    }
    for (const MeshAxis& axis : mesh.axes) {
      if (axis.name == name) refuse("a name for each axis", name);
    }
    mesh.axes.push_back({name, static_cast<std::uint32_t>(size)});
  } while (scanner.accept(';') || scanner.accept(','));
  if (!scanner.isAtEnd()) scanner.fail("';' or the end");
  return mesh;
}

ArrayType parseType(std::string_view text, const Mesh& mesh) {
  Scanner scanner(text);
  std::set<std::uint32_t> used;
  ArrayType type;
  scanner.expect('[');
  do {
    const std::uint64_t local = scanner.number();
    ArrayDimension dimension{0};
    scanner.expect('{');
    if (!scanner.accept('}')) {
      do dimension.axes.push_back(readAxis(scanner, mesh, used));
      while (scanner.accept(','));
      scanner.expect('}');
    }
    dimension.global = scanner.number();
    verifyDivides(dimension, mesh);
    if (dimension.local(mesh) != local) {
      refuse(fmt::format("a local size of {} / {} parts", dimension.global, parts(dimension, mesh)),
             std::to_string(local));
    }
    type.push_back(std::move(dimension));
  } while (scanner.accept(','));
  scanner.expect(']');
  if (!scanner.isAtEnd()) scanner.fail("the end");
  return type;
}

ArrayType parseSpec(std::string_view text, const std::vector<std::uint64_t>& global,
                    const Mesh& mesh) {
  Scanner scanner(text);
  std::set<std::uint32_t> used;
  ArrayType type;
  do {
    if (type.size() == global.size()) {
      refuse(fmt::format("{} dimensions", global.size()), text);
    }
    ArrayDimension dimension{global[type.size()]};
    if (scanner.accept('(')) {
      do dimension.axes.push_back(readAxis(scanner, mesh, used));
      while (scanner.accept(','));
      scanner.expect(')');
    } else if (!scanner.accept('-')) {
      dimension.axes.push_back(readAxis(scanner, mesh, used));
    }
    std::reverse(dimension.axes.begin(), dimension.axes.end());
    verifyDivides(dimension, mesh);
    type.push_back(std::move(dimension));
  } while (scanner.accept(','));
  if (!scanner.isAtEnd()) scanner.fail("',' or the end");
  if (type.size() != global.size()) {
    refuse(fmt::format("{} dimensions", global.size()), text);
  }
  return type;
}

std::string toText(const Mesh& mesh) {
  std::string text;
  for (const MeshAxis& axis : mesh.axes) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ";", axis.name, axis.size);
  }
  return text;
}

std::string toText(const ArrayType& type, const Mesh& mesh) {
  std::vector<std::string> dimensions;
  for (const ArrayDimension& dimension : type) {
    std::vector<std::string> names;
    for (const std::uint32_t axis : dimension.axes) names.push_back(mesh.axes[axis].name);
    dimensions.push_back(
        fmt::format("{}{{{}}}{}", dimension.local(mesh), fmt::join(names, ","), dimension.global));
  }
  return fmt::format("[{}]", fmt::join(dimensions, ", "));
}

}  // namespace ipusim::parallel
