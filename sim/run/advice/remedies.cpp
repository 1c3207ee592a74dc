// SPDX-License-Identifier: Apache-2.0
#include "sim/run/advice/remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/config/key_request.h"
#include "base/text/json.h"
#include "ipusim/units.h"

namespace ipusim::run {

namespace {

constexpr const char* kWorkload = "workload.";
constexpr std::uint64_t kMostHalvings = 10;
constexpr double kMostPadding = 1.125;  ///< of a size: beyond it another problem would be solved

/// The keys that a workload has, with the values that they have or would have.
class Keys {
 public:
  explicit Keys(const ConfigReader& config) : values_(config.values()) {
    for (const AskedKey& asked : config.askedKeys()) usual_[asked.key] = asked.otherwise;
  }

  [[nodiscard]] const SortedJson& config() const { return values_.json(); }

  /// The value of a key of the workload; none when the workload has no such key.
  [[nodiscard]] std::optional<std::string> text(const std::string& key) const {
    const auto usual = usual_.find(kWorkload + key);
    if (usual == usual_.end()) return std::nullopt;
    if (!workload().contains(key)) return usual->second;
    const SortedJson& value = workload().at(key);
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  /// The whole number that a key of the workload has, stated or not.
  [[nodiscard]] std::optional<std::uint64_t> count(const std::string& key) const {
    return number<std::uint64_t>(key);
  }
  [[nodiscard]] std::optional<double> real(const std::string& key) const {
    return number<double>(key);
  }

  [[nodiscard]] bool has(const std::string& key) const { return workload().contains(key); }

 private:
  /// The value of a key, where all of it is a number.
  template <typename Number>
  [[nodiscard]] std::optional<Number> number(const std::string& key) const {
    const auto written = text(key);
    Number value = 0;
    if (!written || !boost::conversion::try_lexical_convert(*written, value)) return std::nullopt;
    return value;
  }

  [[nodiscard]] const SortedJson& workload() const { return config().at("workload"); }

  ConfigValues values_;
  std::map<std::string, std::string> usual_;
};

Override ofWorkload(const std::string& key, const std::string& value) {
  return {kWorkload + key, value};
}

Change changeOf(const std::string& key, const std::string& value, const std::string& words) {
  return {words, {ofWorkload(key, value)}};
}

/// Half takes two bytes an element, float four. Grains of a layout then have more elements, and a
/// graph fewer vertices and moves.
Remedy halfFor(const Keys& keys, const std::string& key, const std::string& words) {
  Remedy remedy{key, {}, LaterCosts::Unknown, ChangedCost::Unknown};
  if (keys.text(key) == "float") remedy.changes.push_back(changeOf(key, "half", words));
  return remedy;
}

/// Products of floats have partials in float.
Remedy halfPartials(const Keys& keys) {
  if (keys.text("type") != "half") return {"partials_type", {}};
  return halfFor(keys, "partials_type", "partials in half in place of float");
}

/// Any smaller value of a size. `words` takes the value.
Resizing resizingOf(const Keys& keys, const std::string& key, const std::string& words) {
  const std::uint64_t whole = keys.count(key).value_or(1);
  return {whole, [key, words, whole](std::uint64_t part) {
            Change change =
                changeOf(key, std::to_string(part), fmt::format(fmt::runtime(words), part));
            change.runs = ceilDiv(whole, part);
            return change;
          }};
}

/// Each half of the one before it.
std::vector<Change> halvings(const Resizing& resizing) {
  std::vector<Change> changes;
  std::uint64_t part = resizing.now;
  for (std::uint64_t halving = 0; halving < kMostHalvings && part > 1; ++halving) {
    part /= 2;
    changes.push_back(resizing.change_to(part));
  }
  return changes;
}

Remedy halvedParts(const Keys& keys, const std::string& key, const std::string& words) {
  return {"parts", halvings(resizingOf(keys, key, words))};
}

/// Any number of rows can be a batch, so that the largest one is of use.
Remedy smallerBatch(const Keys& keys) {
  Remedy remedy{"batch", {}};
  remedy.resizing = resizingOf(keys, "batch", "{} rows a batch");
  remedy.changes = halvings(*remedy.resizing);
  return remedy;
}

/// Rows of the left operand, or columns of the right one, need not all be there at the same time.
Remedy partsOfProduct(const Keys& keys) {
  const auto m = keys.count("m");
  const auto n = keys.count("n");
  if (!m || !n) return {"parts", {}};
  return *m > *n ? halvedParts(keys, "m", "the product in parts of {} rows")
                 : halvedParts(keys, "n", "the product in parts of {} columns");
}

/// Sizes that divide well keep a planner from partitions with uneven shares.
Remedy paddedSizes(const Keys& keys) {
  constexpr std::array<std::uint64_t, 6> kMultiples = {8, 16, 32, 64, 128, 256};
  constexpr std::array<const char*, 6> kSizes = {"m", "k", "n", "in", "out", "features"};
  Remedy remedy{"padding", {}};
  for (const std::uint64_t multiple : kMultiples) {
    Change change{fmt::format("sizes padded to a multiple of {}", multiple), {}};
    for (const char* const key : kSizes) {
      const auto size = keys.count(key);
      if (!size || *size % multiple == 0) continue;
      const std::uint64_t padded = roundUp(*size, multiple);
      const double ratio = static_cast<double>(padded) / static_cast<double>(*size);
      if (ratio > kMostPadding) continue;
      change.overrides.push_back(ofWorkload(key, std::to_string(padded)));
    }
    if (!change.overrides.empty()) remedy.changes.push_back(std::move(change));
  }
  return remedy;
}

/// A planner that may fill less of a tile chooses plans with smaller temporaries, and more steps.
Remedy lessForPlans(const Keys& keys) {
  const std::string key = "available_memory_proportion";
  Remedy remedy{key, {}, LaterCosts::NoLess};
  const auto now = keys.real(key);
  for (const double share : {0.4, 0.2, 0.1, 0.05}) {
    if (!now || share >= *now) continue;
    remedy.changes.push_back(
        changeOf(key, fmt::format("{}", share), fmt::format("plans within {} of a tile", share)));
  }
  return remedy;
}

/// A choice of another word for a key, where the workload has the key.
Remedy otherWord(const Keys& keys, const std::string& key, const std::string& word,
                 const std::string& words) {
  Remedy remedy{key, {}, LaterCosts::Unknown, ChangedCost::Unknown};
  const auto now = keys.text(key);
  if (now && *now != word) remedy.changes.push_back(changeOf(key, word, words));
  return remedy;
}

/// A training step saves tensors for its backward pass, which may be kept in codes.
Remedy compressedSaves(const Keys& keys) {
  Remedy remedy{"compress", {}};
  if (!keys.has("train") || keys.has("compress")) return remedy;
  remedy.changes.push_back(changeOf("compress.codec", "dct_chop",
                                    "saved tensors in lossy codes, which change the numbers"));
  return remedy;
}

/// The presets of whole machines, each with all that the one before it has.
Remedy otherMachine(const Keys& keys) {
  constexpr std::array<const char*, 4> kMachines = {"gc2", "gc200", "gc200-624k", "bow"};
  Remedy remedy{"machine", {}};
  const SortedJson machine = keys.config().value("machine", SortedJson());
  const bool is_table = machine.is_object() && machine.contains("base");
  const SortedJson name = is_table ? machine.at("base") : machine;
  const auto* const now = std::find(kMachines.begin(), kMachines.end(), name);
  if (now == kMachines.end()) return remedy;
  for (const auto* next = now + 1; next != kMachines.end(); ++next) {
    remedy.changes.push_back(
        {fmt::format("the machine {}", *next), {{is_table ? "machine.base" : "machine", *next}}});
  }
  return remedy;
}

}  // namespace

std::vector<Remedy> remediesFor(const ConfigReader& config) {
  const Keys keys(config);
  std::vector<Remedy> remedies = {
      halfFor(keys, "type", "half in place of float"),
      halfPartials(keys),
      otherWord(keys, "serial_splits", "allowed", "parts of a product one after the other"),
      lessForPlans(keys),
      otherWord(keys, "lowering", "fused", "one fused vertex in place of a framework's steps"),
      paddedSizes(keys),
      otherWord(keys, "compile", "separate", "each layer a program of its own"),
      compressedSaves(keys),
      smallerBatch(keys),
      partsOfProduct(keys),
      halvedParts(keys, "elements", "parts of {} elements"),
      otherMachine(keys),
  };
  remedies.erase(std::remove_if(remedies.begin(), remedies.end(),
                                [](const Remedy& remedy) { return remedy.changes.empty(); }),
                 remedies.end());
  return remedies;
}

Remedy paddingFor(const ConfigReader& config) {
  return paddedSizes(Keys(config));
}

Remedy transposeFor(const ConfigReader& config) {
  const Keys keys(config);
  Remedy remedy{"transpose", {}};
  const auto m = keys.count("m");
  const auto n = keys.count("n");
  if (keys.text("kind") != "matmul" || !m || !n || *m == *n) return remedy;
  remedy.changes.push_back(
      {"the sizes of the transposed product",
       {ofWorkload("m", std::to_string(*n)), ofWorkload("n", std::to_string(*m))}});
  return remedy;
}

namespace {

Change both(const Change& first, const Change& second) {
  Change change{first.words + ", and " + second.words, first.overrides};
  change.overrides.insert(change.overrides.end(), second.overrides.begin(), second.overrides.end());
  change.runs = first.runs * second.runs;
  return change;
}

}  // namespace

std::vector<Remedy> together(const Remedy& first, const std::vector<Remedy>& rest) {
  const Change& always = first.changes.front();
  std::vector<Remedy> joined;
  for (const Remedy& remedy : rest) {
    if (remedy.kind == first.kind) continue;
    Remedy pair{first.kind + " and " + remedy.kind, {}, remedy.later_costs, remedy.cost};
    if (first.cost == ChangedCost::Unknown) pair.cost = ChangedCost::Unknown;
    for (const Change& change : remedy.changes) pair.changes.push_back(both(always, change));
    if (const auto& resizing = remedy.resizing) {
      pair.resizing =
          Resizing{resizing->now, [always, change_to = resizing->change_to](std::uint64_t size) {
                     return both(always, change_to(size));
                   }};
    }
    joined.push_back(std::move(pair));
  }
  return joined;
}

}  // namespace ipusim::run
