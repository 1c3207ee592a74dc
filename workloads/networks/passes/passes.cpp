// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/passes/passes.h"

namespace ipusim::workloads {

// PopTorch's nn.GELU and nn.SiLU are the operators Gelu and Swish of PopART. PopART folds and
// merges nothing; what is folded in a model from ONNX is what exporters and PopRT fold. Source:
// graphcore/popart willow/src/patterns, graphcore/poptorch
// poptorch/source/popart_canonicalization/{ActivationOps,AtenHandlers.gen}.cpp (MIT), and the
// options of graphcore/PopRT benchmarks/.
const std::vector<GraphPass>& graphPasses() {
  constexpr PassDefault kAlways{true, true};
  constexpr PassDefault kInference{true, false};
  constexpr PassDefault kNever{false, false};
  static const std::vector<GraphPass> kPasses{
      {"recognise_gelu",
       "a gelu made of small operations is one operation",
       {kAlways, kAlways, kNever},
       PassEffect::Recognises,
       recogniseGelus},
      {"recognise_silu",
       "a silu made of small operations is one operation",
       {kAlways, kAlways, kNever},
       PassEffect::Recognises,
       recogniseSilus},
      {"recognise_layer_norm",
       "a layer norm made of small operations is one operation",
       {kAlways, kAlways, kNever},
       PassEffect::Recognises,
       recogniseLayerNorms},
      {"fold_batch_norm",
       "batch norms of inference are folded into the convolutions before them",
       {kInference, kInference, kNever},
       PassEffect::FoldsParameters,
       foldBatchNorms},
      {"gelu_tanh",
       "a gelu is computed by its approximation with a tanh",
       {kAlways, kAlways, kAlways},
       PassEffect::Rearranges,
       approximateGelus},
      {"scale_weights",
       "the factor of attention's scores is folded into the weights before them",
       {kInference, kInference, kNever},
       PassEffect::FoldsParameters,
       scaleWeights},
      {"fuse_qkv",
       "the products for queries, keys and values are one product",
       {kAlways, kInference, kNever},
       PassEffect::Rearranges,
       fuseQkv},
  };
  return kPasses;
}

}  // namespace ipusim::workloads
