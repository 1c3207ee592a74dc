// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "poplar/runtime/engine/engine_data.h"
#include "poplar/tests/runtime/chip_replay.h"
#include "poplar/tests/runtime/small_device.h"
#include "popops/ElementWise.hpp"
#include "popops/Fill.hpp"
#include "popops/Reduce.hpp"

// Programs of random tensors, views, copies, loops and vertices give the values that the host finds
// by running the same steps on arrays, and take the same cycles on the chips as by the closed form.

namespace {

using poplar::Tensor;
using poplar::program::Sequence;

/// A tensor of the graph, and the places of its elements in the memory of the host.
struct Mirror {
  Tensor tensor;
  std::vector<std::size_t> places;  ///< row-major
};

const char* const kVertices = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Mix : public Vertex {
 public:
  Input<Vector<int>> in;
  InOut<Vector<int>> out;
  int factor;
  void compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = out[i] * 3 + in[i % in.size()] * factor;
  }
};
)";

/// A random program, and what the host makes of it.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed)
      : random_(seed), device_(seed % 3 == 0 ? twoIpus() : fourTiles()), graph_(device_) {
    std::stringstream source(kVertices);
    graph_.addCodelets(source);
    const std::size_t variables = 1 + below(3);
    for (std::size_t v = 0; v < variables; ++v) addVariable();
  }

  /// Builds, runs, and compares all variables and cycles.
  void check() {
    std::vector<int> after = memory_;
    const Sequence program = sequence(1 + below(6), 2, after);
    std::vector<Tensor> all;
    for (const Mirror& variable : variables_) all.push_back(variable.tensor.flatten());
    const Tensor found = poplar::concat(all);
    graph_.createHostRead("values", found);
    poplar::Engine engine(graph_, program, {{"ipusim.record", "true"}});
    engine.loadAndRun(device_);
    std::vector<int> values(found.numElements());
    engine.readTensor("values", values.data(), values.data() + values.size());
    EXPECT_EQ(values, after);
    expectEqualOnTheChip(engine.data()->loaded->clock);
  }

 private:
  /// The steps that the host runs on its memory.
  using Step = std::function<void(std::vector<int>&)>;

  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  void addVariable() {
    std::vector<std::size_t> shape;
    for (std::size_t d = 1 + below(3); d > 0; --d) shape.push_back(1 + below(5));
    const Tensor tensor = graph_.addVariable(poplar::INT, shape, "v");
    const Tensor flat = tensor.flatten();
    Mirror mirror{tensor, {}};
    std::vector<int> values;
    for (std::size_t i = 0; i < flat.numElements();) {
      const std::size_t end = std::min(flat.numElements(), i + 1 + below(7));
      graph_.setTileMapping(flat.slice(i, end), static_cast<unsigned>(below(4)));
      for (; i < end; ++i) {
        mirror.places.push_back(memory_.size());
        values.push_back(static_cast<int>(below(100)) - 50);
        memory_.push_back(values.back());
      }
    }
    graph_.setInitialValue<int>(tensor, values);
    variables_.push_back(mirror);
  }

  /// A view of a variable, by some random steps.
  Mirror view() {
    Mirror result = variables_[below(variables_.size())];
    for (std::size_t steps = below(4); steps > 0; --steps) {
      const auto d = static_cast<unsigned>(below(result.tensor.rank()));
      const std::size_t size = result.tensor.dim(d);
      switch (below(5)) {
        case 0: {
          const std::size_t begin = below(size);
          const std::size_t end = begin + 1 + below(size - begin);
          result = changed(result, result.tensor.slice(begin, end, d),
                           [&](std::vector<std::size_t>& at) { at[d] += begin; });
          break;
        }
        case 1:
          result = changed(result, result.tensor.reverse(d),
                           [&](std::vector<std::size_t>& at) { at[d] = size - 1 - at[d]; });
          break;
        case 2:
          result = changed(result, result.tensor.transpose(), [](std::vector<std::size_t>& at) {
            std::reverse(at.begin(), at.end());
          });
          break;
        case 3:
          result.tensor = result.tensor.flatten();
          break;
        default:
          result = changed(result, result.tensor.subSample(2, d),
                           [&](std::vector<std::size_t>& at) { at[d] *= 2; });
      }
    }
    result.tensor = result.tensor.flatten();
    return result;
  }

  /// `tensor`, whose element at an index is that of `from` at what `move` makes of the index.
  template <typename Move>
  Mirror changed(const Mirror& from, const Tensor& tensor, const Move& move) {
    Mirror result{tensor, {}};
    const auto shape = tensor.shape();
    const auto sizes = from.tensor.shape();
    for (std::size_t i = 0; i < tensor.numElements(); ++i) {
      std::vector<std::size_t> at(shape.size());
      std::size_t rest = i;
      for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) at[d] = rest % shape[d];
      move(at);
      std::size_t place = 0;
      for (std::size_t d = 0; d < sizes.size(); ++d) place = place * sizes[d] + at[d];
      result.places.push_back(from.places[place]);
    }
    return result;
  }

  static std::vector<int> valuesOf(const Mirror& mirror, const std::vector<int>& memory) {
    std::vector<int> values;
    for (const std::size_t place : mirror.places) values.push_back(memory[place]);
    return values;
  }
  static void store(const Mirror& mirror, const std::vector<int>& values,
                    std::vector<int>& memory) {
    for (std::size_t i = 0; i < values.size(); ++i) memory[mirror.places[i]] = values[i];
  }

  /// Two views of one size.
  std::pair<Mirror, Mirror> alike() {
    Mirror a = view();
    Mirror b = view();
    const std::size_t size = std::min(a.places.size(), b.places.size());
    for (Mirror* each : {&a, &b}) {
      each->tensor = each->tensor.slice(0, size);
      each->places.resize(size);
    }
    return {a, b};
  }

  Sequence sequence(std::size_t count, unsigned depth, std::vector<int>& memory) {
    const auto [program, steps] = made(count, depth);
    for (const Step& step : steps) step(memory);
    return program;
  }

  std::pair<Sequence, std::vector<Step>> made(std::size_t count, unsigned depth) {
    Sequence program;
    std::vector<Step> steps;
    for (; count > 0; --count) steps.push_back(add(program, depth));
    return {program, steps};
  }

  Step add(Sequence& program, unsigned depth) {
    switch (below(depth > 0 ? 8 : 5)) {
      case 0:
        return copy(program);
      case 1:
        return vertices(program);
      case 2: {
        const auto [a, b] = alike();
        popops::subInPlace(graph_, a.tensor, kept(b, program), program);
        return [a = a, b = b](std::vector<int>& memory) {
          auto values = valuesOf(a, memory);
          const auto others = valuesOf(b, memory);
          for (std::size_t i = 0; i < values.size(); ++i) values[i] -= others[i];
          store(a, values, memory);
        };
      }
      case 3: {
        const Mirror a = view();
        const int value = static_cast<int>(below(9)) - 4;
        popops::fill(graph_, a.tensor, program, value);
        return [a, value](std::vector<int>& memory) {
          store(a, std::vector<int>(a.places.size(), value), memory);
        };
      }
      case 4:
        return reduction(program);
      case 5:
        return branch(program, depth);
      case 6:
        return calls(program, depth);
      default:
        return loop(program, depth);
    }
  }

  /// The elements as they are now. A step that reads them while it writes some of them would do so
  /// in no said order.
  Tensor kept(const Mirror& from, Sequence& program) {
    Tensor copy = graph_.clone(from.tensor);
    program.add(poplar::program::Copy(from.tensor, copy));
    return copy;
  }

  Step copy(Sequence& program) {
    const auto [from, to] = alike();
    program.add(poplar::program::Copy(kept(from, program), to.tensor));
    return [from = from, to = to](std::vector<int>& memory) {
      store(to, valuesOf(from, memory), memory);
    };
  }

  Step vertices(Sequence& program) {
    const Mirror in = view();
    const Mirror out = view();
    const int factor = static_cast<int>(below(5)) - 2;
    const poplar::ComputeSet compute_set = graph_.addComputeSet("mix");
    const poplar::VertexRef vertex =
        graph_.addVertex(compute_set, "Mix", {{"in", kept(in, program)}, {"out", out.tensor}});
    graph_.setInitialValue(vertex["factor"], factor);
    graph_.setTileMapping(vertex, static_cast<unsigned>(below(4)));
    program.add(poplar::program::Execute(compute_set));
    return [in, out, factor](std::vector<int>& memory) {
      auto values = valuesOf(out, memory);
      const auto others = valuesOf(in, memory);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto sum =
            static_cast<unsigned>(values[i]) * 3U +
            static_cast<unsigned>(others[i % others.size()]) * static_cast<unsigned>(factor);
        values[i] = static_cast<int>(sum);
      }
      store(out, values, memory);
    };
  }

  Step reduction(Sequence& program) {
    const Mirror in = view();
    Mirror out = view();
    out.tensor = out.tensor.slice(0, 1);
    out.places.resize(1);
    const Tensor largest = popops::reduce(graph_, in.tensor, {0}, popops::Operation::MAX, program);
    program.add(poplar::program::Copy(largest.reshape({1}), out.tensor));
    return [in, out](std::vector<int>& memory) {
      const auto values = valuesOf(in, memory);
      store(out, {*std::max_element(values.begin(), values.end())}, memory);
    };
  }

  static Step allOf(std::vector<Step> steps) {
    return [steps = std::move(steps)](std::vector<int>& memory) {
      for (const Step& step : steps) step(memory);
    };
  }

  /// One of two bodies, by an element of a variable, which earlier steps may have changed.
  Step branch(Sequence& program, unsigned depth) {
    const Mirror decides = view();
    const auto [then, then_steps] = made(1 + below(2), depth - 1);
    const auto [otherwise, otherwise_steps] = made(below(2), depth - 1);
    program.add(poplar::program::If(decides.tensor[0], then, otherwise));
    return [place = decides.places[0], then = allOf(then_steps),
            otherwise = allOf(otherwise_steps)](std::vector<int>& memory) {
      (memory[place] != 0 ? then : otherwise)(memory);
    };
  }

  /// A function that runs twice, at two places of the program.
  Step calls(Sequence& program, unsigned depth) {
    const auto [body, body_steps] = made(1 + below(3), depth - 1);
    const poplar::Function function = graph_.addFunction(body);
    program.add(poplar::program::Call(function));
    const Step between = copy(program);
    program.add(poplar::program::Call(function));
    return [steps = allOf(body_steps), between](std::vector<int>& memory) {
      steps(memory);
      between(memory);
      steps(memory);
    };
  }

  Step loop(Sequence& program, unsigned depth) {
    const auto times = static_cast<unsigned>(below(4));
    const auto [body, steps] = made(1 + below(3), depth - 1);
    program.add(poplar::program::Repeat(times, body));
    return [times, steps = steps](std::vector<int>& memory) {
      for (unsigned i = 0; i < times; ++i) {
        for (const Step& step : steps) step(memory);
      }
    };
  }

  std::mt19937_64 random_;
  poplar::Device device_;
  poplar::Graph graph_;
  std::vector<Mirror> variables_;
  std::vector<int> memory_;
};

/// How many programs: IPUSIM_RANDOM_PROGRAMS, or else some.
std::uint64_t programs() {
  const char* asked = std::getenv("IPUSIM_RANDOM_PROGRAMS");
  return asked == nullptr ? 1000 : std::strtoull(asked, nullptr, 10);
}

TEST(RandomPrograms, GiveTheValuesThatTheHostFindsAndOneTime) {
  for (std::uint64_t seed = 1; seed <= programs(); ++seed) {
    SCOPED_TRACE(seed);
    try {
      RandomProgram(seed).check();
    } catch (const poplar::no_environment& error) {
      GTEST_SKIP() << error.what();
    }
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
