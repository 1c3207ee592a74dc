// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/library/map_codelet.h"

#include <fmt/format.h>

#include <map>

#include "base/text/word_hash.h"
#include "poplar/runtime/codelet_files.h"
#include "poplar/runtime/library/map_functions.h"

namespace poplar::detail {

namespace {

/// A name that tells codelets of different texts apart.
std::string named(const std::string& prefix, const std::string& text) {
  return fmt::format("{}{:016x}", prefix, ipusim::wordHash(text));
}

/// Compiles a codelet where the graph lacks it. `body` is what follows the name.
std::string codelet(GraphState& state, const std::string& prefix, const std::string& base,
                    const std::string& body) {
  const std::string name = named(prefix, base + body);
  std::string full = "popops_map::" + name;
  if (state.codelet(full) == nullptr) {
    state.codelets.push_back(codeletsOfText(
        fmt::format("{}class {} : public {} {}}}\n", kMapFunctions, name, base, body), "-O2",
        state.target));
  }
  return full;
}

std::string fieldOf(const MapEdges& edges, std::size_t operand) {
  const auto& [type, kind] = edges.operands[operand];
  const char* spelling = spellingOf(type);
  switch (kind) {
    case MapOperand::Each:
      return fmt::format("  Vector<Input<Vector<{}>>> in{};\n", spelling, operand + 1);
    case MapOperand::One:
      return fmt::format("  Input<{}> in{};\n", spelling, operand + 1);
    case MapOperand::Result:
      break;
  }
  return "";
}

/// What makes x1, x2 … of the fields, for all elements or for one.
std::string valueOf(const MapEdges& edges, std::size_t operand, MapOperand wanted) {
  const auto& [type, kind] = edges.operands[operand];
  if ((kind == MapOperand::One) != (wanted == MapOperand::One)) return "";
  const std::string number = std::to_string(operand + 1);
  const std::string from = kind == MapOperand::One    ? "*in" + number
                           : kind == MapOperand::Each ? "in" + number + "[row][i]"
                                                      : "out[row][i]";
  return fmt::format("const auto x{} = as<{}>({}); ", number, spellingOf(type), from);
}

}  // namespace

std::string mapCodelet(GraphState& state, const MapEdges& edges, const std::string& value) {
  std::string fields;
  std::string once;
  std::string each;
  bool is_in_place = false;
  for (std::size_t o = 0; o < edges.operands.size(); ++o) {
    fields += fieldOf(edges, o);
    once += valueOf(edges, o, MapOperand::One);
    each += valueOf(edges, o, MapOperand::Each);
    is_in_place = is_in_place || edges.operands[o].second == MapOperand::Result;
  }
  // A text before the value that ends in a semicolon is run once.
  const std::size_t last = value.rfind(';');
  if (last != std::string::npos) once += value.substr(0, last + 1);
  const std::string result = last == std::string::npos ? value : value.substr(last + 1);
  return codelet(
      state, "Map", "Vertex",
      fmt::format("{{\n public:\n{}  Vector<{}<Vector<{}>>> out;\n"
                  "  void compute() {{\n    {}\n"
                  "    for (unsigned row = 0; row < out.size(); ++row) {{\n"
                  "      const unsigned count = out[row].size();\n"
                  "      for (unsigned i = 0; i < count; ++i) {{ {}out[row][i] = {}; }}\n"
                  "    }}\n  }}\n}};\n",
                  fields, is_in_place ? "InOut" : "Output", spellingOf(edges.result), once, each,
                  result));
}

std::string reductionCodelet(GraphState& state, const std::string& op, TypeId in, TypeId out) {
  const std::string first =
      op == "square_add" ? "square(as<{0}>(in[first]))" : "as<{0}>(in[first])";
  const std::string body = fmt::format(
      "{{\n public:\n  Input<Vector<{1}>> in;\n  Output<Vector<{0}>> out;\n  unsigned partials;\n"
      "  void compute() {{\n"
      "    for (unsigned o = 0; o < out.size(); ++o) {{\n"
      "      const unsigned first = o * partials;\n"
      "      auto sum = as<{0}>({3});\n"
      "      for (unsigned p = first + 1; p < first + partials; ++p) "
      "sum = as<{0}>({2}(sum, as<{0}>(in[p])));\n"
      "      out[o] = sum;\n    }}\n  }}\n}};\n",
      spellingOf(out), spellingOf(in), op, fmt::format(fmt::runtime(first), spellingOf(out)));
  return codelet(state, "Reduce", "Vertex", body);
}

std::string exchangeCodelet(GraphState& state, TypeId type, bool largest_first) {
  return codelet(state, "Exchange", "Vertex",
                 fmt::format("{{\n public:\n  InOut<Vector<{0}>> a;\n  InOut<Vector<{0}>> b;\n"
                             "  unsigned is_mirrored;\n"
                             "  void compute() {{\n"
                             "    const unsigned count = a.size();\n"
                             "    if (is_mirrored) {{\n"
                             "      for (unsigned i = 0; i < count; ++i) order(i, count - 1 - i);\n"
                             "    }} else {{\n"
                             "      for (unsigned i = 0; i < count; ++i) order(i, i);\n"
                             "    }}\n  }}\n"
                             " private:\n"
                             "  void order(unsigned i, unsigned j) {{\n"
                             "    const {0} x = a[i];\n    const {0} y = b[j];\n"
                             "    const bool swaps = {1};\n"
                             "    a[i] = swaps ? y : x;\n    b[j] = swaps ? x : y;\n  }}\n}};\n",
                             spellingOf(type), largest_first ? "x < y" : "y < x"));
}

std::string runSortCodelet(GraphState& state, TypeId type, bool largest_first) {
  return codelet(
      state, "RunSort", "Vertex",
      fmt::format("{{\n public:\n  InOut<Vector<{0}>> run;\n  unsigned is_bitonic;\n"
                  "  void compute() {{\n"
                  "    const unsigned count = run.size();\n"
                  "    if (is_bitonic) return halve(count);\n"
                  "    for (unsigned block = 2; block <= count; block *= 2) {{\n"
                  "      for (unsigned base = 0; base < count; base += block) {{\n"
                  "        for (unsigned i = 0; i < block / 2; ++i) "
                  "order(base + i, base + block - 1 - i);\n"
                  "      }}\n"
                  "      halve(block / 2);\n"
                  "    }}\n  }}\n"
                  " private:\n"
                  "  void halve(unsigned block) {{\n"
                  "    for (; block >= 2; block /= 2) {{\n"
                  "      for (unsigned base = 0; base < run.size(); base += block) {{\n"
                  "        for (unsigned i = 0; i < block / 2; ++i) "
                  "order(base + i, base + i + block / 2);\n"
                  "      }}\n    }}\n  }}\n"
                  "  void order(unsigned a, unsigned b) {{\n"
                  "    const {0} x = run[a];\n    const {0} y = run[b];\n"
                  "    const bool swaps = {1};\n"
                  "    run[a] = swaps ? y : x;\n    run[b] = swaps ? x : y;\n  }}\n}};\n",
                  spellingOf(type), largest_first ? "x < y" : "y < x"));
}

std::string seedsCodelet(GraphState& state, const std::string& name) {
  static const std::map<std::string, std::string> kBodies{
      {"GetSeeds",
       "const auto& random = ipusim_device::ipusim_context->random; seeds[at] = random[0]; "
       "seeds[at + 1] = random[0] >> 32; seeds[at + 2] = random[1]; seeds[at + 3] = random[1] >> "
       "32;"},
      {"SetSeeds",
       "auto& random = ipusim_device::ipusim_context->random; "
       "random[0] = static_cast<unsigned long long>(seeds[at + 1]) << 32 | seeds[at]; "
       "random[1] = static_cast<unsigned long long>(seeds[at + 3]) << 32 | seeds[at + 2];"},
      {"SetSeed", "if (at >= 0) setRandom(seeds[0], seeds[1], seeds[2]);"}};
  return codelet(state, name, "MultiVertex",
                 fmt::format("{{\n public:\n  {}<Vector<unsigned>> seeds;\n"
                             "  void compute(unsigned worker) {{\n"
                             "    const unsigned at = 4 * worker;\n    {}\n  }}\n}};\n",
                             name == "GetSeeds" ? "Output" : "Input", kBodies.at(name)));
}

}  // namespace poplar::detail
