// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "sim/run/run_result.h"

// Two results side by side: simulated ones, or one of a real machine beside its prediction.

namespace ipusim::report {

/// A figure that both results hold.
struct FigurePair {
  std::string key;  ///< such as "memory.total_bytes"
  Json a;
  Json b;

  [[nodiscard]] bool differs() const { return a != b; }
};

/// A figure by tile that both results hold, compared on the tiles that both have.
struct TilesPair {
  std::string key;  ///< such as "tiles.compute_cycles"
  std::size_t tiles_of_a = 0;
  std::size_t tiles_of_b = 0;
  std::size_t differing = 0;
  std::size_t worst_tile = 0;  ///< the first tile with the largest difference
  std::uint64_t worst_a = 0;
  std::uint64_t worst_b = 0;

  [[nodiscard]] bool differs() const { return differing > 0 || tiles_of_a != tiles_of_b; }
};

/// A step of one result and the step of the other that does its work.
struct StepPair {
  std::string a;  ///< name of the step
  std::string b;  ///< another name when the steps were paired by their order
  std::string kind;
  std::vector<FigurePair> figures;  ///< keys such as "cycles" and "exchange.bytes"
  std::vector<TilesPair> tiles;

  [[nodiscard]] bool differs() const;
};

struct ResultDiff {
  std::vector<FigurePair> figures;
  std::vector<TilesPair> tiles;
  std::vector<StepPair> steps;
  std::vector<std::string> only_a;  ///< keys of figures that only one result holds
  std::vector<std::string> only_b;
  std::vector<std::string> steps_only_a;
  std::vector<std::string> steps_only_b;

  /// True when all figures that both results hold are equal, and no step is in one only.
  [[nodiscard]] bool same() const;
};

/// Compares two results, as toJson(), importProfile() and readResult() give them. Steps of one name
/// and kind are paired in their order. The remaining steps of a kind are paired in their order
/// where both results have as many of them. Throws ConfigError for a result with other types than
/// those of docs/reference/json.md.
ResultDiff diffResults(const JsonReader& a, const JsonReader& b);

/// The result as one object, with the columns of tiles.csv as the member `tiles`.
Json withTiles(const run::RunResult& result);

/// One line: the key, both values, and how the second compares with the first.
std::string figureRow(const FigurePair& figure);

/// What differs, for people. `a` and `b` name the results.
std::string diffText(const ResultDiff& diff, const std::string& a, const std::string& b);

/// All that was compared, equal figures included.
Json diffJson(const ResultDiff& diff, const std::string& a, const std::string& b);

}  // namespace ipusim::report
