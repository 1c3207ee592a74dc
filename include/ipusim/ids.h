// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

// Numbers that name something. Each is a type of its own, so that no id is taken for another. The
// thing that an id names is the element `indexOf(id)` of its vector.

namespace ipusim {

/// A variable of a graph.
enum class VariableId : std::uint32_t {};
/// A compute set of a graph.
enum class ComputeSetId : std::uint32_t {};
/// A copy between tensors of a graph.
enum class CopyId : std::uint32_t {};
/// A stream between a graph and the host.
enum class StreamId : std::uint32_t {};
/// A buffer of a graph in the memory beside the chip.
enum class RemoteBufferId : std::uint32_t {};
/// A copy between a tensor of a graph and a row of a remote buffer.
enum class RemoteCopyId : std::uint32_t {};
/// A sub-program of a graph.
enum class FunctionId : std::uint32_t {};
/// A step of a compiled program.
enum class StepId : std::uint32_t {};
/// An If or a Switch, in an ExecutionRecord.
enum class BranchId : std::uint32_t {};
/// A RepeatWhile, in an ExecutionRecord.
enum class WhileId : std::uint32_t {};
/// A block of bytes in one tile's memory.
enum class BlockId : std::uint32_t {};

/// The index of the thing that `id` names in its vector.
template <typename Id>
constexpr std::size_t indexOf(Id id) {
  static_assert(std::is_enum_v<Id>);
  return static_cast<std::size_t>(id);
}

/// A tile of a system: an IPU, and the tile's index on that IPU.
class TileId {
 public:
  static constexpr std::uint32_t kIpuBits = 10;
  static constexpr std::uint32_t kTileBits = 32 - kIpuBits;

  constexpr TileId() = default;
  /// A tile of the first IPU.
  constexpr explicit TileId(std::uint32_t tile) : TileId(0, tile) {}
  /// `ipu` is below 2^kIpuBits, `tile` below 2^kTileBits.
  constexpr TileId(std::uint32_t ipu, std::uint32_t tile) : value_(ipu << kTileBits | tile) {}

  [[nodiscard]] constexpr std::uint32_t ipu() const { return value_ >> kTileBits; }
  /// The index of the tile on its IPU, from 0.
  [[nodiscard]] constexpr std::uint32_t tile() const { return value_ & ((1U << kTileBits) - 1); }

  friend constexpr bool operator==(TileId a, TileId b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(TileId a, TileId b) { return a.value_ != b.value_; }
  /// Orders by IPU, then by index.
  friend constexpr bool operator<(TileId a, TileId b) { return a.value_ < b.value_; }

 private:
  friend struct std::hash<TileId>;
  std::uint32_t value_ = 0;
};

enum class PortDirection : std::uint8_t { Send, Receive };

/// One end of a stream on the exchange: each tile has one port that sends and one that receives.
struct Port {
  TileId tile;
  PortDirection direction;

  friend constexpr bool operator==(const Port& a, const Port& b) {
    return a.tile == b.tile && a.direction == b.direction;
  }
};

}  // namespace ipusim

template <>
struct std::hash<ipusim::TileId> {
  std::size_t operator()(ipusim::TileId tile) const noexcept {
    return std::hash<std::uint32_t>()(tile.value_);
  }
};
