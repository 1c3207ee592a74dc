// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/section.h"

#include <algorithm>

namespace ipusim::workloads {

std::uint64_t elementsOf(const SectionDims& dims) {
  std::uint64_t count = 1;
  for (const SectionDim& dim : dims) count *= dim.count;
  return count;
}

std::uint64_t elementsOf(const View& view) {
  std::uint64_t count = 0;
  for (const Section& section : view) count += section.elements();
  return count;
}

std::uint64_t spanOf(const SectionDims& dims) {
  std::uint64_t span = 1;
  for (const SectionDim& dim : dims) span += (dim.count - 1) * dim.stride;
  return span;
}

std::uint64_t Section::elements() const {
  return elementsOf(dims);
}

std::uint64_t Section::end() const {
  return offset + spanOf(dims);
}

void normalize(SectionDims& dims) {
  SectionDims merged;
  for (const SectionDim& dim : dims) {
    if (dim.count == 1) continue;
    const bool continues = !merged.empty() && merged.back().stride == dim.count * dim.stride;
    if (continues) {
      merged.back() = {merged.back().count * dim.count, dim.stride};
    } else {
      merged.push_back(dim);
    }
  }
  dims = merged;
}

Section contiguous(VariableId variable, std::uint64_t offset, std::uint64_t count) {
  Section section{variable, offset, {}};
  if (count != 1) section.dims.push_back({count, 1});
  return section;
}

void appendRegular(View& view, Section section) {
  if (view.empty() || view.back().variable != section.variable ||
      section.offset <= view.back().offset) {
    view.push_back(std::move(section));
    return;
  }
  Section& last = view.back();
  const SectionDims& dims = section.dims;
  if (last.dims == dims) {
    last.dims.insert(last.dims.begin(), {2, section.offset - last.offset});
    return;
  }
  const bool steps = last.dims.size() == dims.size() + 1 &&
                     std::equal(dims.begin(), dims.end(), last.dims.begin() + 1);
  if (steps && last.offset + last.dims[0].count * last.dims[0].stride == section.offset) {
    ++last.dims[0].count;
    return;
  }
  view.push_back(std::move(section));
}

View repeated(const View& view, std::uint64_t count, std::uint64_t step) {
  if (count == 1) return view;
  View all;
  if (view.size() == 1) {
    all.push_back(view.front());
    all.front().dims.insert(all.front().dims.begin(), {count, step});
    return all;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    for (const Section& section : view) {
      all.push_back(section);
      all.back().offset += i * step;
    }
  }
  return all;
}

}  // namespace ipusim::workloads
