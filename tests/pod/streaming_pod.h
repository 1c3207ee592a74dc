// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "models/ipu/engines/pod/simulate_system.h"
#include "sim/compile/compile.h"
#include "tests/chip/difference.h"
#include "tests/compile/toy_graph.h"
#include "tests/support/toy_pod.h"

// Toy IPUs with streaming memory. A sync inside an IPU takes 10 cycles, the external sync 10 cycles
// on up to three IPUs and 20 on four, a transfer 100 cycles besides its bytes. A memory moves 4
// bytes per cycle, 3 of them for one IPU. A packet holds 64 bytes and has a header of 4.

namespace ipusim::compiler {

inline constexpr std::uint64_t kRow = 0;
inline constexpr std::uint64_t kOtherRow = 3;
inline constexpr std::uint64_t kStart = 10 + 10 + 100;
inline constexpr std::uint64_t kStartOfFour = 10 + 20 + 100;

inline const std::string kToyRates =
    ", streaming_bytes_per_second = 4_000_000_000, streaming_ipu_bytes_per_second = 3_000_000_000";

inline System streamingPod(std::uint32_t ipus, std::uint32_t tiles = 4,
                           const std::string& more = "", const std::string& rates = kToyRates) {
  std::string text = "machine = " + models::toyPodTable(ipus, tiles);
  text.insert(text.size() - 1, rates + more);
  return readSystem(ConfigReader::fromText(text, "streaming_pod.toml"));
}

/// The result of both engines, of all chips and of the distinct ones, which must agree.
inline ChipResult resultOf(const Executable& executable) {
  using models::differenceInTime;
  const SystemPrograms& programs = executable.programs;
  const SystemPrograms every = everyChip(programs);
  ChipResult closed_form = overAllIpus(programs, models::closedForm(programs));
  EXPECT_EQ(differenceInTime(closed_form, overAllIpus(programs, models::simulateSystem(programs))),
            "");
  EXPECT_EQ(differenceInTime(closed_form, overAllIpus(every, models::closedForm(every))), "");
  EXPECT_EQ(differenceInTime(closed_form, overAllIpus(every, models::simulateSystem(every))), "");
  return closed_form;
}

}  // namespace ipusim::compiler
