// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <numeric>

#include "ipusim/error.h"
#include "models/ipu/cost/movement/zero.h"
#include "models/ipu/cost/products/conv_nx1.h"
#include "models/ipu/cost/products/slic.h"
#include "models/ipu/cost/products/vmac.h"
#include "models/ipu/cost/worker_rows.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/products/conv_numbers.h"
#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {

namespace {

// Pointers to the tables and the worklists, zeroing, strides and 16-bit sizes.
// Source: poplibs lib/poplin/codelets/ConvPartialnx1.cpp and ConvPartialHorizontalMac.cpp.
constexpr Bytes kConvAmpStateBytes(60);
constexpr Bytes kHmacStateBytes(48);
// Estimated as for the vertices of 1x1 kernels.
constexpr Bytes kConvAmpCodeBytes(1024);
constexpr Bytes kHmacCodeBytes(640);

// What the buffer of SLIC has besides the partials of a conv group: rearranged weights, a pointer
// and alignment. A stride of two with half partials takes another alignment.
// Source: poplibs lib/poplin/ConvVertices.cpp.
constexpr Bytes kSlicBufferBytes(200);
constexpr Bytes kSlicAlignmentBytes(8);

constexpr std::size_t kConvPartialIn = 0;
constexpr std::size_t kConvPartialOut = 2;

constexpr Words<ConvPartialEngine, 4> kEngineWords{{{ConvPartialEngine::Amp, "amp"},
                                                    {ConvPartialEngine::Slic, "slic"},
                                                    {ConvPartialEngine::Hmac, "hmac"},
                                                    {ConvPartialEngine::Vmac, "vmac"}}};

bool isAmp(const ConvPartialShape& shape) {
  return shape.engine == ConvPartialEngine::Amp;
}

bool isOnMatrixEngine(const ConvPartialShape& shape) {
  return isAmp(shape) || shape.engine == ConvPartialEngine::Slic;
}

std::string nameFor(const ConvPartialShape& shape) {
  const std::string types = std::string("<") + nameOf(shape.inputs) + "," + nameOf(shape.partials);
  const std::string chains = "," + std::to_string(shape.conv_units) + ">";
  switch (shape.engine) {
    case ConvPartialEngine::Amp:
      return "poplin::ConvPartialnx1" + types + chains;
    case ConvPartialEngine::Slic:
      return "poplin::ConvPartial1xNSLIC" + types + chains;
    case ConvPartialEngine::Hmac:
      return "poplin::ConvPartialHorizontalMac" + types + ">";
    case ConvPartialEngine::Vmac:
      break;
  }
  return "poplin::ConvPartialVerticalMac" + types + ">";
}

/// One of this many outputs costs slots. The others meet zeros only. HMAC does not look at the
/// stride, as published.
std::uint64_t outputStep(const ConvPartialShape& shape, const ConvWindow& dim) {
  const auto stride = static_cast<std::uint64_t>(std::abs(dim.out_step));
  switch (shape.engine) {
    case ConvPartialEngine::Amp:
      return dim.dilation / std::gcd(dim.dilation, stride);
    case ConvPartialEngine::Hmac:
      return dim.dilation;
    case ConvPartialEngine::Slic:
    case ConvPartialEngine::Vmac:
      break;
  }
  return 1;
}

models::PositionRows rowsOf(const ConvPartialShape& shape) {
  models::PositionRows rows{shape.windows.batch, 1};
  for (const ConvWindow& dim : shape.windows.dims) {
    rows.rows *= rows.length;
    rows.length = ceilDiv(dim.outputs, outputStep(shape, dim));
  }
  return rows;
}

Cycles ampCycles(const ConvPartialShape& shape, const Architecture& machine) {
  const ConvWindows& windows = shape.windows;
  const models::AmpEngine engine{shape.inputs, shape.partials, shape.conv_units, shape.weight_load};
  const auto height = static_cast<std::uint32_t>(models::ampWeightsPerUnit(machine, shape.inputs) /
                                                 windows.in_chans);
  const std::uint64_t outermost = windows.dims.front().kernel;
  const models::ConvNx1Shape product{engine,
                                     height,
                                     ceilDiv<std::uint64_t>(outermost, height),
                                     windows.kernel() / outermost,
                                     windows.conv_groups,
                                     windows.in_groups,
                                     windows.out_groups,
                                     static_cast<std::uint32_t>(windows.out_chans)};
  models::WorkerSlots slots = models::evenSlots(
      machine, rowsOf(shape), [&](std::uint64_t n) { return models::convNx1RowSlots(engine, n); });
  slots.slowest += models::convNx1StartSlots(engine);
  slots.fastest += models::convNx1StartSlots(engine);
  return models::convNx1CyclesOf(machine, product, slots);
}

Cycles hmacCycles(const ConvPartialShape& shape, const Architecture& machine) {
  const ConvWindows& windows = shape.windows;
  const models::HmacShape product{models::HmacVariant::General,
                                  shape.inputs,
                                  shape.partials,
                                  windows.kernel(),
                                  windows.conv_groups,
                                  windows.in_groups,
                                  windows.out_groups,
                                  windows.in_chans,
                                  windows.out_chans};
  const models::PositionRows rows = rowsOf(shape);
  const models::RowShare worker = models::rowShare(machine, rows.rows);
  std::uint64_t slots = worker.whole * models::hmacRowSlots(machine, product, rows.length);
  if (worker.parts > 0) {
    const std::uint64_t part = worker.parts * (rows.length + worker.split - 1) / worker.split;
    slots += models::hmacRowSlots(machine, product, part);
  }
  return models::hmacCyclesOf(machine, product, slots);
}

Cycles slicCycles(const ConvPartialShape& shape, const Architecture& machine) {
  const ConvWindows& windows = shape.windows;
  const ConvWindow& row = windows.dims.back();
  const models::SlicShape product{
      shape.partials,
      shape.conv_units,
      static_cast<std::uint64_t>(std::abs(row.out_step)),
      windows.grouped,
      windows.in_chans,
      windows.conv_groups,
      windows.kernel() / row.kernel * ceilDiv<std::uint64_t>(row.kernel, models::kSlicWindow)};
  const models::PositionRows rows = rowsOf(shape);
  const auto slowest = [&](models::SlicPartials partials) {
    return models::slicStartSlots(product) + models::evenSlots(machine, rows, [&](std::uint64_t n) {
                                               return models::slicPieceSlots(product, partials, n);
                                             }).slowest;
  };
  return models::slicCyclesOf(machine, product,
                              {slowest(models::SlicPartials::Written),
                               slowest(models::SlicPartials::AddedTo), rows.rows * rows.length});
}

/// As published, the batch is neither cleared nor summed.
Cycles vmacCycles(const ConvPartialShape& shape, const Architecture& machine) {
  const ConvWindows& windows = shape.windows;
  const models::VmacShape product{shape.partials, windows.grouped, windows.conv_groups,
                                  windows.in_groups, windows.outputs() / windows.batch};
  const models::RowShare worker = models::rowShare(machine, windows.outputs());
  const std::uint64_t length = windows.dims.back().kernel;
  std::uint64_t slots = worker.whole * models::vmacSumSlots(product, length);
  if (worker.parts > 0) {
    slots += worker.parts * models::vmacSumSlots(product, ceilDiv(length, worker.split));
  }
  return models::vmacCyclesOf(machine, product, windows.kernel() / length * slots);
}

/// As published, AMP and HMAC clear partials at the rate of floats, whatever their type.
Cycles clearCycles(const ConvPartialShape& shape, const Architecture& machine) {
  const ConvWindows& windows = shape.windows;
  std::uint64_t positions = windows.outputs();
  if (!isAmp(shape)) positions = rowsOf(shape).rows * windows.dims.back().outputs;
  return models::zeroPartialsCycles(machine, {ElementType::Float, positions * windows.out_chans,
                                              windows.conv_groups * windows.out_groups});
}

Cycles convPartialCost(const ConvPartialShape& shape, const Architecture& machine) {
  switch (shape.engine) {
    case ConvPartialEngine::Amp:
      return ampCycles(shape, machine) + clearCycles(shape, machine);
    case ConvPartialEngine::Slic:
      return slicCycles(shape, machine);
    case ConvPartialEngine::Hmac:
      return hmacCycles(shape, machine) + clearCycles(shape, machine);
    case ConvPartialEngine::Vmac:
      break;
  }
  return vmacCycles(shape, machine);
}

/// The partials of one conv group: SLIC reads those of a pass and writes those of the next.
Field slicBuffer(const ConvPartialShape& shape) {
  const std::uint64_t elements = slicBufferElements(shape.windows, shape.partials);
  Field field{"outFieldBuffer", FieldDirection::Output, shape.partials, {{1, elements}}};
  field.memory = FieldMemory::Interleaved;
  return field;
}

void computeConvPartial(const ConvPartialShape& shape, const VertexData& data) {
  computeWindows(shape.windows, shape.inputs, shape.partials, data);
}

/// One list of a number of all dimensions.
template <typename Number>
std::vector<std::uint64_t> listOf(const ConvPartialShape& shape, const Number& number) {
  std::vector<std::uint64_t> list;
  for (const ConvWindow& dim : shape.windows.dims) list.push_back(number(dim));
  return list;
}

std::uint64_t magnitude(std::int64_t number) {
  return static_cast<std::uint64_t>(std::abs(number));
}

Params paramsOf(const ConvPartialShape& shape) {
  const ConvWindows& windows = shape.windows;
  const auto list = [&](std::uint64_t ConvWindow::*number) {
    return listOf(shape, [=](const ConvWindow& dim) { return dim.*number; });
  };
  const auto size = [&](std::int64_t ConvWindow::*number) {
    return listOf(shape, [=](const ConvWindow& dim) { return magnitude(dim.*number); });
  };
  const auto is_negative = [&](std::int64_t ConvWindow::*number) {
    return listOf(shape, [=](const ConvWindow& dim) { return dim.*number < 0 ? 1ULL : 0ULL; });
  };
  return {{"engine", wordOf(shape.engine, kEngineWords)},
          {"type", wordOf(shape.inputs, kNumberWords)},
          {"partials_type", wordOf(shape.partials, kNumberWords)},
          {"conv_units", std::uint64_t{shape.conv_units}},
          {"weight_load_bits", wordOf(shape.weight_load, kWeightLoadWords)},
          {"conv_groups", windows.conv_groups},
          {"in_groups", windows.in_groups},
          {"out_groups", windows.out_groups},
          {"grouped", windows.grouped},
          {"in_chans", windows.in_chans},
          {"out_chans", windows.out_chans},
          {"batch", windows.batch},
          {"outputs", list(&ConvWindow::outputs)},
          {"kernel", list(&ConvWindow::kernel)},
          {"inputs", list(&ConvWindow::inputs)},
          {"first_computed", list(&ConvWindow::first_computed)},
          {"end_computed", list(&ConvWindow::end_computed)},
          {"out_step", size(&ConvWindow::out_step)},
          {"out_backward", is_negative(&ConvWindow::out_step)},
          {"kernel_step", size(&ConvWindow::kernel_step)},
          {"kernel_backward", is_negative(&ConvWindow::kernel_step)},
          {"offset", size(&ConvWindow::offset)},
          {"offset_below", is_negative(&ConvWindow::offset)},
          {"dilation", list(&ConvWindow::dilation)}};
}

/// Reads one entry per dimension. A list that is not there leaves what is there already.
class DimReader {
 public:
  DimReader(const ConfigReader& config, std::vector<ConvWindow>& dims)
      : config_(config), dims_(dims) {}

  void read(const char* key, std::uint64_t ConvWindow::*number, std::uint64_t low) {
    if (!config_.has(key)) return;
    const std::vector<std::uint64_t> list = listAt(key, low, kMaxElements);
    for (std::size_t d = 0; d < dims_.size(); ++d) dims_[d].*number = list[d];
  }
  void readSigned(const char* key, const char* negative, std::int64_t ConvWindow::*number) {
    if (config_.has(key)) {
      const std::vector<std::uint64_t> list = listAt(key, 0, kMaxElements);
      for (std::size_t d = 0; d < dims_.size(); ++d) {
        dims_[d].*number = static_cast<std::int64_t>(list[d]);
      }
    }
    if (!config_.has(negative)) return;
    const std::vector<std::uint64_t> below = listAt(negative, 0, 1);
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      if (below[d] != 0) dims_[d].*number *= -1;
    }
  }

 private:
  [[nodiscard]] std::vector<std::uint64_t> listAt(const char* key, std::uint64_t low,
                                                  std::uint64_t high) const {
    std::vector<std::uint64_t> list = config_.wholes(key, low, high);
    if (list.size() != dims_.size()) throw config_.error(key, "one entry for each of \"outputs\"");
    return list;
  }

  const ConfigReader& config_;
  std::vector<ConvWindow>& dims_;
};

std::vector<ConvWindow> readDims(const ConfigReader& config) {
  constexpr std::size_t kMostDims = 3;
  const std::vector<std::uint64_t> outputs = config.wholes("outputs", 1, kMaxElements);
  if (outputs.size() > kMostDims) throw config.error("outputs", "1 to 3 sizes");
  std::vector<ConvWindow> dims(outputs.size());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    dims[d].outputs = dims[d].inputs = dims[d].end_computed = outputs[d];
  }
  DimReader reader(config, dims);
  reader.read("kernel", &ConvWindow::kernel, 1);
  reader.read("inputs", &ConvWindow::inputs, 1);
  reader.read("first_computed", &ConvWindow::first_computed, 0);
  reader.read("end_computed", &ConvWindow::end_computed, 0);
  reader.readSigned("out_step", "out_backward", &ConvWindow::out_step);
  reader.readSigned("kernel_step", "kernel_backward", &ConvWindow::kernel_step);
  reader.readSigned("offset", "offset_below", &ConvWindow::offset);
  reader.read("dilation", &ConvWindow::dilation, 1);
  for (const ConvWindow& dim : dims) {
    if (dim.end_computed > dim.outputs) throw config.error("end_computed", "at most the outputs");
  }
  return dims;
}

VertexType readConvPartial(const ConfigReader& config, const Architecture& machine) {
  ConvPartialShape shape{};
  shape.engine = readWord(config, "engine", kEngineWords);
  const auto [inputs, partials] = readProductTypes(config);
  shape.inputs = inputs;
  shape.partials = partials;
  shape.conv_units = static_cast<std::uint32_t>(
      config.whole("conv_units", 0, kMaxElements, models::ampUnits(machine, inputs, partials)));
  shape.weight_load =
      readWord(config, "weight_load_bits", kWeightLoadWords, models::WeightLoad::Bits64);
  ConvWindows& windows = shape.windows;
  windows.conv_groups = readCount(config, "conv_groups", 1);
  windows.in_groups = readCount(config, "in_groups", 1);
  windows.out_groups = readCount(config, "out_groups", 1);
  windows.grouped = readCount(config, "grouped", 1);
  windows.in_chans = readCount(config, "in_chans");
  windows.out_chans = readCount(config, "out_chans");
  windows.batch = readCount(config, "batch", 1);
  windows.dims = readDims(config);
  const std::uint64_t most = models::ampWeightsPerUnit(machine, inputs);
  if (shape.engine == ConvPartialEngine::Slic || shape.engine == ConvPartialEngine::Vmac) {
    if (inputs != ElementType::Half) throw config.error("type", "\"half\" for this engine");
  } else if (windows.grouped != 1) {
    throw config.error("grouped", "1 for this engine");
  }
  if (isAmp(shape) && (windows.in_chans > most || most % windows.in_chans != 0)) {
    throw config.error("in_chans", "a divisor of " + std::to_string(most));
  }
  if (isAmp(shape) && (shape.conv_units == 0 || windows.out_chans % shape.conv_units != 0)) {
    throw config.error("out_chans", "a multiple of conv_units");
  }
  return convPartialVertex(shape);
}

}  // namespace

std::uint64_t slicBufferElements(const ConvWindows& windows, ElementType partials) {
  const bool is_strided = std::abs(windows.dims.back().out_step) == 2;
  Bytes more = kSlicBufferBytes;
  if (partials == ElementType::Half && is_strided) more += kSlicAlignmentBytes;
  return windows.outputs() * windows.grouped * windows.out_chans +
         more.value() / sizeOf(partials).value();
}

VertexType convPartialVertex(const ConvPartialShape& shape) {
  const ConvWindows& windows = shape.windows;
  check(windows.outputs() > 0 && windows.inputs() > 0 && windows.kernel() > 0,
        "a convolution vertex with nothing to do");
  VertexType type;
  type.name = nameFor(shape);
  type.maker = kConvPartialEntry.name;
  type.params = paramsOf(shape);
  type.kind = VertexKind::Supervisor;
  type.fields = windowFields(windows, shape.inputs, shape.partials);
  if (isOnMatrixEngine(shape)) {
    type.fields[kConvPartialOut].memory = FieldMemory::Interleaved;
    type.fields[kConvPartialOut].apart_from = static_cast<int>(kConvPartialIn);
  }
  type.work = allMacs(workOn(type.fields, windowFlops(windows)), shape.inputs);
  if (shape.engine == ConvPartialEngine::Slic) type.fields.push_back(slicBuffer(shape));
  type.sizes = {isOnMatrixEngine(shape) ? kConvAmpStateBytes : kHmacStateBytes,
                convTableBytes(type.fields, windows.kernel()),
                isOnMatrixEngine(shape) ? kConvAmpCodeBytes : kHmacCodeBytes};
  return withFunctions<ConvPartialShape>(std::move(type), shape,
                                         {convPartialCost, computeConvPartial});
}

const VertexEntry kConvPartialEntry{
    "conv_partial",
    "a convolution with a kernel, ConvPartialnx1, 1xNSLIC, HorizontalMac or VerticalMac: engine, "
    "type, "
    "partials_type, in_groups, out_groups, in_chans, out_chans, and lists by dimension: outputs, "
    "kernel, inputs, first_computed, end_computed, out_step, kernel_step, offset, dilation",
    readConvPartial};

}  // namespace ipusim::workloads
