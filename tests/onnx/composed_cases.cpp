// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/composed_cases.h"

#include <cmath>

namespace ipusim::workloads {

namespace {

using Attributes = std::vector<OnnxAttribute>;

/// A function of one element.
struct ElementCase {
  const char* name;
  Attributes attributes;
  double (*value)(double x);
  TensorValues at = {-2, -0.7, -0.1, 0, 0.2, 0.9, 3};
  ElementType result = ElementType::Float;
};

double softplus(double x) {
  return std::log1p(std::exp(x));
}
double normalBelow(double x) {
  return 0.5 * (1 + std::erf(x / std::sqrt(2.0)));
}

std::vector<ElementCase> activationCases() {
  return {
      {"Elu", {{"alpha", 0.5}}, [](double x) { return x > 0 ? x : 0.5 * std::expm1(x); }},
      {"Selu",
       {{"alpha", 2.0}, {"gamma", 3.0}},
       [](double x) { return 3 * (x > 0 ? x : 2 * std::expm1(x)); }},
      {"Celu", {{"alpha", 2.0}}, [](double x) { return x > 0 ? x : 2 * std::expm1(x / 2); }},
      {"LeakyRelu_slope", {{"alpha", 0.25}}, [](double x) { return x > 0 ? x : 0.25 * x; }},
      {"LeakyRelu_steep", {{"alpha", 2.0}}, [](double x) { return x > 0 ? x : 2 * x; }},
      {"HardSigmoid_slope",
       {{"alpha", 0.25}, {"beta", 0.75}},
       [](double x) { return std::min(std::max(0.25 * x + 0.75, 0.0), 1.0); }},
      {"Softplus", {}, softplus},
      {"Mish", {}, [](double x) { return x * std::tanh(softplus(x)); }},
      {"Gelu", {}, [](double x) { return x * normalBelow(x); }},
      {"Swish", {{"alpha", 0.5}}, [](double x) { return x / (1 + std::exp(-0.5 * x)); }},
      {"ThresholdedRelu", {{"alpha", 0.5}}, [](double x) { return x > 0.5 ? x : 0; }},
      {"Shrink",
       {{"lambd", 0.5}, {"bias", 0.25}},
       [](double x) { return x > 0.5 ? x - 0.25 : (x < -0.5 ? x + 0.25 : 0); }},
  };
}

std::vector<ElementCase> functionCases() {
  const TensorValues inside{-0.9, -0.5, 0, 0.25, 0.75};
  return {
      {"Sinh", {}, [](double x) { return std::sinh(x); }},
      {"Cosh", {}, [](double x) { return std::cosh(x); }},
      {"Asinh", {}, [](double x) { return std::asinh(x); }},
      {"Acosh", {}, [](double x) { return std::acosh(x); }, {1, 1.5, 4}},
      {"Atanh", {}, [](double x) { return std::atanh(x); }, inside},
      {"Acos", {}, [](double x) { return std::acos(x); }, inside},
      {"Asin", {}, [](double x) { return std::asin(x); }, inside},
      {"Atan", {}, [](double x) { return std::atan(x); }},
      {"Sin", {}, [](double x) { return std::sin(x); }},
      {"Cos", {}, [](double x) { return std::cos(x); }},
      {"Tan", {}, [](double x) { return std::tan(x); }},
      {"Floor", {}, [](double x) { return std::floor(x); }},
      {"Ceil", {}, [](double x) { return std::ceil(x); }},
      {"Round", {}, [](double x) { return std::nearbyint(x); }, {-1.5, -0.5, 0.5, 0.6, 2.5}},
      {"Sign", {}, [](double x) { return static_cast<double>((x > 0) - (x < 0)); }},
      {"IsNaN",
       {},
       [](double x) { return std::isnan(x) ? 1.0 : 0.0; },
       {1, NAN},
       ElementType::Bool},
      {"IsInf",
       {},
       [](double x) { return std::isinf(x) ? 1.0 : 0.0; },
       {1, INFINITY, -INFINITY},
       ElementType::Bool},
  };
}

}  // namespace

std::vector<ComposedCase> composedElementwiseCases() {
  std::vector<ComposedCase> cases;
  for (const auto& list : {activationCases(), functionCases()}) {
    for (const ElementCase& one : list) {
      TensorValues expected;
      for (const double x : one.at) expected.push_back(one.value(x));
      const Shape shape{one.at.size()};
      const std::string name = std::string(one.name).substr(0, std::string(one.name).find('_'));
      const Attributes attributes = one.attributes;
      cases.push_back({one.name,
                       {{{shape, ElementType::Float}, one.at}},
                       [=](OnnxBuilder& b, const std::vector<std::string>& names) {
                         return b.node(name, names, attributes);
                       },
                       {{shape, one.result}, expected}});
    }
  }
  return cases;
}

}  // namespace ipusim::workloads
