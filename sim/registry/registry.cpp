// SPDX-License-Identifier: Apache-2.0
#include "sim/registry/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "sim/interop/topology/topology_workload.h"
#include "workloads/sources/named/butterfly.h"
#include "workloads/sources/named/codec.h"
#include "workloads/sources/named/codelet.h"
#include "workloads/sources/named/collective.h"
#include "workloads/sources/named/conv.h"
#include "workloads/sources/named/elementwise.h"
#include "workloads/sources/named/exchange_latency.h"
#include "workloads/sources/named/exchange_pattern.h"
#include "workloads/sources/named/linear.h"
#include "workloads/sources/named/matmul.h"
#include "workloads/sources/named/matmul_chain.h"
#include "workloads/sources/named/message_passing.h"
#include "workloads/sources/named/mlp_training.h"
#include "workloads/sources/named/shl_training.h"
#include "workloads/sources/named/sparse_matmul.h"
#include "workloads/sources/named/stencil.h"
#include "workloads/sources/named/structured_layer.h"
#include "workloads/sources/onnx/onnx_workload.h"
#include "workloads/sources/text/network_workload.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/workload.h"

namespace ipusim::registry {

namespace {

/// Whether the user says what is on which tile.
enum class Placing : std::uint8_t { Planned, ByUser };

/// One program on the tiles of several IPUs is seldom what was meant: most of its exchanges take
/// the links, so that one IPU is mostly faster.
std::string spreadOver(const System& system, bool is_network) {
  std::string text = fmt::format(
      "{} has {} IPUs, and this one program is spread over the tiles of all, so that its exchanges "
      "take the links between IPUs: the machine of one IPU is often faster",
      system.name, system.ipus);
  if (is_network) text += ", and the table [parallel] trains a network on several";
  return text;
}

using OnTiles = std::function<workloads::BuiltWorkload(const ConfigReader&, const Architecture&)>;

/// Builds a workload that does not tell the IPUs of a system apart.
workloads::BuildWorkload onAllTiles(const OnTiles& build, Placing placing = Placing::Planned,
                                    bool is_network = false) {
  return [=](const ConfigReader& config, const System& system) {
    workloads::BuiltWorkload built = build(config, system.allTiles());
    if (system.ipus > 1 && placing == Placing::Planned) {
      built.warnings.push_back(spreadOver(system, is_network));
    }
    return built;
  };
}

workloads::BuildWorkload networkOnAllTiles(const OnTiles& build) {
  return onAllTiles(build, Placing::Planned, true);
}

/// A workload with a layer that can replace a dense one.
workloads::WorkloadKind structured(const std::string& name, const std::string& summary) {
  return {name,
          summary,
          onAllTiles([name](const ConfigReader& config, const Architecture& machine) {
            return workloads::buildStructured(name, config, machine);
          }),
          {},
          [name](const ConfigReader& config, const System& system) {
            return workloads::leastStructured(name, config, system.allTiles());
          }};
}

workloads::WorkloadKind butterfly() {
  workloads::WorkloadKind kind =
      structured("butterfly",
                 "a butterfly layer: features, batch, twiddles (tied, untied), order (increasing, "
                 "decreasing), lowering (framework, fused), bias, type, dense");
  kind.build = onAllTiles(workloads::buildButterfly);
  return kind;
}

workloads::WorkloadKind linear() {
  return {
      "linear",
      "a fully connected layer, x W^T + b: in, out, batch, bias, type and the options of matmul",
      onAllTiles(workloads::buildLinear),
      {},
      [](const ConfigReader& config, const System& system) {
        return workloads::leastLinear(config, system.allTiles());
      }};
}

workloads::WorkloadKind messagePassing() {
  return {"message_passing",
          "a framework's loop over an operation of message passing: op (gather, scatter_add, "
          "interaction_block), inputs, features, outputs, repetitions, partials_type, "
          "available_memory_proportion",
          onAllTiles(workloads::buildMessagePassing)};
}

workloads::WorkloadKind mlpTraining() {
  return {
      "mlp_training",
      "training steps of a multi-layer perceptron: dims = [inputs, hidden, ..., classes], batch, "
      "steps, learning_rate, momentum",
      networkOnAllTiles(workloads::buildMlpTraining), workloads::readMlpNetwork};
}

workloads::WorkloadKind shlTraining() {
  return {
      "shl_training",
      "training steps of a network with one hidden layer: hidden (linear, butterfly, ...) and its "
      "keys, features, classes, batch, steps, epochs, learning_rate, momentum, wrapper_bias, "
      "copy_batch, host_step_seconds, dense",
      networkOnAllTiles(workloads::buildShlTraining), workloads::readShlNetwork,
      workloads::leastShlTraining};
}

workloads::WorkloadKind network() {
  return {
      "network",
      "a network of layers, inference or a training step: layers (text) or file, input, batch, "
      "type, partials_type, available_memory_proportion, compile (whole, separate), train (loss, "
      "optimiser, learning_rate, momentum, steps)",
      networkOnAllTiles(workloads::buildNetwork), workloads::readTextNetwork,
      workloads::leastNetwork};
}

workloads::WorkloadKind onnx() {
  return {"onnx",
          "the network of an ONNX file, inference or a training step: file, batch, dimensions "
          "(sizes of symbolic ones), type, on_unknown (error, skip), partials_type, "
          "available_memory_proportion, train, compile (whole, separate)",
          networkOnAllTiles(workloads::buildOnnx),
          workloads::readOnnxNetwork,
          workloads::leastOnnx,
          workloads::previewOnnx};
}

workloads::WorkloadKind topology() {
  return {"topology",
          "the layers of a SCALE-Sim topology file, each a program of its own: file, batch, type",
          onAllTiles(interop::buildTopology),
          {},
          interop::leastTopology};
}

workloads::WorkloadKind codec() {
  return {"codec",
          "one tensor is encoded and decoded: shape, type, codec (dct_chop, quantise, relu_mask, "
          "half, float8, low_rank); of dct_chop: chop, corner (square, triangle), form (dense, "
          "blockwise, fused), split; of levels: bits, scale (tensor, block), block, rounding "
          "(nearest, stochastic), seed; of low_rank: rank, seed",
          onAllTiles(workloads::buildCodec)};
}

workloads::WorkloadKind collective() {
  return {
      "collective",
      "an exchange among IPUs of a system: op (all_reduce, reduce_scatter, all_gather, broadcast, "
      "all_to_all, permute), elements, type, method (published, cheapest, ring, ...), groups, "
      "group_size, group_stride",
      workloads::buildCollective, nullptr, workloads::leastCollective};
}

workloads::WorkloadKind conv() {
  return {
      "conv",
      "a convolution: in_channels, out_channels, groups, batch, field, kernel, stride, padding, "
      "padding_upper, dilation, pass, operands, sweeps, type, partials_type, method, "
      "weight_load_bits, available_memory_proportion",
      onAllTiles(workloads::buildConv)};
}

workloads::WorkloadKind sparseMatmul() {
  return {
      "sparse_matmul",
      "sparse (m, k) x dense (k, n): m, k, density, seed or file (Matrix Market), n, block, type, "
      "output_type, partials_type, cuts",
      onAllTiles(workloads::buildSparseMatmul)};
}

workloads::WorkloadKind stencil() {
  return {
      "stencil",
      "steps of a stencil on a grid of blocks: points, steps, shape (star, box), radius, values, "
      "type, ipu_grid, tile_grid, worker_grid, flops_per_point, cycles_per_point",
      workloads::buildStencil};
}

}  // namespace

const std::vector<workloads::WorkloadKind>& workloadKinds() {
  static const std::vector<workloads::WorkloadKind> kKinds = {
      butterfly(),
      structured("circulant", "y_i = sum over j of c[i - j] x_j, + b: features, batch, dense"),
      codec(),
      {"codelet",
       "one vertex on some tiles: codelet, its parameters, tiles, counter (removed, included)",
       onAllTiles(workloads::buildCodelet, Placing::ByUser)},
      collective(),
      conv(),
      {"elementwise", "one operator on tensors over all tiles: op, elements, type, in_place",
       onAllTiles(workloads::buildElementwise)},
      {"exchange_latency", "one message from a tile to another: from, to, bytes",
       onAllTiles(workloads::buildExchangeLatency, Placing::ByUser)},
      {"exchange_pattern",
       "one exchange: pattern (all_to_all, broadcast, gather, neighbour, permutation), bytes of a "
       "message, tiles, seed",
       onAllTiles(workloads::buildExchangePattern, Placing::ByUser)},
      structured("fastfood", "y = S H G P H B x + b: features, batch, seed, dense"),
      linear(),
      structured("low_rank", "y = (x H^T) G + b: features, rank, batch, dense"),
      {"matmul",
       "(m, k) x (k, n): m, k, n, groups, variant; poplin: operands, type, output_type, "
       "partials_type, method, serial_splits, available_memory_proportion; blocked: block",
       onAllTiles(workloads::buildMatmul)},
      {"matmul_chain",
       "(a, b) x (b, c) x ...: dims = [a, b, c, ...], type and the options of matmul",
       onAllTiles(workloads::buildMatmulChain)},
      messagePassing(),
      mlpTraining(),
      network(),
      onnx(),
      structured("pixelfly",
                 "a flat block butterfly and a low-rank product: features, butterfly_size, block, "
                 "rank, block_sum (bags, one_gather), batch, dense"),
      shlTraining(),
      sparseMatmul(),
      stencil(),
      {"stream", "a STREAM kernel in tile memory: kernel, elements, type, code (library, assembly)",
       onAllTiles(workloads::buildStream)},
      topology(),
      {"trace", "a program from a file of `ipusim trace record`, or written by hand: file, limits",
       onAllTiles(workloads::buildTrace, Placing::ByUser)},
  };
  return kKinds;
}

std::string predictionKind(const ConfigReader& workload) {
  std::string kind = workload.text("kind");
  const std::string variant = workload.peekText("variant").value_or("poplin");
  if (variant != "poplin") kind += ' ' + variant;
  if (const auto codelet = workload.peekText("codelet")) kind += ' ' + *codelet;
  return kind + ' ' + workload.peekText("type").value_or("float");
}

namespace {

const workloads::WorkloadKind& kindOf(const ConfigReader& workload) {
  std::vector<std::string> names;
  for (const workloads::WorkloadKind& kind : workloadKinds()) names.push_back(kind.name);
  const std::string name = workload.choice("kind", names);
  return *std::find_if(
      workloadKinds().begin(), workloadKinds().end(),
      [&name](const workloads::WorkloadKind& candidate) { return candidate.name == name; });
}

}  // namespace

workloads::BuiltWorkload buildWorkload(const ConfigReader& workload, const System& system) {
  workloads::BuiltWorkload built = kindOf(workload).build(workload, system);
  workload.expectAllRead();
  built.prediction_kind = predictionKind(workload);
  return built;
}

workloads::LeastSize leastSize(const ConfigReader& workload, const System& system) {
  const workloads::WorkloadKind& kind = kindOf(workload);
  return kind.least ? kind.least(workload, system) : workloads::LeastSize();
}

std::vector<std::string> previewOf(const ConfigReader& workload) {
  const workloads::WorkloadKind& kind = kindOf(workload);
  return kind.preview ? kind.preview(workload) : std::vector<std::string>();
}

workloads::TrainedNetworkPointer readNetwork(const ConfigReader& workload) {
  const workloads::WorkloadKind& kind = kindOf(workload);
  if (!kind.network) {
    throw workload.error("kind",
                         "a network that is trained (mlp_training, network, onnx, shl_training): "
                         "others have no modules to put on several IPUs");
  }
  workloads::TrainedNetworkPointer network = kind.network(workload);
  workload.expectAllRead();
  return network;
}

}  // namespace ipusim::registry
