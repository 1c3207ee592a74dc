// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::checker {

/// Consecutive bytes of a block.
struct BlockBytes {
  BlockId block;
  Bytes offset;
  Bytes count;
};

/// For every byte of tile memory the block that wrote it last, if one has. A strict run holds each
/// read against it: a byte that nothing wrote, one whose block is dead and one that another block
/// wrote over are found, whatever they hold.
class ByteOwners {
 public:
  /// No byte is written yet. `executable` must outlive this.
  explicit ByteOwners(const compiler::Executable& executable);

  /// The bytes hold nothing: their block becomes live or dies, or no value belongs there.
  void forget(const BlockBytes& bytes);
  /// Their block writes the bytes.
  void write(const BlockBytes& bytes);
  /// The bytes become copies of those of another block that begin at `offset`: written where those
  /// are.
  void copy(BlockId from, Bytes offset, const BlockBytes& to);

  /// Whether its block wrote byte `index` of the bytes last.
  [[nodiscard]] bool isWritten(const BlockBytes& bytes, std::uint64_t index) const;
  /// Throws InternalError, which names `reader`, where another block wrote one of the bytes last.
  void expectNoOther(const BlockBytes& bytes, const std::string& reader) const;
  /// Throws InternalError, which names `reader`, unless their block wrote all of the bytes last.
  void expectWritten(const BlockBytes& bytes, const std::string& reader) const;

 private:
  using Owners = std::vector<BlockId>;

  [[nodiscard]] Owners::iterator at(BlockId block, Bytes offset);
  [[nodiscard]] Owners::const_iterator at(BlockId block, Bytes offset) const;
  /// Throws InternalError at the first of the bytes whose owner `is_wrong`.
  template <typename IsWrong>
  void expectNone(const BlockBytes& bytes, const std::string& reader,
                  const IsWrong& is_wrong) const;

  const std::vector<compiler::Block>& blocks_;
  std::vector<Owners> tiles_;
};

}  // namespace ipusim::checker
