// SPDX-License-Identifier: Apache-2.0
#include "poplar/tests/codelets/tile_code.h"

#include <cstdlib>
#include <utility>

#include "poplar/codelets/compile/clang_command.h"

namespace ipusim::codelets {

Codelets compileText(const std::string& text, const CompileOptions& options) {
  return compile(
      {{"codelet.cpp", "#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + text}}, options);
}

void WithClang::SetUp() {
  setenv("XDG_CACHE_HOME", (testing::TempDir() + "ipusim_test_cache").c_str(), /*overwrite=*/0);
  try {
    findClang();
  } catch (const CompilerMissing& missing) {
    GTEST_SKIP() << missing.what();
  }
}

TileCode::TileCode(Codelets codelets, const ExecutionOptions& options)
    : codelets_(std::move(codelets)),
      memory_(kTiles, Bytes(kTileBytes)),
      execution_(codelets_, kTiles, options) {}

std::size_t TileCode::indexOf(const std::string& vertex) const {
  const VertexType* found = codelets_.find(vertex);
  if (found == nullptr) throw std::runtime_error("no vertex " + vertex);
  return static_cast<std::size_t>(found - codelets_.vertices().data());
}

const Field& TileCode::fieldOf(const std::string& vertex, const std::string& field) const {
  const Field* found = codelets_.vertices()[indexOf(vertex)].field(field);
  if (found == nullptr) throw std::runtime_error("no field " + field);
  return *found;
}

void TileCode::connect(const std::string& vertex, const std::string& field, std::uint32_t offset,
                       std::uint32_t count, std::uint32_t tile) {
  const Field& edge = fieldOf(vertex, field);
  const std::uint32_t where = address(tile, offset);
  std::memcpy(at(tile, edge.offset), &where, sizeof where);
  if (hasCount(edge.layout)) {
    std::memcpy(at(tile, edge.offset) + sizeof where, &count, sizeof count);
  }
}

Outcome TileCode::run(const std::string& vertex, std::uint32_t tile, unsigned worker) {
  Outcome outcome;
  execution_.run({indexOf(vertex), tile, address(tile, 0), worker}, outcome);
  return outcome;
}

std::string TileCode::faultOf(const std::string& vertex, std::uint32_t tile) {
  try {
    run(vertex, tile);
  } catch (const CodeletFault& fault) {
    return fault.what();
  }
  return {};
}

}  // namespace ipusim::codelets
