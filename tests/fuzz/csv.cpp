// SPDX-License-Identifier: Apache-2.0
#include "base/text/csv_reader.h"
#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

void csv(std::string_view bytes) {
  expectOneLine([&] { static_cast<void>(parseCsv(bytes, "fuzz")); });
}

}  // namespace ipusim::fuzz
