// SPDX-License-Identifier: Apache-2.0
#include "sim/codelets/host_mathematics.h"

#include <array>
#include <cmath>

#include "sim/codelets/codelets.h"

namespace ipusim::codelets {

namespace {

// A function of numbers is called as it is: registers hold the same in code with short pointers.

template <typename Function>
struct Named {
  const char* name;
  Function* function;
};
using Float = float(float);
using Double = double(double);
using FloatOfTwo = float(float, float);
using DoubleOfTwo = double(double, double);

constexpr std::array kFloats{
    Named<Float>{"sinf", ::sinf},     Named<Float>{"cosf", ::cosf},
    Named<Float>{"tanf", ::tanf},     Named<Float>{"asinf", ::asinf},
    Named<Float>{"acosf", ::acosf},   Named<Float>{"atanf", ::atanf},
    Named<Float>{"sinhf", ::sinhf},   Named<Float>{"coshf", ::coshf},
    Named<Float>{"tanhf", ::tanhf},   Named<Float>{"asinhf", ::asinhf},
    Named<Float>{"acoshf", ::acoshf}, Named<Float>{"atanhf", ::atanhf},
    Named<Float>{"expf", ::expf},     Named<Float>{"exp2f", ::exp2f},
    Named<Float>{"expm1f", ::expm1f}, Named<Float>{"logf", ::logf},
    Named<Float>{"log2f", ::log2f},   Named<Float>{"log10f", ::log10f},
    Named<Float>{"log1pf", ::log1pf}, Named<Float>{"sqrtf", ::sqrtf},
    Named<Float>{"cbrtf", ::cbrtf},   Named<Float>{"erff", ::erff},
    Named<Float>{"erfcf", ::erfcf},   Named<Float>{"tgammaf", ::tgammaf},
    Named<Float>{"ceilf", ::ceilf},   Named<Float>{"floorf", ::floorf},
    Named<Float>{"truncf", ::truncf}, Named<Float>{"roundf", ::roundf},
    Named<Float>{"rintf", ::rintf},   Named<Float>{"nearbyintf", ::nearbyintf},
    Named<Float>{"fabsf", ::fabsf}};
constexpr std::array kDoubles{
    Named<Double>{"sin", ::sin},     Named<Double>{"cos", ::cos},
    Named<Double>{"tan", ::tan},     Named<Double>{"asin", ::asin},
    Named<Double>{"acos", ::acos},   Named<Double>{"atan", ::atan},
    Named<Double>{"sinh", ::sinh},   Named<Double>{"cosh", ::cosh},
    Named<Double>{"tanh", ::tanh},   Named<Double>{"asinh", ::asinh},
    Named<Double>{"acosh", ::acosh}, Named<Double>{"atanh", ::atanh},
    Named<Double>{"exp", ::exp},     Named<Double>{"exp2", ::exp2},
    Named<Double>{"expm1", ::expm1}, Named<Double>{"log", ::log},
    Named<Double>{"log2", ::log2},   Named<Double>{"log10", ::log10},
    Named<Double>{"log1p", ::log1p}, Named<Double>{"sqrt", ::sqrt},
    Named<Double>{"cbrt", ::cbrt},   Named<Double>{"erf", ::erf},
    Named<Double>{"erfc", ::erfc},   Named<Double>{"tgamma", ::tgamma},
    Named<Double>{"ceil", ::ceil},   Named<Double>{"floor", ::floor},
    Named<Double>{"trunc", ::trunc}, Named<Double>{"round", ::round},
    Named<Double>{"rint", ::rint},   Named<Double>{"nearbyint", ::nearbyint},
    Named<Double>{"fabs", ::fabs}};
constexpr std::array kFloatsOfTwo{Named<FloatOfTwo>{"powf", ::powf},
                                  Named<FloatOfTwo>{"atan2f", ::atan2f},
                                  Named<FloatOfTwo>{"hypotf", ::hypotf},
                                  Named<FloatOfTwo>{"fmodf", ::fmodf},
                                  Named<FloatOfTwo>{"remainderf", ::remainderf},
                                  Named<FloatOfTwo>{"fmaxf", ::fmaxf},
                                  Named<FloatOfTwo>{"fminf", ::fminf},
                                  Named<FloatOfTwo>{"fdimf", ::fdimf},
                                  Named<FloatOfTwo>{"copysignf", ::copysignf}};
constexpr std::array kDoublesOfTwo{Named<DoubleOfTwo>{"pow", ::pow},
                                   Named<DoubleOfTwo>{"atan2", ::atan2},
                                   Named<DoubleOfTwo>{"hypot", ::hypot},
                                   Named<DoubleOfTwo>{"fmod", ::fmod},
                                   Named<DoubleOfTwo>{"remainder", ::remainder},
                                   Named<DoubleOfTwo>{"fmax", ::fmax},
                                   Named<DoubleOfTwo>{"fmin", ::fmin},
                                   Named<DoubleOfTwo>{"fdim", ::fdim},
                                   Named<DoubleOfTwo>{"copysign", ::copysign}};

/// An address that a codelet holds.
using Address = std::uint32_t;

template <typename Type>
Type* at(Address address) {
  return static_cast<Type*>(static_cast<void*>(byteAt(address)));
}

float fractionOf(float value, Address exponent) {
  return std::frexp(value, at<int>(exponent));
}
double fractionOfDouble(double value, Address exponent) {
  return std::frexp(value, at<int>(exponent));
}
float splitFloat(float value, Address whole) {
  return std::modf(value, at<float>(whole));
}
double splitDouble(double value, Address whole) {
  return std::modf(value, at<double>(whole));
}
void sineAndCosine(float value, Address sine, Address cosine) {
  *at<float>(sine) = std::sin(value);
  *at<float>(cosine) = std::cos(value);
}
void sineAndCosineOfDouble(double value, Address sine, Address cosine) {
  *at<double>(sine) = std::sin(value);
  *at<double>(cosine) = std::cos(value);
}

template <typename Function>
std::uint64_t address(Function* function) {
  return reinterpret_cast<std::uint64_t>(function);
}

template <typename Functions>
void addAll(const Functions& functions, HostTable& table) {
  for (const auto& each : functions) table.emplace(each.name, address(each.function));
}

}  // namespace

void addMathematics(HostTable& table) {
  addAll(kFloats, table);
  addAll(kDoubles, table);
  addAll(kFloatsOfTwo, table);
  addAll(kDoublesOfTwo, table);
  table.emplace("fmaf", address<float(float, float, float)>(::fmaf));
  table.emplace("fma", address<double(double, double, double)>(::fma));
  table.emplace("ldexpf", address<float(float, int)>(::ldexpf));
  table.emplace("ldexp", address<double(double, int)>(::ldexp));
  table.emplace("frexpf", address(fractionOf));
  table.emplace("frexp", address(fractionOfDouble));
  table.emplace("modff", address(splitFloat));
  table.emplace("modf", address(splitDouble));
  table.emplace("sincosf", address(sineAndCosine));
  table.emplace("sincos", address(sineAndCosineOfDouble));
}

}  // namespace ipusim::codelets
