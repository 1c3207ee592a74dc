// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/execute/random_source.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise/dropout.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/uniform.h"
#include "workloads/vertices/map_scalars.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/products/products.h"
#include "workloads/vertices/reductions/pooling.h"
#include "workloads/vertices/reductions/reductions.h"
#include "workloads/vertices/user/custom.h"
#include "workloads/vertices/user/user_stencil.h"

namespace ipusim::workloads {
namespace {

using models::gc200;
using models::OpPlacement;

VertexType make(const std::string& name, const std::string& params) {
  const std::string text = "vertex = \"" + name + "\"\n" + params;
  const ConfigReader reader = ConfigReader::fromText(text, "test");
  VertexType type = readVertexType(reader, gc200());
  reader.expectAllRead();
  return type;
}

TEST(VertexTable, IsSortedByName) {
  EXPECT_TRUE(
      std::is_sorted(vertexTable().begin(), vertexTable().end(),
                     [](const VertexEntry& a, const VertexEntry& b) { return a.name < b.name; }));
}

TEST(VertexTable, MakesTheVertexThatTheConfigDescribes) {
  EXPECT_EQ(make("hmac", "type=\"half\"\npartials_type=\"half\"\nfield=4\nin_chans=8").name,
            "poplin::ConvPartialHorizontalMac<half,half>");
  EXPECT_EQ(make("outer_product", "type=\"float\"\nwidth=3\nchans=2\ngroups=4").work.flops,
            Flops(3UL * 2 * 4));
  EXPECT_EQ(make("sparse_matmul",
                 "type=\"half\"\npartials_type=\"float\"\nblock=8\nrows=3\nin_rows=5\ncolumns=6\n"
                 "row_blocks=2")
                .work.flops,
            Flops(2UL * (3UL * 2) * (8UL * 8) * 6));
  EXPECT_EQ(make("cast", "type=\"half\"\nto=\"unsigned int\"\nelements=9").name,
            "popops::Cast1D<half,unsigned int>");
  EXPECT_EQ(
      make("binary_op", "op=\"divide\"\ntype=\"half\"\nin_place=\"yes\"\nelements=9\nregions=2")
          .name,
      "popops::BinaryOp2DInPlace<DIVIDE,half>");
  EXPECT_EQ(make("dynamic_slice", "direction=\"update\"\ntype=\"int\"\nelements=5\nslices=3")
                .fields[1]
                .elements(),
            15U);
}

TEST(VertexTable, MakesVerticesThatLookUpAndReduce) {
  EXPECT_EQ(make("multi_slice", "type=\"half\"\nelements=4\nrows=9\noffsets=3").name,
            "popops::MultiSlice<half>");
  const std::string update = "direction=\"update\"\nelements=4\nrows=9\noffsets=3\n";
  EXPECT_EQ(make("multi_slice", update + "type=\"float\"").work.flops, Flops(24));
  EXPECT_EQ(make("multi_slice", update + "op=\"set\"\ntype=\"int\"").name,
            "popops::MultiUpdate<int>");
  EXPECT_EQ(make("one_hot", "type=\"float\"\nrows=2\nclasses=5").fields[1].elements(), 10U);
  const std::string types = "type=\"float\"\npartials_type=\"half\"\nelements=4\npartials=9\n";
  EXPECT_EQ(make("reduce", types).name, "popops::StridedReduce<popops::ReduceAdd,half,float>");
  EXPECT_EQ(make("reduce", types + "along=\"rows\"\nop=\"max\"").name,
            "popops::ContinuousReduce<popops::ReduceMax,half,float>");
  EXPECT_EQ(make("relu_grad", "type=\"half\"\nelements=9").name,
            "popnn::NonLinearityGrad1D<half,RELU>");
}

TEST(VertexTable, AsksTheMachineForWhatIsLeftOut) {
  const std::string product = "type=\"half\"\npartials_type=\"float\"\nfield=4\n";
  EXPECT_EQ(make("amp", product).name, "poplin::ConvPartial1x1Out<half,float,8>");
  EXPECT_EQ(make("amp", product + "conv_units=16").name,
            "poplin::ConvPartial1x1Out<half,float,16>");
}

TEST(VertexTable, WantsWholeVectorsOfHalves) {
  EXPECT_EQ(configErrorOf(
                [] { make("hmac", "type=\"half\"\npartials_type=\"half\"\nfield=4\nin_chans=3"); }),
            "test:5: in_chans: wanted an even number with half inputs, found 3");
}

TEST(VertexTable, WantsAnOperatorWithAPublishedCost) {
  EXPECT_EQ(configErrorOf([] { make("binary_op", "op=\"divide\"\ntype=\"bool\"\nelements=9"); }),
            "test:2: op: wanted an operator with a published cost on bool, found \"divide\"");
  EXPECT_EQ(configErrorOf([] {
              make("binary_op", "op=\"equal\"\ntype=\"int\"\nin_place=\"yes\"\nelements=9");
            }),
            "test:2: op: wanted an operator with a published cost on int in place, found "
            "\"equal\"");
}

TEST(VertexTable, WantsPairsThatLieWithinTheLines) {
  EXPECT_EQ(configErrorOf([] {
              make("butterfly_stage",
                   "type=\"half\"\nfeatures=6\nrows=1\nstride=2\ntwiddles=1\noutputs=\"both\"");
            }),
            "test:3: features: wanted a whole multiple of twice the stride with both outputs, "
            "found 6");
}

TEST(VertexTable, WantsASizeAndWorkersForEachDimensionOfAStencil) {
  const auto mistake = [](const std::string& sizes) {
    return configErrorOf([&] { make("user_stencil", "type=\"half\"\nshape=\"star\"\n" + sizes); });
  };
  EXPECT_EQ(mistake("points=[2, 2, 2, 2]").rfind("test:4: points: wanted at most three sizes", 0),
            0U);
  EXPECT_EQ(mistake("points=[2, 2]\nworkers=[6]").rfind("test:5: workers: wanted one number", 0),
            0U);
  EXPECT_EQ(mistake("points=[2, 2]\nworkers=[6, 2]").rfind("test:5: workers: wanted", 0), 0U);
}

TEST(VertexTable, WantsAColumnForEachBlock) {
  EXPECT_EQ(configErrorOf([] {
              make("sparse_matmul",
                   "type=\"half\"\npartials_type=\"half\"\nrows=2\nin_rows=2\ncolumns=1\n"
                   "row_sizes=[1, 1]\nblock_columns=[0]");
            }).rfind("test:8: block_columns: wanted one column for each block of row_sizes", 0),
            0U);
}

/// Random shapes of every vertex type.
class RandomTypes {
 public:
  explicit RandomTypes(std::uint64_t seed) : random_(seed) {}

  std::vector<VertexType> all() {
    std::vector<VertexType> types = elementwise();
    for (const auto more :
         {&RandomTypes::products, &RandomTypes::reductions, &RandomTypes::dataMovement,
          &RandomTypes::networks, &RandomTypes::custom}) {
      for (VertexType& type : (this->*more)()) types.push_back(std::move(type));
    }
    return types;
  }

 private:
  std::uint64_t size() { return random_.between(1, 12); }
  bool either() { return random_.below(2) == 0; }
  ElementType number() { return either() ? ElementType::Half : ElementType::Float; }
  OpPlacement placement() { return either() ? OpPlacement::InPlace : OpPlacement::OutOfPlace; }
  Runs runs() { return either() ? Runs::one(size()) : Runs::list({size(), size(), size()}); }
  models::ReduceKind reduceKind() {
    const auto sum = either() ? models::ReduceOp::Add : models::ReduceOp::SquareAdd;
    return {either() ? sum : models::ReduceOp::Maximum, number(), number()};
  }

  std::vector<VertexType> elementwise() {
    const auto axis = either() ? VectorAxis::Inner : VectorAxis::Outer;
    const auto gaps = either() ? RowGaps::None : RowGaps::Some;
    const models::ScaledAddKind add{
        either() ? models::ScaledOp::Add : models::ScaledOp::Subtract, number(), number(),
        either() ? models::OperandMemory::Any : models::OperandMemory::Apart};
    return {
        unaryOpVertex({{models::UnaryOp::GeluErf, number(), placement()}, runs()}),
        binaryOpVertex({{models::BinaryOp::GreaterThan, ElementType::Int32}, runs()}),
        binaryOpVertex({{models::BinaryOp::Divide, number(), placement()}, runs()}),
        castVertex({number(), ElementType::UInt16, runs()}),
        ternaryOpVertex({TernaryOp::Select, ElementType::UInt32, Runs::list({size(), size()})}),
        ternaryOpVertex({TernaryOp::Clamp, number(), Runs::list({size(), size()})}),
        nonlinearityGradVertex({models::NonLinearity::Relu, number(), runs()}),
        scaleByScalarVertex({number(), placement(), runs()}),
        scaleByScalarVertex({number(), placement(), runs(), models::BinaryOp::Add}),
        scaledAddVertex({add, -0.1F, runs()}),
        broadcastVectorVertex(
            {{models::BinaryOp::Subtract, number(), placement()}, axis, size(), size(), gaps}),
    };
  }

  std::vector<VertexType> products() {
    const ElementType partials = number();
    const auto variant = models::hmacVariant(ElementType::Half, partials);
    const std::uint32_t chans = 4;
    return {
        ampVertex({{{ElementType::Half, partials, 8, models::WeightLoad::Bits128},
                    size(),
                    size(),
                    size(),
                    size(),
                    8},
                   16}),
        hmacVertex(
            {{variant, ElementType::Half, partials, 1, size(), size(), size(), 2 * size(), size()},
             size()}),
        convPartialVertex({either() ? ConvPartialEngine::Amp : ConvPartialEngine::Hmac,
                           ElementType::Half,
                           partials,
                           8,
                           {size(),
                            size(),
                            size(),
                            1,
                            8,
                            8,
                            size(),
                            {{3, 2, 4, 1, 2, -2, -1, 5, 1}, {size(), 1, 2, 0, 1, 1, 3, -1, 2}}}}),
        outerProductVertex({number(), size(), chans * size(), chans}),
        sparseMatMulVertex(
            {ElementType::Half, partials, 1, 3, 2, size(), {{0, 1}, {2, 0}, {2, 1}}}),
        sparseMatMulVertex({ElementType::Half, partials, 16, 1, 2, size(), {{0, 1}}}),
    };
  }

  std::vector<VertexType> reductions() {
    const std::uint64_t outputs = size();
    const std::uint64_t stride = either() ? kNoStride : outputs + random_.below(3);
    const models::ReduceAddShape add{number(), number(), 8 * size(), 1 + size()};
    return {
        reduceAddVertex(add),
        reduceAddVertex(models::reduceAddFor(gc200(), add)),
        reduceRowsVertex({reduceKind(), size(), outputs, stride}),
        reduceContinuousVertex({reduceKind(), size(), size()}),
        reducePairsVertex({number(), size(), outputs, outputs + random_.below(3)}),
    };
  }

  std::vector<VertexType> dataMovement() {
    const auto direction =
        either() ? models::SliceDirection::Slice : models::SliceDirection::Update;
    const auto form =
        either() ? models::TransposeVertex::Transpose2D : models::TransposeVertex::Transpose1D;
    return {
        copyVertex({ElementType::UInt32, {{size(), size()}, {1, size()}}}),
        zeroVertex({number(), size(), size()}),
        transposeVertex({ElementType::Half, form, 4 * size(), 4 * size(), size()}),
        dynamicSliceVertex({ElementType::Int32, size(), size(), direction}),
        mapScalarsVertex(either() ? ScalarMap::Add : ScalarMap::LessThan),
        multiSliceVertex({number(), size(), size(), size()}),
        multiUpdateAddVertex({number(), size(), size(), size()}),
        oneHotVertex({number(), size(), size()}),
    };
  }

  std::vector<VertexType> networks() {
    const WindowBlock forward{
        PoolingDirection::Forward, {5, size()}, {3, 2}, {2, 3}, {1, 2}, {2, 1}, {1, 0}};
    WindowBlock backward = forward;
    backward.direction = PoolingDirection::Backward;
    return {
        nonlinearityVertex({models::NonLinearity::Gelu, number(), runs()}),
        nonlinearityGradVertex({models::NonLinearity::Swish, number(), runs()}),
        inverseStdDevVertex({{size(), size()}, 1e-5F}),
        dropoutVertex({number(), size(), {0.25, size()}}),
        uniformVertex({size(), {size()}}),
        poolingVertex({models::PoolingVertex::Max, number(), size(), size(), forward}),
        poolingVertex({models::PoolingVertex::Sum, number(), size(), size(), backward, 0.5F}),
        poolingVertex({models::PoolingVertex::MaxGradient, number(), size(), size(), backward}),
    };
  }

  std::vector<VertexType> custom() {
    const std::uint64_t stride = size();
    const auto half = either() ? ButterflyOutputs::First : ButterflyOutputs::Second;
    return {
        butterflyStageVertex(
            {number(), 2 * stride * size(), size(), stride, size(), ButterflyOutputs::Both}),
        butterflyStageVertex({number(), size(), size(), stride, size(), half}),
        triadVertex({3.3F, size()}),
        userProductVertex({size(), size(), size()}),
        userAddVertex({size()}),
        userStencilVertex({StencilShape::Star, 2, size(), number(), size(), 10.3666},
                          {{size(), size(), size()}, {2, 1, 3}}),
        userStencilVertex({StencilShape::Box, 1, 1, number(), size(), 0},
                          {{size(), size()}, {1, 6}}),
    };
  }

  executor::RandomSource random_;
};

VertexType writtenAndRead(const VertexType& type) {
  const ConfigReader reader = ConfigReader::fromText(toText(type), "written");
  VertexType back = readVertexType(reader, models::toyMachine());
  reader.expectAllRead();
  return back;
}

/// The values that `type` leaves in all its fields when their elements begin as 1, 2, 3, ...
std::vector<Numbers> numbersOf(const VertexType& type) {
  std::vector<Numbers> before;
  for (const Field& field : type.fields) {
    Numbers values(field.elements());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 7 + 1);
    before.push_back(values);
  }
  const PlainData data(type, before);
  type.compute(data);
  std::vector<Numbers> after;
  for (std::size_t f = 0; f < type.fields.size(); ++f) after.push_back(data.values(type, f));
  return after;
}

TEST(VertexTypes, AreWrittenAndReadBackAsTheyWere) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const VertexType& type : RandomTypes(seed).all()) {
      SCOPED_TRACE(toText(type));
      const VertexType back = writtenAndRead(type);
      EXPECT_EQ(toText(back), toText(type));
      EXPECT_TRUE(back == type);
      EXPECT_EQ(back.cycles(gc200()), type.cycles(gc200()));
      EXPECT_EQ(numbersOf(back), numbersOf(type));
    }
  }
}

TEST(VertexTypes, StandInTheTableEachOfThem) {
  std::set<std::string> makers;
  for (const VertexType& type : RandomTypes(0).all()) makers.insert(type.maker);
  std::set<std::string> entries;
  for (const VertexEntry& entry : vertexTable()) entries.emplace(entry.name);
  EXPECT_EQ(makers, entries);
}

TEST(VertexTypes, DifferWhereOneParameterDoes) {
  const std::vector<VertexType> types = RandomTypes(1).all();
  for (std::size_t a = 0; a < types.size(); ++a) {
    for (std::size_t b = 0; b < types.size(); ++b) {
      EXPECT_EQ(types[a] == types[b], toText(types[a]) == toText(types[b])) << a << ' ' << b;
    }
  }
  EXPECT_FALSE(triadVertex({3, 8}) == triadVertex({3.5F, 8}));
  EXPECT_TRUE(triadVertex({3, 8}) != triadVertex({3, 9}));
}

TEST(VertexTypes, LoadEachInputAndStoreEachOutputOnce) {
  EXPECT_EQ(reduceAddVertex({ElementType::Half, ElementType::Float, 8, 3}).work,
            (VertexWork{Flops(2UL * 8), Bytes(3UL * 8 * 2), Bytes(8UL * 4)}));
  EXPECT_EQ(userAddVertex({5}).work, (VertexWork{Flops(5), Bytes(2UL * 5 * 4), Bytes(5UL * 4)}));
}

TEST(VertexTypes, CountWhatIsLoadedAgainOrNotAtAll) {
  // Two in groups of 16 channels, 3 out groups of 8, 5 positions: 6 passes of 5 rows and 8 rows of
  // weights; 40 partials, loaded by the second of two passes.
  const AmpVertexShape amp{{{ElementType::Half, ElementType::Float, 8}, 5, 1, 2, 3, 8}, 16};
  EXPECT_EQ(ampVertex(amp).work,
            (VertexWork{Flops(2UL * 5 * 32 * 24), Bytes(6UL * 16 * (5 + 8) * 2 + 3UL * 40 * 4),
                        Bytes(6UL * 40 * 4), 5UL * 32 * 24, 0}));
  // Two rows of three floats, of a table of 100.
  EXPECT_EQ(multiSliceVertex({ElementType::Float, 100, 3, 2}).work,
            (VertexWork{Flops(0), Bytes(2UL * 4 + 6UL * 4), Bytes(6UL * 4)}));
  // Both operands of each of 2 x 3 x 4 products.
  EXPECT_EQ(userProductVertex({2, 3, 4}).work,
            (VertexWork{Flops(48), Bytes(2UL * 24 * 4), Bytes(8UL * 4), 0, 24}));
}

TEST(VertexTypes, SayWhichOfTheirOperationsAreMultiplyAdds) {
  // An output of a butterfly is a product, and a multiply-add onto it.
  const ButterflyStageShape butterfly{ElementType::Half, 4, 10, 2, 2, ButterflyOutputs::Both};
  EXPECT_EQ(butterflyStageVertex(butterfly).work.half_macs, 4 * 10);
  EXPECT_EQ(butterflyStageVertex(butterfly).work.otherFlops(), Flops(4 * 10));
  EXPECT_EQ(triadVertex({3, 8}).work.float_macs, 8);
  EXPECT_EQ(triadVertex({3, 8}).work.otherFlops(), Flops(0));
  EXPECT_EQ(userAddVertex({5}).work.float_macs, 0);
  EXPECT_EQ(userAddVertex({5}).work.otherFlops(), Flops(5));
}

TEST(VertexTypes, HaveNoMoreMultiplyAddsThanOperations) {
  for (const VertexType& type : RandomTypes(3).all()) {
    const std::uint64_t macs = type.work.half_macs + type.work.float_macs;
    EXPECT_EQ(2 * macs + type.work.otherFlops().value(), type.work.flops.value()) << type.name;
  }
  EXPECT_THROW((void)withMacs(VertexWork{Flops(3), {}, {}}, ElementType::Half, 2).otherFlops(),
               InternalError);
}

TEST(VertexTypes, NameTheTypeWhoseCyclesDependOnData) {
  VertexType type = userAddVertex({5});
  type.cost = nullptr;
  EXPECT_THROW((void)type.cycles(gc200()), InternalError);
}

TEST(VertexTypes, OfAUserAreKnownByTheirOrigin) {
  for (const VertexType& type : RandomTypes(2).all()) {
    EXPECT_EQ(type.origin == Origin::User, type.maker.rfind("user_", 0) == 0) << type.name;
  }
}

}  // namespace
}  // namespace ipusim::workloads
