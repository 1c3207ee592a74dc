// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "tests/execute/random_tensor.h"
#include "tests/execute/toy_run.h"
#include "tests/support/test_vertices.h"
#include "tests/support/toy_pod.h"

namespace ipusim::executor {

namespace {

constexpr std::uint64_t kVertexPropertySeeds = 300;
constexpr std::uint64_t kVertexPropertyMostElements = 60;
constexpr std::uint64_t kMostVertices = 5;

/// Variables of small whole numbers, whose sums are exact, in memory and as arrays.
class RandomVertices {
 public:
  explicit RandomVertices(std::uint64_t seed) : random_(seed) {}

 protected:
  TwinTensor variable(std::uint64_t elements) {
    TwinTensor twin = randomVariable(random_, toy_.graph, ElementType::Float, elements);
    Values& values = arrays_[twin.plain.places.front().variable];
    for (std::uint64_t e = 0; e < elements; ++e) {
      values.push_back(static_cast<double>(random_.between(0, 20)) - 10);
    }
    toy_.give(twin.view, values);
    return twin;
  }
  [[nodiscard]] double at(const Place& place) const {
    return arrays_.at(place.variable)[place.element];
  }
  void set(const Place& place, double value) { arrays_[place.variable][place.element] = value; }
  std::uint32_t tile() { return static_cast<std::uint32_t>(random_.below(ToyRun::toyTiles())); }

  void expectArrays(const std::vector<TwinTensor>& variables) {
    for (const std::uint32_t ipus : {1U, 2U, 4U}) {
      const compiler::Executable executable =
          compiler::compile(toy_.graph, models::toySystem(ipus, ToyRun::toyTiles() / ipus));
      for (const TwinTensor& variable : variables) {
        EXPECT_EQ(toy_.result(executable, variable.view),
                  arrays_.at(variable.plain.places.front().variable))
            << ipus << " IPUs";
      }
    }
  }

  RandomSource random_;
  ToyRun toy_;
  std::map<VariableId, Values> arrays_;
};

/// A vertex that sums any view, by edges of any length, into any element.
class RandomSum : public RandomVertices {
 public:
  explicit RandomSum(std::uint64_t seed) : RandomVertices(seed) {
    const TwinTensor in =
        anyView(random_, variable(random_.between(1, kVertexPropertyMostElements)));
    const TwinTensor out = variable(random_.between(1, kVertexPropertyMostElements));
    const std::uint64_t element = random_.below(out.view.elements());
    const Tensor target = out.view.reshape({out.view.elements()}).slice(element, element + 1, 0);
    const EdgeGroups groups = randomGroups(in.view.elements());
    toy_.add(workloads::weightedSumVertex(groups), tile(), {{in.view.view()}, {target.view()}});
    set(out.plain.places[element], sumOf(in, groups));
    expectArrays({out});
  }

 private:
  /// Equal edges, or a few groups of unlike ones.
  EdgeGroups randomGroups(std::uint64_t elements) {
    if (random_.below(2) == 0) {
      const Shape shape = randomShape(random_, elements);
      return {{elements / shape.back(), shape.back()}};
    }
    EdgeGroups groups;
    while (elements > 0) {
      const std::uint64_t length = random_.between(1, elements);
      groups.push_back({random_.between(1, elements / length), length});
      elements -= groups.back().count * length;
    }
    return groups;
  }
  [[nodiscard]] double sumOf(const TwinTensor& in, const EdgeGroups& groups) const {
    double sum = 0;
    double weight = 0;
    std::size_t next = 0;
    for (const EdgeGroup& group : groups) {
      for (std::uint64_t i = 0; i < group.count; ++i) {
        weight += 1;
        for (std::uint64_t e = 0; e < group.elements; ++e)
          sum += weight * at(in.plain.places[next++]);
      }
    }
    return sum;
  }
};

/// A family that adds stretches of two variables into stretches of a third, all a step apart,
/// `times` over. The family reads again what it writes.
class RandomFamily : public RandomVertices {
 public:
  RandomFamily(std::uint64_t seed, std::uint64_t times) : RandomVertices(seed) {
    const auto count = static_cast<std::uint32_t>(random_.between(1, kMostVertices));
    const std::uint64_t elements = random_.between(1, 8);
    const TwinTensor in = variable(count * elements + random_.below(8));
    const TwinTensor sum = variable(count * elements + random_.below(8));
    const std::uint64_t in_step = random_.between(0, elements);
    const auto set = toy_.graph.addComputeSet("accumulate");
    toy_.graph.addVertices(set, {shared(workloads::accumulateVertex(elements)),
                                 TileId(tile()),
                                 count,
                                 {{flat(sum).slice(0, elements, 0).view(), elements},
                                  {flat(in).slice(0, elements, 0).view(), in_step}}});
    toy_.graph.program().add(repeat(times, {execute(set)}));
    for (std::uint64_t i = 0; i < count * elements; ++i) {
      const Place& from = in.plain.places[i / elements * in_step + i % elements];
      const double added = static_cast<double>(times) * at(from);
      this->set(sum.plain.places[i], at(sum.plain.places[i]) + added);
    }
    expectArrays({in, sum});
  }

 private:
  static Tensor flat(const TwinTensor& twin) { return twin.view.reshape({twin.view.elements()}); }
};

}  // namespace

TEST(VertexProperty, EveryEdgePointsAtItsElementsOfAnyView) {
  for (std::uint64_t seed = 0; seed < kVertexPropertySeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomSum{seed};
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

TEST(VertexProperty, EveryVertexOfAFamilyTakesItsStep) {
  for (std::uint64_t seed = 0; seed < kVertexPropertySeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomFamily(seed, 1);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

TEST(VertexProperty, ALoopFindsWhatTheIterationBeforeLeft) {
  for (std::uint64_t seed = 0; seed < kVertexPropertySeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomFamily(seed, 3);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

}  // namespace ipusim::executor
