// SPDX-License-Identifier: Apache-2.0
// Puts a memory model of one's own behind the streaming socket of a chip: a DRAM whose banks each
// keep one page open. The program stores four rows of a buffer and loads them again, once with this
// memory and once with the rate that the preset of the machine has.
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <iostream>
#include <systemc>
#include <tlm>

#include "ipusim/chip.h"
#include "ipusim/compile.h"
#include "ipusim/predict.h"

namespace {

using namespace ipusim;

/// Two channels of DDR4-2400 that work in step. An access to the open page of its bank takes a
/// burst. Any other access first closes that page and opens its own.
class Dram : public sc_core::sc_module {
 public:
  explicit Dram(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Dram::transport);
  }

  tlm_utils::simple_target_socket<Dram> socket;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;

 private:
  static constexpr std::uint64_t kBanks = 16;
  static constexpr std::uint64_t kPage = 8192;  // bytes
  static constexpr std::uint64_t kBurst = 128;  // bytes: 64 of each channel

  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t end = payload.get_address() + payload.get_data_length();
    for (std::uint64_t at = payload.get_address(); at < end; at += kBurst) delay += access(at);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  sc_core::sc_time access(std::uint64_t address) {
    const sc_core::sc_time burst(128 / 38.4, sc_core::SC_NS);      // 38.4 GB/s
    const sc_core::sc_time close_and_open(28.32, sc_core::SC_NS);  // tRP + tRCD
    const std::uint64_t page = address / kPage + 1;                // 0: no page is open
    std::uint64_t& open = open_[page % kBanks];
    if (open == page) {
      ++hits;
      return burst;
    }
    ++misses;
    open = page;
    return close_and_open + burst;
  }

  std::array<std::uint64_t, kBanks> open_{};
};

constexpr std::uint64_t kRows = 4;

/// Every tile has its part of a row, which goes to each row of the buffer and comes back from it.
Graph storesAndLoads(const Machine& machine) {
  constexpr std::uint64_t kWords = 256;
  Graph graph;
  const Tensor row =
      graph.addVariable(ElementType::Float, {machine.tiles, kWords}, "row", Lifetime::Always);
  for (std::uint32_t t = 0; t < machine.tiles; ++t) {
    graph.setTileMapping(row.slice(t, t + 1, 0), TileId(t));
  }
  const RemoteBufferId buffer =
      graph.addRemoteBuffer(ElementType::Float, row.elements(), kRows, "rows");
  for (std::uint64_t r = 0; r < kRows; ++r) {
    graph.program().add(graph.store(row, buffer, r, "store"));
    graph.program().add(graph.load(buffer, r, row, "load"));
  }
  return graph;
}

}  // namespace

int sc_main(int /*argc*/, char* /*argv*/[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);  // finer than the machine's clock
  const Machine machine = readIpuOf("m2000");
  const Graph graph = storesAndLoads(machine);
  const ChipPrograms programs = compile(graph, machine);
  ChipOptions options;
  options.foreign_streaming = true;

  Chip chip("chip", programs, options);
  Dram dram("dram");
  chip.bindStreaming(dram.socket);
  sc_core::sc_start();

  std::cout << "rate of the preset: " << predict(graph, machine).time.cycles.value() << " cycles\n"
            << "banks and pages: " << chip.takeResult().end.value() << " cycles, " << dram.hits
            << " accesses to an open page, " << dram.misses << " to others\n";
  return 0;
}
