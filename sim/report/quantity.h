// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/units.h"

// Numbers for people: three significant figures and a unit. No locale.

namespace ipusim::run {

/// "512 B", "51.2 kB", "900 MB": a kilobyte is 1000 bytes, as in the machine's 900 MB.
std::string bytesText(Bytes bytes);

/// "0.420 ms", "17.0 us"
std::string secondsText(double seconds);

/// What may be added and taken away: "± 4 %"; where that is much, "within a factor of 1.5".
std::string bandText(double low, double high);

/// "41.2 TFLOP/s"
std::string rateText(double flops_per_second);

/// "17.2 GFLOP"
std::string workText(Flops flops);

/// "1.33 GHz"
std::string clockText(double hertz);

/// "558,621"
std::string countText(std::uint64_t count);
/// The same where it is at most `width` long, else "5.59e+17".
std::string countText(std::uint64_t count, std::size_t width);

/// A share of the whole as "71.2 %".
std::string percentText(double share);

/// "1 tile", "5 compute sets"
std::string countOf(std::uint64_t count, const std::string& noun);

/// A horizontal bar: `width` blocks for a share of 1. At least a sliver for what is not zero.
std::string bar(double share, int width);

}  // namespace ipusim::run
