// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <array>
#include <thread>

#include "poplar/tests/codelets/tile_code.h"

namespace ipusim::codelets {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr std::uint32_t kIn = 1024;
constexpr std::uint32_t kOut = 2048;

using CodeletRun = WithClang;

TEST_F(CodeletRun, AddsTheElementsOfAnEdge) {
  TileCode code(compileText(R"(
    class Sum : public Vertex {
     public:
      Input<Vector<float>> in;
      Output<float> out;
      bool compute() {
        float sum = 0;
        for (const auto value : in) sum += value;
        *out = sum;
        return true;
      }
    };)"));
  code.write<float>(kIn, {1, 2.5F, 4});
  code.connect("Sum", "in", kIn, 3);
  code.connect("Sum", "out", kOut, 1);
  EXPECT_TRUE(code.run("Sum").result);
  EXPECT_EQ(code.read<float>(kOut), 7.5F);
}

TEST_F(CodeletRun, ComputesWithComplexNumbers) {
  TileCode code(compileText(R"(
    #include <complex>
    struct Complex : Vertex {
      Output<Vector<float, VectorLayout::ONE_PTR>> out;
      void compute() {
        std::complex<float> z(3, 4);
        out[0] = std::abs(z);
        z = z * z / std::complex<float>(0, 2);
        out[1] = z.real();
        out[2] = z.imag();
        out[3] = static_cast<float>(std::abs(std::complex<double>(5, 12) * std::complex<double>(0, 1)));
      }
    };)"));
  code.connect("Complex", "out", kOut, 4);
  code.run("Complex");
  const auto written = code.read<std::array<float, 4>>(kOut);
  EXPECT_THAT(written, ElementsAre(5, 12, 3.5F, 13));
}

TEST_F(CodeletRun, RoundsToWholeNumbers) {
  TileCode code(compileText(R"(
    #include <cmath>
    struct Round : Vertex { float x; long n; void compute() { n = lroundf(x) * 10 + lrintf(x); } };)"));
  code.setMember("Round", "x", -2.5F);
  code.run("Round");
  EXPECT_EQ(code.read<int>(4), -32);
}

TEST_F(CodeletRun, ReturnsWhatComputeReturns) {
  TileCode code(compileText(R"(
    struct IsSeven : Vertex { int n; auto compute() -> bool { return n == 7; } };
    struct Nothing : Vertex { int n; void compute() { ++n; } };)"));
  code.setMember("IsSeven", "n", 7);
  EXPECT_TRUE(code.run("IsSeven").result);
  code.setMember("IsSeven", "n", 8);
  EXPECT_FALSE(code.run("IsSeven").result);
  EXPECT_TRUE(code.run("Nothing").result);
  EXPECT_EQ(code.read<int>(0), 9) << "a plain member keeps its value";
}

TEST_F(CodeletRun, GivesEveryWorkerOfAMultiVertexItsNumber) {
  TileCode code(compileText(R"(
    class Stripe : public MultiVertex {
     public:
      Output<Vector<int, VectorLayout::ONE_PTR>> out;
      bool compute(unsigned worker) {
        for (unsigned i = worker; i < 12; i += MultiVertex::numWorkers()) out[i] = worker;
        return true;
      }
    };)"));
  code.connect("Stripe", "out", kOut, 12);
  for (unsigned worker = 0; worker < 6; ++worker) code.run("Stripe", 0, worker);
  const auto written = code.read<std::array<int, 12>>(kOut);
  EXPECT_THAT(written, ElementsAre(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5));
}

TEST_F(CodeletRun, RunsASupervisor) {
  TileCode code(compileText(R"(
    class Count : public SupervisorVertex {
     public:
      int n;
      __attribute__((target("supervisor"))) bool compute() { n += 2; return true; }
    };)"));
  code.run("Count");
  EXPECT_EQ(code.read<int>(0), 2);
}

TEST_F(CodeletRun, WrapsAddressesAt32Bits) {
  TileCode code(compileText(R"(
    struct Before : Vertex {
      Input<Vector<int>> in;
      unsigned back, first, second;
      bool compute() {
        const int* middle = &in[2];
        first = middle[-back];
        second = in[1 - back + 2];
        return true;
      }
    };)"));
  code.write<int>(kIn, {10, 11, 12, 13});
  code.connect("Before", "in", kIn, 4);
  code.setMember("Before", "back", 2U);
  code.run("Before");
  EXPECT_EQ(code.read<unsigned>(12), 10U) << "two before the element 2";
  EXPECT_EQ(code.read<unsigned>(16), 11U);
}

TEST_F(CodeletRun, HasRowsOfTwoDimensions) {
  TileCode code(compileText(R"(
    class Rows : public Vertex {
     public:
      Vector<Input<Vector<int>>> in;
      Output<Vector<int>> out;
      bool compute() {
        for (unsigned row = 0; row < in.size(); ++row) {
          out[row] = 0;
          for (unsigned i = 0; i < in[row].size(); ++i) out[row] += in[row][i];
        }
        return true;
      }
    };)"));
  code.write<int>(kIn, {1, 2, 3, 10});
  constexpr std::uint32_t kTable = 512;
  code.write<std::uint32_t>(kTable, {code.address(0, kIn), 3, code.address(0, kIn + 12), 1});
  code.connect("Rows", "in", kTable, 2);
  code.connect("Rows", "out", kOut, 2);
  code.run("Rows");
  EXPECT_EQ(code.read<int>(kOut), 6);
  EXPECT_EQ(code.read<int>(kOut + 4), 10);
}

TEST_F(CodeletRun, KeepsFileScopeVariablesOnceATile) {
  TileCode code(compileText(R"(
    static int calls = 40;
    struct Call : Vertex { int seen; bool compute() { seen = ++calls; return true; } };
    struct Look : Vertex { int seen; bool compute() { seen = calls; return true; } };)"));
  code.run("Call", 0);
  code.run("Call", 0);
  code.run("Call", 1);
  code.run("Look", 0);
  EXPECT_EQ(code.read<int>(0, 0), 42) << "vertices of a tile share the variable";
  EXPECT_EQ(code.read<int>(0, 1), 41);
}

TEST_F(CodeletRun, MakesFileScopeObjectsBeforeTheFirstCall) {
  TileCode code(compileText(R"(
    struct Table { int squares[4]; Table() { for (int i = 0; i < 4; ++i) squares[i] = i * i + side(); }
                   static int side() { return asked; } static volatile int asked; };
    volatile int Table::asked = 1;
    static Table table;
    struct Look : Vertex { int seen; bool compute() { seen = table.squares[3]; return true; } };)"));
  code.run("Look");
  EXPECT_EQ(code.read<int>(0), 10);
}

TEST_F(CodeletRun, PrintsWithNumbersOfEveryWidth) {
  TileCode code(compileText(R"(
    #include <print.h>
    struct Print : Vertex {
      int n;
      bool compute() {
        printf("%d|%5.2f|%s|%c|%u|%lld|%lu|%x|%%|%f %f %f %f %f %f %f %f %f|%d %d %d\n", -3, 2.5f,
               "text", 'x', 7u, 1ll << 40, 9ul, 255, 1., 2., 3., 4., 5., 6., 7., 8., 9., 1, 2, 3);
        return true;
      }
    };)"));
  EXPECT_EQ(code.run("Print").printed,
            "-3| 2.50|text|x|7|1099511627776|9|ff|%|1.000000 2.000000 3.000000 4.000000 5.000000 "
            "6.000000 7.000000 8.000000 9.000000|1 2 3\n");
}

TEST_F(CodeletRun, RoundsEveryOperationOfHalf) {
  TileCode code(compileText(R"(
    #include <ipudef.h>
    struct Halves : Vertex {
      half a, b, c, out;
      bool compute() { out = a * b + c; return true; }
    };)"));
  // 1.0009765625^2 is 1.00195407…; half keeps 1.001953125, and minus 1.001953125 gives zero.
  constexpr std::uint16_t kOnePlusUlp = 0x3c01;
  constexpr std::uint16_t kMinusOnePlusTwoUlps = 0xbc02;
  code.setMember("Halves", "a", kOnePlusUlp);
  code.setMember("Halves", "b", kOnePlusUlp);
  code.setMember("Halves", "c", kMinusOnePlusTwoUlps);
  code.run("Halves");
  EXPECT_EQ(code.read<std::uint16_t>(6), 0);
}

TEST_F(CodeletRun, ComputesWithVectorsOfHalfAndFloat) {
  TileCode code(compileText(R"(
    #include <ipudef.h>
    #include <ipu_vector_math>
    struct Vectors : Vertex {
      float2 a;
      half4 h;
      float sum;
      bool compute() {
        a = 2.0f * a + float2{1, 1};
        h = 1.f / 16 * h;
        sum = ipu::sum(ipu::fmax(a, float2{0, 100})) + float(h[3]);
        return true;
      }
    };)"));
  code.setMember("Vectors", "a", std::array<float, 2>{1, 2});
  code.setMember("Vectors", "h", std::array<std::uint16_t, 4>{0, 0, 0, 0x4c00});  // 16
  code.run("Vectors");
  EXPECT_EQ(code.read<float>(0), 3);
  EXPECT_EQ(code.read<float>(16), 3 + 100 + 1);
}

TEST_F(CodeletRun, DrawsTheSameRandomNumbersEveryTime) {
  const Codelets codelets = compileText(R"(
    struct Draw : Vertex {
      unsigned n;
      bool compute() { n = __builtin_ipu_urand32(); return true; }
    };)");
  const auto draw = [&](std::uint32_t tile, unsigned worker) {
    TileCode code(codelets);
    code.run("Draw", tile, worker);
    return code.read<unsigned>(0, tile);
  };
  EXPECT_EQ(draw(0, 0), draw(0, 0));
  EXPECT_NE(draw(0, 0), draw(0, 1));
  EXPECT_NE(draw(0, 0), draw(1, 0));
  TileCode code(codelets);
  code.run("Draw");
  const auto first = code.read<unsigned>(0);
  code.run("Draw");
  EXPECT_NE(code.read<unsigned>(0), first);
  code.execution().seed(ExecutionOptions{}.seed);
  code.run("Draw");
  EXPECT_EQ(code.read<unsigned>(0), first);
}

TEST_F(CodeletRun, DrawsFromTheDistributionsThatItNames) {
  TileCode code(compileText(R"(
    struct Draws : Vertex {
      float uniform, square, normal, variance;
      bool compute() {
        constexpr int kDraws = 100000;
        uniform = square = normal = variance = 0;
        for (int i = 0; i < kDraws; ++i) {
          const float u = __builtin_ipu_urand_f32();
          if (u < -0.5f || u >= 0.5f) return false;
          const auto g = __builtin_ipu_f32v2grand();
          uniform += u / kDraws;
          square += u * u / kDraws;
          normal += (g[0] + g[1]) / (2 * kDraws);
          variance += (g[0] * g[0] + g[1] * g[1]) / (2 * kDraws);
        }
        return true;
      }
    };)"));
  EXPECT_TRUE(code.run("Draws").result);
  EXPECT_NEAR(code.read<float>(0), 0, 0.005) << "five deviations of the mean";
  EXPECT_NEAR(code.read<float>(4), 1.0 / 12, 0.002);
  EXPECT_NEAR(code.read<float>(8), 0, 0.012);
  EXPECT_NEAR(code.read<float>(12), 1, 0.02);
}

TEST_F(CodeletRun, CallsMathematicsOfTheHost) {
  TileCode code(compileText(R"(
    #include <cmath>
    #include <algorithm>
    struct Maths : Vertex {
      float x, y;
      double z;
      bool compute() { y = std::max(std::pow(x, 3.0f), sqrtf(x)); z = exp(double(x)); return true; }
    };)"));
  code.setMember("Maths", "x", 4.0F);
  code.run("Maths");
  EXPECT_EQ(code.read<float>(4), 64);
  EXPECT_EQ(code.read<double>(8), std::exp(4.0));
}

TEST_F(CodeletRun, CountsThePassesOfALoop) {
  TileCode code(compileText(R"(
    struct Loop : Vertex {
      unsigned n;
      Output<Vector<unsigned>> out;
      bool compute() {
        for (unsigned i = 0; i < n; ++i) out[i] = out[i] * 3 + i;
        return true;
      }
    };)"));
  code.connect("Loop", "out", kOut, 300);
  const auto slots = [&](unsigned passes) {
    code.setMember("Loop", "n", passes);
    return code.run("Loop").slots;
  };
  const std::uint64_t at_100 = slots(100);
  const std::uint64_t at_200 = slots(200);
  const std::uint64_t at_300 = slots(300);
  EXPECT_GE(at_100, 200U) << "a load and a store each pass";
  EXPECT_EQ(at_200 - at_100, at_300 - at_200) << "a call begins from zero counts";
}

TEST_F(CodeletRun, CountsARandomNumberAsOneInstruction) {
  TileCode code(compileText(R"(
    struct Plain : Vertex {
      unsigned n, s;
      bool compute() { for (unsigned i = 0; i < n; ++i) s = s * 3 + 1; return true; }
    };
    struct Draw : Vertex {
      unsigned n, s;
      bool compute() { for (unsigned i = 0; i < n; ++i) s = s * 3 + __builtin_ipu_urand32(); return true; }
    };)"));
  code.setMember("Plain", "n", 1000U);
  const std::uint64_t plain = code.run("Plain").slots;
  code.setMember("Draw", "n", 1000U);
  const std::uint64_t draws = code.run("Draw").slots;
  EXPECT_GE(draws, plain);
  EXPECT_LE(draws, plain + 2UL * 1000) << "an instruction a pass, and a move";
}

TEST_F(CodeletRun, ReadsAClockThatRunsWithTheSlots) {
  TileCode code(compileText(R"(
    struct Clock : Vertex {
      unsigned n, cycles;
      Output<Vector<unsigned>> out;
      bool compute() {
        const unsigned begin = __builtin_ipu_get_scount_l();
        for (unsigned i = 0; i < n; ++i) out[i] = out[i] * 3 + i;
        cycles = __builtin_ipu_get_scount_l() - begin;
        return true;
      }
    };)"));
  code.connect("Clock", "out", kOut, 300);
  code.setMember("Clock", "n", 300U);
  const Outcome outcome = code.run("Clock");
  const auto cycles = code.read<unsigned>(4);
  EXPECT_LE(cycles, 6 * outcome.slots);
  EXPECT_GE(cycles, 6 * outcome.slots * 9 / 10) << "nearly all of the call is the loop";
}

TEST_F(CodeletRun, GivesTheSameOnSeveralThreads) {
  TileCode code(compileText(R"(
    static unsigned calls = 0;
    struct Mix : Vertex {
      unsigned n;
      bool compute() {
        for (int i = 0; i < 1000; ++i) n = n * 1664525u + 1013904223u + calls++;
        return true;
      }
    };)"));
  const auto rounds = [&](std::uint32_t tile) {
    for (int round = 0; round < 50; ++round) code.run("Mix", tile);
  };
  std::vector<std::thread> threads;
  for (std::uint32_t tile = 0; tile < TileCode::kTiles; ++tile) threads.emplace_back(rounds, tile);
  for (std::thread& thread : threads) thread.join();
  TileCode alone(compileText(R"(
    static unsigned calls = 0;
    struct Mix : Vertex {
      unsigned n;
      bool compute() {
        for (int i = 0; i < 1000; ++i) n = n * 1664525u + 1013904223u + calls++;
        return true;
      }
    };)"));
  for (int round = 0; round < 50; ++round) alone.run("Mix");
  const std::array<unsigned, 3> found{code.read<unsigned>(0, 0), code.read<unsigned>(0, 1),
                                      code.read<unsigned>(0, 2)};
  EXPECT_THAT(found, Each(alone.read<unsigned>(0)));
}

}  // namespace
}  // namespace ipusim::codelets
