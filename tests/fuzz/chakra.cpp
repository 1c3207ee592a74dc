// SPDX-License-Identifier: Apache-2.0
#include "ipusim/machine.h"
#include "ipusim/verify.h"
#include "sim/interop/chakra/graph_of.h"
#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

void chakra(std::string_view bytes) {
  static const Machine machine = readPreset("toy");
  expectOneLine([&] {
    const interop::chakra::Trace trace = interop::chakra::readTrace(bytes, "fuzz");
    const std::string text = textOf(trace);
    const bool same = textOf(interop::chakra::readTrace(text, "again")) == text;
    check(same, "a trace is what is read of its text");
    verify(interop::chakra::graphOf(trace, "fuzz", machine).graph, machine.tiles);
  });
}

}  // namespace ipusim::fuzz
