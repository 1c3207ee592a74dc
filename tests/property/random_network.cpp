// SPDX-License-Identifier: Apache-2.0
#include "tests/property/random_network.h"

#include <fmt/format.h>

#include <vector>

#include "tests/property/draw.h"

namespace ipusim::run {

namespace {

/// The shape of a sample, as far as statements depend on it.
enum class Form { Features, Tokens, Image };

/// Statements that keep the shape.
std::vector<const char*> statementsOn(Form form) {
  std::vector<const char*> all{"relu",       "tanh",       "gelu",   "silu",    "sigmoid", "abs",
                               "hard_swish", "leaky_relu", "negate", "softmax", "softsign"};
  std::vector<const char*> layers;
  switch (form) {
    case Form::Features:
      layers = {"linear 8",   "butterfly 8",       "circulant 8",
                "fastfood 8", "low_rank 8 rank 2", "layer_norm"};
      break;
    case Form::Tokens:
      layers = {"linear 8", "attention 2", "fastfood 8", "layer_norm"};
      break;
    case Form::Image:
      layers = {"conv 4 3 pad 1", "conv 4 1", "batch_norm", "group_norm 2"};
      break;
  }
  all.insert(all.end(), layers.begin(), layers.end());
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

class RandomNetwork {
 public:
  explicit RandomNetwork(std::uint64_t seed) : draw_(seed) {}

  std::string config() {
    const Form form = static_cast<Form>(draw_.below(3));
    const int tiles = draw_.of<int>({1, 2, 3, 7, 32});
    const bool is_trained = draw_.once(2);
    const std::string layers = text(form);
    const char* train = is_trained ? "train = {steps = 2, loss = \"squared_error\"}\n" : "";
    return fmt::format(
        "machine = {{base = \"gc200\", tiles = {}}}\n[workload]\nkind = \"network\"\ninput = {}\n"
        "batch = {}\nlayers = \"{}\"\n{}",
        tiles, inputOf(form), 1 + draw_.below(3), layers, train);
  }

 private:
  std::string text(Form form) {
    const std::vector<const char*> statements = statementsOn(form);
    // Something to learn comes first, so that training has it.
    std::string text = form == Form::Image ? "conv 4 3 pad 1; save a" : "linear 8; save a";
    const std::uint64_t count = 1 + draw_.below(5);
    for (std::uint64_t s = 0; s < count; ++s) {
      text += fmt::format("; {}", draw_.of(statements));
      switch (draw_.below(6)) {
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

  Draw draw_;
};

}  // namespace

std::string randomNetwork(std::uint64_t seed) {
  return RandomNetwork(seed).config();
}

}  // namespace ipusim::run
