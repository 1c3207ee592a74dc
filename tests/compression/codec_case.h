// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/networks/compression/codec.h"

namespace ipusim::workloads {

/// A tensor that a codec has coded and decoded.
struct RoundTrip {
  TensorValues code;
  TensorValues scales;
  TensorValues decoded;
  TensorValues code_again;  ///< of what was decoded
  Bytes code_bytes;         ///< without scales
  Bytes scale_bytes;
};

RoundTrip roundTrip(const Codec& codec, const TensorType& type, const TensorValues& values);

/// Planes like pictures: smooth waves with a bright rectangle in front.
TensorValues pictures(const Shape& shape);

double largestDifference(const TensorValues& a, const TensorValues& b);

/// The root of the mean square of a - b, divided by that of a.
double relativeError(const TensorValues& a, const TensorValues& b);

}  // namespace ipusim::workloads
