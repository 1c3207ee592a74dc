// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/compression_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ipusim/ids.h"
#include "workloads/networks/compression/saved_memory.h"
#include "workloads/networks/compression/tensor_code.h"
#include "workloads/networks/graph/counts.h"

namespace ipusim::workloads {

namespace {

/// Whether a text is of a form in which each '*' stands for any text.
bool matches(const std::string& text, const std::string& form) {
  std::size_t t = 0;
  std::size_t f = 0;
  std::size_t star = std::string::npos;
  std::size_t after_star = 0;  // of the text, where what follows the star is tried next
  while (t < text.size()) {
    if (f < form.size() && form[f] == '*') {
      star = f++;
      after_star = t;
    } else if (f < form.size() && form[f] == text[t]) {
      ++f;
      ++t;
    } else if (star != std::string::npos) {
      f = star + 1;
      t = ++after_star;
    } else {
      return false;
    }
  }
  while (f < form.size() && form[f] == '*') ++f;
  return f == form.size();
}

/// What may be coded, and what that saves.
class Eligibility {
 public:
  Eligibility(const NetworkGraph& graph, const SavedMemory& memory, const Codec& codec,
              SignSource signs)
      : graph_(graph), memory_(memory), codec_(codec), signs_(signs) {}

  /// Why a tensor cannot be coded.
  [[nodiscard]] std::optional<std::string> reasonAgainst(NetworkTensorId tensor) const {
    const TensorType& type = graph_[tensor].type;
    const bool is_number = type.type == ElementType::Float || type.type == ElementType::Half;
    // Other results are statistics and masks.
    const NetworkNode* producer = memory_.producerOf(tensor);
    if (!is_number || (producer != nullptr && producer->results.front() != tensor)) {
      return "is not a first result of halves or floats";
    }
    const OperandNeed need = memory_.needsOf(tensor).most;
    if (need == OperandNeed::Exact) return "is needed exactly by the backward pass";
    if (codec_.keepsSignsAlone() && need != OperandNeed::Sign) {
      return "is needed by the backward pass with more than its signs";
    }
    if (const auto wanted = codec_.wantedInsteadOf(type)) {
      return fmt::format("is {}, where the codec wants {}", textOf(type.shape), *wanted);
    }
    if (savedBy(tensor) == 0) return "has a code that is not smaller";
    return std::nullopt;
  }

  /// The bytes that its code is smaller than a tensor.
  [[nodiscard]] std::uint64_t savedBy(NetworkTensorId tensor) const {
    NetworkGraph alone;
    CodecConstants constants;
    const NetworkTensorId x = alone.addSource("x", graph_[tensor].type, TensorRole::Input);
    const TensorCode code =
        encodeTensor({alone, constants, ""}, codec_, signs_, memory_.needsOf(tensor), x);
    const Bytes after = code.bytes(alone);
    const std::uint64_t before = bytesOf(alone[x]).value();
    return before > after.value() ? before - after.value() : 0;
  }

 private:
  const NetworkGraph& graph_;
  const SavedMemory& memory_;
  const Codec& codec_;
  SignSource signs_;
};

class Chooser {
 public:
  Chooser(const NetworkGraph& graph, const Codec& codec, const CompressionChoice& choice)
      : graph_(graph),
        choice_(choice),
        memory_(graph),
        eligibility_(graph, memory_, codec, choice.signs) {}

  [[nodiscard]] std::vector<NetworkTensorId> choose() const {
    expectKinds();
    std::vector<NetworkTensorId> fit;
    for (const NetworkTensorId tensor : keptTensors(graph_)) {
      if (isWanted(tensor) && !eligibility_.reasonAgainst(tensor)) fit.push_back(tensor);
    }
    if (choice_.names.empty()) return mostSaving(fit);
    for (const std::string& name : choice_.names) expectChosen(name, fit);
    const auto is_unnamed = [this](NetworkTensorId tensor) {
      return std::none_of(choice_.names.begin(), choice_.names.end(), [&](const std::string& name) {
        return matches(graph_[tensor].name, name);
      });
    };
    fit.erase(std::remove_if(fit.begin(), fit.end(), is_unnamed), fit.end());
    return fit;
  }

 private:
  [[nodiscard]] std::string kindOf(NetworkTensorId tensor) const {
    return memory_.producerOf(tensor)->operation->kind();
  }

  /// A kind that no saved tensor has would code nothing.
  void expectKinds() const {
    std::set<std::string> known;
    for (const NetworkTensorId tensor : keptTensors(graph_)) known.insert(kindOf(tensor));
    for (const std::string& kind : choice_.kinds) {
      if (known.count(kind) > 0) continue;
      throw OperandError(fmt::format("kinds that save a result for the backward pass, of {}",
                                     fmt::join(known, ", ")),
                         kind);
    }
  }

  /// Whether a tensor has the kind and the size.
  [[nodiscard]] bool isWanted(NetworkTensorId tensor) const {
    const std::vector<std::string>& kinds = choice_.kinds;
    const bool has_kind =
        kinds.empty() || std::find(kinds.begin(), kinds.end(), kindOf(tensor)) != kinds.end();
    return has_kind && !(bytesOf(graph_[tensor]) < choice_.least_bytes);
  }

  [[nodiscard]] std::vector<NetworkTensorId> mostSaving(
      const std::vector<NetworkTensorId>& fit) const {
    std::vector<std::pair<std::uint64_t, NetworkTensorId>> by_saving;
    by_saving.reserve(fit.size());
    for (const NetworkTensorId tensor : fit) {
      by_saving.emplace_back(eligibility_.savedBy(tensor), tensor);
    }
    std::stable_sort(by_saving.begin(), by_saving.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<NetworkTensorId> chosen;
    std::uint64_t left = keptBytes(graph_).value();
    for (const auto& [saving, tensor] : by_saving) {
      if (left <= choice_.target.value()) break;
      left -= saving;
      chosen.push_back(tensor);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  void expectChosen(const std::string& name, const std::vector<NetworkTensorId>& fit) const {
    const auto is_named = [&](NetworkTensorId tensor) {
      return matches(graph_[tensor].name, name);
    };
    if (std::any_of(fit.begin(), fit.end(), is_named)) return;
    const std::string wanted = "a tensor that is saved for the backward pass and can be coded";
    for (const NetworkTensorId tensor : keptTensors(graph_)) {
      if (!is_named(tensor)) continue;
      const auto reason = eligibility_.reasonAgainst(tensor);
      throw OperandError(wanted, fmt::format("{}, of which {} {}", name, graph_[tensor].name,
                                             reason ? *reason : "has another kind or fewer bytes"));
    }
    throw OperandError(fmt::format("{}, such as {}", wanted, largestOf(fit)), name);
  }

  [[nodiscard]] std::string largestOf(const std::vector<NetworkTensorId>& fit) const {
    const auto largest =
        std::max_element(fit.begin(), fit.end(), [this](NetworkTensorId a, NetworkTensorId b) {
          return bytesOf(graph_[a]) < bytesOf(graph_[b]);
        });
    return largest == fit.end() ? "none" : graph_[*largest].name;
  }

  const NetworkGraph& graph_;
  const CompressionChoice& choice_;
  SavedMemory memory_;
  Eligibility eligibility_;
};

}  // namespace

std::vector<NetworkTensorId> chosenTensors(const NetworkGraph& graph, const Codec& codec,
                                           const CompressionChoice& choice) {
  return Chooser(graph, codec, choice).choose();
}

std::vector<NetworkTensorId> codableTensors(const NetworkGraph& graph, const Codec& codec,
                                            SignSource signs,
                                            const std::vector<NetworkTensorId>& tensors) {
  const SavedMemory memory(graph);
  const Eligibility eligibility(graph, memory, codec, signs);
  std::vector<NetworkTensorId> eligible;
  for (const NetworkTensorId tensor : tensors) {
    if (memory.isSaved(tensor) && !eligibility.reasonAgainst(tensor)) eligible.push_back(tensor);
  }
  return eligible;
}

}  // namespace ipusim::workloads
