// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/machine/machine_reader.h"
#include "tests/fuzz/inputs.h"
#include "workloads/sources/trace/trace_reader.h"
#include "workloads/sources/trace/trace_writer.h"

namespace ipusim::fuzz {

void trace(std::string_view bytes) {
  static const Machine kToy = readPreset("toy");
  expectOneLine([&] {
    const workloads::Trace read = workloads::parseTrace(bytes, "fuzz", kToy);
    const std::string text = workloads::traceText(read, kToy);
    const std::string again = workloads::traceText(workloads::parseTrace(text, "fuzz", kToy), kToy);
    if (again != text) throw std::logic_error("a trace that is not written as it was read");
  });
}

}  // namespace ipusim::fuzz
