// SPDX-License-Identifier: Apache-2.0
// Uses the chip as a SystemC module of one's own platform. Beside the chip stand a module that acts
// every microsecond, and a monitor that hears what the chip does.
#include <iostream>
#include <systemc>

#include "ipusim/chip.h"
#include "ipusim/compile.h"

namespace {

using namespace ipusim;

/// Adds up what it hears.
class Monitor : public Observer {
 public:
  void busy(TileId /*tile*/, OpKind kind, const Interval& when) override {
    if (kind != OpKind::Sync) busy_ += excess(when.end, when.begin) * when.iterations;
  }
  void transmission(std::uint32_t /*transmission*/, const Interval& when) override {
    transmissions_ += when.iterations;
  }
  void sync(const Interval& when) override { syncs_ += when.iterations; }
  void hostTransfer(std::uint32_t /*transfer*/, const Interval& /*when*/) override {}

  void print() const {
    std::cout << transmissions_ << " transmissions, " << syncs_ << " syncs, tiles busy for "
              << busy_.value() << " cycles\n";
  }

 private:
  Cycles busy_;
  std::uint64_t transmissions_ = 0;
  std::uint64_t syncs_ = 0;
};

/// Another module of the platform. It counts microseconds as long as anything else will happen.
class Watch : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Watch);
  explicit Watch(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(tick); }
  int ticks = 0;

 private:
  void tick() {
    ++ticks;
    if (sc_core::sc_pending_activity()) next_trigger(1, sc_core::SC_US);
  }
};

/// Every tile sends its row of a matrix to the next tile, a hundred times.
ChipPrograms ring(const Machine& machine) {
  constexpr std::uint64_t kWords = 256;
  Graph graph;
  const Tensor from =
      graph.addVariable(ElementType::Float, {machine.tiles, kWords}, "from", Lifetime::Always);
  const Tensor to =
      graph.addVariable(ElementType::Float, {machine.tiles, kWords}, "to", Lifetime::Always);
  for (std::uint32_t t = 0; t < machine.tiles; ++t) {
    graph.setTileMapping(from.slice(t, t + 1, 0), TileId(t));
    graph.setTileMapping(to.slice(t, t + 1, 0), TileId((t + 1) % machine.tiles));
  }
  graph.program().add(repeat(100, {graph.copy(from, to, "ring")}));
  return compile(graph, machine);
}

}  // namespace

int sc_main(int /*argc*/, char* /*argv*/[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);  // finer than the machine's clock
  const Machine machine = readPreset("gc200");
  const ChipPrograms programs = ring(machine);
  Monitor monitor;
  ChipOptions options;
  options.observer = &monitor;

  Chip chip("chip", programs, options);
  Watch watch("watch");
  sc_core::sc_start();

  std::cout << chip.takeResult().end.value() << " cycles, " << watch.ticks
            << " ticks of the watch\n";
  monitor.print();
  return 0;
}
