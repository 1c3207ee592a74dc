// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "sim/run/simulate.h"
#include "tests/onnx/onnx_builder.h"

// One layer takes one time and one memory, however a file writes it.

namespace ipusim::workloads {
namespace {

using Ints = std::vector<std::int64_t>;
using Build = std::function<std::string(OnnxBuilder&)>;

struct Cost {
  double cycles;
  double bytes;  ///< of the fullest tile
};

Cost costOf(const ConfigReader& config) {
  const run::RunResult result = run::simulate(config, Engine::ClosedForm);
  return {static_cast<double>(result.time.cycles.value()),
          static_cast<double>(result.memory.max_tile_bytes.value())};
}

Cost costOfModel(const Build& build) {
  OnnxBuilder b(17);
  const std::string file = testing::TempDir() + "ipusim_spelling_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".onnx";
  std::ofstream(file, std::ios::binary) << b.bytes(build(b));
  return costOf(ConfigReader::fromText(
      fmt::format("machine = 'gc200'\n[workload]\nkind = 'onnx'\nfile = '{}'\n", file), "test"));
}

Cost costOfText(const std::string& layers, const std::string& input, std::uint64_t batch) {
  return costOf(ConfigReader::fromText(
      fmt::format("machine = 'gc200'\n[workload]\nkind = 'network'\nbatch = {}\ninput = {}\n"
                  "layers = '''\n{}\n'''\n",
                  batch, input, layers),
      "test"));
}

void expectAlike(const Cost& one, const Cost& other) {
  constexpr double kMost = 0.03;
  EXPECT_NEAR(one.cycles / other.cycles, 1, kMost) << one.cycles << " and " << other.cycles;
  EXPECT_NEAR(one.bytes / other.bytes, 1, kMost) << one.bytes << " and " << other.bytes;
}

constexpr std::int64_t kIn = 1024;
constexpr std::int64_t kOut = 512;

std::string product(OnnxBuilder& b) {
  return b.node("MatMul", {b.input("x", {16, kIn}), b.weights({kIn, kOut})});
}

TEST(Spelling, OfAFullyConnectedLayer) {
  const Cost plain = costOfModel([](OnnxBuilder& b) {
    return b.node("Add", {product(b), b.weights({kOut})});
  });
  expectAlike(costOfText("linear 512", "[1024]", 16), plain);
  expectAlike(costOfModel([](OnnxBuilder& b) {
                return b.node("Add", {b.weights({kOut}), product(b)});
              }),
              plain);
  expectAlike(
      costOfModel([](OnnxBuilder& b) {
        return b.node("Gemm", {b.input("x", {16, kIn}), b.weights({kIn, kOut}), b.weights({kOut})});
      }),
      plain);
  expectAlike(costOfModel([](OnnxBuilder& b) {
                return b.node("Gemm",
                              {b.input("x", {16, kIn}), b.weights({kOut, kIn}), b.weights({kOut})},
                              {{"transB", std::int64_t{1}}});
              }),
              plain);
  expectAlike(
      costOfModel([](OnnxBuilder& b) {
        const std::string w = b.node("Transpose", {b.weights({kOut, kIn})});
        return b.node("Add", {b.node("MatMul", {b.input("x", {16, kIn}), w}), b.weights({kOut})});
      }),
      plain);
  expectAlike(costOfModel([](OnnxBuilder& b) {
                const std::string y =
                    b.node("Conv", {b.input("x", {16, kIn, 1, 1}), b.weights({kOut, kIn, 1, 1}),
                                    b.weights({kOut})});
                return b.node("Flatten", {y});
              }),
              plain);
}

TEST(Spelling, OfANumberBesideATensor) {
  const auto with = [](const std::string& type, bool is_left) {
    return costOfModel([=](OnnxBuilder& b) {
      const std::string x = b.input("x", {197, 3072});
      const std::string number = b.scalar(2);
      return is_left ? b.node(type, {number, x}) : b.node(type, {x, number});
    });
  };
  const Cost scaled = with("Mul", false);
  for (const char* type : {"Mul", "Add"}) {
    for (const bool is_left : {false, true}) expectAlike(with(type, is_left), scaled);
  }
  expectAlike(with("Sub", false), scaled);
  expectAlike(with("Div", false), scaled);
  expectAlike(costOfModel([](OnnxBuilder& b) {
                const std::string ones = b.node("Expand", {b.scalar(2), b.integers({197, 3072})});
                return b.node("Add", {b.input("x", {197, 3072}), ones});
              }),
              scaled);
}

TEST(Spelling, OfAGelu) {
  const auto decomposed = [](bool has_half_first) {
    return costOfModel([=](OnnxBuilder& b) {
      const std::string x = b.input("x", {197, 3072});
      const std::string erf = b.node("Erf", {b.node("Div", {x, b.scalar(std::sqrt(2.0))})});
      const std::string bend = b.node("Add", {erf, b.scalar(1)});
      if (has_half_first) {
        return b.node("Mul", {b.node("Mul", {x, b.scalar(0.5)}), bend});
      }
      return b.node("Mul", {b.node("Mul", {x, bend}), b.scalar(0.5)});
    });
  };
  const Cost fused = costOfModel([](OnnxBuilder& b) {
    return b.node("Gelu", {b.input("x", {197, 3072})});
  });
  expectAlike(decomposed(false), fused);
  expectAlike(decomposed(true), fused);
}

TEST(Spelling, OfALayerNorm) {
  const Cost fused = costOfModel([](OnnxBuilder& b) {
    return b.node("LayerNormalization",
                  {b.input("x", {197, 768}), b.weights({768}), b.weights({768})});
  });
  const auto decomposed = [](const std::string& square) {
    return costOfModel([=](OnnxBuilder& b) {
      const std::string x = b.input("x", {197, 768});
      const auto mean = [&](const std::string& of) {
        return b.node("ReduceMean", {of}, {{"axes", Ints{-1}}});
      };
      const std::string centred = b.node("Sub", {x, mean(x)});
      const std::string squares = square == "Pow" ? b.node("Pow", {centred, b.scalar(2)})
                                                  : b.node("Mul", {centred, centred});
      const std::string deviation =
          b.node("Sqrt", {b.node("Add", {mean(squares), b.scalar(1e-5)})});
      const std::string normal = b.node("Div", {centred, deviation});
      return b.node("Add", {b.node("Mul", {normal, b.weights({768})}), b.weights({768})});
    });
  };
  expectAlike(decomposed("Pow"), fused);
  expectAlike(decomposed("Mul"), fused);
}

TEST(Spelling, OfANormBehindAConvolution) {
  const auto convolution = [](OnnxBuilder& b, bool has_bias) {
    std::vector<std::string> operands{b.input("x", {1, 32, 28, 28}), b.weights({64, 32, 3, 3})};
    if (has_bias) operands.push_back(b.weights({64}));
    return b.node("Conv", operands, {{"pads", Ints{1, 1, 1, 1}}});
  };
  const auto with_norm = [&](bool has_bias) {
    return costOfModel([=](OnnxBuilder& b) {
      return b.node("BatchNormalization", {convolution(b, has_bias), b.weights({64}),
                                           b.weights({64}), b.weights({64}), b.weights({64})});
    });
  };
  const Cost folded = costOfModel([=](OnnxBuilder& b) { return convolution(b, true); });
  expectAlike(with_norm(false), folded);
  expectAlike(with_norm(true), folded);
}

TEST(Spelling, OfASilu) {
  const Cost fused = costOfText("silu", "[196, 3072]", 1);
  for (const bool is_gate_first : {false, true}) {
    expectAlike(costOfModel([=](OnnxBuilder& b) {
                  const std::string x = b.input("x", {1, 196, 3072});
                  const std::string gate = b.node("Sigmoid", {x});
                  return is_gate_first ? b.node("Mul", {gate, x}) : b.node("Mul", {x, gate});
                }),
                fused);
  }
}

/// The passes that change a model, under the keys `more` of its workload.
std::vector<std::string> passesOf(const Build& build, const std::string& more) {
  OnnxBuilder b(17);
  const std::string file = testing::TempDir() + "ipusim_front_end.onnx";
  std::ofstream(file, std::ios::binary) << b.bytes(build(b));
  const ConfigReader config = ConfigReader::fromText(
      fmt::format("machine = 'gc200'\n[workload]\nkind = 'onnx'\nfile = '{}'\n{}\n", file, more),
      "test");
  std::vector<std::string> names;
  for (const PassSummary& pass : run::simulate(config, Engine::ClosedForm).passes) {
    names.push_back(pass.name);
  }
  return names;
}

std::string normedConvolution(OnnxBuilder& b) {
  const std::string y = b.node("Conv", {b.input("x", {1, 32, 8, 8}), b.weights({64, 32, 3, 3})});
  return b.node("BatchNormalization",
                {y, b.weights({64}), b.weights({64}), b.weights({64}), b.weights({64})});
}

/// A gelu of small operations, behind a silu of some.
std::string smallFunctions(OnnxBuilder& b) {
  const std::string x = b.input("x", {16, 64});
  const std::string silu = b.node("Mul", {x, b.node("Sigmoid", {x})});
  const std::string erf = b.node("Erf", {b.node("Div", {silu, b.scalar(std::sqrt(2.0))})});
  const std::string bend = b.node("Add", {erf, b.scalar(1)});
  return b.node("Mul", {b.node("Mul", {silu, bend}), b.scalar(0.5)});
}

// PopTorch hands its graph on as it is; the compiler for exported models folds norms, and knows the
// layers that exporters wrote as small operations.
TEST(FrontEnd, DecidesWhichPassesRun) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(passesOf(normedConvolution, "front_end = 'poptorch'"), Names{});
  EXPECT_EQ(passesOf(normedConvolution, "front_end = 'poprt'"), Names{"fold_batch_norm"});
  EXPECT_EQ(passesOf(smallFunctions, "front_end = 'poptorch'"), Names{});
  EXPECT_EQ(passesOf(smallFunctions, "front_end = 'poprt'"),
            (Names{"recognise_gelu", "recognise_silu", "gelu_tanh"}));
}

TEST(FrontEnd, LeavesASwitchForEachPass) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(passesOf(smallFunctions, "passes.recognise_gelu = 'no'"), Names{"recognise_silu"});
  EXPECT_EQ(passesOf(smallFunctions, "front_end = 'poptorch'\npasses.recognise_silu = 'yes'"),
            Names{"recognise_silu"});
}

}  // namespace
}  // namespace ipusim::workloads
