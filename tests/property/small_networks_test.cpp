// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "sim/run/check_experiment.h"
#include "sim/run/simulate.h"

// Small random networks: statements in any order that their shapes allow, results that nothing
// reads, few tiles. Each is a valid program, whose numbers are right on tiles.

namespace ipusim::run {
namespace {

/// The shape of a sample, as far as statements depend on it.
enum class Form { Features, Tokens, Image };

struct RandomStatement {
  const char* text;
  bool keeps_form = true;  ///< the result has the shape of the operand
};

std::vector<RandomStatement> statementsOn(Form form) {
  std::vector<RandomStatement> all{{"relu"},    {"tanh"},       {"gelu"},       {"silu"},
                                   {"sigmoid"}, {"hard_swish"}, {"leaky_relu"}, {"negate"},
                                   {"softmax"}, {"abs"}};
  switch (form) {
    case Form::Features:
      for (const char* layer : {"linear 8", "butterfly 8", "circulant 8", "fastfood 8",
                                "low_rank 8 rank 2", "layer_norm"}) {
        all.push_back({layer});
      }
      break;
    case Form::Tokens:
      for (const char* layer : {"linear 8", "attention 2", "layer_norm", "fastfood 8"}) {
        all.push_back({layer});
      }
      break;
    case Form::Image:
      for (const char* layer : {"conv 4 3 pad 1", "batch_norm", "group_norm 2", "conv 4 1"}) {
        all.push_back({layer});
      }
      break;
  }
  return all;
}

const char* inputOf(Form form) {
  switch (form) {
    case Form::Features:
      return "[8]";
    case Form::Tokens:
      return "[3, 8]";
    case Form::Image:
      break;
  }
  return "[4, 6, 6]";
}

/// Draws networks. The bits of the generator are the same everywhere.
class RandomNetwork {
 public:
  explicit RandomNetwork(std::uint64_t seed) : generator_(seed) {}

  std::string config() {
    const Form form = static_cast<Form>(below(3));
    constexpr std::uint64_t kTiles[] = {1, 2, 3, 7, 32};
    const std::uint64_t tiles = kTiles[below(std::size(kTiles))];
    const std::string layers = text(form);
    const char* train = below(2) == 0 ? "" : "train = {steps = 2, loss = \"squared_error\"}\n";
    return fmt::format(
        "machine = {{base = \"gc200\", tiles = {}}}\n[workload]\nkind = \"network\"\ninput = {}\n"
        "batch = {}\nlayers = \"{}\"\n{}",
        tiles, inputOf(form), 1 + below(3), layers, train);
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return generator_() % bound; }

  std::string text(Form form) {
    const std::vector<RandomStatement> statements = statementsOn(form);
    // Something to learn comes first, so that training has it.
    std::string text = form == Form::Image ? "conv 4 3 pad 1; save a" : "linear 8; save a";
    const std::uint64_t count = 1 + below(5);
    for (std::uint64_t s = 0; s < count; ++s) {
      text += fmt::format("; {}", statements[below(statements.size())].text);
      switch (below(6)) {
        case 0:
          text += "; add a";
          break;
        case 1:
          text += "; save a";
          break;
        case 2:
          text += "; from a";  // nothing reads what stood before, unless it was saved
          break;
        default:
          break;
      }
    }
    return text;
  }

  std::mt19937_64 generator_;
};

}  // namespace

TEST(SmallNetworks, RunAndHaveTheirNumbersOnTiles) {
  constexpr std::uint64_t kNetworks = 600;
  for (std::uint64_t seed = 1; seed <= kNetworks; ++seed) {
    const std::string text = RandomNetwork(seed).config();
    SCOPED_TRACE(text);
    const Experiment experiment = prepare(ConfigReader::fromText(text, "test"));
    ASSERT_FALSE(outOfMemory(experiment));
    const RunResult chip = simulate(experiment, Engine::SystemC);
    const RunResult closed = simulate(experiment, Engine::ClosedForm);
    EXPECT_EQ(chip.time.cycles, closed.time.cycles);
    const NumberCheck check = checkNumbers(experiment);
    EXPECT_TRUE(check.found.ok) << check.found.output << ", " << check.found.relative;
  }
}

}  // namespace ipusim::run
