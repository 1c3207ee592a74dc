// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::executor {

/// Consecutive bytes of a block.
struct BlockBytes {
  BlockId block;
  Bytes offset;
  Bytes count;
};

/// Knows, for every byte of tile memory, the block that wrote the byte last, if one did. A strict
/// run checks each read against this. It finds a byte that nothing wrote, a byte whose block is
/// dead, and a byte that another block wrote over, whatever value the byte holds.
class ByteOwners {
 public:
  /// At first no byte is written. `executable` must outlive this.
  explicit ByteOwners(const compiler::Executable& executable);

  /// Marks the bytes as unwritten: their block becomes live or dies, or the bytes have no meaning.
  void forget(const BlockBytes& bytes);
  /// Marks the bytes as written by their block.
  void write(const BlockBytes& bytes);
  /// Marks the bytes as copies of the bytes of block `from` that begin at `offset`. A copy is
  /// written where its original is written.
  void copy(BlockId from, Bytes offset, const BlockBytes& to);

  /// True when the block of `bytes` was the last to write byte `index` of them.
  [[nodiscard]] bool isWritten(const BlockBytes& bytes, std::uint64_t index) const;
  /// Throws InternalError, which names `reader`, where another block was the last to write one of
  /// the bytes.
  void expectNoOther(const BlockBytes& bytes, const std::string& reader) const;
  /// Throws InternalError, which names `reader`, unless the block of `bytes` was the last to write
  /// all of them.
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

}  // namespace ipusim::executor
