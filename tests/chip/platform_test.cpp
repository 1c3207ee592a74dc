// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ipusim/chip.h"
#include "models/ipu/engines/chip/report.h"
#include "models/ipu/engines/chip/simulate_chip.h"
#include "tests/chip/difference.h"
#include "tests/chip/story.h"
#include "tests/chip/tile_builder.h"
#include "tests/support/sanitizer.h"

// The chip as a module of a platform: the test owns the kernel.

namespace ipusim::models {
namespace {

using namespace ipusim::literals;
using sc_core::sc_time;

constexpr double kClock = 1.325e9;  // the period is no whole number of femtoseconds

class Platform : public testing::Test {
 protected:
  Platform() { sc_core::sc_set_time_resolution(1, sc_core::SC_FS); }
  ~Platform() override { sc_core::sc_get_curr_simcontext()->reset(); }

  static ChipTiming timingOf(std::size_t tiles) {
    ChipTiming timing = plainTiming(tiles);
    timing.clock_hz = kClock;
    timing.sync_base = 10_cycles;
    return timing;
  }

  /// Computes 60 and 120 cycles, a Sync, a message of 8 cycles from 0 to 1, 5 cycles later.
  static ChipPrograms twoTiles() {
    const auto tile = [](std::uint64_t slots) {
      return TileBuilder().compute(0, {workers(1, slots)}).sync(1).exchange(2);
    };
    return chipOf(timingOf(2), {tile(10), tile(20)}, {{{0, {1}, 5_cycles, 8_cycles}}});
  }

  static ChipPrograms withHost() {
    const TileBuilder tile =
        TileBuilder().sync(0).hostTransfer(1, 100_cycles).sync(0).hostTransfer(1, 30_cycles);
    return chipOf(timingOf(2), {tile, tile});
  }

  /// The id of the report that ends the simulation.
  static std::string reportOf(const ChipPrograms& programs) {
    Chip chip("chip", programs);
    try {
      sc_core::sc_start();
    } catch (const sc_core::sc_report& report) {
      return report.get_msg_type();
    }
    return "none";
  }
};

TEST_F(Platform, RunsAChipThatTheCallerMadeAndStarts) {
  const ChipPrograms programs = twoTiles();
  Chip chip("chip", programs);
  EXPECT_FALSE(chip.finished());
  sc_core::sc_start();
  EXPECT_TRUE(chip.finished());
  EXPECT_EQ(chip.takeResult().end, 143_cycles);
}

TEST_F(Platform, RunsTwoChipsOfTheirOwnClocks) {
  const ChipPrograms first = twoTiles();
  ChipPrograms second = twoTiles();
  second.timing.clock_hz = 3 * kClock;
  Chip a("a", first);
  Chip b("b", second);
  sc_core::sc_start();
  EXPECT_EQ(difference(a.takeResult(), b.takeResult()), "");
}

TEST_F(Platform, TakesTheTimeOfTheMachinesClock) {
  const TileBuilder tile = TileBuilder()
                               .repeat(1000)
                               .compute(0, {workers(1, 1)})
                               .sync(1)
                               .end()
                               .compute(0, {workers(1, 2)});
  const ChipPrograms programs = chipOf(timingOf(1), {tile});
  Chip chip("chip", programs);
  sc_core::sc_start();
  const double cycles = 1000 * 16 + 12;
  EXPECT_EQ(chip.takeResult().end, Cycles(1000 * 16 + 12));
  // Exact to the femtosecond: the time of a cycle is rounded, and not the period.
  EXPECT_EQ(sc_core::sc_time_stamp().value(),
            static_cast<std::uint64_t>(std::llround(cycles / kClock * 1e15)));
}

TEST_F(Platform, GoesOnWhereTheCallerLeftIt) {
  const ChipPrograms programs = twoTiles();
  Chip chip("chip", programs);
  sc_core::sc_start(sc_time(1, sc_core::SC_NS));
  EXPECT_FALSE(chip.finished());
  sc_core::sc_start();
  EXPECT_EQ(chip.takeResult().end, 143_cycles);
}

TEST_F(Platform, NamesTheTilesAfterTheChip) {
  const ChipPrograms programs = twoTiles();
  const Chip chip("chip", programs);
  EXPECT_NE(sc_core::sc_find_object("chip.tile_1"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("chip.host.socket"), nullptr);
}

TEST_F(Platform, ReportsTransmissionsThatMeet) {
  ChipPrograms programs = twoTiles();
  programs.exchanges = {{0, 2}};
  programs.transmissions.push_back(programs.transmissions.front());
  EXPECT_EQ(reportOf(programs), kFabricReport);
}

TEST_F(Platform, VerifiesTheProgramsAtTheEndOfElaboration) {
  ChipPrograms programs = twoTiles();
  programs.tiles[1].ops.edit().pop_back();
  EXPECT_EQ(reportOf(programs), kProgramReport);
}

TEST_F(Platform, ReportsAResolutionThatCannotTellCyclesApart) {
  ChipPrograms programs = twoTiles();
  programs.timing.clock_hz = 1e15;
  EXPECT_EQ(reportOf(programs), kClockReport);
}

/// A memory that waits for the start of a transfer and annotates the rest.
class SlowMemory : public sc_core::sc_module {
 public:
  explicit SlowMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &SlowMemory::transport);
  }

  tlm_utils::simple_target_socket<SlowMemory> socket;
  std::vector<sc_time> starts;
  std::vector<unsigned> lengths;
  bool broken = false;

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    starts.push_back(sc_core::sc_time_stamp());
    lengths.push_back(payload.get_data_length());
    wait(sc_time(200, sc_core::SC_NS));
    delay += sc_time(50, sc_core::SC_NS);
    payload.set_response_status(broken ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
  }
};

TEST_F(Platform, PutsAForeignMemoryBehindTheHostLink) {
  const ChipPrograms programs = withHost();
  SlowMemory memory("memory");
  ChipOptions options;
  options.foreign_host = true;
  Chip chip("chip", programs, options);
  chip.bindHost(memory.socket);
  sc_core::sc_start();
  // 250 ns are 331.25 cycles, so the transfers take 332, whatever the program expects.
  EXPECT_EQ(chip.takeResult().end, Cycles(std::uint64_t{2} * (10 + 332)));
  ASSERT_EQ(memory.starts.size(), 2U);
  EXPECT_EQ(memory.starts[0].value(), std::llround(10 / kClock * 1e15));
  EXPECT_EQ(memory.starts[1].value(), std::llround(352 / kClock * 1e15));
  EXPECT_EQ(memory.lengths, (std::vector<unsigned>{1024, 1024}));
}

TEST_F(Platform, CutsALongTransferIntoTransactions) {
  ChipPrograms programs = withHost();
  programs.host_transfers[0].bytes = Bytes(65'537);
  SlowMemory memory("memory");
  ChipOptions options;
  options.foreign_host = true;
  Chip chip("chip", programs, options);
  chip.bindHost(memory.socket);
  sc_core::sc_start();
  EXPECT_EQ(memory.lengths, (std::vector<unsigned>{65'536, 1, 1024}));
}

TEST_F(Platform, PutsAForeignMemoryBehindTheStreamingLink) {
  const TileBuilder tile = TileBuilder()
                               .sync(0)
                               .meet({OpKind::RemoteBegin, StepId{1}})
                               .meet({OpKind::RemoteEnd, StepId{2}});
  ChipPrograms programs = chipOf(timingOf(2), {tile, tile});
  programs.timing.streaming.sync = 20_cycles;
  programs.remote_transfers = {{Bytes(65'540), Bytes(70'000), 3_cycles, 4096, false}};
  SlowMemory memory("memory");
  ChipOptions options;
  options.foreign_streaming = true;
  Chip chip("chip", programs, options);
  chip.bindStreaming(memory.socket);
  sc_core::sc_start();
  // Two transactions wait 200 ns and annotate 50 ns each: 500 ns are 662.5 cycles.
  EXPECT_EQ(chip.takeResult().end, Cycles(10 + 20 + 663));
  EXPECT_EQ(memory.lengths, (std::vector<unsigned>{65'536, 4}));
}

TEST_F(Platform, ReportsAnErrorOfTheForeignMemory) {
  if (kHasAddressSanitizer) {
    GTEST_SKIP() << "the sanitizer does not know the stack of an SC_THREAD, from which this throws";
  }
  const ChipPrograms programs = withHost();
  SlowMemory memory("memory");
  memory.broken = true;
  ChipOptions options;
  options.foreign_host = true;
  Chip chip("chip", programs, options);
  chip.bindHost(memory.socket);
  std::string id;
  try {
    sc_core::sc_start();
  } catch (const sc_core::sc_report& report) {
    id = report.get_msg_type();
  }
  EXPECT_EQ(id, kHostReport);
}

TEST_F(Platform, ExpectsTheTimeOfTheProgramFromItsOwnHost) {
  const ChipPrograms programs = withHost();
  Chip chip("chip", programs);
  sc_core::sc_start();
  EXPECT_EQ(chip.takeResult().end, Cycles(10 + 100 + 10 + 30));
}

/// The value changes of a VCD file, "TILE.SIGNAL VALUE", by time in whole cycles of the clock.
std::map<std::uint64_t, std::vector<std::string>> changesIn(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::map<std::string, std::string> name_of;
  std::map<std::uint64_t, std::vector<std::string>> changes;
  std::uint64_t cycle = 0;
  std::string scope;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "$scope") {
      words >> scope >> scope;
    } else if (first == "$var") {
      std::string type;
      std::string width;
      std::string code;
      std::string name;
      words >> type >> width >> code >> name;
      name_of[code] = fmt::format("{}.{}", scope, name);
    } else if (first[0] == '#') {
      const double ticks = std::stod(first.substr(1));
      cycle = static_cast<std::uint64_t>(std::llround(ticks * 1e-15 * kClock));
    } else if (first[0] == 'b') {
      std::string code;
      words >> code;
      changes[cycle].push_back(name_of[code] + ' ' +
                               std::to_string(std::stoul(first.substr(1), nullptr, 2)));
    } else if (first[0] == '0' || first[0] == '1') {
      changes[cycle].push_back(name_of[first.substr(1)] + ' ' + first[0]);
    }
  }
  return changes;
}

TEST_F(Platform, ShowsPhasesAndPortsAsSignals) {
  using testing::UnorderedElementsAre;
  const auto name = std::filesystem::temp_directory_path() / "ipusim_platform_test";
  const ChipPrograms programs = twoTiles();
  Story story;
  {
    ChipOptions options;
    options.observer = &story;
    options.signals = true;
    Chip chip("chip", programs, options);
    sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(name.c_str());
    file->set_time_unit(1, sc_core::SC_FS);
    chip.trace(file);
    sc_core::sc_start();
    sc_core::sc_start(sc_time(1, sc_core::SC_NS));  // the last change is written when time goes on
    sc_core::sc_close_vcd_trace_file(file);
    EXPECT_EQ(chip.takeResult().end, 143_cycles);
  }
  auto changes = changesIn(name.string() + ".vcd");
  std::filesystem::remove(name.string() + ".vcd");
  EXPECT_THAT(changes[60], UnorderedElementsAre("tile_0.phase 0"));
  EXPECT_THAT(changes[120], UnorderedElementsAre("tile_1.phase 0"));
  // The release is at 130; a port is held from 135 to 143.
  EXPECT_THAT(changes[130], UnorderedElementsAre("tile_0.phase 2", "tile_1.phase 2"));
  EXPECT_THAT(changes[135], UnorderedElementsAre("tile_0.sending 1", "tile_1.receiving 1"));
  EXPECT_THAT(changes[143], UnorderedElementsAre("tile_0.phase 0", "tile_1.phase 0",
                                                 "tile_0.sending 0", "tile_1.receiving 0"));
  // The caller's observer hears the events that the signals are made from.
  EXPECT_THAT(story.lines(), testing::Contains("transmission 0 0 step 2: 135 to 143 x 1"));
}

}  // namespace
}  // namespace ipusim::models
