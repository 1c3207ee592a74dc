// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gpu_layers.h"

#include "models/gpu/training.h"

namespace ipusim::workloads {
namespace {

constexpr std::uint64_t kElementBytes = 4;
/// The smallest edge of blocks that are worth a kernel of their own.
constexpr std::uint64_t kSmallestBlock = 4;

Bytes floats(std::uint64_t count) {
  return Bytes(kElementBytes * count);
}

bool isHalf(ElementType type) {
  return type == ElementType::Half;
}

}  // namespace

std::optional<gpu::Program> gpuMap(ElementType type, const MapShape& map) {
  const Bytes one = map.elements * sizeOf(type);
  const Bytes all = (map.operands + 1) * one;
  const gpu::Elementwise kernel{map.operands * one, one, all,
                                Flops(map.flops_per_element * map.elements)};
  const gpu::Numbers numbers = isHalf(type) ? gpu::Numbers::Half : gpu::Numbers::Float;
  return gpu::Program{"map", {{"map", gpu::Call::Elementwise, {kernel}}}, all, numbers};
}

std::optional<gpu::Program> gpuSparseMatmul(ElementType type, const SparsePattern& pattern,
                                            std::uint64_t n) {
  if (isHalf(type)) return std::nullopt;
  const std::uint64_t values = pattern.nonZeros();
  const Bytes dense = floats(pattern.columns * n + pattern.rows * n);
  if (pattern.block < kSmallestBlock) {
    const gpu::CsrSpmm spmm{pattern.rows, pattern.columns, n, values};
    return gpu::Program{"csr spmm",
                        {{"csr spmm", gpu::Call::Linear, {spmm}}},
                        dense + floats(2 * values + pattern.rows + 1)};
  }
  const Bytes moved = dense + floats(values);
  const gpu::BlockSpmm spmm{pattern.blocks.size(), pattern.block, n, moved};
  return gpu::Program{"block spmm",
                      {{"block spmm", gpu::Call::Linear, {spmm}}},
                      moved + floats(pattern.blocks.size())};
}

gpu::Program withBias(gpu::Program layer, std::uint64_t features, std::uint64_t batch) {
  const Bytes rows = floats(features * batch);
  const Bytes bias = floats(features);
  const gpu::Elementwise add{rows + bias, rows, 2 * rows + bias, Flops(features * batch)};
  gpu::Operator& last = layer.operators.back();
  if (last.call == gpu::Call::PixelflyLayer) {
    last.kernels.emplace_back(add);
  } else {
    layer.operators.push_back({"bias", gpu::Call::Elementwise, {add}});
  }
  return layer;
}

std::optional<gpu::Program> gpuButterfly(ElementType type, const ButterflyLayerShape& layer) {
  if (isHalf(type)) return std::nullopt;
  const gpu::Program program = gpu::butterflyLayer({layer.features, layer.batch});
  return layer.has_bias ? withBias(program, layer.features, layer.batch) : program;
}

gpu::Program gpuTraining(const TrainingRun& run, const gpu::Program& forward,
                         std::uint64_t parameters) {
  const std::uint64_t operations =
      gpu::trainingOperations(valueOf(run.hidden, gpu::kHiddenLayerWords), run.features);
  gpu::Program program =
      gpu::trainingStep({forward, operations, parameters}, {run.features, run.batch}, run.classes);
  program.operators.front().times = run.steps;
  return program;
}

}  // namespace ipusim::workloads
