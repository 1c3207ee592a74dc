// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/registry.h"

#include <algorithm>
#include <map>

#include "workloads/vertices/amp.h"
#include "workloads/vertices/binary_op.h"
#include "workloads/vertices/cast.h"
#include "workloads/vertices/copy.h"
#include "workloads/vertices/dynamic_slice.h"
#include "workloads/vertices/fill.h"
#include "workloads/vertices/hmac.h"
#include "workloads/vertices/multi_slice.h"
#include "workloads/vertices/nonlinearity_grad.h"
#include "workloads/vertices/one_hot.h"
#include "workloads/vertices/outer_product.h"
#include "workloads/vertices/reduce.h"
#include "workloads/vertices/reduce_add.h"
#include "workloads/vertices/scale.h"
#include "workloads/vertices/sparse_matmul.h"
#include "workloads/vertices/transpose.h"
#include "workloads/vertices/unary_op.h"

namespace ipusim::workloads {

using models::ElementType;
using models::Machine;
using models::OpPlacement;

namespace {

// No field of a vertex can outgrow a tile by more than this.
constexpr std::uint64_t kMaxElements = 1U << 24U;

ElementType readType(const ConfigReader& config, const std::string& key) {
  return config.choice(key, {"half", "float"}) == "half" ? ElementType::Half : ElementType::Float;
}

template <typename Value>
std::vector<std::string> namesOf(const std::map<std::string, Value>& values) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const auto& value : values) names.push_back(value.first);
  return names;
}

void readProductTypes(const ConfigReader& config, ElementType& inputs, ElementType& partials) {
  inputs = readType(config, "type");
  partials = readType(config, "partials_type");
  if (inputs == ElementType::Float && partials == ElementType::Half) {
    throw config.error("partials_type", "\"float\" with float inputs");
  }
}

std::shared_ptr<const Codelet> makeAmp(const ConfigReader& config, const Machine& machine) {
  ElementType inputs{};
  ElementType partials{};
  readProductTypes(config, inputs, partials);
  models::Amp1x1Shape shape{};
  shape.engine = {inputs, partials, models::ampUnits(machine, inputs, partials)};
  shape.field = config.whole("field", 1, kMaxElements);
  shape.conv_groups = 1;
  shape.in_groups = config.whole("in_groups", 1, kMaxElements, 1);
  shape.out_groups = config.whole("out_groups", 1, kMaxElements, 1);
  shape.out_chans_per_group = shape.engine.conv_units;
  return std::make_shared<ConvPartial1x1Out>(shape, models::ampWeightsPerUnit(machine, inputs));
}

/// The type that `key` names, one of those that an elementwise vertex may have.
ElementType readAnyType(const ConfigReader& config, const std::string& key) {
  static const std::map<std::string, ElementType> kTypes{
      {"half", ElementType::Half},
      {"float", ElementType::Float},
      {"int", ElementType::Int32},
      {"unsigned int", ElementType::UInt32},
  };
  return kTypes.at(config.choice(key, namesOf(kTypes)));
}

/// `regions` runs of `elements`; one run for all workers where the config does not say how many.
Runs readRuns(const ConfigReader& config) {
  const std::uint64_t elements = config.whole("elements", 1, kMaxElements);
  if (!config.has("regions")) return Runs::one(elements);
  return Runs::list(std::vector<std::uint64_t>(config.whole("regions", 1, kMaxElements), elements));
}

OpPlacement readPlacement(const ConfigReader& config) {
  return config.choice("in_place", {"no", "yes"}, "no") == "yes" ? OpPlacement::InPlace
                                                                 : OpPlacement::OutOfPlace;
}

std::shared_ptr<const Codelet> makeBinaryOp(const ConfigReader& config, const Machine&) {
  static const std::map<std::string, models::BinaryOp> kOps{
      {"add", models::BinaryOp::Add},           {"subtract", models::BinaryOp::Subtract},
      {"multiply", models::BinaryOp::Multiply}, {"divide", models::BinaryOp::Divide},
      {"maximum", models::BinaryOp::Maximum},   {"minimum", models::BinaryOp::Minimum},
  };
  const models::BinaryOpKind op{kOps.at(config.choice("op", namesOf(kOps))),
                                readType(config, "type"), readPlacement(config)};
  return std::make_shared<BinaryOp>(op, readRuns(config));
}

std::shared_ptr<const Codelet> makeCast(const ConfigReader& config, const Machine&) {
  return std::make_shared<Cast>(readAnyType(config, "type"), readAnyType(config, "to"),
                                readRuns(config));
}

std::shared_ptr<const Codelet> makeCopy(const ConfigReader& config, const Machine&) {
  const CopyRuns runs{config.whole("runs", 1, kMaxElements, 1),
                      config.whole("elements", 1, kMaxElements)};
  return std::make_shared<Copy>(readType(config, "type"), std::vector<CopyRuns>{runs});
}

std::shared_ptr<const Codelet> makeDynamicSlice(const ConfigReader& config, const Machine&) {
  const bool update = config.choice("direction", {"slice", "update"}, "slice") == "update";
  const SlicedShape shape{readAnyType(config, "type"), config.whole("elements", 1, kMaxElements),
                          config.whole("slices", 1, kMaxElements)};
  return std::make_shared<DynamicSlice1D>(
      shape, update ? models::SliceDirection::Update : models::SliceDirection::Slice);
}

std::shared_ptr<const Codelet> makeHmac(const ConfigReader& config, const Machine&) {
  models::HmacShape shape{};
  readProductTypes(config, shape.inputs, shape.partials);
  shape.variant = models::hmacVariant(shape.inputs, shape.partials);
  shape.conv_groups = 1;
  shape.in_groups = config.whole("in_groups", 1, kMaxElements, 1);
  shape.out_groups = config.whole("out_groups", 1, kMaxElements, 1);
  shape.in_chans_per_group = config.whole("in_chans", 1, kMaxElements);
  if (shape.inputs == ElementType::Half && shape.in_chans_per_group % 2 != 0) {
    throw config.error("in_chans", "an even number with half inputs");
  }
  shape.out_chans_per_group = shape.partials == ElementType::Half ? 2 : 1;
  return std::make_shared<ConvPartialHorizontalMac>(shape, config.whole("field", 1, kMaxElements));
}

std::shared_ptr<const Codelet> makeMultiSlice(const ConfigReader& config, const Machine&) {
  const LookUpShape shape{readType(config, "type"), config.whole("rows", 1, kMaxElements),
                          config.whole("elements", 1, kMaxElements),
                          config.whole("offsets", 1, kMaxElements)};
  if (config.choice("direction", {"slice", "update"}, "slice") == "update") {
    return std::make_shared<MultiUpdateAdd>(shape);
  }
  return std::make_shared<MultiSlice>(shape);
}

std::shared_ptr<const Codelet> makeOneHot(const ConfigReader& config, const Machine&) {
  return std::make_shared<OneHot>(OneHotShape{readType(config, "type"),
                                              config.whole("rows", 1, kMaxElements),
                                              config.whole("classes", 1, kMaxElements)});
}

std::shared_ptr<const Codelet> makeOuterProduct(const ConfigReader& config, const Machine&) {
  models::OuterProductShape shape{};
  shape.type = readType(config, "type");
  shape.width = config.whole("width", 1, kMaxElements);
  shape.chans_per_group = static_cast<std::uint32_t>(config.whole("chans", 1, kMaxElements));
  shape.chans = shape.chans_per_group * config.whole("groups", 1, kMaxElements, 1);
  return std::make_shared<OuterProduct>(shape);
}

/// Partials that are rows to add up, or that are each output's own, one after the other.
std::shared_ptr<const Codelet> makeReduce(const ConfigReader& config, const Machine&) {
  const auto op = config.choice("op", {"add", "max"}, "add") == "add" ? models::ReduceOp::Add
                                                                      : models::ReduceOp::Maximum;
  const models::ReduceKind kind{op, readType(config, "partials_type"), readType(config, "type")};
  const std::uint64_t outputs = config.whole("elements", 1, kMaxElements);
  const std::uint64_t partials = config.whole("partials", 1, kMaxElements);
  if (config.choice("along", {"columns", "rows"}, "columns") == "rows") {
    return std::make_shared<ReduceContinuous>(
        models::ContinuousReduceShape{kind, partials, outputs});
  }
  return std::make_shared<ReduceRows>(RowReduction{kind, partials, outputs, outputs});
}

std::shared_ptr<const Codelet> makeReluGrad(const ConfigReader& config, const Machine&) {
  return std::make_shared<ReluGrad>(readType(config, "type"), readRuns(config));
}

std::shared_ptr<const Codelet> makeReduceAdd(const ConfigReader& config, const Machine& machine) {
  const models::ReduceAddShape shape{readType(config, "partials_type"), readType(config, "type"),
                                     config.whole("elements", 1, kMaxElements),
                                     config.whole("partials", 2, kMaxElements)};
  return std::make_shared<ReduceAdd>(machine, shape);
}

/// Rows of equally many blocks, each row one place further on than the one before.
std::shared_ptr<const Codelet> makeSparse(const ConfigReader& config, const Machine&) {
  constexpr std::uint64_t kMaxRows = 1U << 12U;
  SparseTile tile{};
  readProductTypes(config, tile.inputs, tile.partials);
  tile.block = config.whole("block", 1, 16, 1);
  if (tile.block != 1 && tile.block != 4 && tile.block != 8 && tile.block != 16) {
    throw config.error("block", "one of 1, 4, 8, 16");
  }
  tile.out_rows = config.whole("rows", 1, kMaxRows);
  tile.in_rows = config.whole("in_rows", 1, kMaxRows);
  tile.columns = config.whole("columns", 1, kMaxElements);
  const std::uint64_t blocks = config.whole("row_blocks", 1, std::min(tile.in_rows, kMaxRows));
  for (std::uint64_t row = 0; row < tile.out_rows; ++row) {
    for (std::uint64_t b = 0; b < blocks; ++b) {
      tile.blocks.push_back(
          {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>((row + b) % tile.in_rows)});
    }
  }
  return makeSparseMatMul(std::move(tile));
}

std::shared_ptr<const Codelet> makeTranspose(const ConfigReader& config, const Machine& machine) {
  const ElementType type = readType(config, "type");
  const std::uint64_t rows = config.whole("rows", 1, kMaxElements);
  const std::uint64_t columns = config.whole("columns", 1, kMaxElements);
  const std::uint64_t matrices = config.whole("matrices", 1, kMaxElements, 1);
  return std::make_shared<Transpose>(
      type, models::transposeVertexFor(machine, sizeOf(type), rows, columns, matrices), rows,
      columns, matrices);
}

std::shared_ptr<const Codelet> makeScaledAdd(const ConfigReader& config, const Machine&) {
  const bool apart = config.choice("memory", {"any", "apart"}, "any") == "apart";
  const models::ScaledAddKind kind{
      models::ScaledOp::Add, readType(config, "type"), readType(config, "type"),
      apart ? models::OperandMemory::Apart : models::OperandMemory::Any};
  return std::make_shared<ScaledAdd>(kind, 1.0F, readRuns(config));
}

std::shared_ptr<const Codelet> makeUnaryOp(const ConfigReader& config, const Machine&) {
  static const std::map<std::string, models::UnaryOp> kOps{
      {"exponent", models::UnaryOp::Exponent}, {"gelu_erf", models::UnaryOp::GeluErf},
      {"inverse", models::UnaryOp::Inverse},   {"logarithm", models::UnaryOp::Logarithm},
      {"negate", models::UnaryOp::Negate},     {"relu", models::UnaryOp::Relu},
      {"rsqrt", models::UnaryOp::Rsqrt},       {"sigmoid", models::UnaryOp::Sigmoid},
      {"sqrt", models::UnaryOp::Sqrt},         {"square", models::UnaryOp::Square},
      {"tanh", models::UnaryOp::Tanh},
  };
  const models::UnaryOpKind op{kOps.at(config.choice("op", namesOf(kOps))),
                               readType(config, "type"), readPlacement(config)};
  return std::make_shared<UnaryOp>(op, readRuns(config));
}

std::shared_ptr<const Codelet> makeZero(const ConfigReader& config, const Machine&) {
  return std::make_shared<Zero>(readType(config, "type"),
                                config.whole("regions", 1, kMaxElements, 1),
                                config.whole("elements", 1, kMaxElements));
}

}  // namespace

const std::vector<CodeletKind>& codeletKinds() {
  static const std::vector<CodeletKind> kKinds = {
      {"amp", "matrix engine, ConvPartial1x1Out: type, partials_type, field, in_groups, out_groups",
       makeAmp},
      {"binary_op", "elementwise on two operands, BinaryOp: op, type, in_place, elements, regions",
       makeBinaryOp},
      {"cast", "one type to another, Cast: type, to, elements, regions", makeCast},
      {"copy", "copy on a tile: type, elements (of a run), runs", makeCopy},
      {"dynamic_slice",
       "slice at a run-time index, DynamicSlice1D: direction, type, elements (of a slice), slices",
       makeDynamicSlice},
      {"hmac",
       "vector units, ConvPartialHorizontalMac: type, partials_type, field, in_groups, out_groups, "
       "in_chans",
       makeHmac},
      {"multi_slice",
       "rows of a table by their numbers, MultiSlice and ScaledMultiUpdateOp: direction, type, "
       "elements (of a row), rows, offsets",
       makeMultiSlice},
      {"one_hot", "rows with a single one, EncodeOneHot: type, rows, classes", makeOneHot},
      {"outer_product", "positions times weights, OuterProduct: type, width, chans, groups",
       makeOuterProduct},
      {"reduce",
       "sum or maximum of rows or along them, StridedReduce and ContinuousReduce: op, along, type, "
       "partials_type, elements (outputs), partials",
       makeReduce},
      {"reduce_add", "sum of partials, ReduceAdd: type, partials_type, elements, partials",
       makeReduceAdd},
      {"relu_grad", "gradient of relu, NonLinearityGrad: type, elements, regions", makeReluGrad},
      {"scaled_add", "A += scale B, ScaledAdd: type, memory, elements, regions", makeScaledAdd},
      {"sparse_matmul",
       "sparse times dense, SparseDenseMatMul: type, partials_type, block, rows, in_rows, columns, "
       "row_blocks",
       makeSparse},
      {"transpose", "transpose on a tile: type, rows, columns, matrices", makeTranspose},
      {"unary_op", "elementwise on one operand, UnaryOp: op, type, in_place, elements, regions",
       makeUnaryOp},
      {"zero", "clear, Fill and Fill2d: type, elements (of a region), regions", makeZero},
  };
  return kKinds;
}

}  // namespace ipusim::workloads
