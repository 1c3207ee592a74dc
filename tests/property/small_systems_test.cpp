// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/property/draw.h"
#include "tests/property/sound_run.h"
#include "tests/support/toy_pod.h"

// Small random systems of IPUs, with exchanges among them and programs over the tiles of all. Each
// is a legal program, whose numbers are right on tiles.

namespace ipusim::run {
namespace {

class RandomSystem {
 public:
  explicit RandomSystem(std::uint64_t seed)
      : draw_(seed),
        ipus_(draw_.of<std::uint32_t>({2, 4, 6, 8})),
        tiles_(draw_.of<std::uint32_t>({2, 4, 8})) {}

  std::string config() {
    return fmt::format("machine = {}\n[workload]\n{}", models::toyPodTable(ipus_, tiles_),
                       workload());
  }

 private:
  std::string workload() {
    switch (draw_.below(4)) {
      case 0:
        return fmt::format("kind = \"linear\"\nin = {}\nout = {}\nbatch = {}\n", size(), size(),
                           size());
      case 1:
        return fmt::format("kind = \"elementwise\"\nop = \"{}\"\nelements = {}\n",
                           draw_.of<std::string>({"add", "relu"}), 1 + draw_.below(3000));
      default:
        return collective();
    }
  }

  std::string collective() {
    const auto op = draw_.of<std::string>(
        {"all_reduce", "reduce_scatter", "all_gather", "broadcast", "all_to_all", "permute"});
    // Slices of all_to_all are equal.
    const std::uint64_t elements = (1 + draw_.below(200)) * (op == "all_to_all" ? ipus_ : 1);
    const bool goes_round = op[0] == 'r' || op == "all_reduce" || op == "all_gather";
    const bool has_method = goes_round && draw_.once(2);
    return fmt::format("kind = \"collective\"\nop = \"{}\"\nelements = {}\ntype = \"{}\"\n{}{}", op,
                       elements, draw_.of<std::string>({"half", "float"}),
                       has_method ? method() : "", groups());
  }

  std::string method() {
    return fmt::format("method = \"{}\"\n",
                       draw_.of<std::string>({"ring", "opposite_rings", "broadcast", "cheapest"}));
  }

  /// Pairs of IPUs, of which a ring has an even number.
  std::string groups() {
    if (!draw_.once(3)) return "";
    return fmt::format("groups = \"{}\"\ngroup_size = 2\n",
                       draw_.of<std::string>({"consecutive", "orthogonal"}));
  }

  std::uint64_t size() { return 1 + draw_.below(40); }

  Draw draw_;
  std::uint32_t ipus_;
  std::uint32_t tiles_;  // of each
};

}  // namespace

TEST(SmallSystems, RunAndHaveTheirNumbersOnTiles) {
  constexpr std::uint64_t kSystems = 200;
  for (std::uint64_t seed = 1; seed <= kSystems; ++seed) {
    const std::string text = RandomSystem(seed).config();
    SCOPED_TRACE(text);
    expectSoundRun(ConfigReader::fromText(text, "test"), Numbers::Checked);
    if (HasFatalFailure()) return;
  }
}

}  // namespace ipusim::run
