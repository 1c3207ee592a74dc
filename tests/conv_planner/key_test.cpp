// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/key.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>

#include "tests/support/toy_machine.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {
namespace {

/// Fills memory in which an object is about to begin. A compiler may leave out ordinary writes
/// there.
void fill(void* memory, std::size_t bytes, unsigned char byte) {
  auto* const first = static_cast<volatile unsigned char*>(memory);
  for (std::size_t i = 0; i < bytes; ++i) first[i] = byte;
}

/// A convolution in memory that was full of `byte` before.
class ConvOver {
 public:
  explicit ConvOver(unsigned char byte) {
    fill(memory_.data(), memory_.size(), byte);
    problem_ = new (memory_.data()) ConvProblem;
    problem_->params.dims.resize(2);
    for (ConvDim& dim : problem_->params.dims) {
      fill(&dim, sizeof dim, byte);
      auto* const fresh = new (&dim) ConvDim;
      fresh->field = 9;
      fresh->kernel = 3;
      fresh->input.flip = true;
    }
  }
  ConvOver(const ConvOver&) = delete;
  ConvOver& operator=(const ConvOver&) = delete;
  ~ConvOver() { std::destroy_at(problem_); }

  [[nodiscard]] const ConvProblem& problem() const { return *problem_; }

 private:
  alignas(ConvProblem) std::array<std::byte, sizeof(ConvProblem)> memory_;
  ConvProblem* problem_;
};

TEST(PlanKey, OfEqualInputsIsEqualWhateverLiesBetweenTheFields) {
  const Machine& machine = models::toyMachine();
  EXPECT_EQ(planKey(machine, ConvOver(0).problem()), planKey(machine, ConvOver(0xA5).problem()));
}

/// Expects another key after `change`.
void expectOther(const std::function<void(ConvProblem&)>& change) {
  const Machine& machine = models::toyMachine();
  ConvProblem problem = convOf({});
  const std::string key = planKey(machine, problem);
  change(problem);
  EXPECT_NE(planKey(machine, problem), key);
}

TEST(PlanKey, DiffersWithTheProblem) {
  expectOther([](ConvProblem& p) { p.params.dims[0].field = 2; });
  expectOther([](ConvProblem& p) { p.available_memory_proportion = 0.5; });
  expectOther([](ConvProblem& p) { p.combining = GroupCombining::Allowed; });
  expectOther([](ConvProblem& p) { p.serial = SerialSplits::None; });
  expectOther([](ConvProblem& p) { p.pass = ConvPass::FcTrainingWu; });
  expectOther([](ConvProblem& p) { p.partials = ElementType::Half; });
  expectOther([](ConvProblem& p) { p.weight_load = models::WeightLoad::Bits128; });
  expectOther([](ConvProblem& p) { p.method = ConvMethod::Hmac; });  // the first of all methods
  expectOther([](ConvProblem& p) { p.method = ConvMethod::Slic; });
}

TEST(PlanKey, DiffersWithTheConvolution) {
  expectOther([](ConvProblem& p) { p.params.groups = 2; });
  expectOther([](ConvProblem& p) { p.params.batch = 2; });
  expectOther([](ConvProblem& p) { p.params.in_chans = 2; });
  expectOther([](ConvProblem& p) { p.params.out_chans = 2; });
  expectOther([](ConvProblem& p) { p.params.input = ElementType::Half; });
  expectOther([](ConvProblem& p) { p.params.output = ElementType::Half; });
  expectOther([](ConvProblem& p) { p.params.dims.resize(2); });
  expectOther([](ConvProblem& p) { p.params.dims[0].kernel = 2; });
}

TEST(PlanKey, DiffersWithTheTransformsOfADimension) {
  expectOther([](ConvProblem& p) { p.params.dims[0].input.trunc_lower = 1; });
  expectOther([](ConvProblem& p) { p.params.dims[0].input.trunc_upper = 1; });
  expectOther([](ConvProblem& p) { p.params.dims[0].input.dilation = 2; });
  expectOther([](ConvProblem& p) { p.params.dims[0].input.pad_lower = 1; });
  expectOther([](ConvProblem& p) { p.params.dims[0].input.pad_upper = 1; });
  expectOther([](ConvProblem& p) { p.params.dims[0].weights.pad_upper = 1; });
  expectOther([](ConvProblem& p) { p.params.dims[0].weights.flip = true; });
  expectOther([](ConvProblem& p) { p.params.dims[0].output.trunc_lower = 1; });
  expectOther([](ConvProblem& p) { p.params.dims[0].output.trunc_upper = 1; });
  expectOther([](ConvProblem& p) { p.params.dims[0].output.stride = 2; });
  expectOther([](ConvProblem& p) { p.params.dims[0].output.pad_lower = 1; });
  expectOther([](ConvProblem& p) { p.params.dims[0].output.pad_upper = 1; });
}

TEST(PlanKey, DiffersWithTheMachine) {
  const Machine& machine = models::toyMachine();
  const ConvProblem problem = convOf({});
  const std::string key = planKey(machine, problem);
  Machine other = machine;
  other.fabric.sync_per_column += Cycles(1);
  EXPECT_NE(planKey(other, problem), key);
  other = machine;
  other.interleaved_element += Bytes(1);
  EXPECT_NE(planKey(other, problem), key);
}

}  // namespace
}  // namespace ipusim::workloads
