// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/tensor.h"
#include "ipusim/units.h"

// Numbers for people: three significant figures and a unit. No locale.

namespace ipusim::report {

/// Such as "512 B", "51.2 kB" or "900 MB". A kilobyte is 1000 bytes, as in the machine's 900 MB.
std::string bytesText(Bytes bytes);

/// Such as "0.420 ms" or "17.0 us".
std::string secondsText(double seconds);

/// A band around a value, such as "± 4 %". A wide band is "within a factor of 1.5".
std::string bandText(double low, double high);

/// Such as "41.2 TFLOP/s".
std::string rateText(double flops_per_second);

/// Such as "17.2 GFLOP".
std::string workText(Flops flops);

/// Such as "1.33 GHz".
std::string clockText(double hertz);

/// Such as "558,621".
std::string countText(std::uint64_t count);
/// The count in at most `width` characters: "558,621", or "5.59e+17" when that is too long.
std::string countText(std::uint64_t count, std::size_t width);

/// Such as "2048x2048", or "scalar" for no dimensions.
std::string shapeText(const Shape& shape);

/// A share of the whole, such as "71.2 %".
std::string percentText(double share);

/// Such as "1 tile" or "5 compute sets".
std::string countOf(std::uint64_t count, const std::string& noun);

/// A horizontal bar: `width` blocks for a share of 1. Anything above zero gets at least a sliver.
std::string bar(double share, int width);

}  // namespace ipusim::report
