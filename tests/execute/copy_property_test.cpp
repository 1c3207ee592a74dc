// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "sim/compile/compile.h"
#include "sim/execute/execute.h"
#include "sim/execute/host_access.h"
#include "tests/execute/random_tensor.h"
#include "tests/support/toy_pod.h"

namespace ipusim::executor {

namespace {

constexpr std::uint64_t kSeeds = 400;
constexpr std::uint64_t kMostElements = 120;
constexpr std::array<ElementType, 4> kTypes = {ElementType::Half, ElementType::Float,
                                               ElementType::UInt16, ElementType::Bool};

/// Values that are distinct for the first thousand elements of both variables, and exact in a half.
/// A bool takes the last bit.
double valueOf(ElementType type, const Place& place) {
  constexpr std::uint64_t kDistinct = 1000;
  const std::uint64_t value = kDistinct * (indexOf(place.variable) % 2) + place.element % kDistinct;
  return static_cast<double>(type == ElementType::Bool ? value % 2 : value);
}

/// Copies a random view into as many random places of a larger variable, through `hops`
/// temporaries.
class RandomCopy {
 public:
  RandomCopy(std::uint64_t seed, std::uint64_t hops)
      : random_(seed),
        type_(kTypes.at(random_.below(kTypes.size()))),
        source_(randomVariable(random_, graph_, type_, random_.between(1, kMostElements))),
        from_(anyView(random_, source_)),
        target_(randomVariable(random_, graph_, type_,
                               from_.view.elements() + random_.below(kMostElements))) {
    const std::uint64_t elements = from_.view.elements();
    const std::uint64_t spare = target_.view.elements() - elements;
    const std::uint64_t begin = random_.between(0, spare);
    const Shape flat = {target_.view.elements()};
    to_ = {target_.view.reshape(flat).slice(begin, begin + elements, 0),
           target_.plain.reshape(flat).slice(begin, begin + elements, 0)};
    to_ = rearranged(random_, to_);
    to_ = {to_.view.reshape(from_.plain.shape), to_.plain.reshape(from_.plain.shape)};
    copyByWayOf(hops);
  }

  [[nodiscard]] Values wanted() const {
    Values values = valuesOf(target_);
    for (std::size_t i = 0; i < to_.plain.places.size(); ++i) {
      values[to_.plain.places[i].element] = valueOf(type_, from_.plain.places[i]);
    }
    return values;
  }
  /// What the target holds after a run, on as many IPUs, which share four tiles.
  [[nodiscard]] Values found(std::uint32_t ipus) const {
    const compiler::Executable executable =
        compiler::compile(graph_, models::toySystem(ipus, 4 / ipus));
    TileMemories memories(executable, Checking::Strict);
    HostAccess host(graph_, executable, memories);
    host.write({"source", source_.view}, valuesOf(source_));
    host.write({"target", target_.view}, valuesOf(target_));
    execute(executable, memories);
    return host.read({"target", target_.view});
  }

 private:
  void copyByWayOf(std::uint64_t hops) {
    Tensor from = from_.view;
    for (std::uint64_t h = 0; h < hops; ++h) {
      const Tensor hop = graph_.addVariable(type_, from.shape(), "hop");
      mapAtRandom(random_, graph_, hop);
      graph_.program().add(graph_.copy(from, hop, "hop"));
      from = hop;
    }
    graph_.program().add(graph_.copy(from, to_.view, "copy"));
  }
  [[nodiscard]] Values valuesOf(const TwinTensor& variable) const {
    Values values;
    for (const Place& place : variable.plain.places) values.push_back(valueOf(type_, place));
    return values;
  }

  RandomSource random_;
  Graph graph_;
  ElementType type_;
  TwinTensor source_;
  TwinTensor from_;
  TwinTensor target_;
  TwinTensor to_;
};

}  // namespace

TEST(CopyProperty, AnyViewGoesElementByElementIntoAnyPlaces) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomCopy copy(seed, 0);
    ASSERT_EQ(copy.found(1), copy.wanted()) << "seed " << seed;
  }
}

TEST(CopyProperty, TemporariesOnTheWayChangeNothing) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomCopy copy(seed, 1 + seed % 3);
    ASSERT_EQ(copy.found(1), copy.wanted()) << "seed " << seed;
  }
}

TEST(CopyProperty, ElementsPassFromIpuToIpu) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomCopy copy(seed, seed % 3);
    for (const std::uint32_t ipus : {2U, 4U}) {
      ASSERT_EQ(copy.found(ipus), copy.wanted()) << "seed " << seed << ", " << ipus << " IPUs";
    }
  }
}

}  // namespace ipusim::executor
