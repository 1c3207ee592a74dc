// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/compile/popc.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "base/files/read_file.h"
#include "base/files/write_file.h"
#include "poplar/tests/codelets/tile_code.h"

namespace ipusim::codelets {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string errorOfPopc(const std::vector<std::string>& words) {
  try {
    runPopc(readPopcWords(words));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(PopcWords, AreInputsOutputAndFlags) {
  const PopcRequest request = readPopcWords(
      {"-O3", "-target", "ipu1,ipu2", "a.cpp", "-I", "dir", "-c", "b.gp", "-o", "all.gp"});
  EXPECT_THAT(request.inputs, ElementsAre("a.cpp", "b.gp"));
  EXPECT_EQ(request.output, "all.gp");
  EXPECT_THAT(request.flags, ElementsAre("-O3", "-target=ipu1,ipu2", "-I", "dir"));
}

TEST(PopcWords, AreRefusedInOneLine) {
  EXPECT_EQ(errorOfPopc({}), "popc: wanted a source, found none");
  EXPECT_EQ(errorOfPopc({"a.cpp", "-o"}), "popc: -o: wanted a word after it, found none");
  EXPECT_THAT(errorOfPopc({"-S", "a.cpp"}), HasSubstr("-S: code for the tile itself is not made"));
  EXPECT_THAT(errorOfPopc({"-target=gpu", "a.cpp"}), HasSubstr("found \"gpu\""));
  EXPECT_THAT(errorOfPopc({"a.S"}), HasSubstr("a.S: assembly of the tile"));
}

using Popc = WithClang;

TEST_F(Popc, WritesSourcesAndArchivesAsOneArchive) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "ipusim_popc";
  const std::string head = "#include <poplar/Vertex.hpp>\n";
  writeFile(folder / "a.cpp", head + "struct A : poplar::Vertex { void compute() {} };\n");
  writeFile(
      folder / "b.cpp",
      head + "struct B : poplar::Vertex { int n = __IPU_ARCH_VERSION__; void compute() {} };\n");
  const std::string first = (folder / "a.gp").string();
  const std::string both = (folder / "both.gp").string();
  EXPECT_EQ(errorOfPopc({(folder / "a.cpp").string(), "-o", first}), "");
  EXPECT_EQ(errorOfPopc({"-O3", "-target=ipu21", (folder / "b.cpp").string(), first, "-o", both}),
            "");
  const Codelets codelets = fromArchive(readFile(both, 1), both);
  EXPECT_NE(codelets.find("A"), nullptr);
  EXPECT_NE(codelets.find("B"), nullptr);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ipusim::codelets
