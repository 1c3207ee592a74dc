// SPDX-License-Identifier: Apache-2.0
#include "poplin/Convolution.hpp"

#include "poplar/tests/runtime/library_fixture.h"

namespace {

using poplar::Tensor;
using poplin::ConvParams;
using testing::ElementsAre;

/// Numbers whose products and sums are exact in float.
std::vector<float> smallNumbers(std::size_t count, int seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>((static_cast<int>(i) * 7 + seed) % 11 - 5);
  }
  return values;
}

/// The input element at a position of the padded and dilated input, where that is one.
bool isElement(const ConvParams& params, unsigned d, std::size_t position, std::size_t* element) {
  const auto& in = params.inputTransform;
  const std::size_t begin = in.paddingLower[d];
  if (position < begin || (position - begin) % in.dilation[d] != 0) return false;
  *element = (position - begin) / in.dilation[d];
  return *element < params.inputFieldShape[d];
}

/// A convolution of two field dimensions by its definition.
class Direct {
 public:
  Direct(const ConvParams& params, const std::vector<float>& input,
         const std::vector<float>& weights)
      : params_(params), input_(input), weights_(weights) {}

  [[nodiscard]] std::vector<float> result() const {
    const auto field = params_.getOutputFieldShape();
    std::vector<float> all;
    for (std::size_t b = 0; b < params_.batchSize; ++b) {
      for (std::size_t c = 0; c < params_.getNumOutputChans(); ++c) {
        for (std::size_t y = 0; y < field[0]; ++y) {
          for (std::size_t x = 0; x < field[1]; ++x) all.push_back(at(b, c, y, x));
        }
      }
    }
    return all;
  }

 private:
  [[nodiscard]] float at(std::size_t batch, std::size_t channel, std::size_t y,
                         std::size_t x) const {
    const auto& kernel = params_.kernelShape;
    const auto& out = params_.outputTransform;
    const auto& of_kernel = params_.kernelTransform;
    float sum = 0;
    for (std::size_t i = 0; i < params_.inputChannelsPerConvGroup; ++i) {
      for (std::size_t ky = 0; ky < kernel[0]; ++ky) {
        for (std::size_t kx = 0; kx < kernel[1]; ++kx) {
          std::size_t row = 0;
          std::size_t column = 0;
          if (!isElement(params_, 0, y * out.stride[0] + ky * of_kernel.dilation[0], &row) ||
              !isElement(params_, 1, x * out.stride[1] + kx * of_kernel.dilation[1], &column)) {
            continue;
          }
          sum += inputAt(batch, channel, i, row, column) * weightAt(channel, i, ky, kx);
        }
      }
    }
    return sum;
  }
  [[nodiscard]] float inputAt(std::size_t batch, std::size_t channel, std::size_t i,
                              std::size_t row, std::size_t column) const {
    const std::size_t group = channel / params_.outputChannelsPerConvGroup;
    const std::size_t in = group * params_.inputChannelsPerConvGroup + i;
    const auto& field = params_.inputFieldShape;
    return input_[((batch * params_.getNumInputChans() + in) * field[0] + row) * field[1] + column];
  }
  [[nodiscard]] float weightAt(std::size_t channel, std::size_t i, std::size_t ky,
                               std::size_t kx) const {
    const auto& kernel = params_.kernelShape;
    return weights_[((channel * params_.inputChannelsPerConvGroup + i) * kernel[0] + ky) *
                        kernel[1] +
                    kx];
  }

  const ConvParams& params_;
  const std::vector<float>& input_;
  const std::vector<float>& weights_;
};

std::vector<std::size_t> inputShape(const ConvParams& params) {
  return {params.batchSize, params.getNumInputChans(), params.inputFieldShape[0],
          params.inputFieldShape[1]};
}
std::vector<std::size_t> weightShape(const ConvParams& params) {
  return {params.numConvGroups, params.outputChannelsPerConvGroup, params.inputChannelsPerConvGroup,
          params.kernelShape[0], params.kernelShape[1]};
}
std::size_t countOf(const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  for (std::size_t size : shape) count *= size;
  return count;
}

ConvParams padded() {
  ConvParams params(poplar::FLOAT, 2, {9, 7}, {3, 3}, 4, 8, 1);
  params.inputTransform.paddingLower = params.inputTransform.paddingUpper = {1, 1};
  return params;
}

class Convolution : public LibraryProgram {
 protected:
  void expectDirectResult(const ConvParams& params) {
    const std::vector<float> input = smallNumbers(countOf(inputShape(params)), 1);
    const std::vector<float> weights = smallNumbers(countOf(weightShape(params)), 2);
    const Tensor out =
        poplin::convolution(graph, spread<float>(inputShape(params), input),
                            spread<float>(weightShape(params), weights), params, false, program);
    EXPECT_EQ(after<float>(out), Direct(params, input, weights).result());
  }
  std::uint64_t cyclesOfRun() {
    poplar::Engine engine(graph, program);
    engine.loadAndRun(device);
    return engine.getTimeStamp().cycles;
  }
};

TEST_F(Convolution, ConvolvesOperandsThatLieAnyhow) {
  expectDirectResult(ConvParams(poplar::FLOAT, 1, {6, 5}, {3, 2}, 4, 3, 1));
}

TEST_F(Convolution, PutsZerosAroundTheInput) {
  expectDirectResult(padded());
}

TEST_F(Convolution, KeepsTheChannelsOfGroupsApart) {
  expectDirectResult(ConvParams(poplar::FLOAT, 2, {5, 5}, {2, 2}, 3, 2, 2));
}

TEST_F(Convolution, StridesAndDilates) {
  ConvParams params(poplar::FLOAT, 1, {8, 8}, {3, 3}, 2, 2, 1);
  params.outputTransform.stride = {2, 1};
  params.kernelTransform.dilation = {1, 2};
  params.inputTransform.dilation = {2, 1};
  expectDirectResult(params);
}

TEST_F(Convolution, OperandsThatLieAsThePlanWantsThemAreNotMoved) {
  const ConvParams params = padded();
  const Tensor input = poplin::createInput(graph, params, "in");
  const Tensor weights = poplin::createWeights(graph, params, "w");
  EXPECT_EQ(input.shape(), inputShape(params));
  EXPECT_EQ(weights.shape(), weightShape(params));
  const std::vector<float> numbers = smallNumbers(input.numElements(), 1);
  const std::vector<float> kernel = smallNumbers(weights.numElements(), 2);
  graph.setInitialValue<float>(input, numbers);
  graph.setInitialValue<float>(weights, kernel);
  const Tensor out = poplin::convolution(graph, input, weights, params, false, program);
  const std::uint64_t in_place = cyclesOfRun();
  EXPECT_EQ(after<float>(out), Direct(params, numbers, kernel).result());

  program = poplar::program::Sequence();
  poplin::convolution(graph, spread<float>(inputShape(params), numbers),
                      spread<float>(weightShape(params), kernel), params, false, program);
  EXPECT_LT(in_place, cyclesOfRun());
}

TEST_F(Convolution, TurnsWeightsForTheGradientOfTheInput) {
  const ConvParams params(poplar::FLOAT, 1, {4, 4}, {2, 2}, 2, 3, 1);
  const std::vector<float> input = smallNumbers(32, 1);
  const std::vector<float> turned = smallNumbers(24, 2);  // (out, in, y, x) of the convolution
  std::vector<float> weights(24);                         // (in, out, y, x), and reversed
  for (std::size_t out = 0; out < 3; ++out) {
    for (std::size_t in = 0; in < 2; ++in) {
      for (std::size_t k = 0; k < 4; ++k) {
        weights[(in * 3 + out) * 4 + 3 - k] = turned[(out * 2 + in) * 4 + k];
      }
    }
  }
  const Tensor out =
      poplin::convolution(graph, spread<float>({1, 2, 4, 4}, input),
                          spread<float>({1, 2, 3, 2, 2}, weights), params, true, program);
  EXPECT_EQ(after<float>(out), Direct(params, input, turned).result());
}

/// The gradient of the weights by its definition: each result times what its weight met.
std::vector<float> weightGradient(const ConvParams& params, const std::vector<float>& input,
                                  const std::vector<float>& gradients) {
  std::vector<float> weights(countOf(weightShape(params)));
  std::vector<float> all(weights.size());
  for (std::size_t w = 0; w < weights.size(); ++w) {
    weights[w] = 1;  // the result is then what this weight meets
    const std::vector<float> met = Direct(params, input, weights).result();
    for (std::size_t i = 0; i < met.size(); ++i) all[w] += met[i] * gradients[i];
    weights[w] = 0;
  }
  return all;
}

TEST_F(Convolution, UpdatesWeightsByTheirGradient) {
  ConvParams params(poplar::FLOAT, 2, {5, 4}, {3, 2}, 2, 3, 2);
  params.inputTransform.paddingLower = {1, 0};
  params.outputTransform.stride = {2, 1};
  const auto field = params.getOutputFieldShape();
  const std::vector<std::size_t> shape = {2, 6, field[0], field[1]};
  const std::vector<float> input = smallNumbers(countOf(inputShape(params)), 1);
  const std::vector<float> gradients = smallNumbers(countOf(shape), 3);
  const std::vector<float> ones(countOf(weightShape(params)), 1);
  const Tensor weights = spread<float>(weightShape(params), ones);
  poplin::convolutionWeightUpdate(graph, spread<float>(shape, gradients), weights,
                                  spread<float>(inputShape(params), input), params, -0.5F, program);
  std::vector<float> expected = weightGradient(params, input, gradients);
  for (float& value : expected) value = 1 - value / 2;
  EXPECT_EQ(after<float>(weights), expected);
}

TEST_F(Convolution, AddsABiasToEachChannel) {
  const Tensor activations = spread<float>({1, 2, 2, 1}, {1, 2, 3, 4});
  const Tensor biases = poplin::createBiases(graph, activations);
  graph.setInitialValue<float>(biases, {10, 20});
  poplin::addBias(graph, activations, biases, program);
  EXPECT_THAT(after<float>(activations), ElementsAre(11, 12, 23, 24));
}

TEST_F(Convolution, ABiasTakesTheSumOfItsChannel) {
  const Tensor gradients = spread<float>({1, 2, 2, 1}, {1, 2, 3, 4});
  const Tensor biases = spread<float>({2}, {10, 20});
  poplin::convolutionBiasUpdate(graph, gradients, biases, -1, {}, program);
  EXPECT_THAT(after<float>(biases), ElementsAre(7, 13));
}

TEST_F(Convolution, OperandsOfOtherShapesAreRefused) {
  const ConvParams params = padded();
  const Tensor weights = poplin::createWeights(graph, params);
  try {
    poplin::convolution(graph, spread<float>({1, 2}, {1, 2}), weights, params, false, program);
    FAIL() << "was taken";
  } catch (const poputil::poplibs_error& error) {
    EXPECT_STREQ(error.what(),
                 "convolution: wanted an input of float {2,4,9,7}, found float {1,2}");
  }
}

TEST(ConvParams, KnowsItsResult) {
  ConvParams params(poplar::HALF, 1, {8, 8}, {3, 5}, 2, 2, 3);
  params.outputTransform.stride = {2, 1};
  params.inputTransform.paddingLower = {1, 0};
  EXPECT_THAT(params.getOutputFieldShape(), ElementsAre(4, 4));
  EXPECT_EQ(params.getNumOutputChans(), 6U);
}

TEST(ConvParams, AKernelBeyondTheInputIsRefused) {
  EXPECT_THROW(ConvParams(poplar::FLOAT, 1, {2, 2}, {3, 3}, 1, 1, 1), poputil::poplibs_error);
  EXPECT_THROW(ConvParams(poplar::FLOAT, 1, {2}, {1, 1}, 1, 1, 1), poputil::poplibs_error);
  EXPECT_THROW(ConvParams(poplar::FLOAT, 0, {2}, {1}, 1, 1, 1), poputil::poplibs_error);
}

TEST(ConvParams, MorePositionsThanNumbersHaveAreRefused) {
  const std::size_t large = std::size_t{1} << 33U;  // as one position, with 32 bits
  EXPECT_THROW(ConvParams(poplar::FLOAT, 1, {large + 1}, {1}, 1, 1, 1), poputil::poplibs_error);
}

TEST(ConvParams, ManyOfEachAreNotTakenForNone) {
  const std::size_t many = std::size_t{1} << 16U;
  EXPECT_NO_THROW(ConvParams(poplar::FLOAT, many, {2}, {1}, many, many, many));
}

TEST(ProductOptions, MistypedValuesAreRefused) {
  using poplin::detail::memoryProportionOf;
  EXPECT_EQ(memoryProportionOf({}), 0.6);
  EXPECT_EQ(memoryProportionOf({{"availableMemoryProportion", "0.25"}}), 0.25);
  EXPECT_THROW(memoryProportionOf({{"availableMemoryProportion", "0.3x"}}), poputil::poplibs_error);
  EXPECT_THROW(poplin::detail::partialsOf({{"partialsType", "hlaf"}}, poplar::HALF),
               poputil::poplibs_error);
}

}  // namespace
