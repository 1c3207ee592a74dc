// SPDX-License-Identifier: Apache-2.0
#include "base/text/json_reader.h"
#include "sim/interop/profiles/import.h"
#include "sim/report/diff/diff.h"
#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

void profile(std::string_view bytes) {
  expectOneLine([&] {
    const auto result = interop::importProfileText(std::string(bytes), "fuzz");
    const auto again = parseJson(interop::resultText(result), "again");
    const auto diff = report::diffResults(JsonReader(result, "result"), JsonReader(again, "again"));
    check(diff.same(), "a result equals what is read of its text: " + diffText(diff, "a", "b"));
  });
}

}  // namespace ipusim::fuzz
