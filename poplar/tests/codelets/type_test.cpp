// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "poplar/tests/codelets/tile_code.h"

namespace ipusim::codelets {
namespace {

using testing::UnorderedElementsAre;

using CodeletTypes = WithClang;

std::vector<std::string> namesOf(const Codelets& codelets) {
  std::vector<std::string> names;
  for (const VertexType& vertex : codelets.vertices()) names.push_back(vertex.name);
  return names;
}

TEST_F(CodeletTypes, AreNamedAsProgramsNameThem) {
  const Codelets codelets = compileText(R"(
    #include <ipudef.h>
    namespace ns { enum class Way { UP, DOWN }; struct Plain : Vertex { void compute() {} }; }
    template <class T, bool On, unsigned N> struct Three : Vertex { T t; void compute() {} };
    template <class... T> struct Pack : Vertex { void compute() {} };
    template <ns::Way W> struct By : Vertex { void compute() {} };
    template struct Three<half, true, 3>;
    template struct Three<unsigned int, false, 0>;
    template struct Pack<float, short, unsigned char>;
    template struct By<ns::Way::DOWN>;)");
  EXPECT_THAT(namesOf(codelets),
              UnorderedElementsAre("ns::Plain", "Three<half,true,3>", "Three<unsigned int,false,0>",
                                   "Pack<float,short,unsigned char>", "By<ns::Way::DOWN>"));
}

TEST_F(CodeletTypes, KnowWhoRunsThem) {
  const Codelets codelets = compileText(R"(
    struct A : Vertex { void compute() {} };
    struct B : MultiVertex { void compute(unsigned) {} };
    struct C : SupervisorVertex { void compute() {} };
    struct D : SupervisorVertexIf<false> { bool compute(); };
    bool D::compute() { return true; })");
  EXPECT_EQ(codelets.find("A")->kind, VertexClass::Vertex);
  EXPECT_EQ(codelets.find("B")->kind, VertexClass::MultiVertex);
  EXPECT_EQ(codelets.find("C")->kind, VertexClass::Supervisor);
  EXPECT_EQ(codelets.find("D")->kind, VertexClass::Vertex);
  EXPECT_TRUE(codelets.find("D")->returns_value);
  EXPECT_FALSE(codelets.find("A")->returns_value);
}

TEST_F(CodeletTypes, HaveCodeAndStack) {
  const Codelets codelets = compileText(R"(
    struct Small : Vertex { int n; void compute() { ++n; } };
    struct Large : Vertex {
      int n;
      __attribute__((noinline)) void part() {
        volatile int room[256];
        room[n & 255] = n;
        n = room[0];
      }
      void compute() { part(); ++n; }
    };)");
  const VertexType& small = *codelets.find("Small");
  const VertexType& large = *codelets.find("Large");
  EXPECT_GT(small.code_bytes, Bytes(0));
  EXPECT_GT(large.code_bytes, small.code_bytes);
  EXPECT_GE(large.stack_bytes, Bytes(1024)) << "that of part()";
}

}  // namespace
}  // namespace ipusim::codelets
