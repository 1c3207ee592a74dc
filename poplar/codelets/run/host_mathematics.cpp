// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/host_mathematics.h"

#include <array>
#include <cmath>
#include <complex>

#include "poplar/codelets/codelets.h"
#include "poplar/codelets/run/host_pointers.h"

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
    Named<Float>{"fabsf", ::fabsf},   Named<Float>{"lgammaf", ::lgammaf},
    Named<Float>{"logbf", ::logbf}};
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
    Named<Double>{"fabs", ::fabs},   Named<Double>{"lgamma", ::lgamma},
    Named<Double>{"logb", ::logb}};
constexpr std::array kFloatsOfTwo{Named<FloatOfTwo>{"powf", ::powf},
                                  Named<FloatOfTwo>{"atan2f", ::atan2f},
                                  Named<FloatOfTwo>{"hypotf", ::hypotf},
                                  Named<FloatOfTwo>{"fmodf", ::fmodf},
                                  Named<FloatOfTwo>{"remainderf", ::remainderf},
                                  Named<FloatOfTwo>{"fmaxf", ::fmaxf},
                                  Named<FloatOfTwo>{"fminf", ::fminf},
                                  Named<FloatOfTwo>{"fdimf", ::fdimf},
                                  Named<FloatOfTwo>{"nextafterf", ::nextafterf},
                                  Named<FloatOfTwo>{"copysignf", ::copysignf}};
constexpr std::array kDoublesOfTwo{Named<DoubleOfTwo>{"pow", ::pow},
                                   Named<DoubleOfTwo>{"atan2", ::atan2},
                                   Named<DoubleOfTwo>{"hypot", ::hypot},
                                   Named<DoubleOfTwo>{"fmod", ::fmod},
                                   Named<DoubleOfTwo>{"remainder", ::remainder},
                                   Named<DoubleOfTwo>{"fmax", ::fmax},
                                   Named<DoubleOfTwo>{"fmin", ::fmin},
                                   Named<DoubleOfTwo>{"fdim", ::fdim},
                                   Named<DoubleOfTwo>{"nextafter", ::nextafter},
                                   Named<DoubleOfTwo>{"copysign", ::copysign}};

/// An address that a codelet holds.

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

// `long` has 32 bits in codelets.

template <typename Number>
std::int32_t nearestLong(Number value) {
  return static_cast<std::int32_t>(std::lrint(value));
}
template <typename Number>
std::int32_t roundedLong(Number value) {
  return static_cast<std::int32_t>(std::lround(value));
}
float wholePower(float value, int exponent) {
  return std::pow(value, static_cast<float>(exponent));
}
double wholePowerOfDouble(double value, int exponent) {
  return std::pow(value, exponent);
}

// A complex number of floats is in one register, as a vector is; one of doubles is in two.

using ComplexFloat = float __attribute__((vector_size(2 * sizeof(float))));
struct ComplexDouble {
  double real;
  double imaginary;
};

std::complex<float> numberOf(ComplexFloat value) {
  return {value[0], value[1]};
}
ComplexFloat packed(std::complex<float> value) {
  return ComplexFloat{value.real(), value.imag()};
}
ComplexDouble packed(std::complex<double> value) {
  return {value.real(), value.imag()};
}
float absoluteOf(ComplexFloat value) {
  return std::abs(numberOf(value));
}
float angleOf(ComplexFloat value) {
  return std::arg(numberOf(value));
}
ComplexFloat exponentialOf(ComplexFloat value) {
  return packed(std::exp(numberOf(value)));
}
ComplexFloat logarithmOf(ComplexFloat value) {
  return packed(std::log(numberOf(value)));
}
ComplexFloat rootOf(ComplexFloat value) {
  return packed(std::sqrt(numberOf(value)));
}
ComplexFloat multiplied(float a, float b, float c, float d) {
  return packed(std::complex<float>(a, b) * std::complex<float>(c, d));
}
ComplexFloat divided(float a, float b, float c, float d) {
  return packed(std::complex<float>(a, b) / std::complex<float>(c, d));
}
ComplexDouble multipliedDoubles(double a, double b, double c, double d) {
  return packed(std::complex<double>(a, b) * std::complex<double>(c, d));
}
ComplexDouble dividedDoubles(double a, double b, double c, double d) {
  return packed(std::complex<double>(a, b) / std::complex<double>(c, d));
}

template <typename Functions>
void addAll(const Functions& functions, HostTable& table) {
  for (const auto& each : functions) table.emplace(each.name, addressOfFunction(each.function));
}

/// Functions whose results are whole numbers, or that take one.
void addWholes(HostTable& table) {
  table.emplace("ldexpf", addressOfFunction<float(float, int)>(::ldexpf));
  table.emplace("ldexp", addressOfFunction<double(double, int)>(::ldexp));
  table.emplace("scalbnf", addressOfFunction<float(float, int)>(::scalbnf));
  table.emplace("scalbn", addressOfFunction<double(double, int)>(::scalbn));
  table.emplace("ilogbf", addressOfFunction<int(float)>(::ilogbf));
  table.emplace("ilogb", addressOfFunction<int(double)>(::ilogb));
  table.emplace("lrintf", addressOfFunction(nearestLong<float>));
  table.emplace("lrint", addressOfFunction(nearestLong<double>));
  table.emplace("lroundf", addressOfFunction(roundedLong<float>));
  table.emplace("lround", addressOfFunction(roundedLong<double>));
  table.emplace("llrintf", addressOfFunction<long long(float)>(::llrintf));
  table.emplace("llrint", addressOfFunction<long long(double)>(::llrint));
  table.emplace("llroundf", addressOfFunction<long long(float)>(::llroundf));
  table.emplace("llround", addressOfFunction<long long(double)>(::llround));
  table.emplace("__powisf2", addressOfFunction(wholePower));
  table.emplace("__powidf2", addressOfFunction(wholePowerOfDouble));
}

void addComplexNumbers(HostTable& table) {
  table.emplace("cabsf", addressOfFunction(absoluteOf));
  table.emplace("cargf", addressOfFunction(angleOf));
  table.emplace("cexpf", addressOfFunction(exponentialOf));
  table.emplace("clogf", addressOfFunction(logarithmOf));
  table.emplace("csqrtf", addressOfFunction(rootOf));
  table.emplace("cabs", addressOfFunction<double(double, double)>(::hypot));
  table.emplace("__mulsc3", addressOfFunction(multiplied));
  table.emplace("__divsc3", addressOfFunction(divided));
  table.emplace("__muldc3", addressOfFunction(multipliedDoubles));
  table.emplace("__divdc3", addressOfFunction(dividedDoubles));
}

}  // namespace

void addMathematics(HostTable& table) {
  addAll(kFloats, table);
  addAll(kDoubles, table);
  addAll(kFloatsOfTwo, table);
  addAll(kDoublesOfTwo, table);
  table.emplace("fmaf", addressOfFunction<float(float, float, float)>(::fmaf));
  table.emplace("fma", addressOfFunction<double(double, double, double)>(::fma));
  addWholes(table);
  addComplexNumbers(table);
  table.emplace("frexpf", addressOfFunction(fractionOf));
  table.emplace("frexp", addressOfFunction(fractionOfDouble));
  table.emplace("modff", addressOfFunction(splitFloat));
  table.emplace("modf", addressOfFunction(splitDouble));
  table.emplace("sincosf", addressOfFunction(sineAndCosine));
  table.emplace("sincos", addressOfFunction(sineAndCosineOfDouble));
}

}  // namespace ipusim::codelets
