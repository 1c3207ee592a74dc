// SPDX-License-Identifier: Apache-2.0
#include "tests/compression/naive_codecs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "workloads/vertices/elementwise/uniform.h"

namespace ipusim::workloads {

namespace {

double wave(std::uint64_t frequency, std::uint64_t place) {
  const double size = frequency == 0 ? std::sqrt(1.0 / 8) : std::sqrt(2.0 / 8);
  return size * std::cos((2.0 * static_cast<double>(place) + 1) * static_cast<double>(frequency) *
                         std::acos(-1.0) / 16);
}

bool isKept(const DctChop& rule, std::uint64_t u, std::uint64_t v) {
  if (rule.corner == DctCorner::Triangle) return u + v < rule.chop;
  return u < rule.chop && v < rule.chop;
}

/// One plane, whose element at (y, x) is plane[y * width + x], with its high frequencies removed.
class PlaneReference {
 public:
  PlaneReference(const DctChop& rule, double* plane, std::uint64_t height, std::uint64_t width)
      : rule_(rule), plane_(plane), height_(height), width_(width) {}

  void chop() {
    for (std::uint64_t y = 0; y < height_; y += 8) {
      for (std::uint64_t x = 0; x < width_; x += 8) chopBlock(y, x);
    }
  }

 private:
  [[nodiscard]] double at(std::uint64_t y, std::uint64_t x) const {
    return y < height_ && x < width_ ? plane_[y * width_ + x] : 0;
  }

  void chopBlock(std::uint64_t top, std::uint64_t left) {
    std::vector<double> block(64, 0);
    for (std::uint64_t u = 0; u < 8; ++u) {
      for (std::uint64_t v = 0; v < 8; ++v) {
        if (!isKept(rule_, u, v)) continue;
        double sum = 0;
        for (std::uint64_t e = 0; e < 64; ++e) {
          sum += wave(u, e / 8) * wave(v, e % 8) * at(top + e / 8, left + e % 8);
        }
        for (std::uint64_t e = 0; e < 64; ++e) block[e] += sum * wave(u, e / 8) * wave(v, e % 8);
      }
    }
    for (std::uint64_t e = 0; e < 64; ++e) {
      const std::uint64_t y = top + e / 8;
      const std::uint64_t x = left + e % 8;
      if (y < height_ && x < width_) plane_[y * width_ + x] = block[e];
    }
  }

  const DctChop& rule_;
  double* plane_;
  std::uint64_t height_;
  std::uint64_t width_;
};

/// The magnitudes of all 8-bit floats with a bias of 8, in the order of their codes.
std::vector<double> quarterMagnitudes() {
  std::vector<double> magnitudes;
  for (int exponent = 0; exponent < 16; ++exponent) {
    for (int fraction = 0; fraction < 8; ++fraction) {
      const bool is_subnormal = exponent == 0;
      const double leading = is_subnormal ? 0 : 1;
      magnitudes.push_back((leading + fraction / 8.0) * std::pow(2, std::max(exponent, 1) - 8));
    }
  }
  return magnitudes;
}

/// The nearest quarter. Where two are as near, the one with the even code.
double nearestQuarter(double magnitude) {
  static const std::vector<double> kMagnitudes = quarterMagnitudes();
  std::size_t nearest = 0;
  for (std::size_t code = 1; code < kMagnitudes.size(); ++code) {
    const double off = std::abs(kMagnitudes[code] - magnitude);
    const double least = std::abs(kMagnitudes[nearest] - magnitude);
    if (off < least || (off == least && code % 2 == 0)) nearest = code;
  }
  return kMagnitudes[nearest];
}

double largestOf(const TensorValues& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

using Matrix = std::vector<std::vector<double>>;

/// The solutions of a x = b for each row b, by elimination with pivots.
Matrix solved(Matrix a, Matrix b) {
  const std::size_t n = a.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r) {
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    }
    std::swap(a[c], a[pivot]);
    for (auto& right : b) std::swap(right[c], right[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = a[r][c] / a[c][c];
      for (std::size_t e = c; e < n; ++e) a[r][e] -= factor * a[c][e];
      for (auto& right : b) right[r] -= factor * right[c];
    }
  }
  for (auto& right : b) {
    for (std::size_t r = 0; r < n; ++r) right[r] /= a[r][r];
  }
  return b;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

TensorValues choppedPlanes(const DctChop& rule, const Shape& shape, TensorValues values) {
  const std::uint64_t height = shape[shape.size() - 2] / rule.split;
  const std::uint64_t width = shape.back() / rule.split;
  for (std::uint64_t e = 0; e < values.size(); e += height * width) {
    PlaneReference(rule, &values[e], height, width).chop();
  }
  return values;
}

TensorValues nearestLevels(std::uint64_t bits, std::uint64_t block, TensorValues values) {
  const std::size_t length = block == 0 ? values.size() : block;
  const double most = std::pow(2, static_cast<double>(bits) - 1) - 1;
  for (std::size_t first = 0; first < values.size(); first += length) {
    double largest = 0;
    for (std::size_t e = first; e < first + length; ++e) {
      largest = std::max(largest, std::abs(values[e]));
    }
    if (largest == 0) continue;
    for (std::size_t e = first; e < first + length; ++e) {
      values[e] = std::round(values[e] / largest * most) * largest / most;
    }
  }
  return values;
}

TensorValues nearestQuarters(TensorValues values) {
  // Halfway from the largest, 240, to 256.
  constexpr double kMost = 248;
  const double largest = largestOf(values);
  if (largest == 0) return values;
  double scale = 1;
  while (largest * scale > kMost) scale /= 2;
  while (largest * scale * 2 <= kMost) scale *= 2;
  for (double& value : values) {
    value = static_cast<double>(static_cast<float>(value));
    value = std::copysign(nearestQuarter(std::abs(value) * scale) / scale, value);
  }
  return values;
}

TensorValues nearestHalves(TensorValues values) {
  constexpr int kFractionBits = 10;
  constexpr int kLeastExponent = -14;
  for (double& value : values) {
    if (value == 0) continue;
    value = static_cast<double>(static_cast<float>(value));
    const int exponent =
        std::max(static_cast<int>(std::floor(std::log2(std::abs(value)))), kLeastExponent);
    const double unit = std::pow(2, exponent - kFractionBits);
    value = std::nearbyint(value / unit) * unit;
  }
  return values;
}

TensorValues projectedRows(const LowRankSketch& sketch, std::uint64_t size, TensorValues values) {
  const UniformRule random{sketch.seed};
  Matrix vectors(sketch.rank, std::vector<double>(size));
  for (std::uint64_t v = 0; v < sketch.rank; ++v) {
    for (std::uint64_t e = 0; e < size; ++e) vectors[v][e] = random.number(v * size + e) - 0.5;
  }
  Matrix normal(sketch.rank, std::vector<double>(sketch.rank));
  for (std::uint64_t v = 0; v < sketch.rank; ++v) {
    for (std::uint64_t w = 0; w < sketch.rank; ++w) normal[v][w] = product(vectors[v], vectors[w]);
  }
  Matrix rows;
  for (std::size_t first = 0; first < values.size(); first += size) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<double> row(begin, begin + static_cast<std::ptrdiff_t>(size));
    rows.emplace_back();
    for (const auto& vector : vectors) rows.back().push_back(product(vector, row));
  }
  const Matrix parts = solved(normal, rows);
  for (std::size_t row = 0; row < parts.size(); ++row) {
    for (std::uint64_t e = 0; e < size; ++e) {
      double sum = 0;
      for (std::uint64_t v = 0; v < sketch.rank; ++v) sum += parts[row][v] * vectors[v][e];
      values[row * size + e] = sum;
    }
  }
  return values;
}

}  // namespace ipusim::workloads
