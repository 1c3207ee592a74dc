// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/networks/compression/compression.h"

// A residual block learns to tell pictures apart, with its activations kept in codes.

namespace ipusim::workloads {

struct Coding {
  std::string name;
  CodecPointer codec;  ///< null: activations stay as they are
  SignSource signs = SignSource::Decoded;
};

/// The codecs that are compared, the first of which is none.
std::vector<Coding> codings();

struct Learnt {
  std::vector<double> losses;  ///< of the steps
  double gradient_error = 0;   ///< mean over some steps, of those parameters
  double ratio = 1;            ///< of the saved bytes

  /// The mean of the last tenth of the steps.
  [[nodiscard]] double lastLoss() const;
};

/// The seed draws the parameters and the pictures.
Learnt learnWith(const Coding& coding, std::uint32_t seed, int steps = 200);

/// The relative error of all gradients together in the first step.
double firstGradientError(const Coding& coding, std::uint32_t seed);

}  // namespace ipusim::workloads
