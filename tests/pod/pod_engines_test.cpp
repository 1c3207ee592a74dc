// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ipusim/error.h"
#include "models/ipu/cost/exchange/global_exchange.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "models/ipu/engines/pod/simulate_system.h"
#include "sim/compile/compile.h"
#include "sim/execute/check.h"
#include "tests/chip/difference.h"
#include "tests/compile/toy_graph.h"
#include "tests/support/toy_pod.h"

// Programs on several toy IPUs. A compute set takes 10 issue slots of six workers: 60 cycles. A
// sync inside an IPU takes 10 cycles.

namespace ipusim::compiler {
namespace {

using models::closedForm;
using models::differenceInTime;
using models::toySystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Expects equal times of both engines, of all chips and of the distinct ones. Returns them.
MeasuredSystem expectAgreement(const SystemPrograms& programs) {
  MeasuredSystem closed_form = closedForm(programs);
  const ChipResult all = overAllIpus(programs, closed_form);
  const SystemPrograms every = everyChip(programs);
  const MeasuredSystem simulated = models::simulateSystem(programs);
  const MeasuredSystem every_closed_form = closedForm(every);
  const MeasuredSystem every_simulated = models::simulateSystem(every);
  EXPECT_EQ(differenceInTime(all, overAllIpus(programs, simulated)), "");
  EXPECT_EQ(differenceInTime(all, overAllIpus(every, every_closed_form)), "");
  EXPECT_EQ(differenceInTime(all, overAllIpus(every, every_simulated)), "");
  EXPECT_EQ(closed_form.links, simulated.links);
  EXPECT_EQ(closed_form.links, every_closed_form.links);
  EXPECT_EQ(closed_form.links, every_simulated.links);
  return closed_form;
}

TEST(PodEngines, WaitForTheLastIpuThenForSyncAndTransfer) {
  // IPU 0 computes for 60 cycles; IPU 1 waits, then gets 64 B: 10 + 2 x 5 + 50 + 68 / 4 cycles.
  ToyGraph toy;
  const Tensor in = toy.on(0, 16, Lifetime::Always);
  const Tensor out = toy.on(0, 16, Lifetime::Always);
  const Tensor far = toy.on(4, 16, Lifetime::Always);
  toy.graph.program().add(toy.scale(0, in, out));
  toy.graph.program().add(toy.graph.copy(out, far, "copy"));
  const SystemPrograms programs = compile(toy.graph, toySystem(2)).programs;
  const MeasuredSystem result = expectAgreement(programs);
  const ChipResult all = overAllIpus(programs, result);
  EXPECT_EQ(all.end, Cycles(60 + 10 + 10 + 50 + 17));
  EXPECT_EQ(all.busyOf(2, 7), Cycles(60 + 10 + 50 + 17));  // waits for IPU 0 in the exchange
  EXPECT_EQ(all.busyOf(2, 3), Cycles(10 + 50 + 17));
  EXPECT_EQ(result.links[0].bytes + result.links[1].bytes, Bytes(68));
}

// Both IPUs compute in one step, of which the record says other cycles than the 60 of the model.
TEST(PodEngines, TakeTheMeasuredCyclesOfTheirTiles) {
  ToyGraph toy;
  const auto set = toy.graph.addComputeSet("scale");
  for (const std::uint32_t tile : {1U, 6U}) {
    const Tensor in = toy.on(tile, 16, Lifetime::Always);
    const Tensor out = toy.on(tile, 16, Lifetime::Always);
    toy.graph.addVertices(
        set,
        {shared(workloads::scaleVertex(2.0F, 16)), TileId(tile), 1, {{in.view()}, {out.view()}}});
  }
  toy.graph.program().add(execute(set));
  ExecutionRecord record;
  const CyclesByTile cycles = {{TileId(1), Cycles(200)}, {TileId(6), Cycles(300)}};
  record.measured.push_back({std::string("scale"), cycles});
  const SystemPrograms programs =
      compile(toy.graph, toySystem(2), TimingMode::Program, record).programs;
  const ChipResult all = overAllIpus(programs, expectAgreement(programs));
  EXPECT_EQ(all.end, Cycles(300));
  EXPECT_EQ(all.busyOf(0, 1), Cycles(200));
  EXPECT_EQ(all.busyOf(0, 6), Cycles(300));
}

TEST(PodEngines, MultiplyLoopsAroundGlobalExchanges) {
  ToyGraph toy;
  const Tensor a = toy.on(1, 16, Lifetime::Always);
  const Tensor b = toy.on(4, 16, Lifetime::Always);
  const Tensor c = toy.on(5, 16, Lifetime::Always);
  Program body;
  body.add(toy.graph.copy(a, b, "there"));
  body.add(toy.scale(4, b, c));
  body.add(toy.graph.copy(c, a, "back"));
  toy.graph.program().add(repeat(1000, {std::move(body)}));
  const SystemPrograms programs = compile(toy.graph, toySystem(2)).programs;
  const MeasuredSystem result = expectAgreement(programs);
  EXPECT_EQ(result.chips[0].iterations_simulated, 2U);
  const std::uint64_t exchange = 10 + 10 + 50 + 17;
  EXPECT_EQ(overAllIpus(programs, result).end, Cycles(1000 * (2 * exchange + 60 + 10 + 16)));
  EXPECT_EQ(result.links[0].bytes, Bytes(68) * 1000);
}

/// A ring of IPUs: in each round, every IPU sends a part to the next and scales what it got, some
/// of them more than others.
Graph ringOf(std::uint32_t ipus, std::uint64_t rounds) {
  ToyGraph toy;
  std::vector<Tensor> here;
  std::vector<Tensor> from_last;
  for (std::uint32_t i = 0; i < ipus; ++i) {
    here.push_back(toy.on(4 * i + 1, 40, Lifetime::Always));
    from_last.push_back(toy.on(4 * i + 2, 40, Lifetime::Always));
  }
  std::vector<CopyPair> pairs;
  const auto set = toy.graph.addComputeSet("scale");
  for (std::uint32_t i = 0; i < ipus; ++i) {
    pairs.push_back({here[i], from_last[(i + 1) % ipus]});
    const std::uint32_t count = i % 2 == 0 ? 1 : 5;
    toy.graph.addVertices(
        set, {shared(workloads::scaleVertex(2.0F, 8)),
              TileId(4 * i + 3),
              count,
              {{from_last[i].slice(0, 8, 0).view(), 8}, {here[i].slice(0, 8, 0).view(), 8}}});
  }
  const Program ring = toy.graph.copy(pairs, "ring");
  toy.graph.program().add(repeat(rounds, {ring, execute(set)}));
  return std::move(toy.graph);
}

TEST(PodEngines, AgreeOnFourAndEightChipsOfWhichTwoDiffer) {
  for (const std::uint32_t ipus : {4U, 8U}) {
    const Executable executable = compile(ringOf(ipus, 7), toySystem(ipus));
    EXPECT_EQ(executable.programs.chips.size(), 2U);
    expectAgreement(executable.programs);
  }
}

TEST(PodEngines, AgreeOnRandomCopies) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    ToyGraph toy;
    std::vector<Tensor> on;
    for (std::uint32_t t = 0; t < 16; ++t) on.push_back(toy.on(t, 64, Lifetime::Always));
    Program body;
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t from = random() % 16;
      const std::uint32_t to = (from + 1 + random() % 15) % 16;
      const std::uint64_t elements = 1 + random() % 64;
      body.add(toy.graph.copy(on[from].slice(0, elements, 0), on[to].slice(0, elements, 0), "c"));
      body.add(toy.scale(random() % 16, on[from], on[to]));
    }
    toy.graph.program().add(repeat(1 + random() % 4, {std::move(body)}));
    SCOPED_TRACE("seed " + std::to_string(seed));
    expectAgreement(compile(toy.graph, toySystem(4)).programs);
  }
}

constexpr std::uint32_t kPodEnginesTiles = 16;
constexpr std::uint64_t kElements = 64;

/// A program of copies from random tiles, each of the same elements to several tiles. The host
/// writes all of `host.inputs`, and reads them again.
struct RandomCopies {
  explicit RandomCopies(std::uint32_t seed) : random(seed) {
    for (std::uint32_t t = 0; t < kPodEnginesTiles; ++t) {
      TensorValues values;
      for (std::uint64_t e = 0; e < kElements; ++e)
        values.push_back(1000.0 * t + static_cast<double>(e));
      host.inputs.push_back(
          {"on" + std::to_string(t), toy.on(t, kElements, Lifetime::Always), 2, values});
      wanted.push_back(values);
    }
    host.outputs = host.inputs;
    for (int step = 0; step < 6; ++step) add();
  }

  /// A copy of `count` elements, every `stride`-th of the source, to every `to_stride`-th place of
  /// about half of the tiles.
  void add() {
    const std::uint64_t stride = 1 + random() % 2;
    const std::uint64_t to_stride = 1 + random() % 2;
    const std::uint64_t count = 1 + random() % (kElements / 2);
    const auto source = static_cast<std::uint32_t>(random() % kPodEnginesTiles);
    std::vector<CopyPair> pairs;
    const TensorValues before = wanted[source];
    for (std::uint32_t t = 0; t < kPodEnginesTiles; ++t) {
      if (t == source || random() % 2 == 0) continue;
      pairs.push_back({every(stride, count, source), every(to_stride, count, t)});
      for (std::uint64_t e = 0; e < count; ++e) wanted[t][e * to_stride] = before[e * stride];
    }
    if (!pairs.empty()) toy.graph.program().add(toy.graph.copy(pairs, "copy"));
  }

  Tensor every(std::uint64_t stride, std::uint64_t count, std::uint32_t tile) {
    const Tensor rows = host.inputs[tile].tensor.reshape({kElements / stride, stride});
    return rows.slice(0, 1, 1).reshape({kElements / stride}).slice(0, count, 0);
  }

  std::mt19937 random;
  ToyGraph toy;
  HostTensors host;
  std::vector<TensorValues> wanted;  ///< on each tile, after the program
};

TEST(RandomCopies, BringTheRightNumbers) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    RandomCopies copies(seed);
    const Executable executable = compile(copies.toy.graph, toySystem(4));
    EXPECT_EQ(executor::outputsOf(copies.toy.graph, executable, copies.host), copies.wanted)
        << "seed " << seed;
  }
}

/// The bytes of all flows of a global exchange, headers included, each times its hops.
std::uint64_t bytesTimesHops(const Step& step, const Executable& executable) {
  const System& system = executable.system;
  const models::Routes routes(system);
  std::uint64_t sum = 0;
  step.messages.forEach([&](const Message& message) {
    const Bytes bytes = step.messages.formOf(message).bytes();
    const std::uint64_t packets = (bytes.value() + 63) / 64;
    const auto ipu_of = [&](BlockId block) {
      return executable.lowered.blocks[indexOf(block)].tile.tile() / system.ipu.tiles;
    };
    const auto hops = routes.between(ipu_of(message.from), ipu_of(message.to)).size();
    EXPECT_GE(hops, 1U);
    sum += (bytes.value() + 4 * packets) * hops;
  });
  return sum;
}

// What the links carry is what the flows send, times their hops.
TEST(RandomCopies, PutTheirBytesTimesTheirHopsOnTheLinks) {
  std::size_t exchanges = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Executable executable = compile(RandomCopies(seed).toy.graph, toySystem(4));
    std::uint64_t flows = 0;
    for (const Step& step : executable.lowered.steps) {
      if (step.kind == StepKind::GlobalExchange) flows += bytesTimesHops(step, executable);
    }
    std::uint64_t carried = 0;
    for (const LinkUse& link : closedForm(executable.programs).links) {
      carried += link.bytes.value();
    }
    EXPECT_EQ(carried, flows) << "seed " << seed;
    exchanges += executable.programs.exchanges.size();
  }
  EXPECT_GT(exchanges, 100U);
}

// Each receiving IPU gets the data of a copy once, however many of its tiles want them.
TEST(RandomCopies, CrossTheLinksOncePerIpu) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Executable executable = compile(RandomCopies(seed).toy.graph, toySystem(4));
    for (const Step& step : executable.lowered.steps) {
      if (step.kind != StepKind::GlobalExchange) continue;
      EXPECT_LE(step.messages.size(), 3U) << "seed " << seed;
    }
  }
}

TEST(PodEngines, PlayAPodWithoutExchangesBetweenItsIpus) {
  ToyGraph toy;
  for (const std::uint32_t tile : {0U, 4U}) {
    const Tensor in = toy.on(tile, 16, Lifetime::Always);
    toy.graph.program().add(toy.scale(tile, in, toy.on(tile, 16, Lifetime::Always)));
  }
  const SystemPrograms programs = compile(toy.graph, toySystem(2)).programs;
  EXPECT_TRUE(programs.exchanges.empty());
  EXPECT_EQ(overAllIpus(programs, expectAgreement(programs)).end, Cycles(60));
}

TEST(PodEngines, RefuseAChipOfAPodOnItsOwn) {
  const SystemPrograms programs = compile(ringOf(2, 1), toySystem(2)).programs;
  EXPECT_THAT([&] { closedForm(programs.chips.front()); },
              ThrowsMessage<InternalError>(HasSubstr("no other chips to exchange with")));
}

}  // namespace
}  // namespace ipusim::compiler
