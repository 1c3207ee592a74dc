// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::checker {

/// For every byte of tile memory the block that wrote it last. A strict run holds each read against
/// it: a byte that nothing wrote, one whose block is dead and one that another block wrote over are
/// found where they are read, whether the result depends on them or not.
class ByteOwners {
 public:
  /// No byte is written yet. `executable` must outlive this.
  explicit ByteOwners(const compiler::Executable& executable);

  /// The block's bytes hold nothing any more: it becomes live, or it dies.
  void begin(const compiler::Block& block);
  void end(const compiler::Block& block);

  /// The block writes `bytes` of its own from `offset` on.
  void write(BlockId block, Bytes offset, Bytes bytes);
  /// Those bytes become copies of another block's bytes: written where those are.
  void copy(BlockId from, Bytes from_offset, const compiler::Landing& to, Bytes bytes);
  /// Throws InternalError, which names `reader`, unless the block wrote all of them last.
  void expectWritten(BlockId block, Bytes offset, Bytes bytes, const std::string& reader) const;

 private:
  using Owners = std::vector<BlockId>;

  [[nodiscard]] Owners::iterator at(const compiler::Block& block, Bytes offset);

  const std::vector<compiler::Block>& blocks_;
  std::vector<Owners> tiles_;
};

}  // namespace ipusim::checker
