// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/redistribution/group_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ipusim::parallel {

namespace {

using PartIndices = std::vector<std::uint64_t>;  ///< one entry per dimension: which of its parts

/// Moves a factor of the number of parts from a dimension to another. A slice and a gather have one
/// dimension.
struct Change {
  std::uint32_t from;
  std::uint32_t to;
  std::uint64_t factor;
};

/// Which part of the array each device holds.
class Grid {
 public:
  Grid(const ArrayType& type, const Mesh& mesh) : places_(mesh.devices()) {
    for (const ArrayDimension& dimension : type) {
      const std::uint64_t local = dimension.local(mesh);
      global_.push_back(dimension.global);
      parts_.push_back(dimension.global / local);
      for (std::uint32_t device = 0; device < places_.size(); ++device) {
        places_[device].push_back(dimension.offset(mesh, device) / local);
      }
    }
  }

  [[nodiscard]] Cells cells() const {
    Cells cells;
    for (const PartIndices& place : places_) {
      Cell cell;
      for (std::size_t d = 0; d < place.size(); ++d) {
        cell.extent.push_back(global_[d] / parts_[d]);
        cell.offset.push_back(place[d] * cell.extent.back());
      }
      cells.push_back(std::move(cell));
    }
    return cells;
  }

  /// Cuts a dimension: the holders of a part take its pieces in turn.
  DeviceStep slice(std::uint32_t dimension, std::uint64_t factor) {
    const std::vector<std::uint64_t> number = replicaNumbers();
    for (std::size_t device = 0; device < places_.size(); ++device) {
      std::uint64_t& place = places_[device][dimension];
      place = place * factor + number[device] % factor;
    }
    parts_[dimension] *= factor;
    return {cells(), std::vector<std::vector<std::uint32_t>>(places_.size())};
  }

  /// Joins neighbouring parts of a dimension.
  DeviceStep gather(std::uint32_t dimension, std::uint64_t factor) {
    auto groups = groupsAlong(dimension, factor);
    for (PartIndices& place : places_) place[dimension] /= factor;
    parts_[dimension] /= factor;
    return {cells(), std::move(groups)};
  }

  /// Joins neighbouring parts of one dimension and cuts another.
  DeviceStep allToAll(const Change& change) {
    auto groups = groupsAlong(change.from, change.factor);
    for (PartIndices& place : places_) {
      place[change.to] = place[change.to] * change.factor + place[change.from] % change.factor;
      place[change.from] /= change.factor;
    }
    parts_[change.from] /= change.factor;
    parts_[change.to] *= change.factor;
    return {cells(), std::move(groups)};
  }

  void become(Grid other) { *this = std::move(other); }
  [[nodiscard]] bool equals(const Grid& other) const {
    return parts_ == other.parts_ && places_ == other.places_;
  }

 private:
  /// Per device, how many devices before it hold the same part.
  [[nodiscard]] std::vector<std::uint64_t> replicaNumbers() const {
    std::map<PartIndices, std::uint64_t> holders;
    std::vector<std::uint64_t> numbers;
    for (const PartIndices& place : places_) numbers.push_back(holders[place]++);
    return numbers;
  }

  /// Per device, the others of its group: `factor` neighbouring parts along the dimension, held by
  /// devices of one replica number.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> groupsAlong(std::uint32_t dimension,
                                                                    std::uint64_t factor) const {
    const std::vector<std::uint64_t> number = replicaNumbers();
    std::map<std::pair<PartIndices, std::uint64_t>, std::vector<std::uint32_t>> groups;
    const auto group_of = [&](std::size_t device) {
      PartIndices place = places_[device];
      place[dimension] /= factor;
      return std::make_pair(std::move(place), number[device]);
    };
    for (std::uint32_t device = 0; device < places_.size(); ++device) {
      groups[group_of(device)].push_back(device);
    }
    std::vector<std::vector<std::uint32_t>> others;
    for (std::uint32_t device = 0; device < places_.size(); ++device) {
      others.push_back(groups[group_of(device)]);
      others.back().erase(std::find(others.back().begin(), others.back().end(), device));
    }
    return others;
  }

  std::vector<std::uint64_t> global_;
  std::vector<std::uint64_t> parts_;
  std::vector<PartIndices> places_;  ///< one entry per device
};

/// How often `prime` divides the number of parts of each dimension.
std::vector<std::uint32_t> exponents(const ArrayType& type, const Mesh& mesh, std::uint64_t prime) {
  std::vector<std::uint32_t> of_dimensions;
  for (const ArrayDimension& dimension : type) {
    std::uint64_t parts = dimension.global / dimension.local(mesh);
    std::uint32_t& exponent = of_dimensions.emplace_back(0);
    for (; parts % prime == 0; parts /= prime) ++exponent;
  }
  return of_dimensions;
}

/// Multiplies the factor of the change between the same dimensions, or inserts the change. The
/// changes are ordered by their dimensions.
void merge(std::vector<Change>& changes, const Change& more) {
  const auto at = std::find_if(changes.begin(), changes.end(), [&more](const Change& change) {
    return std::tie(change.from, change.to) >= std::tie(more.from, more.to);
  });
  if (at != changes.end() && at->from == more.from && at->to == more.to) {
    at->factor *= more.factor;
  } else {
    changes.insert(at, more);
  }
}

struct Changes {
  std::vector<Change> slices;
  std::vector<Change> moves;
  std::vector<Change> gathers;
};

/// The dimensions whose exponent in `a` is larger than in `b`, as often as it is larger.
std::vector<std::uint32_t> surplus(const std::vector<std::uint32_t>& a,
                                   const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> dimensions;
  for (std::uint32_t d = 0; d < a.size(); ++d) {
    for (std::uint32_t e = b[d]; e < a[d]; ++e) dimensions.push_back(d);
  }
  return dimensions;
}

void appendChanges(std::uint64_t prime, const std::vector<std::uint32_t>& too_much,
                   const std::vector<std::uint32_t>& too_little, Changes& changes) {
  const std::size_t pairs = std::min(too_much.size(), too_little.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    merge(changes.moves, {too_much[i], too_little[i], prime});
  }
  for (std::size_t i = pairs; i < too_little.size(); ++i) {
    merge(changes.slices, {too_little[i], too_little[i], prime});
  }
  for (std::size_t i = pairs; i < too_much.size(); ++i) {
    merge(changes.gathers, {too_much[i], too_much[i], prime});
  }
}

Changes changesBetween(const ArrayType& source, const ArrayType& target, const Mesh& mesh) {
  Changes changes;
  std::uint64_t left = mesh.devices();
  for (std::uint64_t prime = 2; left > 1; ++prime) {
    if (left % prime != 0) continue;
    while (left % prime == 0) left /= prime;
    const auto a = exponents(source, mesh, prime);
    const auto b = exponents(target, mesh, prime);
    appendChanges(prime, surplus(a, b), surplus(b, a), changes);
  }
  return changes;
}

/// Appends steps to a plan and counts what they move.
class Writer {
 public:
  explicit Writer(std::uint64_t elements) : elements_(elements) {}

  void slice(Grid& grid, const Change& change) {
    append(grid.slice(change.to, change.factor), 0,
           fmt::format("dynslice({})x{}", change.to, change.factor));
    elements_ /= change.factor;
  }
  void move(Grid& grid, const Change& change) {
    append(grid.allToAll(change), elements_ / change.factor * (change.factor - 1),
           fmt::format("alltoall({}->{})x{}", change.from, change.to, change.factor));
  }
  void permute(Grid& grid, const Grid& to) {
    const Cells before = grid.cells();
    grid.become(to);
    append(permutationStep(before, grid.cells()), elements_, "allpermute");
  }
  void gather(Grid& grid, const Change& change) {
    append(grid.gather(change.from, change.factor), elements_ * (change.factor - 1),
           fmt::format("allgather({})x{}", change.from, change.factor));
    elements_ *= change.factor;
  }

  [[nodiscard]] GroupPlan plan() && {
    plan_.text = texts_.empty() ? "none" : fmt::format("{}", fmt::join(texts_, "; "));
    return std::move(plan_);
  }

 private:
  void append(DeviceStep step, std::uint64_t received, std::string text) {
    plan_.steps.push_back(std::move(step));
    plan_.received += received;
    texts_.push_back(std::move(text));
  }

  GroupPlan plan_;
  std::vector<std::string> texts_;
  std::uint64_t elements_;  ///< elements that a device holds
};

}  // namespace

GroupPlan groupPlan(const ArrayType& source, const ArrayType& target, const Mesh& mesh) {
  const Changes changes = changesBetween(source, target, mesh);
  Grid before_gathers(target, mesh);
  for (auto gather = changes.gathers.rbegin(); gather != changes.gathers.rend(); ++gather) {
    before_gathers.slice(gather->from, gather->factor);
  }
  Grid grid(source, mesh);
  Writer writer(localElements(source, mesh));
  for (const Change& slice : changes.slices) writer.slice(grid, slice);
  for (const Change& move : changes.moves) writer.move(grid, move);
  if (!grid.equals(before_gathers)) writer.permute(grid, before_gathers);
  for (const Change& gather : changes.gathers) writer.gather(grid, gather);
  return std::move(writer).plan();
}

}  // namespace ipusim::parallel
