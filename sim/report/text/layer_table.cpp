// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/layer_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/message.h"
#include "sim/report/text/quantity.h"
#include "sim/report/text/text_layout.h"
#include "sim/report/text/text_table.h"

namespace ipusim::report {

namespace {

constexpr std::size_t kMostLayers = 14;
constexpr std::size_t kLongestLayer = 19;
constexpr std::size_t kLongestGpu = 10;
constexpr std::size_t kLayerTableLongestText = 30;

/// A layer's part of the run, or of one round of it where layers are programs of their own.
Cycles cyclesOf(const run::LayerResult& layer) {
  return layer.program ? layer.program->cycles : layer.total();
}

/// The layers with the most cycles, in the order of the network.
std::vector<const run::LayerResult*> longestLayers(const std::vector<run::LayerResult>& layers) {
  std::vector<const run::LayerResult*> longest;
  longest.reserve(layers.size());
  for (const run::LayerResult& layer : layers) longest.push_back(&layer);
  std::stable_sort(longest.begin(), longest.end(),
                   [](const run::LayerResult* a, const run::LayerResult* b) {
                     return cyclesOf(*a) > cyclesOf(*b);
                   });
  longest.resize(std::min(longest.size(), kMostLayers));
  std::sort(longest.begin(), longest.end());  // the pointers into one vector are in its order
  return longest;
}

const char* boundOf(const run::LayerResult& layer) {
  return layer.compute < layer.movement ? "movement" : "compute";
}

using Cells = std::vector<std::string>;

/// What the layer takes: of a program of its own, or by pass.
Cells costCells(const run::LayerResult& layer, std::uint64_t rounds) {
  if (const auto& program = layer.program) {
    return {countText((program->cycles * rounds).value()),
            secondsText(program->seconds * static_cast<double>(rounds)),
            bytesText(program->max_tile_bytes), program->fits ? "yes" : "NO"};
  }
  return {countText(layer.parameters), countText(layer.forward.value()),
          countText(layer.backward.value()), countText(layer.update.value())};
}

Cells headings(const run::RunResult& result) {
  Cells cells = result.separate ? Cells{"", "cycles", "time", "on a tile", "fits"}
                                : Cells{"", "parameters", "forward", "backward", "update"};
  cells.emplace_back("share");
  cells.emplace_back("  bound by");
  if (result.layers.front().gpu)
    cells.push_back(shortened(oneLine(result.compare->gpu), kLongestGpu));
  return cells;
}

/// `rounds`: how often the program of the layer runs. A GPU beside it has the time of all rounds.
Cells cellsOf(const run::LayerResult& layer, Cycles all, std::uint64_t rounds) {
  Cells cells{shortened(layer.name, kLongestLayer)};
  for (std::string& cell : costCells(layer, rounds)) cells.push_back(std::move(cell));
  const double share = all == Cycles(0) ? 0
                                        : static_cast<double>(cyclesOf(layer).value()) /
                                              static_cast<double>(all.value());
  cells.insert(cells.end(), {percentText(share), std::string("  ") + boundOf(layer)});
  if (layer.gpu) cells.push_back(secondsText(layer.gpu->seconds));
  return cells;
}

}  // namespace

std::string layersText(const run::RunResult& result) {
  const std::vector<run::LayerResult>& layers = result.layers;
  if (layers.empty()) return "";
  Cycles all;
  for (const run::LayerResult& layer : layers) all += cyclesOf(layer);
  const std::vector<const run::LayerResult*> longest = longestLayers(layers);
  std::string text = "LAYERS    " + countOf(layers.size(), "layer");
  if (longest.size() < layers.size()) text += fmt::format("; the {} longest", longest.size());
  TextTable table({{20, Align::Left},
                   {12},
                   {12},
                   {12},
                   {result.separate ? 7UL : 12UL},
                   {9},
                   {10, Align::Left},
                   {12}});
  table.add(headings(result));
  const std::uint64_t rounds = result.separate ? result.separate->rounds : 1;
  for (const run::LayerResult* layer : longest) table.add(cellsOf(*layer, all, rounds));
  return text + '\n' + table.text() + '\n';
}

std::string separateText(const run::RunResult& result) {
  if (!result.separate) return "";
  const run::SeparateResult& separate = *result.separate;
  const std::string fullest = oneLine(separate.fullest, kLayerTableLongestText);
  std::string text = wrapped(
      "SEPARATE",
      {countOf(separate.layers, "layer") + ", each a program of its own",
       countText(separate.programs) + " of them different",
       separate.do_not_fit == 0 ? "all fit" : countText(separate.do_not_fit) + " DO NOT FIT"});
  text += wrapped("", {"time: the sum over layers, whose operands are in tile memory",
                       "moving the " + bytesText(separate.operands) +
                           " of all layers in and out is not in it"});
  return text + wrapped("", {"memory: that of layer " + fullest}) + '\n';
}

}  // namespace ipusim::report
