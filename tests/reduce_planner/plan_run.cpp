// SPDX-License-Identifier: Apache-2.0
#include "tests/reduce_planner/plan_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace ipusim::workloads {

namespace {

using Numbers = std::vector<std::uint64_t>;

/// The elements of a pattern, with the times that each was read or written.
struct CountedNumbers {
  Numbers values;
  Numbers times;
};

CountedNumbers counted(Numbers values) {
  const std::size_t size = values.size();
  return {std::move(values), Numbers(size, 0)};
}

std::uint64_t strideOf(const ColumnPattern& pattern) {
  return pattern.stride == kAnyStride ? pattern.columns * pattern.inner : pattern.stride;
}

std::uint64_t sizeOfPattern(const ColumnPattern& pattern) {
  return (pattern.outer - 1) * strideOf(pattern) + pattern.columns * pattern.inner;
}

/// Where a pattern has row `row` of a column. Repeats at any distances follow each other here.
std::uint64_t placeIn(const ColumnPattern& pattern, std::uint64_t column, std::uint64_t row) {
  return row / pattern.inner * strideOf(pattern) + column * pattern.inner + row % pattern.inner;
}

std::uint64_t read(CountedNumbers& numbers, std::uint64_t place) {
  ++numbers.times.at(place);
  return numbers.values.at(place);
}

void write(CountedNumbers& numbers, std::uint64_t place, std::uint64_t value) {
  ++numbers.times.at(place);
  numbers.values.at(place) = value;
}

/// Expects that vertices read all elements that a pattern has, and none between them.
void expectAllRead(const ColumnPattern& pattern, const CountedNumbers& numbers) {
  std::uint64_t read_once = 0;
  for (const std::uint64_t times : numbers.times) {
    ASSERT_LE(times, 1U);
    read_once += times;
  }
  EXPECT_EQ(read_once, pattern.columns * pattern.rows());
}

void expectAllWritten(const CountedNumbers& numbers) {
  for (const std::uint64_t times : numbers.times) ASSERT_EQ(times, 1U);
}

/// Runs the vertices of a step. `put` takes the sum of a column of a part.
template <typename Put>
void runStep(const TileStep& step, std::vector<CountedNumbers>& elements, const Put& put) {
  for (const auto& vertices : step.workers) {
    for (const ReduceVertexPlan& vertex : vertices) {
      for (const PatternPart& part : vertex.parts) {
        const ColumnPattern& pattern = step.patterns.at(part.pattern);
        for (std::uint64_t column = part.begin; column < part.end; ++column) {
          std::uint64_t sum = 0;
          for (std::uint64_t row = part.first; row < part.last; ++row) {
            sum += read(elements.at(part.pattern), placeIn(pattern, column, row));
          }
          put(part, column, sum);
        }
      }
    }
  }
  for (std::size_t p = 0; p < elements.size(); ++p) expectAllRead(step.patterns[p], elements[p]);
}

/// The partials of one stage, by tile and column.
class PartialNumbers {
 public:
  void add(TileId tile, std::uint64_t column, std::uint64_t value) {
    const bool is_first = values_.emplace(std::pair(tile, column), value).second;
    EXPECT_TRUE(is_first) << "tile " << tile.tile() << " has two partials of " << column;
  }
  std::uint64_t take(TileId tile, std::uint64_t column) {
    const auto found = values_.find({tile, column});
    EXPECT_NE(found, values_.end()) << "tile " << tile.tile() << " has no partial of " << column;
    if (found == values_.end()) return 0;
    const std::uint64_t value = found->second;
    values_.erase(found);
    return value;
  }
  [[nodiscard]] bool empty() const { return values_.empty(); }

 private:
  std::map<std::pair<TileId, std::uint64_t>, std::uint64_t> values_;
};

ColumnPattern patternOf(const HeldRows& own) {
  return {own.columns(), own.inner, own.outer, own.stride};
}

/// Goes through the stages of one plan.
class PlanRun {
 public:
  PlanRun(const Architecture& machine, const ReduceProblem& problem, const HeldNumbers& numbers)
      : machine_(machine),
        problem_(problem),
        numbers_(numbers),
        outputs_(counted(Numbers(numbers.sums.size(), 0))) {}

  Numbers run(const ReducePlan& plan) {
    const auto to_output = [this](TileId, std::uint64_t column, std::uint64_t value) {
      write(outputs_, column, value);
    };
    const auto shares = finalShares(machine_, problem_, plan.final);
    if (plan.form == ReduceForm::Stages) {
      holdPartials(plan);
      for (const IntermediateStage& stage : plan.intermediate) runIntermediate(stage);
      runShares(shares, to_output, [&](const StageShare& share, std::size_t p) {
        return received(plan.final.sources, share.columns[p],
                        {0, share.reduction.patterns[p].rows()});
      });
    } else {
      runShares(shares, to_output,
                [this](const auto& share, std::size_t p) { return held(share, p); });
    }
    EXPECT_TRUE(partials_.empty()) << "partials that no stage reads";
    expectAllWritten(outputs_);
    return outputs_.values;
  }

 private:
  /// Runs a tile's work on the elements that `elementsOf` gives for each of its patterns.
  template <typename Put, typename ElementsOf>
  void runShares(const std::vector<StageShare>& shares, const Put& put,
                 const ElementsOf& elementsOf) {
    for (const StageShare& share : shares) {
      std::vector<Numbers> elements;
      for (std::size_t p = 0; p < share.columns.size(); ++p) {
        elements.push_back(elementsOf(share, p));
      }
      const TileWork work = planTileWork(machine_, share.reduction);
      const auto results = runTileWork(work, share.reduction, elements);
      for (std::size_t p = 0; p < results.size(); ++p) {
        std::uint64_t column = 0;
        for (const StageColumns& own : share.columns[p]) {
          if (column == results[p].size()) break;  // more rows of the same columns
          for (std::uint64_t c = own.begin; c < own.end; ++c) {
            put(share.tile, c, results[p].at(column++));
          }
        }
      }
    }
  }

  void holdPartials(const ReducePlan& plan) {
    const auto to_partial = [this](TileId tile, std::uint64_t column, std::uint64_t value) {
      partials_.add(tile, column, value);
    };
    if (plan.on_tile) {
      runShares(onTileShares(problem_, *plan.on_tile), to_partial,
                [this](const auto& share, std::size_t p) { return held(share, p); });
      return;
    }
    for (std::size_t h = 0; h < problem_.held.size(); ++h) {
      const HeldRows& own = problem_.held[h];
      for (std::uint64_t c = 0; c < own.columns(); ++c) {
        to_partial(own.tile, own.begin + c, numbers_.elements[h].at(c));
      }
    }
  }

  void runIntermediate(const IntermediateStage& stage) {
    PartialNumbers next;
    const auto to_next = [&](TileId tile, std::uint64_t column, std::uint64_t value) {
      next.add(tile, column, value);
    };
    runShares(intermediateShares(stage), to_next, [&](const StageShare& share, std::size_t p) {
      const auto& one = stage.reductions.at(share.columns[p].front().source);
      return received(stage.sources, share.columns[p], {one.first, one.last});
    });
    EXPECT_TRUE(partials_.empty()) << "partials that a stage does not read";
    partials_ = std::move(next);
  }

  /// The elements of a pattern of what tiles hold.
  [[nodiscard]] Numbers held(const StageShare& share, std::size_t p) const {
    const ColumnPattern& pattern = share.reduction.patterns[p];
    Numbers elements(sizeOfPattern(pattern));
    std::uint64_t row = 0;
    for (const StageColumns& columns : share.columns[p]) {
      const HeldRows& own = problem_.held.at(columns.source);
      for (std::uint64_t r = 0; r < own.rows(); ++r, ++row) {
        for (std::uint64_t c = 0; c < pattern.columns; ++c) {
          elements.at(placeIn(pattern, c, row)) = numbers_.elements[columns.source].at(
              placeIn(patternOf(own), columns.begin - own.begin + c, r));
        }
      }
    }
    return elements;
  }

  /// Rows [first, last) of the partials of columns, one row after the other.
  Numbers received(const PartialColumns& sources, const std::vector<StageColumns>& columns,
                   const std::pair<std::uint64_t, std::uint64_t>& rows) {
    Numbers numbers;
    for (std::uint64_t row = rows.first; row < rows.second; ++row) {
      for (const StageColumns& own : columns) {
        for (std::uint64_t c = own.begin; c < own.end; ++c) {
          numbers.push_back(partials_.take(sources.tilesOf(*sources.regionOf(c)).at(row), c));
        }
      }
    }
    return numbers;
  }

  const Architecture& machine_;
  const ReduceProblem& problem_;
  const HeldNumbers& numbers_;
  PartialNumbers partials_;
  CountedNumbers outputs_;
};

}  // namespace

HeldNumbers randomNumbers(std::vector<HeldRows> held, std::mt19937_64& random) {
  constexpr std::uint64_t kLargest = 1000;
  HeldNumbers numbers{std::move(held), {}, {}};
  for (const HeldRows& own : numbers.held) {
    const ColumnPattern pattern = patternOf(own);
    Numbers& elements = numbers.elements.emplace_back(sizeOfPattern(pattern));
    for (std::uint64_t& element : elements) element = random() % kLargest;
    numbers.sums.resize(std::max<std::size_t>(numbers.sums.size(), own.end));
    for (std::uint64_t c = 0; c < own.columns(); ++c) {
      for (std::uint64_t r = 0; r < own.rows(); ++r) {
        numbers.sums[own.begin + c] += elements.at(placeIn(pattern, c, r));
      }
    }
  }
  return numbers;
}

std::vector<Numbers> runTileWork(const TileWork& work, const TileReduction& reduction,
                                 const std::vector<Numbers>& elements) {
  std::vector<CountedNumbers> outputs;
  for (const ColumnPattern& pattern : reduction.patterns) {
    outputs.push_back(counted(Numbers(pattern.columns, 0)));
  }
  std::vector<CountedNumbers> between;
  for (const ColumnPattern& pattern : work.second.patterns) {
    between.push_back(counted(Numbers(sizeOfPattern(pattern), 0)));
  }
  std::vector<CountedNumbers> read;
  for (const Numbers& own : elements) read.push_back(counted(own));
  runStep(work.first, read, [&](const PatternPart& part, std::uint64_t column, std::uint64_t sum) {
    if (!part.between) return write(outputs.at(part.pattern), column, sum);
    write(between.at(part.between->pattern), part.between->offset + column - part.begin, sum);
  });
  for (CountedNumbers& own : between) {
    expectAllWritten(own);
    own = counted(std::move(own.values));
  }
  runStep(work.second, between,
          [&](const PatternPart& part, std::uint64_t column, std::uint64_t sum) {
            const IntermediatePattern& to = work.between.at(part.pattern);
            write(outputs.at(to.pattern), to.first_column + column, sum);
          });
  std::vector<Numbers> results;
  for (CountedNumbers& own : outputs) {
    expectAllWritten(own);
    results.push_back(std::move(own.values));
  }
  return results;
}

std::vector<std::uint64_t> runPlan(const Architecture& machine, const ReduceProblem& problem,
                                   const ReducePlan& plan, const HeldNumbers& numbers) {
  return PlanRun(machine, problem, numbers).run(plan);
}

}  // namespace ipusim::workloads
