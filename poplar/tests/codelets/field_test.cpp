// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "poplar/tests/codelets/tile_code.h"

namespace ipusim::codelets {
namespace {

using CodeletFields = WithClang;

const VertexType& vertexOf(const Codelets& codelets, const std::string& name) {
  const VertexType* found = codelets.find(name);
  if (found == nullptr) throw std::runtime_error("no vertex " + name);
  return *found;
}

const Field& fieldOf(const VertexType& vertex, const std::string& name) {
  const Field* found = vertex.field(name);
  if (found == nullptr) throw std::runtime_error("no field " + name);
  return *found;
}

constexpr const char* kFields = R"(
    class Fields : public Vertex {
      Input<Vector<float, VectorLayout::ONE_PTR, 8, true>> hidden;
     public:
      Fields();
      Output<int> scalar;
      InOut<Vector<unsigned short>> span;
      Vector<Input<Vector<char, VectorLayout::ONE_PTR>>> rows;
      Input<VectorList<half_t, VectorListLayout::DELTANELEMENTS>> list;
      const unsigned count;
      bool flags[3];
      unsigned long long wide;
      static constexpr int kIgnored = 3;
      bool compute() { return *scalar == 0; }
    };)";

TEST_F(CodeletFields, HaveDirectionLayoutAndPlace) {
  const Codelets codelets = compileText(kFields, {{"-Dhalf_t=_Float16"}});
  const VertexType& vertex = vertexOf(codelets, "Fields");
  EXPECT_EQ(vertex.fields.size(), 8U);
  EXPECT_EQ(vertex.bytes, 48U) << "4 + 4 + 8 + 8 + 8 + 4 + 3, then wide from 40 on";
  EXPECT_EQ(vertex.alignment, 8U);
  EXPECT_EQ(vertex.line, 4U);

  const Field& hidden = fieldOf(vertex, "hidden");
  EXPECT_EQ(hidden.kind, FieldKind::Input);
  EXPECT_EQ(hidden.shape, FieldShape::Vector);
  EXPECT_EQ(hidden.layout, VectorLayout::OnePtr);
  EXPECT_EQ(hidden.min_align, 8U);
  EXPECT_TRUE(hidden.interleaved);
  EXPECT_EQ(hidden.element.name, "float");
  EXPECT_EQ(hidden.element.kind, ElementKind::Floating);
  EXPECT_EQ(hidden.bytes, 4U);

  const Field& scalar = fieldOf(vertex, "scalar");
  EXPECT_EQ(scalar.kind, FieldKind::Output);
  EXPECT_EQ(scalar.shape, FieldShape::Scalar);
  EXPECT_EQ(scalar.offset, 4U);
  EXPECT_EQ(scalar.element.name, "int");

  const Field& span = fieldOf(vertex, "span");
  EXPECT_EQ(span.kind, FieldKind::InOut);
  EXPECT_EQ(span.layout, VectorLayout::Span);
  EXPECT_EQ(span.element.name, "unsigned short");
  EXPECT_EQ(span.min_align, 2U);
  EXPECT_EQ(span.bytes, 8U);
}

TEST_F(CodeletFields, OfRowsListsAndStateHaveTheirs) {
  const Codelets codelets = compileText(kFields, {{"-Dhalf_t=_Float16"}});
  const VertexType& vertex = vertexOf(codelets, "Fields");
  const Field& rows = fieldOf(vertex, "rows");
  EXPECT_EQ(rows.kind, FieldKind::Input);
  EXPECT_EQ(rows.shape, FieldShape::VectorList);
  EXPECT_EQ(rows.layout, VectorLayout::Span);
  EXPECT_EQ(rows.rows, VectorLayout::OnePtr);
  EXPECT_EQ(rows.element.name, "char");

  const Field& list = fieldOf(vertex, "list");
  EXPECT_EQ(list.shape, FieldShape::VectorList);
  EXPECT_EQ(list.layout, VectorLayout::DeltaNElements);
  EXPECT_EQ(list.element.name, "half");
  EXPECT_EQ(list.element.bytes, 2U);

  const Field& count = fieldOf(vertex, "count");
  EXPECT_EQ(count.kind, FieldKind::State);
  EXPECT_EQ(count.shape, FieldShape::Scalar);
  EXPECT_EQ(count.element.name, "unsigned int");
  EXPECT_EQ(count.offset, 32U);

  const Field& flags = fieldOf(vertex, "flags");
  EXPECT_EQ(flags.extent, 3U);
  EXPECT_EQ(flags.element.kind, ElementKind::Bool);
  EXPECT_EQ(fieldOf(vertex, "wide").offset, 40U);
}

TEST_F(CodeletFields, OfBaseClassesComeFirst) {
  const Codelets codelets = compileText(R"(
    struct Base : Vertex { int first; };
    struct Derived : Base { int second; bool compute() { return first == second; } };)");
  const VertexType& vertex = vertexOf(codelets, "Derived");
  ASSERT_EQ(vertex.fields.size(), 2U);
  EXPECT_EQ(vertex.fields[0].name, "first");
  EXPECT_EQ(vertex.fields[1].offset, 4U);
  EXPECT_EQ(codelets.find("Base"), nullptr) << "a class without compute() is no vertex type";
}

}  // namespace
}  // namespace ipusim::codelets
