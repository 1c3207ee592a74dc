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

/// Planes whose amplitudes fall with the frequency f as 1 / f, which is the spectrum of natural
/// images. Their phases are drawn from the seed, their mean is 0 and their mean square is 1.
/// Source: Field, Relations between the statistics of natural images and the response properties
/// of cortical cells (J. Opt. Soc. Am. A, 1987).
TensorValues naturalPlanes(const Shape& shape, std::uint32_t seed);

double largestDifference(const TensorValues& a, const TensorValues& b);

/// The root of the mean square of a - b, divided by that of a.
double relativeError(const TensorValues& a, const TensorValues& b);

}  // namespace ipusim::workloads
