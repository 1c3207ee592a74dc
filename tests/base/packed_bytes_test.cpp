// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/packed_bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/thrown.h"

namespace ipusim {
namespace {

enum class Colour : std::uint8_t { Red, Green };

struct Point {
  std::uint16_t x = 0;
  std::int32_t y = 0;
};

class Writer : public PackedWriter<Writer> {
  friend PackedWriter;
  void putMembers(const Point& point) { (*this)(point.x, point.y); }
};

class Reader : public PackedReader<Reader> {
 public:
  using PackedReader::PackedReader;

 private:
  friend PackedReader;
  template <typename T>
  static constexpr std::uint64_t lastOf() {
    return static_cast<std::uint64_t>(Colour::Green);
  }
  void getMembers(Point& point) { (*this)(point.x, point.y); }
};

template <typename... Objects>
std::string written(const Objects&... objects) {
  Writer writer;
  writer(objects...);
  return writer.take();
}

/// What reading an object of a type finds in the bytes.
template <typename T>
std::string faultOf(const std::string& bytes) {
  return configErrorOf([&] {
    T object{};
    Reader reader(bytes);
    reader(object);
  });
}

TEST(PackedBytes, ComeBackAsTheyWere) {
  const std::string bytes = written(
      true, Colour::Green, std::numeric_limits<std::uint64_t>::max(), 0.1, std::string("a\0b", 3),
      std::vector<Point>{{1, -2}, {65'535, 3}}, Cycles(7), TileId(2, 9));
  bool truth = false;
  Colour colour = Colour::Red;
  std::uint64_t largest = 0;
  double tenth = 0;
  std::string text;
  std::vector<Point> points;
  Cycles cycles;
  TileId tile;
  Reader reader(bytes);
  reader(truth, colour, largest, tenth, text, points, cycles, tile);
  EXPECT_TRUE(reader.isAtEnd());
  EXPECT_TRUE(truth);
  EXPECT_EQ(colour, Colour::Green);
  EXPECT_EQ(largest, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(tenth, 0.1);
  EXPECT_EQ(text, std::string("a\0b", 3));
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].y, -2);
  EXPECT_EQ(points[1].x, 65'535U);
  EXPECT_EQ(cycles, Cycles(7));
  EXPECT_EQ(tile, TileId(2, 9));
}

TEST(PackedBytes, ThatAreMissingAreSaid) {
  const std::string fewer = "fewer bytes than its lists have: ";
  EXPECT_EQ(faultOf<std::string>(written(3U) + "ab"), fewer + "2 of 3");
  EXPECT_EQ(faultOf<std::vector<Point>>(written(std::numeric_limits<std::uint64_t>::max())),
            fewer + "0 of 18446744073709551615");
  EXPECT_EQ(faultOf<std::uint64_t>("\x80"), fewer + "0 of 1");
}

TEST(PackedBytes, WithANumberThatIsTooLargeForItsPlaceAreRefused) {
  const std::string large = "a number that is too large for its place";
  EXPECT_EQ(faultOf<bool>(written(2U)), large);
  EXPECT_EQ(faultOf<Colour>(written(2U)), large);
  EXPECT_EQ(faultOf<std::uint16_t>(written(65'536U)), large);
  EXPECT_EQ(faultOf<TileId>(written(std::uint64_t{1} << TileId::kIpuBits, 0U)), large);
  EXPECT_EQ(faultOf<std::uint64_t>(std::string(9, '\xff') + '\x02'),
            "a number of more than 64 bits");
}

}  // namespace
}  // namespace ipusim
