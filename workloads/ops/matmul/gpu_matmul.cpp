// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/gpu_matmul.h"

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::workloads {
namespace {

/// More bytes than any GPU has. Larger sums are cut to this number.
constexpr double kMostBytes = 1e18;

double real(std::uint64_t value) {
  return static_cast<double>(value);
}

gpu::Precision precisionOf(const MatmulProblem& problem) {
  return problem.input == ElementType::Half ? gpu::Precision::Fp16 : gpu::Precision::Fp32;
}

double operandBytes(const MatmulProblem& problem) {
  return real(gpu::elementBytes(precisionOf(problem))) * real(problem.groups) * real(problem.m) *
         real(problem.k);
}

/// The bytes of the right operand and of the result, which is the left operand of the next product.
double furtherBytes(const MatmulProblem& problem) {
  return real(gpu::elementBytes(precisionOf(problem))) * real(problem.groups) * real(problem.n) *
         (real(problem.k) + real(problem.m));
}

gpu::Operator operatorOf(const MatmulProblem& problem) {
  const gpu::GemmShape shape{problem.m, problem.n, problem.k, problem.groups};
  if (problem.groups > 1) {
    return {"matmul",
            gpu::FrameworkCall::BatchedMatmul,
            {gpu::BatchedGemm{shape, precisionOf(problem)}}};
  }
  return {"matmul", gpu::FrameworkCall::Linear, {gpu::Gemm{shape, precisionOf(problem)}}};
}

}  // namespace

std::optional<gpu::Program> gpuMatmuls(const std::vector<MatmulProblem>& problems) {
  check(!problems.empty(), "there is a product");
  const ElementType type = problems.front().input;
  if (type != ElementType::Float && type != ElementType::Half) return std::nullopt;
  gpu::Program program{"matmul", {}, Bytes(0)};
  if (type == ElementType::Half) program.numbers = gpu::Numbers::Half;
  double bytes = operandBytes(problems.front());
  for (const MatmulProblem& problem : problems) {
    program.operators.push_back(operatorOf(problem));
    bytes += furtherBytes(problem);
  }
  program.tensors = Bytes(static_cast<std::uint64_t>(std::min(bytes, kMostBytes)));
  return program;
}

gpu::Program gpuThreadMatmul(const MatmulProblem& problem, gpu::Staging staging) {
  const gpu::GemmShape shape{problem.m, problem.n, problem.k, problem.groups};
  const double bytes = operandBytes(problem) + furtherBytes(problem);
  return {"matmul",
          {{"matmul", gpu::FrameworkCall::Linear, {gpu::ThreadGemm{shape, staging}}}},
          Bytes(static_cast<std::uint64_t>(std::min(bytes, kMostBytes)))};
}

}  // namespace ipusim::workloads
