// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/collective.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::parallel {

namespace {

[[noreturn]] void refuseStep(const std::string& step, const std::string& why) {
  throw ConfigError(step + ": " + why);
}

/// Changes a type as a step does.
class Apply {
 public:
  Apply(const Mesh& mesh, ArrayType& type) : mesh_(mesh), type_(type) {}

  void operator()(const Slice& slice) {
    if (isUsed(type_, slice.axis)) refuseStep("dynslice", "the axis is used already");
    addMinor(at(slice.dimension, "dynslice"), slice.axis, "dynslice");
  }
  void operator()(const Gather& gather) {
    takeMinor(at(gather.dimension, "allgather"), gather.axes, "allgather");
  }
  void operator()(const AllToAll& step) {
    const auto axes = takeMinor(at(step.from, "alltoall"), step.axes, "alltoall");
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
      addMinor(at(step.to, "alltoall"), *axis, "alltoall");
    }
  }
  void operator()(const Permute& permute) {
    if (permute.to.size() != type_.size()) refuseStep("allpermute", "another number of dimensions");
    for (std::size_t d = 0; d < type_.size(); ++d) {
      if (permute.to[d].global != type_[d].global ||
          permute.to[d].local(mesh_) != type_[d].local(mesh_)) {
        refuseStep("allpermute", "another shape in dimension " + std::to_string(d));
      }
    }
    type_ = permute.to;
  }

 private:
  ArrayDimension& at(std::uint32_t dimension, const std::string& step) {
    if (dimension >= type_.size())
      refuseStep(step, "the array has no dimension " + std::to_string(dimension));
    return type_[dimension];
  }
  void addMinor(ArrayDimension& dimension, std::uint32_t axis, const std::string& step) {
    if (dimension.local(mesh_) % mesh_.axes[axis].size != 0) {
      refuseStep(step,
                 mesh_.axes[axis].name + " does not divide what a device holds of the dimension");
    }
    dimension.axes.insert(dimension.axes.begin(), axis);
  }
  static std::vector<std::uint32_t> takeMinor(ArrayDimension& dimension, std::uint32_t count,
                                              const std::string& step) {
    if (count > dimension.axes.size())
      refuseStep(step, "too few axes of the mesh divide the dimension");
    const auto end = dimension.axes.begin() + count;
    std::vector<std::uint32_t> axes(dimension.axes.begin(), end);
    dimension.axes.erase(dimension.axes.begin(), end);
    return axes;
  }

  const Mesh& mesh_;
  ArrayType& type_;
};

struct Received {
  const ArrayType& before;
  const Mesh& mesh;

  [[nodiscard]] std::uint64_t sizeOfMinor(std::uint32_t dimension, std::uint32_t axes) const {
    std::uint64_t size = 1;
    for (std::uint32_t a = 0; a < axes; ++a) size *= mesh.axes[before[dimension].axes[a]].size;
    return size;
  }
  std::uint64_t operator()(const Slice& /*step*/) const { return 0; }
  std::uint64_t operator()(const Gather& step) const {
    return (sizeOfMinor(step.dimension, step.axes) - 1) * localElements(before, mesh);
  }
  std::uint64_t operator()(const AllToAll& step) const {
    const std::uint64_t size = sizeOfMinor(step.from, step.axes);
    return localElements(before, mesh) / size * (size - 1);
  }
  std::uint64_t operator()(const Permute& step) const {
    return step.to == before ? 0 : localElements(before, mesh);
  }
};

std::string axesText(const std::vector<std::uint32_t>& axes, const Mesh& mesh) {
  std::vector<std::string> names;
  names.reserve(axes.size());
  for (const std::uint32_t axis : axes) names.push_back(mesh.axes[axis].name);
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ","));
}

struct StepText {
  const ArrayType& before;
  const Mesh& mesh;

  [[nodiscard]] std::string minorOf(std::uint32_t dimension, std::uint32_t axes) const {
    const auto begin = before[dimension].axes.begin();
    return axesText({begin, begin + axes}, mesh);
  }
  std::string operator()(const Slice& step) const {
    return fmt::format("dynslice({},{})", step.dimension, mesh.axes[step.axis].name);
  }
  std::string operator()(const Gather& step) const {
    return fmt::format("allgather({}:{})", step.dimension, minorOf(step.dimension, step.axes));
  }
  std::string operator()(const AllToAll& step) const {
    return fmt::format("alltoall({}->{}:{})", step.from, step.to, minorOf(step.from, step.axes));
  }
  std::string operator()(const Permute& step) const {
    std::vector<std::string> dimensions;
    for (const ArrayDimension& dimension : step.to)
      dimensions.push_back(axesText(dimension.axes, mesh));
    return fmt::format("allpermute({})", fmt::join(dimensions, "/"));
  }
};

}  // namespace

ArrayType apply(const Collective& step, const ArrayType& before, const Mesh& mesh) {
  ArrayType type = before;
  std::visit(Apply(mesh, type), step);
  return type;
}

std::uint64_t receivedElements(const Collective& step, const ArrayType& before, const Mesh& mesh) {
  return std::visit(Received{before, mesh}, step);
}

PlanCost costOf(const Plan& plan, const ArrayType& source, const Mesh& mesh) {
  ArrayType type = source;
  PlanCost cost;
  cost.peak = localElements(type, mesh);
  for (const Collective& step : plan) {
    const ArrayType after = apply(step, type, mesh);
    const std::uint64_t elements = localElements(after, mesh);
    ++cost.steps;
    cost.received += receivedElements(step, type, mesh);
    cost.peak = std::max(cost.peak, elements);
    cost.peak_buffers = std::max(cost.peak_buffers, localElements(type, mesh) + elements);
    type = after;
  }
  return cost;
}

std::string toText(const Collective& step, const ArrayType& before, const Mesh& mesh) {
  return std::visit(StepText{before, mesh}, step);
}

std::string toText(const Plan& plan, const ArrayType& source, const Mesh& mesh) {
  if (plan.empty()) return "none";
  ArrayType type = source;
  std::vector<std::string> steps;
  for (const Collective& step : plan) {
    steps.push_back(toText(step, type, mesh));
    type = apply(step, type, mesh);
  }
  return fmt::format("{}", fmt::join(steps, "; "));
}

}  // namespace ipusim::parallel
