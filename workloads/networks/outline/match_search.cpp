// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/outline/match_search.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace ipusim::workloads {

namespace {

using Starts = std::vector<std::size_t>;

Starts movedBy(Starts starts, std::size_t distance) {
  for (std::size_t& start : starts) start += distance;
  return starts;
}

/// Sorts starts into sets, each start into the first set that `takes` it.
template <typename Takes>
std::vector<Starts> sortedInto(std::vector<Starts> sets, const Starts& starts, const Takes& takes) {
  for (const std::size_t start : starts) {
    const auto found = std::find_if(sets.begin(), sets.end(),
                                    [&](const Starts& set) { return takes(set, start); });
    if (found != sets.end()) {
      found->push_back(start);
    } else {
      sets.push_back({start});
    }
  }
  return sets;
}

/// Orders lists of starts by how many they are, and then by starts, list after list.
struct FewerStarts {
  bool operator()(const std::vector<Starts>& a, const std::vector<Starts>& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](const Starts& one, const Starts& other) {
                                          return std::make_pair(one.size(), std::cref(one)) <
                                                 std::make_pair(other.size(), std::cref(other));
                                        });
  }
};

/// How many partitions into sets without overlaps are tried: the first set begins with one of that
/// many starts.
constexpr std::size_t kPartitions = 3;

class MatchSearch {
 public:
  explicit MatchSearch(const OutlineSchedule& schedule) : schedule_(schedule), sums_{0} {
    for (const OutlineNode& node : schedule) {
      kinds_.push_back(node.kind);
      sums_.push_back(sums_.back() + node.value);
    }
  }

  std::vector<OutlineMatch> run() {
    std::vector<OutlineMatch> repeats = repeatsOf(kinds_);
    std::stable_sort(repeats.begin(), repeats.end(),
                     [](const auto& a, const auto& b) { return a.length > b.length; });
    for (const OutlineMatch& repeat : repeats) {
      // What a longer one stands for comes up again where that is not taken.
      const bool is_part = std::any_of(seen_.begin(), seen_.end(), [&](const OutlineMatch& longer) {
        return subsumes(longer, repeat);
      });
      if (!is_part) enqueue(repeat.starts, repeat.length);
    }
    while (!queue_.empty()) {
      const OutlineMatch match = queue_.top();
      queue_.pop();
      waiting_[wordOf(match)].erase(match.starts);
      if (isAcceptable(match)) accept(match);
    }
    std::reverse(accepted_.begin(), accepted_.end());
    return std::move(accepted_);
  }

 private:
  /// The kinds of the nodes of one of the sequences.
  using Word = std::vector<std::uint32_t>;
  [[nodiscard]] Word wordOf(const OutlineMatch& match) const {
    return wordAt(match.starts.front(), match.length);
  }
  [[nodiscard]] Word wordAt(std::size_t start, std::size_t length) const {
    const auto first = kinds_.begin() + static_cast<std::ptrdiff_t>(start);
    return {first, first + static_cast<std::ptrdiff_t>(length)};
  }

  void enqueue(Starts starts, std::size_t length) {
    if (starts.size() <= 1 || length < 1) return;
    std::sort(starts.begin(), starts.end());
    const OutlineMatch match{starts, length,
                             sums_[starts.front() + length] - sums_[starts.front()]};
    const Word word = wordOf(match);
    const bool is_useless =
        seen_.count(match) > 0 || isCovered(word, starts) ||
        std::any_of(accepted_.begin(), accepted_.end(),
                    [&](const OutlineMatch& one) { return subsumes(one, match); });
    if (is_useless) return;
    queue_.push(match);
    seen_.insert(match);
    waiting_[word].insert(match.starts);
  }

  /// Whether a waiting match of equal sequences has all these starts.
  [[nodiscard]] bool isCovered(const Word& word, const Starts& starts) const {
    const auto found = waiting_.find(word);
    if (found == waiting_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(), [&](const Starts& waiting) {
      return std::includes(waiting.begin(), waiting.end(), starts.begin(), starts.end());
    });
  }

  /// Whether a match may be taken as it is. Where it may not, smaller matches that may are
  /// enqueued.
  bool isAcceptable(const OutlineMatch& match) {
    if (match.value < 0) {
      enqueue(match.starts, match.length - 1);
      enqueue(movedBy(match.starts, 1), match.length - 1);
      return false;
    }
    const bool is_stood_for =
        std::any_of(accepted_.begin(), accepted_.end(), [&](const OutlineMatch& one) {
          return (one.length == match.length && shareStart(one, match)) || subsumes(one, match) ||
                 (contains(one, match) && 2 * one.starts.size() > match.starts.size());
        });
    if (is_stood_for || crossesAccepted(match) || overlapsItself(match) || !isIsomorphic(match)) {
      return false;
    }
    return std::all_of(accepted_.begin(), accepted_.end(), [&](const OutlineMatch& one) {
      return !intersect(one, match) || fitsCleanly(one, match);
    });
  }

  void accept(const OutlineMatch& match) {
    accepted_.push_back(match);
    if (match.length == 1) return;
    for (const std::size_t start : match.starts) {
      edges_.insert(start);
      edges_.insert(start + match.length);
    }
  }

  /// Edges of accepted sequences lie before nodes. One that lies inside a sequence cuts it: the
  /// parts before the first cut of any sequence and behind the last one are enqueued.
  bool crossesAccepted(const OutlineMatch& match) {
    Starts uncut;
    std::size_t first = match.length;
    std::size_t last = 0;
    for (const std::size_t start : match.starts) {
      const auto from = edges_.upper_bound(start);
      const auto until = edges_.lower_bound(start + match.length);
      if (from == until) {
        uncut.push_back(start);
        continue;
      }
      first = std::min(first, *from - start);
      last = std::max(last, *std::prev(until) - start);
    }
    if (uncut.size() == match.starts.size()) return false;
    enqueue(uncut, match.length);
    enqueue(match.starts, last);
    enqueue(movedBy(match.starts, first), match.length - first);
    return true;
  }

  /// The most starts of an accepted match that all starts lie in; 0 without one.
  [[nodiscard]] std::size_t mostStartsAround(const OutlineMatch& match) const {
    OutlineMatch first_nodes = match;
    first_nodes.length = 1;
    std::size_t most = 0;
    for (const OutlineMatch& one : accepted_) {
      if (contains(one, first_nodes)) most = std::max(most, one.starts.size());
    }
    return most;
  }

  /// Sequences that overlap are parted: into shorter ones, as far apart as starts are, and into
  /// sets without overlaps.
  bool overlapsItself(const OutlineMatch& match) {
    std::set<std::size_t> lengths;
    for (std::size_t i = 1; i < match.starts.size(); ++i) {
      for (std::size_t j = i; j-- > 0;) {
        const std::size_t distance = match.starts[i] - match.starts[j];
        if (distance >= match.length) break;
        lengths.insert(distance);
      }
    }
    if (lengths.empty()) return false;
    if (isCovered(wordAt(match.starts.front(), *lengths.rbegin()), match.starts)) lengths.clear();
    if (match.starts.back() - match.starts.front() >= match.length) lengths.insert(match.length);
    const std::size_t least = 2 * std::max<std::size_t>(1, mostStartsAround(match));
    for (const std::size_t length : lengths) {
      for (const Starts& part : partsWithoutOverlap(match.starts, length)) {
        if (part.size() >= least) enqueue(part, length);
      }
    }
    return true;
  }

  /// The sets of all partitions that are tried.
  [[nodiscard]] static std::vector<Starts> partsWithoutOverlap(const Starts& starts,
                                                               std::size_t length) {
    const std::size_t firsts = std::min(kPartitions, starts.size() - 1);
    const auto middle = starts.begin() + static_cast<std::ptrdiff_t>(firsts);
    const Starts rest(middle, starts.end());
    const auto is_free = [length](const Starts& set, std::size_t start) {
      return std::all_of(set.begin(), set.end(), [&](std::size_t one) {
        return (one < start ? start - one : one - start) >= length;
      });
    };
    std::set<std::vector<Starts>, FewerStarts> begun;
    for (auto first = starts.begin(); first != middle; ++first) {
      Starts others(starts.begin(), middle);
      others.erase(others.begin() + (first - starts.begin()));
      std::vector<Starts> sets = sortedInto({{*first}}, others, is_free);
      for (Starts& set : sets) std::sort(set.begin(), set.end());
      begun.insert(std::move(sets));
    }
    std::vector<Starts> parts;
    for (const std::vector<Starts>& sets : begun) {
      for (Starts& set : sortedInto(sets, rest, is_free)) {
        parts.push_back(std::move(set));
      }
    }
    return parts;
  }

  [[nodiscard]] bool areIsomorphic(std::size_t length, std::size_t a, std::size_t b) const {
    return isomorphicUntil(schedule_, length, a, b) == length;
  }

  /// Sequences that do not stand for one another are parted: one node shorter at either end, and by
  /// which do.
  bool isIsomorphic(const OutlineMatch& match) {
    const Starts& starts = match.starts;
    const bool is_whole = std::all_of(starts.begin() + 1, starts.end(), [&](std::size_t start) {
      return areIsomorphic(match.length, starts.front(), start);
    });
    if (is_whole) return true;
    if (match.length > 1) {
      enqueue(starts, match.length - 1);
      enqueue(movedBy(starts, 1), match.length - 1);
    }
    const auto alike = [&](const Starts& set, std::size_t start) {
      return areIsomorphic(match.length, set.front(), start);
    };
    for (const Starts& set : sortedInto({}, starts, alike)) enqueue(set, match.length);
    // Where the next nodes are alike too, sequences that end with them may stand for one another.
    const auto goes_on = [&](std::size_t start) {
      const std::size_t next = start + match.length;
      return next < kinds_.size() && kinds_[next] == kinds_[starts.front() + match.length];
    };
    if (std::all_of(starts.begin(), starts.end(), goes_on))
      enqueue(movedBy(starts, 1), match.length);
    return false;
  }

  const OutlineSchedule& schedule_;
  std::vector<std::uint32_t> kinds_;
  std::vector<double> sums_;  ///< of the values before each node
  std::vector<OutlineMatch> accepted_;
  std::set<std::size_t> edges_;  ///< nodes before which an accepted sequence begins or ends
  std::priority_queue<OutlineMatch> queue_;
  std::set<OutlineMatch> seen_;               ///< all that were ever enqueued
  std::map<Word, std::set<Starts>> waiting_;  ///< the starts of what is in the queue
};

}  // namespace

std::vector<OutlineMatch> findMatches(const OutlineSchedule& schedule) {
  return MatchSearch(schedule).run();
}

std::vector<OutlineMatch> aboveThreshold(const std::vector<OutlineMatch>& matches,
                                         std::size_t schedule_size, double threshold) {
  // By position: the outermost kept match that begins there.
  std::vector<const OutlineMatch*> cover(schedule_size, nullptr);
  std::vector<OutlineMatch> kept;
  for (const OutlineMatch& match : matches) {
    double inside = 0;
    const std::size_t first = match.starts.front();
    for (std::size_t n = first; n < first + match.length; ++n) {
      if (cover[n] != nullptr) inside += cover[n]->value;
    }
    if (match.value - inside <= threshold) continue;
    kept.push_back(match);
    for (const std::size_t start : match.starts) {
      std::fill_n(cover.begin() + static_cast<std::ptrdiff_t>(start), match.length, nullptr);
      cover[start] = &match;
    }
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

}  // namespace ipusim::workloads
