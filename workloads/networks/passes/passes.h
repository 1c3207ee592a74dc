// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/networks/passes/rewrite.h"

// What the vendor's frameworks, and exporters of models, make of a network before its operations
// become steps of a library. A pass keeps what the network computes, but for
// gelu_tanh, and changes which steps compute it.

namespace ipusim::workloads {

/// Where a network comes from. Frameworks differ in what they fold.
enum class FrontEnd : std::uint8_t {
  Text,     ///< as the authors of the vendor's example models write it
  Onnx,     ///< a model that an exporter wrote and that PopRT compiles
  PyTorch,  ///< as PopTorch hands it to PopART, which folds nothing
};

/// What a pass runs on by default.
struct PassDefault {
  bool in_inference;
  bool in_training;
};

/// What a pass does to a network.
enum class PassEffect : std::uint8_t {
  Recognises,       ///< small operations become the layer that they were written for
  Rearranges,       ///< other steps for the same layers and parameters
  FoldsParameters,  ///< numbers go into parameters, which training would learn apart
};

struct GraphPass {
  const char* name;                     ///< in configs and answers
  const char* summary;                  ///< one line
  std::array<PassDefault, 3> defaults;  ///< by FrontEnd
  PassEffect effect;
  /// Changes a network, and returns how often.
  std::uint64_t (*apply)(PassedNetwork& network);

  [[nodiscard]] bool isDefault(FrontEnd front_end, bool is_training) const {
    const PassDefault& one = defaults[static_cast<std::size_t>(front_end)];
    return is_training ? one.in_training : one.in_inference;
  }
};

/// All passes, in the order in which they run: those that recognise layers come first.
const std::vector<GraphPass>& graphPasses();

/// x (1 + erf(x / sqrt 2)) / 2, made of small operations, and its approximation by a tanh.
std::uint64_t recogniseGelus(PassedNetwork& network);

/// x times the sigmoid of x.
std::uint64_t recogniseSilus(PassedNetwork& network);

/// A layer norm made of means, a root, a quotient, a product and a sum.
std::uint64_t recogniseLayerNorms(PassedNetwork& network);

/// An inference batch norm is folded into the convolution before it: the kernel stands for the
/// product of kernel and factors, and the norm's bias for what is left, unless the convolution has
/// one.
std::uint64_t foldBatchNorms(PassedNetwork& network);

/// The gelu of the error function becomes that of a tanh, which is the vendor's operator Gelu.
std::uint64_t approximateGelus(PassedNetwork& network);

/// A factor of the product of two matrices that products with parameters make goes into those
/// parameters.
std::uint64_t scaleWeights(PassedNetwork& network);

/// The products for queries, keys and values of an attention become one, whose weights stand side
/// by side.
std::uint64_t fuseQkv(PassedNetwork& network);

}  // namespace ipusim::workloads
