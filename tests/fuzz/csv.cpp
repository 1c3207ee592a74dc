// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/csv_reader.h"
#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

void csv(std::string_view bytes) {
  expectOneLine([&] { static_cast<void>(validate::parseCsv(bytes, "fuzz")); });
}

}  // namespace ipusim::fuzz
