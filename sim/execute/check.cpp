// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/numbers/magnitude.h"
#include "ipusim/error.h"
#include "ipusim/units.h"
#include "models/ipu/machine/element_words.h"
#include "sim/execute/element_value.h"
#include "sim/execute/execute.h"

namespace ipusim::executor {

using compiler::Executable;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A number in [0, 1). The standard fixes the generator's bits, but not those of its distributions.
double unitReal(std::mt19937_64& generator) {
  constexpr int kMantissaBits = std::numeric_limits<double>::digits;
  constexpr double kUnit = 1.0 / (std::uint64_t{1} << kMantissaBits);
  return static_cast<double>(generator() >> (64 - kMantissaBits)) * kUnit;
}

/// An error beside what it is measured by. Any error is infinitely large beside 0.
double relativeError(double error, double measure) {
  if (error == 0) return 0;
  return measure == 0 ? kInfinity : error / measure;
}

/// Infinite where the difference is no number.
double errorOf(double wanted, double found) {
  const double difference = std::abs(found - wanted);
  if (!std::isfinite(difference)) return kInfinity;
  return difference;
}

/// Compares one output with what is wanted of it, some values at a time.
class OutputComparison {
 public:
  /// `wanted` must outlive this.
  OutputComparison(std::string output, const Expected& wanted, std::size_t index, double tolerance)
      : wanted_(wanted.values[index]),
        slack_(wanted.slack.empty() ? kNoSlack : wanted.slack[index]) {
    check(slack_.empty() || slack_.size() == wanted_.size(), output + ": a slack for each value");
    result_.output = std::move(output);
    result_.max_reference = wanted.scales.empty() ? largestOf(wanted_) : wanted.scales[index];
    tolerated_ = tolerance * result_.max_reference;
  }

  /// Takes the next values that were found.
  void take(const Values& found) {
    check(found.size() <= wanted_.size() - result_.elements,
          result_.output + ": number of reference values");
    for (const double value : found) take(value);
  }

  /// The result, once all values have been taken.
  [[nodiscard]] CheckResult result() {
    check(result_.elements == wanted_.size(), result_.output + ": number of reference values");
    result_.relative = relativeError(result_.max_error, result_.max_reference);
    return std::move(result_);
  }

 private:
  void take(double found) {
    const std::uint64_t i = result_.elements++;
    const double slack = slack_.empty() ? 0 : slack_[i];
    if (!std::isfinite(wanted_[i]))
      throw InternalError(result_.output + ": reference is no number");
    if (!std::isfinite(slack) || slack < 0) {
      throw InternalError(result_.output + ": a slack that forgives anything");
    }
    const double error = errorOf(wanted_[i], found);
    const double allowed = slack + tolerated_;
    const double share = relativeError(error, allowed);
    result_.max_error = std::max(result_.max_error, error);
    result_.max_slack = std::max(result_.max_slack, slack);
    if (i != 0 && share <= result_.share) return;
    result_.share = share;
    result_.slack = slack;
    result_.allowed = allowed;
    result_.index = i;
    result_.wanted = wanted_[i];
    result_.found = found;
  }

  inline static const Values kNoSlack;

  const Values& wanted_;
  const Values& slack_;
  double tolerated_;
  CheckResult result_;
};

/// Calls `take(o, comparison)` for each output o, and returns the worst result.
template <typename Take>
CheckResult compareEach(const std::vector<std::string>& outputs, double tolerance,
                        const Expected& wanted, const Take& take) {
  const std::size_t count = outputs.size();
  check(wanted.values.size() == count, "number of reference outputs");
  check(wanted.slack.empty() || wanted.slack.size() == count, "a slack for each output");
  check(wanted.scales.empty() || wanted.scales.size() == count, "a scale for each output");
  CheckResult worst;
  std::uint64_t elements = 0;
  for (std::size_t o = 0; o < count; ++o) {
    OutputComparison comparison(outputs[o], wanted, o, tolerance);
    take(o, comparison);
    CheckResult result = comparison.result();
    elements += result.elements;
    if (o == 0 || result.share > worst.share) worst = std::move(result);
  }
  worst.elements = elements;
  worst.ok = elements > 0 && worst.share <= 1;
  return worst;
}

/// Calls `use(part)` with parts of the tensor that follow one another in row-major order. The
/// values of a large output are thus never all held at once.
template <typename Use>
void forEachPart(const HostTensor& whole, const Use& use) {
  constexpr std::uint64_t kParts = 16;
  const Shape& shape = whole.tensor.shape();
  const auto wide = std::find_if(shape.begin(), shape.end(), [](auto size) { return size > 1; });
  if (wide == shape.end()) return use(whole);
  const auto dim = static_cast<std::size_t>(wide - shape.begin());
  const std::uint64_t step = ceilDiv(*wide, kParts);
  for (std::uint64_t begin = 0; begin < *wide; begin += step) {
    use(HostTensor{whole.name, whole.tensor.slice(begin, std::min(*wide, begin + step), dim)});
  }
}

/// Writes an input of so many elements to memory, and appends it to `inputs`. An input without
/// values gets random ones.
template <typename Input>
void writeInput(const Input& input, ElementType type, std::uint64_t elements, HostAccess& host,
                std::vector<Values>& inputs) {
  Values values = input.values;
  if (values.empty()) {
    values = randomValues(type, elements, inputs.size(), input.below);
  } else {
    roundTo(type, values);
  }
  host.write(input, values);
  inputs.push_back(std::move(values));
}

/// Writes the inputs to memory and returns them.
std::vector<Values> writeInputs(const Graph& graph, const HostTensors& tensors, HostAccess& host) {
  std::vector<Values> inputs;
  for (const HostTensor& input : tensors.inputs) {
    writeInput(input, input.tensor.type(), input.tensor.elements(), host, inputs);
  }
  for (const HostRow& row : tensors.input_rows) {
    const RemoteBuffer& buffer = bufferOf(graph, row);
    writeInput(row, buffer.type, buffer.row_elements, host, inputs);
  }
  return inputs;
}

std::vector<Values> readOutputs(const HostTensors& tensors, HostAccess& host) {
  std::vector<Values> found;
  for (const HostTensor& output : tensors.outputs) found.push_back(host.read(output));
  for (const HostRow& row : tensors.output_rows) found.push_back(host.read(row));
  return found;
}

std::vector<std::string> namesOf(const std::vector<HostTensor>& tensors,
                                 const std::vector<HostRow>& rows) {
  std::vector<std::string> names;
  names.reserve(tensors.size() + rows.size());
  for (const HostTensor& tensor : tensors) names.push_back(tensor.name);
  for (const HostRow& row : rows) names.push_back(row.name);
  return names;
}

/// Compares each round of a program with what the round should make of the values that it found.
class Rounds {
 public:
  Rounds(const Graph& graph, const HostTensors& tensors, const Reference& reference,
         HostAccess& host)
      : tensors_(tensors),
        input_names_(namesOf(tensors.inputs, tensors.input_rows)),
        output_names_(namesOf(tensors.outputs, tensors.output_rows)),
        reference_(reference),
        host_(host),
        inputs_(writeInputs(graph, tensors, host)),
        wanted_(reference.compute(inputs_)) {}

  /// Call after each round. Returns false when later rounds need no check.
  bool next() {
    if (++rounds_ > reference_.rounds) return false;
    const std::vector<Values> found = readOutputs(tensors_, host_);
    CheckResult result = compareOutputs(output_names_, reference_.tolerance, wanted_, found);
    const std::uint64_t elements = worst_.elements + result.elements;
    const bool ok = result.ok;
    if (rounds_ == 1 || !ok || result.share > worst_.share) worst_ = std::move(result);
    if (worst_.round == 0) worst_.round = rounds_;
    worst_.elements = elements;
    if (!ok) return false;
    if (rounds_ == reference_.rounds) return true;
    carry(found);
    wanted_ = reference_.compute(inputs_);
    return true;
  }

  [[nodiscard]] CheckResult result() const {
    const bool is_wrong = rounds_ > 0 && !worst_.ok;
    return is_wrong || rounds_ == reference_.rounds ? worst_ : wrongNumberOfRounds();
  }

 private:
  /// Makes the outputs of this round the inputs of the next.
  void carry(const std::vector<Values>& found) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      for (std::size_t o = 0; o < found.size(); ++o) {
        if (input_names_[i] == output_names_[o]) inputs_[i] = found[o];
      }
    }
  }

  [[nodiscard]] CheckResult wrongNumberOfRounds() const {
    CheckResult result;
    result.output = "rounds of the loop";
    result.max_reference = result.wanted = static_cast<double>(reference_.rounds);
    result.found = static_cast<double>(rounds_);
    result.max_error = std::abs(result.found - result.wanted);
    result.relative = relativeError(result.max_error, result.max_reference);
    result.share = kInfinity;
    result.elements = worst_.elements;
    return result;
  }

  const HostTensors& tensors_;
  std::vector<std::string> input_names_;
  std::vector<std::string> output_names_;
  const Reference& reference_;
  HostAccess& host_;
  std::vector<Values> inputs_;
  Expected wanted_;
  CheckResult worst_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

Values randomValues(ElementType type, std::uint64_t elements, std::uint64_t seed,
                    std::uint64_t below) {
  std::mt19937_64 generator(seed);
  Values values(elements);
  if (isReal(type)) {
    for (double& value : values) value = 2 * unitReal(generator) - 1;
    roundTo(type, values);
  } else {
    for (double& value : values) {
      value = std::floor(static_cast<double>(below) * unitReal(generator));
    }
  }
  return values;
}

CheckResult compareOutputs(const std::vector<std::string>& outputs, double tolerance,
                           const Expected& wanted, const std::vector<Values>& found) {
  check(found.size() == outputs.size(), "number of outputs found");
  return compareEach(outputs, tolerance, wanted, [&](std::size_t o, OutputComparison& comparison) {
    comparison.take(found[o]);
  });
}

std::vector<Values> outputsOf(const Graph& graph, const Executable& executable,
                              const HostTensors& host) {
  TileMemories memories(executable);
  HostAccess access(graph, executable, memories);
  access.loadConstants();
  writeInputs(graph, host, access);
  execute(executable, memories, {1, {}, &access.rows()});
  return readOutputs(host, access);
}

CheckResult checkNumbers(const Graph& graph, const Executable& executable, const HostTensors& host,
                         const Reference& reference, const CheckOptions& options) {
  TileMemories memories(executable, options.checking);
  HostAccess access(graph, executable, memories);
  access.loadConstants();
  if (reference.rounds > 1) {
    Rounds rounds(graph, host, reference, access);
    execute(executable, memories,
            {options.jobs, [&rounds] { return rounds.next(); }, &access.rows()});
    return rounds.result();
  }
  // The reference comes first: it may refuse what would take too long.
  const Expected wanted = reference.compute(writeInputs(graph, host, access));
  execute(executable, memories, {options.jobs, {}, &access.rows()});
  const std::size_t tensors = host.outputs.size();
  return compareEach(namesOf(host.outputs, host.output_rows), reference.tolerance, wanted,
                     [&](std::size_t o, OutputComparison& comparison) {
                       if (o >= tensors)
                         return comparison.take(access.read(host.output_rows[o - tensors]));
                       forEachPart(host.outputs[o], [&](const HostTensor& part) {
                         comparison.take(access.read(part));
                       });
                     });
}

}  // namespace ipusim::executor
