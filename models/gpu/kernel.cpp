// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/kernel.h"

namespace ipusim::gpu {
namespace {

/// Calls the model of each kind of kernel.
struct Time {
  const Machine& machine;
  Breakdown operator()(const Gemm& kernel) const { return gemmTime(machine, kernel); }
  Breakdown operator()(const BatchedGemm& kernel) const { return batchedGemmTime(machine, kernel); }
  Breakdown operator()(const ThreadGemm& kernel) const { return threadGemmTime(machine, kernel); }
  Breakdown operator()(const CsrSpmm& kernel) const { return csrSpmmTime(machine, kernel); }
  Breakdown operator()(const BlockSpmm& kernel) const { return blockSpmmTime(machine, kernel); }
  Breakdown operator()(const Attention& kernel) const { return attentionTime(machine, kernel); }
  Breakdown operator()(const Elementwise& kernel) const { return elementwiseTime(machine, kernel); }
  Breakdown operator()(const Reduce& kernel) const { return reduceTime(machine, kernel); }
  Breakdown operator()(const Gather& kernel) const { return gatherTime(machine, kernel); }
};

struct Name {
  static bool isHalf(Precision precision) { return precision == Precision::Fp16; }
  const char* operator()(const Gemm& kernel) const {
    if (kernel.shape.operand_bytes > Bytes(0)) {
      return isHalf(kernel.precision) ? "half conv" : "conv";
    }
    return isHalf(kernel.precision) ? "half gemm" : "gemm";
  }
  const char* operator()(const BatchedGemm& kernel) const {
    return isHalf(kernel.precision) ? "half batched gemm" : "batched gemm";
  }
  const char* operator()(const ThreadGemm& /*kernel*/) const { return "thread gemm"; }
  const char* operator()(const CsrSpmm& /*kernel*/) const { return "csr spmm"; }
  const char* operator()(const BlockSpmm& /*kernel*/) const { return "block spmm"; }
  const char* operator()(const Attention& /*kernel*/) const { return "attention"; }
  const char* operator()(const Elementwise& /*kernel*/) const { return "elementwise"; }
  const char* operator()(const Reduce& /*kernel*/) const { return "reduce"; }
  const char* operator()(const Gather& /*kernel*/) const { return "gather"; }
};

}  // namespace

Breakdown kernelTime(const Machine& machine, const Kernel& kernel) {
  return std::visit(Time{machine}, kernel);
}

const char* nameOf(const Kernel& kernel) {
  return std::visit(Name{}, kernel);
}

}  // namespace ipusim::gpu
