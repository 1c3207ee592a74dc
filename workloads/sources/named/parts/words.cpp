// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/words.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kWordBytes = 4;
/// More bytes than a tile holds on any machine.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30U;

}  // namespace

std::uint64_t readWords(const ConfigReader& config) {
  const std::uint64_t bytes = config.whole("bytes", kWordBytes, kMaxBytes);
  if (bytes % kWordBytes != 0) throw config.error("bytes", "a multiple of 4");
  return bytes / kWordBytes;
}

Tensor addWords(Graph& graph, const Shape& shape, const std::string& name) {
  return graph.addVariable(ElementType::Float, shape, name, Lifetime::Always);
}

Reference copiedReference(const Tensor& received, const std::vector<std::uint64_t>& rows) {
  const std::uint64_t words = received.shape()[1];
  return {[rows, words](const std::vector<std::vector<double>>& inputs) {
            std::vector<double> values;
            for (const std::uint64_t row : rows) {
              const auto first = inputs.front().begin() + static_cast<std::ptrdiff_t>(row * words);
              values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(words));
            }
            return std::vector<std::vector<double>>{values};
          },
          0};
}

}  // namespace ipusim::workloads
