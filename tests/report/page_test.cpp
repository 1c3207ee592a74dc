// SPDX-License-Identifier: Apache-2.0
#include "sim/report/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/report/json.h"
#include "sim/report/page/assets.h"
#include "sim/report/page/changes_data.h"
#include "sim/report/page/page_data.h"
#include "tests/run/two_tile_run.h"

namespace ipusim::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kHostile = "</script><script>alert('x')</script><!-- \"&amp;\xff";

std::size_t occurrencesOnPage(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// The JSON that a page holds, as a browser reads it.
Json embedded(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::string fileText(const std::string& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The scripts of all pages.
std::string allScripts() {
  std::string text;
  for (const PageKind kind :
       {PageKind::Run, PageKind::Parallel, PageKind::Points, PageKind::Changes}) {
    for (const std::string_view script : scriptsOf(kind)) text += script;
  }
  return text;
}

TEST(Page, HoldsTheResultAsItsJsonHasItButForTheActivityOfSteps) {
  const run::RunResult result = run::twoTileResult();
  Json expected = toJson(result);
  for (Json& step : expected["steps"]) EXPECT_EQ(step.erase("activity"), 1U);
  EXPECT_EQ(embedded(pageText(result))["result"], expected);
}

TEST(Page, AHostileNameStaysText) {
  run::RunResult result = run::twoTileResult();
  const std::size_t before = occurrencesOnPage("<script", pageText(result));
  result.variables.at(0).name = kHostile;
  result.steps.at(0).name = kHostile;
  result.workload = kHostile;
  const std::string page = pageText(result);
  EXPECT_EQ(occurrencesOnPage("<script", page), before);
  EXPECT_EQ(occurrencesOnPage("</script", page), before);
  EXPECT_THAT(embedded(page)["variables"][0]["name"], HasSubstr("</script><script>alert('x')"));
}

TEST(Page, NeedsNoOtherFile) {
  const std::string page(report::assets::kPage);
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(std::string(report::assets::kStyle), Not(HasSubstr("url(")));
  EXPECT_THAT(allScripts(), Not(HasSubstr("fetch(")));
}

TEST(Page, NamesBecomeElementsOnlyAsText) {
  const std::string script = allScripts();
  for (const char* way :
       {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("}) {
    EXPECT_THAT(script, Not(HasSubstr(way)));
  }
}

TEST(Page, TheProgramHoldsTheFilesOfTheTree) {
  const std::string folder = "sim/report/page/assets/";
  EXPECT_EQ(std::string(report::assets::kPage), fileText(folder + "page.html"));
  EXPECT_EQ(std::string(report::assets::kStyle), fileText(folder + "page.css"));
  for (const char* name :
       {"format.js", "memory.js", "stages.js", "points.js", "changes.js", "main.js"}) {
    EXPECT_THAT(allScripts(), HasSubstr(fileText(folder + name)));
  }
}

TEST(ChangesPage, HoldsBothSidesAndWhatChanged) {
  const Json a = withVariables(run::twoTileResult());
  run::RunResult other = run::twoTileResult();
  other.variables.at(0).name = kHostile;
  const Json b = withVariables(other);
  const auto parts = changesOf(JsonReader(a, "a"), JsonReader(b, "b"));
  const Json data = changesPageData(parts, {"a", a}, {kHostile, b});
  EXPECT_EQ(data["sides"][0]["tiles"], Json({1, 480, 1, 640}));
  EXPECT_EQ(data["sides"][0]["head"]["time"], a["time"]);
  EXPECT_EQ(data["parts"].back()["changes"].size(), 2U);
  std::string page;
  writePage(PageKind::Changes, data, [&page](std::string_view part) { page += part; });
  EXPECT_EQ(occurrencesOnPage("<script>alert", page), 0U);
  EXPECT_THAT(std::string(embedded(page)["sides"][1]["name"]), HasSubstr("</script><script>"));
}

TEST(ChangesPage, ASideWithoutBytesOfTilesHasNone) {
  const Json result = {{"fits", true}, {"tiles", {{"total_bytes", {1, "two"}}}}};
  const Json data = changesPageData({}, {"a", result}, {"b", Json::object()});
  EXPECT_TRUE(data["sides"][0]["tiles"].is_null());
  EXPECT_TRUE(data["sides"][1]["tiles"].is_null());
}

TEST(PageData, HasAColumnOfRunLengthsForEachFigureOfATile) {
  const Json tiles = pageData(run::twoTileResult())["tiles"];
  EXPECT_EQ(tiles["including_gaps_bytes"], Json({1, 480, 1, 640}));
  EXPECT_EQ(tiles["by_category"]["vertex_code"], Json({2, 100}));
  EXPECT_FALSE(tiles["by_category"].contains("stack"));
}

TEST(PageData, AVariableHasItsTilesAndItsLife) {
  const Json variables = pageData(run::twoTileResult())["variables"];
  EXPECT_EQ(variables[0]["tiles"], Json({0, 1, 300, 1, 1, 200}));
  EXPECT_EQ(variables[0]["bytes"], 500);
  EXPECT_EQ(variables[0]["always_live"], true);
  EXPECT_EQ(variables[1]["live"], Json({1, 2}));
  EXPECT_EQ(variables[1]["shape"], Json({5, 4}));
}

TEST(PageData, LivenessIsThatOfTheResult) {
  const Json liveness = pageData(run::twoTileResult())["liveness"];
  EXPECT_EQ(liveness["total_bytes"], Json({1, 0, 1, 10, 1, 300, 1, 20, 1, 0}));
  EXPECT_EQ(liveness["curve_of_tile"], Json({1, 0, 1, 1}));
  EXPECT_EQ(liveness["curves"][1], Json({1, 5, 2, 250, 3, 10, 4, 0}));
}

TEST(PageData, SaysWhatItLeavesOut) {
  EXPECT_THAT(pageData(run::twoTileResult())["left_out"], IsEmpty());
  PageLimits limits;
  limits.variable_runs = 2;
  limits.liveness_changes = 4;
  const Json data = pageData(run::twoTileResult(), limits);
  EXPECT_THAT(data["left_out"].get<std::vector<std::string>>(),
              ElementsAre("the tiles of 1 variables", "1 liveness curves of tiles"));
  EXPECT_TRUE(data["variables"][0].contains("tiles"));
  EXPECT_FALSE(data["variables"][1].contains("tiles"));
  EXPECT_TRUE(data["liveness"]["curves"][0].is_null());
}

TEST(PageData, HasNoDetailThatNobodyAskedFor) {
  EXPECT_FALSE(pageData(run::twoTileResult()).contains("detail"));
}

run::RunResult detailedResult() {
  run::RunResult result = run::twoTileResult();
  run::ProgramDetail detail;
  detail.steps.resize(result.steps.size());
  detail.steps[2].vertices = {{"Multiply<\"x\">", VertexKind::Worker, 4, 2, Flops(8), {}, {}}};
  detail.steps[2].cycles = {{2, 60}};
  detail.steps[1].received = {{1, 16}, {1, 48}};
  detail.steps[1].sent = {{2, 32}};
  detail.steps[1].ports = run::PortDetail{2, 1, {0, Cycles(8)}, {1, Cycles(12)}};
  detail.steps[2].first_iteration = {{1, Cycles(30), Cycles(50)}, {1, Cycles(31), Cycles(50)}};
  detail.layouts = {{Bytes(100), {}}, {Bytes(100), {run::PlacedBytes{}, run::PlacedBytes{}}}};
  detail.layouts[1].blocks[1].variable = 1;
  detail.layout_of_tile = {0, 1};
  result.detail = detail;
  return result;
}

TEST(PageDetail, HasTheStepsOfTheDetail) {
  const Json steps = pageData(detailedResult())["detail"]["steps"];
  EXPECT_EQ(steps[2]["vertices"][0]["type"], "Multiply<\"x\">");
  EXPECT_EQ(steps[2]["cycles"], Json({2, 60}));
  EXPECT_EQ(steps[2]["first_iteration"], Json({1, 0, 20, 1, 1, 19}));
  EXPECT_EQ(steps[1]["received_bytes"], Json({1, 16, 1, 48}));
  EXPECT_EQ(steps[1]["ports"]["receive"], Json({{"tile", 1}, {"cycles", 12}}));
}

TEST(PageDetail, KeepsTheAddressMapOfTheFullestTile) {
  PageLimits limits;
  limits.placed_bytes = 0;
  EXPECT_TRUE(pageData(detailedResult(), limits)["detail"]["layouts"][1].contains("left_out"));
  limits.placed_bytes = 2;
  const Json data = pageData(detailedResult(), limits);
  EXPECT_EQ(data["detail"]["layouts"][1]["blocks"][0][0], -1);
  EXPECT_EQ(data["detail"]["layouts"][1]["blocks"][1][0], 1);
  EXPECT_THAT(data["left_out"], IsEmpty());
}

TEST(PageDetail, HasTheLargestBlocksOfATileWithoutItsAddressMap) {
  run::RunResult result = detailedResult();
  run::PlacedBytes& buffer = result.detail->layouts[1].blocks[1];
  buffer.category = MemoryCategory::MessageBuffers;
  buffer.bytes = Bytes(400);
  PageLimits limits;
  limits.placed_bytes = 0;
  limits.largest_blocks = 1;
  const Json layout = pageData(result, limits)["detail"]["layouts"][1];
  ASSERT_EQ(layout["blocks"].size(), 1U);
  EXPECT_EQ(layout["blocks"][0][1], "message_buffers");
  EXPECT_EQ(layout["blocks"][0][3], 400);
  EXPECT_EQ(layout["left_out"], 1);
}

TEST(PageDetail, SaysThatTilesOfManyStepsAreLeftOut) {
  PageLimits limits;
  limits.steps = 4;
  const Json data = pageData(detailedResult(), limits);
  EXPECT_THAT(data["detail"]["steps"], IsEmpty());
  EXPECT_EQ(data["left_out"][0], "what each tile does in each of 5 steps");
}

}  // namespace
}  // namespace ipusim::report
