// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compare.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/gpu/named_program.h"
#include "models/gpu/torch_layers.h"
#include "sim/registry/registry.h"
#include "sim/report/json.h"
#include "sim/report/text/table.h"
#include "tests/run/two_tile_run.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"
#include "workloads/networks/gpu/gpu_layers.h"
#include "workloads/ops/elementwise/gpu_map.h"
#include "workloads/ops/matmul/gpu_matmul.h"
#include "workloads/ops/sparse/gpu_sparse_matmul.h"

namespace ipusim::run {
namespace {

using testing::HasSubstr;
using workloads::BuiltWorkload;
using workloads::MatmulProblem;

constexpr double kTolerance = 1e-12;

MatmulProblem comparedProduct(std::uint64_t m, std::uint64_t k, std::uint64_t n,
                              std::uint64_t groups = 1) {
  MatmulProblem problem;
  problem.groups = groups;
  problem.m = m;
  problem.k = k;
  problem.n = n;
  return problem;
}

CompareOptions a30(gpu::Host host = gpu::Host::None) {
  return {gpu::readPreset("a30"), host};
}

/// One elementwise kernel: 4 us of launch, nothing to move, 600 FLOPs.
BuiltWorkload tinyWorkload(Bytes tensors = Bytes(16)) {
  BuiltWorkload workload;
  workload.flops = Flops(600);
  const gpu::Kernel kernel = gpu::Elementwise{Bytes(0), Bytes(0), Bytes(0)};
  workload.gpu = gpu::Program{"tiny", {{"op", gpu::FrameworkCall::Elementwise, {kernel}}}, tensors};
  return workload;
}

std::optional<CompareOptions> readText(const std::string& text) {
  return readCompare(ConfigReader::fromText(text, "r.toml"));
}

TEST(ReadCompare, IsOfATableThatIsThere) {
  EXPECT_FALSE(readText("").has_value());
  const auto plain = readText("[compare]\ngpu = \"a100\"");
  EXPECT_EQ(plain->machine.name, "a100");
  EXPECT_EQ(plain->host, gpu::Host::None);
  EXPECT_EQ(readText("compare = {gpu = \"a30\", host = \"graph\"}")->host, gpu::Host::Graph);
}

TEST(ReadCompare, SaysWhatIsWrong) {
  EXPECT_THAT(configErrorOf([] { readText("[compare]"); }),
              HasSubstr("r.toml:1: compare.gpu: wanted one of a100, a30, h100, h200"));
  EXPECT_THAT(configErrorOf([] { readText("compare = {gpu = \"a30\", host = \"cpu\"}"); }),
              HasSubstr("compare.host: wanted one of none, eager, graph"));
}

TEST(CompareWithGpu, DividesTheTimes) {
  const CompareResult result = compareWithGpu(a30(), tinyWorkload(), twoTileResult());
  ASSERT_TRUE(result.fp32.has_value());
  // 4 us against 0.120 us; 600 FLOPs in 4 us.
  EXPECT_NEAR(result.fp32->speedup_of_ipu.value(), 4 / 0.12, kTolerance);
  EXPECT_NEAR(result.fp32->flops_per_second.value() / 150e6, 1, kTolerance);
  // Eager: 0.47 x 45 us of host.
  const CompareResult eager =
      compareWithGpu(a30(gpu::Host::Eager), tinyWorkload(), twoTileResult());
  EXPECT_NEAR(eager.fp32->time->seconds, 21.15e-6, kTolerance);
}

TEST(CompareWithGpu, HasNoSpeedupOfWhatDoesNotFitTheIpu) {
  RunResult ipu = twoTileResult();
  ipu.oom = tileOneIsFull();
  const CompareResult result = compareWithGpu(a30(), tinyWorkload(), ipu);
  EXPECT_TRUE(result.fp32->time.has_value());
  EXPECT_FALSE(result.fp32->speedup_of_ipu.has_value());
}

TEST(CompareWithGpu, GivesBytesInPlaceOfATimeBeyondTheMemory) {
  RunResult ipu = twoTileResult();
  ipu.compare = compareWithGpu(a30(), tinyWorkload(Bytes(30'000'000'000)), ipu);
  const auto json = report::toJson(ipu)["compare"]["a30"];
  EXPECT_EQ(json["fits"], false);
  EXPECT_TRUE(json["seconds"].is_null());
  EXPECT_EQ(json["required_bytes"], 30'000'000'000);
  EXPECT_EQ(json["available_bytes"], 24'223'615'549);  // 94 % of 24 GiB
  EXPECT_THAT(report::tableText(ipu), HasSubstr("a30: DOES NOT FIT, 30.0 GB of 24.2 GB needed"));
}

TEST(CompareWithGpu, SaysWhereNothingIsModelled) {
  RunResult ipu = twoTileResult();
  ipu.compare = compareWithGpu(a30(), BuiltWorkload{}, ipu);
  EXPECT_TRUE(report::toJson(ipu)["compare"]["a30"].is_null());
  EXPECT_TRUE(report::toJson(ipu)["compare"]["a30_tf32"].is_null());
  EXPECT_THAT(report::tableText(ipu), HasSubstr("a30: no kernels are modelled"));
}

TEST(CompareWithGpu, ShowsTimeBoundAndProvenance) {
  RunResult ipu = twoTileResult();
  ipu.compare = compareWithGpu(a30(gpu::Host::Eager), tinyWorkload(), ipu);
  const std::string table = report::tableText(ipu);
  EXPECT_THAT(table, HasSubstr("GPU       a30 eager: 21."));
  EXPECT_THAT(table, HasSubstr("bound by host"));
  EXPECT_THAT(table, HasSubstr("constants: 13 spec, 15 transfer, 9 fitted, 12 assumed"));
}

TEST(CompareWithGpu, GivesABandAroundItsTime) {
  RunResult ipu = twoTileResult();
  ipu.compare = compareWithGpu(a30(), tinyWorkload(), ipu);
  const auto json = report::toJson(ipu)["compare"]["a30"];
  EXPECT_LT(json["low_seconds"], json["seconds"]);
  EXPECT_GT(json["high_seconds"], json["seconds"]);
  EXPECT_EQ(json["uncertainty"]["kind"], "gpu elementwise");
  const auto own = report::toJson(ipu)["time"];
  EXPECT_LT(own["low_seconds"], own["seconds"]);
  EXPECT_GT(own["high_seconds"], own["seconds"]);
}

TEST(GpuMap, MovesItsTensorsOnce) {
  const auto program = workloads::gpuMap(ElementType::Float, {1000, 2, 1});
  const auto& kernel = std::get<gpu::Elementwise>(program->operators.front().kernels.front());
  EXPECT_EQ(kernel.read, Bytes(8000));
  EXPECT_EQ(kernel.written, Bytes(4000));
  EXPECT_EQ(kernel.flops, Flops(1000));
  EXPECT_EQ(program->tensors, Bytes(12'000));
  const auto half = workloads::gpuMap(ElementType::Half, {1000, 2, 1});
  EXPECT_EQ(half->tensors, Bytes(6000));
  EXPECT_EQ(half->numbers, gpu::Numbers::Half);
}

TEST(GpuSparseMatmul, IsInRowsOrInBlocks) {
  const auto rows =
      workloads::gpuSparseMatmul(ElementType::Float, workloads::randomPattern(64, 32, 1, 9, 1), 8);
  const auto& csr = std::get<gpu::CsrSpmm>(rows->operators.front().kernels.front());
  EXPECT_EQ(csr.m, 64U);
  EXPECT_EQ(csr.k, 32U);
  EXPECT_EQ(csr.n, 8U);
  EXPECT_EQ(csr.nonzeros, 9U);
  const auto blocks =
      workloads::gpuSparseMatmul(ElementType::Float, workloads::randomPattern(64, 32, 8, 3, 1), 8);
  const auto& block = std::get<gpu::BlockSpmm>(blocks->operators.front().kernels.front());
  EXPECT_EQ(block.blocks, 3U);
  EXPECT_EQ(block.edge, 8U);
  EXPECT_EQ(block.moved, Bytes(4ULL * (3 * 64 + 32 * 8 + 64 * 8)));
}

BuiltWorkload built(const std::string& text) {
  return registry::buildWorkload(ConfigReader::fromText(text, "test"), models::gc200());
}

TEST(GpuButterfly, AddsABiasLast) {
  const std::string layer = "kind = \"butterfly\"\nfeatures = 64\nbatch = 8\n";
  const auto with = built(layer).gpu;
  const auto without = built(layer + "bias = \"no\"").gpu;
  EXPECT_EQ(with->operators.size(), 2U);
  EXPECT_EQ(without->operators.size(), 1U);
  EXPECT_EQ(without->operators.front().times, 6U);
  EXPECT_FALSE(built(layer + "type = \"half\"").gpu);
}

TEST(WithBias, IsACallMore) {
  for (const char* kind : {"circulant", "fastfood", "low_rank"}) {
    const auto layer = built(fmt::format("kind = \"{}\"\nfeatures = 64\nbatch = 8", kind));
    const gpu::Operator& last = layer.gpu->operators.back();
    EXPECT_EQ(last.name, "bias") << kind;
    EXPECT_EQ(last.call, gpu::FrameworkCall::Elementwise) << kind;
    const auto& add = std::get<gpu::Elementwise>(last.kernels.front());
    EXPECT_EQ(add.read, Bytes(4ULL * (64 * 8 + 64))) << kind;
    EXPECT_EQ(add.written, Bytes(4ULL * 64 * 8)) << kind;
    EXPECT_EQ(add.flops, Flops(64ULL * 8)) << kind;
  }
}

TEST(WithBias, IsAKernelInTheOneCallOfAPixelfly) {
  const std::string shape = "features = 64\nbutterfly_size = 16\nblock = 4\nrank = 2\nbatch = 8";
  const auto layer = built("kind = \"pixelfly\"\n" + shape);
  const gpu::Program without = gpu::pixelflyLayer({{64, 8}, 4, 2, 16});
  ASSERT_EQ(layer.gpu->operators.size(), 1U);
  EXPECT_EQ(layer.gpu->operators.front().kernels.size(),
            without.operators.front().kernels.size() + 1);
}

/// A network of 64 features, as a workload beside an IPU and as a program of a GPU alone.
TEST(GpuTraining, IsThatOfTheSameNetworkOnAGpuAlone) {
  using Layer = std::pair<std::string, std::string>;
  for (const auto& [layer, keys] :
       {Layer{"linear", ""}, Layer{"butterfly", "wrapper_bias = \"yes\""}, Layer{"fastfood", ""},
        Layer{"circulant", ""}, Layer{"low_rank", "rank = 3"},
        Layer{"pixelfly", "butterfly_size = 16\nblock = 4\nrank = 2"}}) {
    const auto beside = built(fmt::format(
        "kind = \"shl_training\"\nhidden = \"{}\"\nfeatures = 64\nbatch = 8\n{}", layer, keys));
    const std::string rank = layer == "low_rank" ? "rank = 3" : "";
    const gpu::NamedProgram alone = gpu::readProgram(ConfigReader::fromText(
        fmt::format("kind = \"training\"\nlayer = \"{}\"\nwidth = 64\nbatch = 8\n{}", layer, rank),
        "test"));
    EXPECT_EQ(beside.gpu->tensors, alone.program.tensors) << layer;
    const auto seconds = [](const gpu::Program& program) {
      return gpu::programTime(a30().machine, program, gpu::Host::None).total->seconds;
    };
    EXPECT_DOUBLE_EQ(seconds(*beside.gpu), seconds(alone.program)) << layer;
  }
}

TEST(GpuTraining, IsAStepSoManyTimes) {
  const auto program = workloads::gpuTraining({"butterfly", 1024, 10, 50, 850},
                                              gpu::butterflyLayer({1024, 50}), 4092);
  ASSERT_EQ(program.operators.size(), 1U);
  EXPECT_EQ(program.operators.front().times, 850U);
  EXPECT_EQ(program.operators.front().extra_operations, 60U);
  EXPECT_EQ(program.operators.front().call, gpu::FrameworkCall::TrainingStep);
}

TEST(GpuMatmuls, HoldOperandsAndResults) {
  const auto program = workloads::gpuMatmuls({comparedProduct(2, 3, 5), comparedProduct(2, 5, 7)});
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(program->operators.size(), 2U);
  EXPECT_EQ(program->tensors, Bytes(4ULL * (2 * 3 + 3 * 5 + 2 * 5 + 5 * 7 + 2 * 7)));
}

TEST(GpuMatmuls, AreBatchedWhereTheyAreMany) {
  const auto program = workloads::gpuMatmuls({comparedProduct(2, 3, 5, 4)});
  const auto& kernel = std::get<gpu::BatchedGemm>(program->operators.front().kernels.front());
  EXPECT_EQ(kernel.shape.m, 2U);
  EXPECT_EQ(kernel.shape.n, 5U);
  EXPECT_EQ(kernel.shape.k, 3U);
  EXPECT_EQ(kernel.shape.batch, 4U);
}

TEST(GpuMatmuls, OfHalvesAreOnTensorCores) {
  MatmulProblem half = comparedProduct(2, 3, 5);
  half.input = ElementType::Half;
  const auto program = workloads::gpuMatmuls({half});
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(program->tensors, Bytes(2ULL * (2 * 3 + 3 * 5 + 2 * 5)));
  const auto& kernel = std::get<gpu::Gemm>(program->operators.front().kernels.front());
  EXPECT_EQ(kernel.precision, gpu::Precision::Fp16);
}

TEST(CompareWithGpu, HasOneResultOfAHalfProgram) {
  BuiltWorkload workload = tinyWorkload();
  workload.gpu->numbers = gpu::Numbers::Half;
  const CompareResult result = compareWithGpu(a30(), workload, twoTileResult());
  EXPECT_FALSE(result.fp32.has_value());
  EXPECT_FALSE(result.tf32.has_value());
  ASSERT_TRUE(result.half.has_value());
  EXPECT_TRUE(result.fits());
  EXPECT_THAT(report::compareText(result), HasSubstr("a30 half: "));
  EXPECT_TRUE(report::compareJson(result).contains("a30_half"));
  EXPECT_FALSE(report::compareJson(result).contains("a30"));
}

TEST(CompareLayers, AddsUpTheOperatorsOfTheirNames) {
  const gpu::Kernel kernel = gpu::Elementwise{Bytes(0), Bytes(0), Bytes(0)};  // 4 us of launch
  const gpu::Program program{"net",
                             {{"a", gpu::FrameworkCall::Elementwise, {kernel}},
                              {"b", gpu::FrameworkCall::Elementwise, {kernel}, 3},
                              {"a", gpu::FrameworkCall::Elementwise, {kernel}}},
                             Bytes(16)};
  std::vector<LayerResult> layers(3);
  layers[0].name = "a";
  layers[1].name = "b";
  layers[2].name = "c";
  compareLayers(a30(), program, layers);
  EXPECT_NEAR(layers[0].gpu->seconds, 8e-6, kTolerance);
  EXPECT_NEAR(layers[1].gpu->seconds, 12e-6, kTolerance);
  EXPECT_NEAR(layers[1].gpu->tf32_seconds.value(), 12e-6, kTolerance);
  EXPECT_EQ(layers[2].gpu->seconds, 0);
}

}  // namespace
}  // namespace ipusim::run
