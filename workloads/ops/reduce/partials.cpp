// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/partials.h"

#include <algorithm>
#include <tuple>

#include "ipusim/error.h"

namespace ipusim::workloads {

Partials::Partials(const std::vector<PartialRun>& runs) {
  std::vector<std::uint64_t> cuts;
  cuts.reserve(2 * runs.size());
  for (const PartialRun& run : runs) {
    cuts.push_back(run.begin);
    cuts.push_back(run.end);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
    segments_.push_back({cuts[c], cuts[c + 1], {}});
  }
  for (const PartialRun& run : runs) {
    const auto first = std::lower_bound(cuts.begin(), cuts.end(), run.begin) - cuts.begin();
    for (auto s = static_cast<std::size_t>(first);
         s < segments_.size() && segments_[s].begin < run.end; ++s) {
      segments_[s].places.push_back({run.variable, run.offset + segments_[s].begin - run.begin});
    }
  }
  for (Segment& segment : segments_) {
    check(!segment.places.empty(), "a column without a partial");
    // Sorted, so that rows of one variable become regular sections.
    std::sort(segment.places.begin(), segment.places.end(),
              [](const PartialsPlace& a, const PartialsPlace& b) {
                return std::tie(a.variable, a.offset) < std::tie(b.variable, b.offset);
              });
  }
}

std::vector<Partials::Band> Partials::bands() const {
  return bands(0, segments_.back().end);
}

std::vector<Partials::Band> Partials::bands(std::uint64_t begin, std::uint64_t end) const {
  std::vector<Band> bands;
  for (auto s = segmentOf(begin); s != segments_.end() && s->begin < end; ++s) {
    const std::uint64_t until = std::min(end, s->end);
    if (bands.empty() || bands.back().partials != s->places.size()) {
      bands.push_back({std::max(begin, s->begin), until, s->places.size()});
    } else {
      bands.back().end = until;
    }
  }
  return bands;
}

std::uint64_t Partials::mostPartials() const {
  std::uint64_t most = 0;
  for (const Segment& segment : segments_) {
    most = std::max<std::uint64_t>(most, segment.places.size());
  }
  return most;
}

std::vector<Partials::Segment>::const_iterator Partials::segmentOf(std::uint64_t column) const {
  return std::upper_bound(segments_.begin(), segments_.end(), column,
                          [](std::uint64_t c, const Segment& s) { return c < s.end; });
}

View Partials::rows(std::uint64_t begin, std::uint64_t end, std::uint64_t first,
                    std::uint64_t last) const {
  View view;
  for (std::uint64_t p = first; p < last; ++p) {
    PartialRun run{};
    const auto flush = [&] {
      if (run.begin != run.end) {
        appendRegular(view, contiguous(run.variable, run.offset, run.end - run.begin));
      }
    };
    for (auto s = segmentOf(begin); s != segments_.end() && s->begin < end; ++s) {
      const std::uint64_t from = std::max(begin, s->begin);
      const std::uint64_t to = std::min(end, s->end);
      const PartialsPlace& place = s->places.at(p);
      const std::uint64_t offset = place.offset + from - s->begin;
      const bool continues =
          run.variable == place.variable && run.offset + run.end - run.begin == offset;
      if (run.begin != run.end && continues) {
        run.end = to;
        continue;
      }
      flush();
      run = {from, to, place.variable, offset};
    }
    flush();
  }
  return view;
}

std::vector<PartialRun> Partials::runs(std::uint64_t begin, std::uint64_t end) const {
  std::vector<PartialRun> runs;
  for (auto s = segmentOf(begin); s != segments_.end() && s->begin < end; ++s) {
    const std::uint64_t from = std::max(begin, s->begin);
    for (const PartialsPlace& place : s->places) {
      runs.push_back({from, std::min(end, s->end), place.variable, place.offset + from - s->begin});
    }
  }
  return runs;
}

}  // namespace ipusim::workloads
