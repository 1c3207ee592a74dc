// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ipusim::codelets {

/// A node of the metadata at the end of a text of LLVM: `!7 = !DIBasicType(name: "int", size: 32)`
/// has a kind and attributes, `!8 = !{!7, null}` has items only. The views point into the text.
struct MetadataNode {
  std::string_view kind;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  std::vector<std::string_view> items;

  /// The attribute without the quotes that a text has; empty where there is none.
  [[nodiscard]] std::string_view operator[](std::string_view name) const;
  /// The attribute as a number; 0 where there is none.
  [[nodiscard]] std::uint64_t number(std::string_view name) const;
};

/// A function that the text defines for others too.
struct DefinedFunction {
  std::string_view symbol;
  std::string_view subprogram;  ///< its node
};

/// A line of inline assembly: the node of its place.
struct InlineAssembly {
  std::string_view location;
};

/// What a text of LLVM says besides its instructions. The text must outlive this object.
class IrMetadata {
 public:
  explicit IrMetadata(std::string_view text);

  /// The node that `reference` (`!12`) names; an empty node where there is none.
  [[nodiscard]] const MetadataNode& at(std::string_view reference) const;
  /// In the order of the text.
  [[nodiscard]] const std::vector<std::string_view>& references() const { return order_; }
  [[nodiscard]] const std::vector<DefinedFunction>& functions() const { return functions_; }
  /// Inline assembly that is not empty.
  [[nodiscard]] const std::vector<InlineAssembly>& assembly() const { return assembly_; }

 private:
  void readLine(std::string_view line);

  std::unordered_map<std::string_view, MetadataNode> nodes_;
  std::vector<std::string_view> order_;
  std::vector<DefinedFunction> functions_;
  std::vector<InlineAssembly> assembly_;
};

}  // namespace ipusim::codelets
