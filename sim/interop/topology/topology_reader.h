// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Layer lists in the format of SCALE-Sim's topology files: a header, and one line per layer.
//
//   Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter,
//   Strides,
//   Layer, M, N, K,
//
// Source: A. Samajdar et al., github.com/scalesim-project/scale-sim-v2, topology_utils.py.

namespace ipusim::interop {

/// A convolution without padding. Its result has ceil((ifmap - filter + stride) / stride) positions
/// in each dimension: the last window may reach over the edge.
struct TopologyConvolution {
  std::uint64_t ifmap_height;
  std::uint64_t ifmap_width;
  std::uint64_t filter_height;
  std::uint64_t filter_width;
  std::uint64_t channels;
  std::uint64_t filters;  ///< of a depthwise layer: per channel
  std::uint64_t stride_height;
  std::uint64_t stride_width;
  bool is_depthwise;  ///< the name has "DP" in it, and each channel has filters of its own
};

/// (m, k) x (k, n).
struct TopologyProduct {
  std::uint64_t m;
  std::uint64_t n;
  std::uint64_t k;
};

struct TopologyLayer {
  std::string name;  ///< no other layer has it, and it has no '/'
  std::size_t line;  ///< of the file, from 1
  std::variant<TopologyConvolution, TopologyProduct> shape;
  std::uint64_t batch = 1;  ///< samples of the layer, beside the batch of the run
};

/// Reads the layers of a file. The names in its header say what its columns are
/// (topology_header.h). Lines may end in commas; blank lines and a byte order mark are skipped.
/// `name` stands for the file in messages. Throws ConfigError: "file:line: column 3 (IFMAP Width):
/// wanted ..., found ...".
std::vector<TopologyLayer> parseTopology(std::string_view text, const std::string& name);

}  // namespace ipusim::interop
