// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/conv/layout.h"

namespace ipusim::workloads {

/// A part of the plan with the inputs that it reads.
struct PartInput {
  ConvPart part;  ///< without a part of the out channels
  Tensor input;   ///< (group grains, in grains, batch, 3 field dimensions; groups, in channels)
};

/// Calls `visit` with every part but for the out channels, and its inputs. The input is cut
/// dimension by dimension, so that few pieces are looked at.
template <typename Visit>
class InputWalk {
 public:
  InputWalk(const ConvLayout& layout, const Visit& visit)
      : layout_(layout), partition_(layout.plan().partition), visit_(visit) {}

  void run(const Tensor& input) const {
    const GridParts& parts = layout_.input().parts();
    ConvPart part;
    for (; part.group < partition_.conv_groups; ++part.group) {
      const Tensor group = sliced(input, parts, 0, part.group);
      for (part.in = 0; part.in < partition_.in_chans; ++part.in) {
        const Tensor in = sliced(group, parts, 1, part.in);
        for (part.batch = 0; part.batch < partition_.batch; ++part.batch) {
          walkDim(0, part, sliced(in, parts, 2, part.batch));
        }
      }
    }
  }

 private:
  static Tensor sliced(const Tensor& tensor, const GridParts& parts, std::size_t dim,
                       std::uint32_t part) {
    const Range& range = parts.at(dim)[part];
    return tensor.slice(range.begin, range.end, dim);
  }

  void walkDim(std::size_t dim, ConvPart part, const Tensor& input) const {
    if (dim == kMaxFieldDims) {
      visit_(PartInput{part, input});
      return;
    }
    const std::uint64_t first = layout_.used(dim).begin;
    for (std::uint32_t f = 0; f < partition_.field.at(dim); ++f) {
      for (std::uint32_t k = 0; k < partition_.kernel.at(dim); ++k) {
        part.field.at(dim) = f;
        part.kernel.at(dim) = k;
        const PositionRange& needed = layout_.needed(dim, f, k);
        walkDim(dim + 1, part, input.slice(needed.begin - first, needed.end - first, 3 + dim));
      }
    }
  }

  const ConvLayout& layout_;
  const ConvPartition& partition_;
  const Visit& visit_;
};

}  // namespace ipusim::workloads
