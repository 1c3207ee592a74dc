// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/toy_machine.h"
#include "workloads/ops/conv/lower.h"

// The vertices of a lowered convolution cost what its plan says, and hold what they need.

namespace ipusim::workloads {
namespace {

ConvDim dim(std::uint64_t field, std::uint64_t kernel, std::uint64_t stride = 1) {
  ConvDim dim;
  dim.field = field;
  dim.kernel = kernel;
  dim.input.pad_lower = dim.input.pad_upper = kernel / 2;
  dim.output.stride = stride;
  return dim;
}

ConvProblem problemOf(ConvMethod method, const ConvParams& params) {
  ConvProblem problem;
  problem.params = params;
  problem.pass = ConvPass::InferenceFwd;
  problem.partials = ElementType::Float;
  problem.method = method;
  return problem;
}

ConvParams paramsOf(std::uint64_t groups, std::uint64_t in, std::uint64_t out,
                    const std::vector<ConvDim>& dims) {
  ConvParams params;
  params.groups = groups;
  params.in_chans = in;
  params.out_chans = out;
  params.input = params.output = ElementType::Half;
  params.dims = dims;
  return params;
}

/// A planned convolution in a graph for one GC200.
struct Lowered {
  explicit Lowered(const ConvProblem& problem) : plan(planConv(models::gc200Sdk(), problem)) {
    ConvOp conv(graph, models::gc200Sdk(), plan, "conv");
    const auto spread = [&](Shape shape, const std::vector<std::uint64_t>& field) {
      shape.insert(shape.end(), field.begin(), field.end());
      Tensor tensor = graph.addVariable(problem.params.input, shape, "operand", Lifetime::Always);
      graph.mapLinearly(tensor, models::gc200Sdk());
      return tensor;
    };
    const ConvParams& params = problem.params;
    std::vector<std::uint64_t> field;
    std::vector<std::uint64_t> kernel;
    for (const ConvDim& one : params.dims) {
      field.push_back(one.field);
      kernel.push_back(one.kernel);
    }
    conv.convolve({spread({params.groups, params.in_chans, params.batch}, field),
                   spread({params.groups, params.out_chans, params.in_chans}, kernel)},
                  Lifetime::Always, graph.program());
  }

  [[nodiscard]] const ComputeSet& convolve() const {
    const auto& sets = graph.computeSets();
    return *std::find_if(sets.begin(), sets.end(),
                         [](const ComputeSet& set) { return set.name == "conv/Convolve"; });
  }

  /// Cycles of the vertex with the most results, which is the one that the plan counts. A smaller
  /// one may take longer where its rows do not divide by the workers.
  [[nodiscard]] Cycles ofFullest() const {
    const auto results = [](const VertexFamily& family) {
      return family.type->fields[2].elements();
    };
    const auto& families = convolve().families;
    const auto most = std::max_element(
        families.begin(), families.end(),
        [&](const VertexFamily& a, const VertexFamily& b) { return results(a) < results(b); });
    return most->type->cycles(models::gc200Sdk());
  }

  Graph graph;
  ConvPlan plan;
};

void expectPlannedCycles(const ConvProblem& problem) {
  const Lowered lowered(problem);
  EXPECT_EQ(lowered.plan.vertex.method, *problem.method);
  EXPECT_EQ(lowered.ofFullest(), lowered.plan.terms.partial_calc) << nameOf(*problem.method);
}

}  // namespace

// HMAC is not among them: its published planner and its published vertex share out a single row in
// different ways.
TEST(ConvVertices, CostWhatThePlanSays) {
  expectPlannedCycles(problemOf(ConvMethod::Amp, paramsOf(1, 64, 64, {dim(56, 3), dim(56, 3)})));
  expectPlannedCycles(problemOf(ConvMethod::Amp, paramsOf(1, 64, 64, {dim(56, 1), dim(64, 1)})));
  expectPlannedCycles(problemOf(ConvMethod::Slic, paramsOf(32, 1, 1, {dim(56, 3), dim(56, 3)})));
  expectPlannedCycles(problemOf(ConvMethod::Vmac, paramsOf(32, 1, 1, {dim(56, 3), dim(56, 3)})));
}

TEST(ConvVertices, LoadWeightsAsThePlanSays) {
  ConvProblem problem = problemOf(ConvMethod::Amp, paramsOf(1, 64, 64, {dim(56, 3), dim(56, 3)}));
  const Cycles narrow = Lowered(problem).ofFullest();
  problem.weight_load = models::WeightLoad::Bits128;
  expectPlannedCycles(problem);
  EXPECT_LT(Lowered(problem).ofFullest(), narrow);
}

TEST(ConvVertices, OfSlicHaveABufferForTheResultOfAGroup) {
  const Lowered lowered(problemOf(ConvMethod::Slic, paramsOf(32, 1, 1, {dim(56, 3), dim(56, 3)})));
  for (const VertexFamily& family : lowered.convolve().families) {
    const std::vector<Field>& fields = family.type->fields;
    ASSERT_EQ(fields.size(), 4U);
    const std::uint64_t group = fields[2].elements() / fields[2].edges();
    EXPECT_EQ(fields[3].elements(), group + 200 / 4);  // 200 bytes of floats
    EXPECT_EQ(fields[3].memory, FieldMemory::Interleaved);
  }
}

TEST(ConvMethod, ThatCannotComputeAConvolutionIsNamed) {
  try {
    planConv(models::gc200Sdk(),
             problemOf(ConvMethod::OuterProduct, paramsOf(1, 8, 8, {dim(5, 3), dim(5, 3)})));
    FAIL() << "an outer product sums nothing";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("outer product"), std::string::npos) << error.what();
  }
}

}  // namespace ipusim::workloads
