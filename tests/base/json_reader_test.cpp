// SPDX-License-Identifier: Apache-2.0
#include "base/text/json_reader.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// The message for what `read` finds wrong with the value of `text`, in the file f.json.
template <typename Read>
std::string faultOf(const std::string& text, const Read& read) {
  const Json json = parseJson(text, "f.json");
  return configErrorOf([&] { static_cast<void>(read(JsonReader(json, "f.json"))); });
}

std::string syntaxFaultOf(const std::string& text) {
  return configErrorOf([&] { parseJson(text, "f.json"); });
}

TEST(JsonReader, ReadsCountsThatAreWrittenInThreeWays) {
  const Json json = parseJson(R"([12, 12.0, "12", 18446744073709551615])", "f.json");
  EXPECT_THAT(JsonReader(json, "f.json").counts(), ElementsAre(12, 12, 12, ~std::uint64_t{0}));
}

TEST(JsonReader, NamesTheKeysThatLeadToAFault) {
  EXPECT_EQ(faultOf(R"({"a": {"b": [1, -2]}})",
                    [](const JsonReader& f) { return f.at("a").at("b").counts(); }),
            "f.json: a.b[1]: wanted a whole number that is not negative, found -2");
  EXPECT_EQ(faultOf(R"({"a": 1.5})", [](const JsonReader& f) { return f.at("a").count(); }),
            "f.json: a: wanted a whole number that is not negative, found 1.5");
  EXPECT_EQ(faultOf(R"({"a": {}})", [](const JsonReader& f) { return f.at("a").at("b"); }),
            "f.json: a: wanted the key \"b\", found none");
  EXPECT_EQ(faultOf("[1, 2]", [](const JsonReader& f) { return f.find("a"); }),
            "f.json: wanted an object, found an array of 2");
}

TEST(JsonReader, NamesTheLineOfWhatIsNotJson) {
  EXPECT_THAT(syntaxFaultOf("{\"a\": 1,\n \"b\": }"),
              StartsWith("f.json:2: wanted JSON, found \"}\""));
  EXPECT_THAT(syntaxFaultOf("{\"a\": 1,\n \"b\": [1"), StartsWith("f.json:2: wanted JSON"));
  EXPECT_THAT(syntaxFaultOf(""), StartsWith("f.json:1: wanted JSON, found the end of the file"));
  EXPECT_THAT(syntaxFaultOf("{}\nx"), StartsWith("f.json:2: wanted the end of the file"));
  EXPECT_THAT(syntaxFaultOf("[1e999]"), HasSubstr("wanted numbers that 64 bits can hold"));
}

TEST(JsonReader, RefusesWhatNestsTooDeep) {
  EXPECT_NO_THROW(parseJson(std::string(64, '[') + std::string(64, ']'), "f.json"));
  EXPECT_THAT(syntaxFaultOf("\n" + std::string(1'000'000, '[')),
              StartsWith("f.json:2: wanted at most 64 nested objects and arrays"));
}

TEST(JsonReader, CutsATextIntoItsValues) {
  const auto values = parseJsonValues("{\"a\": \"}{\\\"\"}{\"b\":\n [1]}\n[2] 3\n", "f.json");
  ASSERT_EQ(values.size(), 4U);
  EXPECT_EQ(values[0].value.at("a"), "}{\"");
  EXPECT_EQ(values[1].value.at("b"), Json({1}));
  EXPECT_EQ(values[3].value, 3);
  EXPECT_EQ(values[1].line, 1U);
  EXPECT_EQ(values[2].line, 3U);
  EXPECT_EQ(values[3].line, 3U);
  EXPECT_THAT(configErrorOf([] { parseJsonValues("{}\n{}\n{\"a\" 1}", "f.json"); }),
              StartsWith("f.json:3: wanted JSON"));
}

}  // namespace
}  // namespace ipusim
