// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "poplar/codelets/compile_error.h"
#include "poplar/codelets/vertex_type.h"

// Codelets: C++ vertices of the user, compiled by clang for 32-bit pointers and executed by this
// computer. They are native code with the rights of the user who runs them.

namespace ipusim::codelets {

/// A file, or a text that stands for one.
struct CodeletSource {
  std::string name;                 ///< the path; of a text, the name that messages give it
  std::optional<std::string> text;  ///< absent: the file `name` is read
};

/// The processor that `__IPU_ARCH_VERSION__` tells codelets. The Cpu does not define `__IPU__`.
enum class Architecture : std::uint8_t { Cpu = 0, Ipu1 = 1, Ipu2 = 2, Ipu21 = 21 };

struct CompileOptions {
  std::vector<std::string> flags;  ///< those of popc: -O0 … -O3, -I DIR, -D NAME, -g
  Architecture architecture = Architecture::Ipu2;
};

/// A codelet that went astray: wild access, no end, a failed assert. One line that names vertex,
/// tile and, where known, source line.
class CodeletFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Slots that a source line takes in one pass of a block.
struct LineSlots {
  std::string file;
  std::uint32_t line = 0;  ///< 0: none is known
  std::uint64_t slots = 0;
};

/// What code does besides taking issue slots.
struct CodeWork {
  Flops flops;   ///< a multiply-add is a product and a sum: a worker has no fused form
  Bytes loaded;  ///< by instructions and routines of the tile, the stack included
  Bytes stored;
};

/// A basic block of codelets, or what else counts as one.
struct CodeBlock {
  std::string function;     ///< its symbol
  std::uint64_t slots = 0;  ///< issue slots of a worker for one pass
  std::vector<LineSlots> lines;
  CodeWork work;  ///< of one pass
};

namespace detail {
struct Module;
class Loaded;
}  // namespace detail

/// Compiled codelets, before they are loaded. Immutable; a copy shares the contents.
class Codelets {
 public:
  Codelets();
  explicit Codelets(std::shared_ptr<const detail::Module> module);

  /// In the order of the sources.
  [[nodiscard]] const std::vector<VertexType>& vertices() const;
  /// Null where there is no vertex type of that name.
  [[nodiscard]] const VertexType* find(std::string_view name) const;
  [[nodiscard]] const std::vector<CodeBlock>& blocks() const;
  [[nodiscard]] const detail::Module& module() const { return *module_; }

 private:
  std::shared_ptr<const detail::Module> module_;
};

/// Compiles the sources together. The result comes from the user's cache where the same texts were
/// compiled before. Throws CompilerMissing, CompileError, or ConfigError where a file is not found.
Codelets compile(const std::vector<CodeletSource>& sources, const CompileOptions& options = {});

/// What popc writes and addCodelets reads: a file of this project's own format.
std::string toArchive(const Codelets& codelets);
/// Throws ConfigError, which begins with `name`, where `bytes` are no archive of this version.
Codelets fromArchive(std::string_view bytes, const std::string& name);
/// True where `bytes` begin as an archive does.
bool isArchive(std::string_view bytes);

/// All vertex types of `parts`. Throws ConfigError where two parts define one name differently.
Codelets join(const std::vector<Codelets>& parts);

/// The byte at an address that a codelet holds.
inline std::byte* byteAt(std::uint32_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): codelets hold addresses as 32-bit numbers
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}

/// Bytes of this computer below 4 GB, each piece followed by a page that no one may touch. Zero at
/// first. A tile's memory, and all that a codelet gets an address of, must lie in such bytes.
class LowMemory {
 public:
  LowMemory() = default;
  /// `pieces` of `size` each. Throws ConfigError where there is no room below 4 GB.
  LowMemory(std::size_t pieces, Bytes size);
  LowMemory(LowMemory&& other) noexcept;
  LowMemory& operator=(LowMemory&& other) noexcept;
  ~LowMemory();

  /// The address of the first byte of piece `index`.
  [[nodiscard]] std::uint32_t address(std::size_t index) const {
    return base_ + static_cast<std::uint32_t>(index) * stride_;
  }
  [[nodiscard]] std::byte* at(std::size_t index) const { return byteAt(address(index)); }

 private:
  std::uint32_t base_ = 0;
  std::uint32_t stride_ = 0;
  std::size_t reserved_ = 0;
};

/// One call of compute().
struct VertexCall {
  std::size_t vertex = 0;   ///< index in Codelets::vertices()
  std::uint32_t tile = 0;   ///< index of the tile in the whole system
  std::uint32_t state = 0;  ///< address of the vertex's struct
  unsigned worker = 0;      ///< in which it runs; of a MultiVertex its argument
};

/// What calls did. The caller keeps it from call to call, so that no call allocates.
struct Outcome {
  bool result = true;                 ///< what compute() returned; true where it returns void
  std::uint64_t slots = 0;            ///< Σ count × slots
  CodeWork work;                      ///< Σ count × work
  std::vector<std::uint64_t> counts;  ///< how often each block ran, by index in blocks()
  std::string printed;                ///< what the codelet printed
};

struct ExecutionOptions {
  unsigned workers = 6;                          ///< of a tile
  std::chrono::milliseconds time_limit{30'000};  ///< of one call; it ends with a CodeletFault
  std::uint64_t seed = 1;                        ///< of the random numbers of all workers
};

/// Codelets loaded on all tiles of a system: file-scope variables exist once a tile and live as
/// long as this object. Calls on different tiles may be made at the same time by several threads;
/// each gives the same result as alone.
class Execution {
 public:
  Execution(Codelets codelets, std::uint32_t tiles, const ExecutionOptions& options = {});
  Execution(Execution&&) noexcept;
  Execution& operator=(Execution&&) noexcept;
  ~Execution();

  /// Runs compute(). Throws CodeletFault; the tile's memory is then as the codelet left it.
  void run(const VertexCall& call, Outcome& outcome);
  /// Sets the random numbers of all workers back to those of `seed`.
  void seed(std::uint64_t seed);

 private:
  std::unique_ptr<detail::Loaded> loaded_;
};

}  // namespace ipusim::codelets
