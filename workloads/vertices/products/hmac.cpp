// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "models/ipu/cost/movement/zero.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/products/conv_numbers.h"
#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {

using models::HmacVariant;

namespace {

// Pointers to the three tables and the worklists, zeroing, strides and 16-bit sizes. The 1x1 form
// has fewer.
// Source: poplibs lib/poplin/codelets/ConvPartialHorizontalMac.cpp.
constexpr Bytes kHmacVertexStateBytes(48);
constexpr Bytes kOneByOneStateBytes(40);
// Estimated: less than for the matrix engine's vertex, which has code for each number of positions.
constexpr Bytes kHmacVertexCodeBytes(640);

constexpr Words<HmacVariant, 2> kVariantWords{
    {{HmacVariant::General, "general"}, {HmacVariant::OneByOne, "1x1"}}};

ConvBlocks blocksOf(const HmacVertexShape& shape) {
  const models::HmacShape& product = shape.product;
  return {product.conv_groups,        product.in_groups,           product.out_groups,
          product.in_chans_per_group, product.out_chans_per_group, shape.field};
}

std::string nameFor(const models::HmacShape& product) {
  return std::string("poplin::ConvPartialHorizontalMac") +
         (product.variant == HmacVariant::OneByOne ? "1x1<" : "<") + nameOf(product.inputs) + "," +
         nameOf(product.partials) + ">";
}

Params paramsOf(const HmacVertexShape& shape) {
  const models::HmacShape& product = shape.product;
  return {{"type", wordOf(product.inputs, kNumberWords)},
          {"partials_type", wordOf(product.partials, kNumberWords)},
          {"variant", wordOf(product.variant, kVariantWords)},
          {"field", shape.field},
          {"kernel_positions", product.kernel_positions},
          {"conv_groups", product.conv_groups},
          {"in_groups", product.in_groups},
          {"out_groups", product.out_groups},
          {"in_chans", product.in_chans_per_group},
          {"out_chans", product.out_chans_per_group}};
}

/// A dot product loads both its operands, and is added to a partial in memory.
VertexWork workFor(const HmacVertexShape& shape) {
  const Flops flops = convFlops(blocksOf(shape));
  const models::HmacShape& product = shape.product;
  const std::uint64_t multiply_adds = flops.value() / 2;
  const Bytes partials = sizeOf(product.partials) * (multiply_adds / product.in_chans_per_group);
  return allMacs({flops, sizeOf(product.inputs) * multiply_adds * 2 + partials, partials},
                 product.inputs);
}

Cycles hmacCost(const HmacVertexShape& shape, const Architecture& machine) {
  const models::HmacShape& product = shape.product;
  // With one in group and one out channel the 1x1 form stores its result without adding. The
  // estimate charges the walk over the regions all the same.
  const bool stores_once = product.variant == HmacVariant::OneByOne && product.in_groups == 1 &&
                           product.out_chans_per_group == 1;
  const models::ZeroShape zero{product.partials,
                               stores_once ? 0 : shape.field * product.out_chans_per_group,
                               product.conv_groups * product.out_groups};
  return models::hmacRowCycles(machine, product, shape.field) +
         models::zeroPartialsCycles(machine, zero);
}

void computeHmac(const HmacVertexShape& shape, const VertexData& data) {
  computeConv(blocksOf(shape), shape.product.inputs, shape.product.partials, data);
}

VertexType readHmac(const ConfigReader& config, const Architecture& /*machine*/) {
  models::HmacShape product{};
  const auto [inputs, partials] = readProductTypes(config);
  product.inputs = inputs;
  product.partials = partials;
  product.variant =
      readWord(config, "variant", kVariantWords, models::hmacVariant(inputs, partials));
  product.kernel_positions = readCount(config, "kernel_positions", 1);
  product.conv_groups = readCount(config, "conv_groups", 1);
  product.in_groups = readCount(config, "in_groups", 1);
  product.out_groups = readCount(config, "out_groups", 1);
  product.in_chans_per_group = readCount(config, "in_chans");
  if (inputs == ElementType::Half && product.in_chans_per_group % 2 != 0) {
    throw config.error("in_chans", "an even number with half inputs");
  }
  product.out_chans_per_group =
      readCount(config, "out_chans", partials == ElementType::Half ? 2 : 1);
  return hmacVertex({product, readCount(config, "field")});
}

}  // namespace

VertexType hmacVertex(const HmacVertexShape& shape) {
  const models::HmacShape& product = shape.product;
  check(
      shape.field > 0 && product.in_groups > 0 && product.out_groups > 0 && product.conv_groups > 0,
      "ConvPartialHorizontalMac with nothing to do");
  VertexType type;
  type.name = nameFor(product);
  type.maker = kHmacEntry.name;
  type.params = paramsOf(shape);
  type.kind = VertexKind::Supervisor;
  type.fields = convFields(blocksOf(shape), product.inputs, product.partials);
  type.sizes = {
      product.variant == HmacVariant::OneByOne ? kOneByOneStateBytes : kHmacVertexStateBytes,
      convTableBytes(type.fields), kHmacVertexCodeBytes};
  type.work = workFor(shape);
  return withFunctions<HmacVertexShape>(std::move(type), shape, {hmacCost, computeHmac});
}

const VertexEntry kHmacEntry{
    "hmac",
    "vector units, ConvPartialHorizontalMac: type, partials_type, field, in_groups, "
    "out_groups, in_chans",
    readHmac};

}  // namespace ipusim::workloads
