// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/search.h"

#include <algorithm>
#include <cmath>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/moead.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/batch_evaluators/member_bfe.hpp>
#include <pagmo/bfe.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <random>
#include <unordered_set>
#include <utility>

#include "ipusim/error.h"
#include "sim/studies/search/genome.h"

namespace ipusim::search {

namespace {

// Generations in a row without a new point, after which a search ends.
constexpr int kMostIdleGenerations = 100;
constexpr std::uint64_t kMostTries = 1000;  // tries to sample one more point that is asked for
/// The least penalty. It is far off, because objectives are scaled to about 0 to 1.
constexpr double kFar = 1e6;

/// How many numbers a point is judged by. The algorithms want two at least: they see a single
/// objective twice, which orders points as it does alone.
std::size_t fitnessSize(std::size_t objectives) {
  return std::max<std::size_t>(objectives, 2);
}

/// Scales objectives to shares of the range of the first generation: MOEA/D has to compare them.
class Scale {
 public:
  Scale(const Evaluator& evaluator, std::size_t objectives)
      : least_(objectives, HUGE_VAL), most_(objectives, -HUGE_VAL) {
    for (const std::uint64_t number : evaluator.seen()) {
      const Outcome outcome = evaluator.outcomeOf(number);
      if (!outcome.feasible()) continue;
      for (std::size_t o = 0; o < objectives; ++o) {
        least_[o] = std::min(least_[o], outcome.objectives[o]);
        most_[o] = std::max(most_[o], outcome.objectives[o]);
      }
    }
  }

  [[nodiscard]] std::vector<double> fitness(const Outcome& outcome) const {
    if (!outcome.feasible()) {
      return std::vector(fitnessSize(least_.size()), kFar * (1 + outcome.violation));
    }
    std::vector<double> fitness = outcome.objectives;
    for (std::size_t o = 0; o < fitness.size(); ++o) {
      if (most_[o] > least_[o]) fitness[o] = (fitness[o] - least_[o]) / (most_[o] - least_[o]);
    }
    fitness.resize(fitnessSize(fitness.size()), fitness.front());
    return fitness;
  }

 private:
  std::vector<double> least_;
  std::vector<double> most_;
};

/// The evaluator as pagmo sees it. pagmo copies problems freely, so the object owns nothing.
struct Problem {
  Evaluator* evaluator = nullptr;
  const Genome* genome = nullptr;
  const Scale* scale = nullptr;
  std::size_t objectives = 0;

  // NOLINTBEGIN(readability-identifier-naming): pagmo looks for these names.
  [[nodiscard]] std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    return {genome->lower(), genome->upper()};
  }
  [[nodiscard]] pagmo::vector_double::size_type get_nobj() const { return objectives; }
  [[nodiscard]] pagmo::vector_double::size_type get_nix() const { return genome->wholes(); }
  [[nodiscard]] pagmo::vector_double fitness(const pagmo::vector_double& genes) const {
    return batch_fitness(genes);
  }
  /// The fitness of many points, one after the other.
  [[nodiscard]] pagmo::vector_double batch_fitness(const pagmo::vector_double& genes) const {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(genes.size() / genome->size());
    for (std::size_t g = 0; g < genes.size(); g += genome->size()) {
      numbers.push_back(genome->decode(genes.data() + g));
    }
    evaluator->look(numbers);
    pagmo::vector_double all;
    for (const std::uint64_t number : numbers) {
      const std::vector<double> one = scale->fitness(evaluator->outcomeOf(number));
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  // NOLINTEND(readability-identifier-naming)
};

/// Draws points at random, each once.
class RandomSampler {
 public:
  RandomSampler(const sweep::Sweep& sweep, std::uint32_t seed)
      : sweep_(sweep), random_(seed), number_(0, sweep.numbers() - 1) {}

  /// Up to `count` points that are asked for and have not been seen yet.
  std::vector<std::uint64_t> sample(const Evaluator& evaluator, std::uint64_t count) {
    std::vector<std::uint64_t> sampled;
    std::unordered_set<std::uint64_t> known;
    for (std::uint64_t tries = 0; tries < kMostTries * count && sampled.size() < count; ++tries) {
      const std::uint64_t number = number_(random_);
      if (evaluator.hasSeen(number) || !sweep_.asked(number).holds()) continue;
      if (known.insert(number).second) sampled.push_back(number);
    }
    return sampled;
  }

 private:
  const sweep::Sweep& sweep_;
  std::mt19937_64 random_;
  std::uniform_int_distribution<std::uint64_t> number_;
};

pagmo::algorithm algorithmOf(const SearchOptions& options, const Genome& genome) {
  constexpr unsigned kGenerations = 1;  // at a time: the caller looks between them
  if (options.algorithm == Algorithm::Moead) {
    const auto neighbours = std::min<std::uint64_t>(20, options.population / 2);
    return pagmo::algorithm(pagmo::moead(kGenerations, "low discrepancy", "tchebycheff", neighbours,
                                         1.0, 0.5, 20., 0.9, 2U, true, options.seed));
  }
  const double mutation = 1.0 / static_cast<double>(genome.size());
  pagmo::nsga2 nsga2(kGenerations, 0.95, 10., mutation, 50., options.seed);
  nsga2.set_bfe(pagmo::bfe(pagmo::member_bfe()));
  return pagmo::algorithm(std::move(nsga2));
}

/// Repeats `step` as long as the budget lasts and new points come up from time to time.
template <typename Step>
void repeat(Evaluator& evaluator, std::vector<std::size_t>& generations, const Step& step) {
  for (int idle = 0; evaluator.mayLook() && idle < kMostIdleGenerations; ++idle) {
    const std::size_t before = evaluator.seen().size();
    step();
    generations.push_back(evaluator.seen().size());
    if (evaluator.seen().size() > before) idle = -1;
  }
}

}  // namespace

std::vector<std::size_t> search(const sweep::Sweep& sweep, const SearchOptions& options,
                                Evaluator& evaluator) {
  RandomSampler sampler(sweep, options.seed);
  const std::vector<std::uint64_t> first = sampler.sample(evaluator, options.population);
  if (first.empty()) {
    throw ConfigError(sweep.where_place +
                      ": wanted a condition that some point meets, found none that does");
  }
  evaluator.look(first);
  evaluator.expectValues();
  std::vector<std::size_t> generations = {evaluator.seen().size()};
  const Algorithm algorithm_name = options.algorithm.value_or(Algorithm::Nsga2);
  if (algorithm_name == Algorithm::Random) {
    repeat(evaluator, generations,
           [&] { evaluator.look(sampler.sample(evaluator, options.population)); });
    return generations;
  }
  const Genome genome(sweep, algorithm_name);
  if (genome.size() == 0) return generations;
  const Scale scale(evaluator, options.objectives.size());
  pagmo::population population(
      pagmo::problem(Problem{&evaluator, &genome, &scale, fitnessSize(options.objectives.size())}),
      0U, options.seed);
  for (std::uint64_t i = 0; i < options.population; ++i) {
    population.push_back(genome.encode(first[i % first.size()]));
  }
  const pagmo::algorithm algorithm = algorithmOf(options, genome);
  repeat(evaluator, generations, [&] { population = algorithm.evolve(population); });
  return generations;
}

}  // namespace ipusim::search
