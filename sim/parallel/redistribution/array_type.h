// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ipusim::parallel {

/// A named axis of a mesh.
struct MeshAxis {
  std::string name;
  std::uint32_t size;
};

/// Devices in a grid. The last axis is the minor one: neighbours along it have numbers one apart.
struct Mesh {
  std::vector<MeshAxis> axes;

  [[nodiscard]] std::uint32_t devices() const;
  /// How far apart in number two devices are that are neighbours along `axis`.
  [[nodiscard]] std::uint32_t stride(std::uint32_t axis) const;
  [[nodiscard]] std::uint32_t coordinate(std::uint32_t device, std::uint32_t axis) const;
  friend bool operator==(const Mesh& a, const Mesh& b);
};

/// One dimension of an array that is spread over a mesh. `axes` are indices into the axes of the
/// mesh, the minor one first. Each divides the dimension further.
struct ArrayDimension {
  std::uint64_t global;
  std::vector<std::uint32_t> axes = {};

  /// The elements of the dimension that one device holds.
  [[nodiscard]] std::uint64_t local(const Mesh& mesh) const;
  /// The first index of the dimension that `device` holds.
  [[nodiscard]] std::uint64_t offset(const Mesh& mesh, std::uint32_t device) const;
  friend bool operator==(const ArrayDimension& a, const ArrayDimension& b) {
    return a.global == b.global && a.axes == b.axes;
  }
};

/// How an array is spread over a mesh: one entry per dimension. No axis stands in two dimensions.
/// Devices that differ only in unused axes hold the same elements.
/// Source: arXiv 2112.01075, whose notation is [LOCAL{MINOR,..,MAJOR}GLOBAL, ...].
using ArrayType = std::vector<ArrayDimension>;

/// Whether a dimension is cut along the axis.
bool isUsed(const ArrayType& type, std::uint32_t axis);

/// The elements that one device holds. Throws CountError where 64 bits cannot count them.
std::uint64_t localElements(const ArrayType& type, const Mesh& mesh);

/// Reads "x=2;y=3" or "x=2,y=3". Throws ConfigError "wanted …, found …".
Mesh parseMesh(std::string_view text);
/// Reads "[3{x1,x2}12, 2{y1}4]". Throws ConfigError "wanted …, found …" where
/// the text is no type of `mesh`.
ArrayType parseType(std::string_view text, const Mesh& mesh);
/// Reads the partition specification "x1,(y1,x2),-" of an array of shape `global`: one entry per
/// dimension, each of the axes in their order from major to minor. Throws as parseType()
/// does.
ArrayType parseSpec(std::string_view text, const std::vector<std::uint64_t>& global,
                    const Mesh& mesh);

std::string toText(const Mesh& mesh);
std::string toText(const ArrayType& type, const Mesh& mesh);

}  // namespace ipusim::parallel
