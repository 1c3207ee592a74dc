// SPDX-License-Identifier: Apache-2.0
#include "base/json_reader.h"
#include "sim/report/diff.h"
#include "sim/report/import/import.h"
#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

void profile(std::string_view bytes) {
  expectOneLine([&] {
    const auto result = run::importProfileText(std::string(bytes), "fuzz");
    const auto again = parseJson(run::resultText(result), "again");
    const auto diff = run::diffResults(JsonReader(result, "result"), JsonReader(again, "again"));
    check(diff.same(), "a result equals what is read of its text: " + diffText(diff, "a", "b"));
  });
}

}  // namespace ipusim::fuzz
