// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/byte_source.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/files/input_file.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kByteSourcePart = std::size_t{1} << 16U;

/// What a compressed file may hold: some bytes, and so many for each of its own. Traces of
/// networks hold 20 to 60.
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostExpansion = 1000;

/// A frame may ask its reader for so much memory: 2^25 bytes.
constexpr int kMostWindowLog = 25;
/// Finds repetitions at half the size of the fastest level. A higher level takes longer for little.
constexpr int kZstandardLevel = 12;

ConfigError errorIn(const std::string& name, const std::string& what) {
  return ConfigError(fmt::format("{}: {}", oneLine(name, 4 * kQuotedLength), what));
}

class PlainFile : public ByteSource {
 public:
  explicit PlainFile(const std::filesystem::path& file) : name_(file.string()), in_(file) {}

  std::size_t read(char* bytes, std::size_t size) override {
    const std::size_t count = in_.read(bytes, size);
    read_ += count;
    return count;
  }
  [[nodiscard]] std::uint64_t fileBytes() const override { return read_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  InputFile in_;
  std::uint64_t read_ = 0;
};

class Memory : public ByteSource {
 public:
  explicit Memory(std::string_view bytes) : left_(bytes) {}

  std::size_t read(char* bytes, std::size_t size) override {
    const std::size_t count = std::min(size, left_.size());
    left_.copy(bytes, count);
    left_.remove_prefix(count);
    read_ += count;
    return count;
  }
  [[nodiscard]] std::uint64_t fileBytes() const override { return read_; }

 private:
  std::string_view left_;
  std::uint64_t read_ = 0;
};

/// A compressed file: the part of it that is in memory, and the bound on what it may hold.
class Compressed : public ByteSource {
 public:
  explicit Compressed(const std::filesystem::path& file) : file_(file) {}

  [[nodiscard]] std::uint64_t fileBytes() const override { return file_.fileBytes(); }

 protected:
  /// Reads the next part of the file. Returns its size.
  std::size_t nextPart() { return file_.read(part_.data(), part_.size()); }
  [[nodiscard]] char* part() { return part_.data(); }

  /// Counts bytes that were held. Throws when they are more than the file may hold.
  std::size_t held(std::size_t bytes) {
    held_ += bytes;
    if (held_ > kFreeBytes + kMostExpansion * fileBytes()) {
      throw error(
          fmt::format("wanted a file that holds at most {} times its size, found one that "
                      "holds more",
                      kMostExpansion));
    }
    return bytes;
  }
  [[nodiscard]] ConfigError error(const std::string& what) const {
    return errorIn(file_.name(), what);
  }

 private:
  PlainFile file_;
  std::vector<char> part_ = std::vector<char>(kByteSourcePart);
  std::uint64_t held_ = 0;
};

class GzipFile : public Compressed {
 public:
  explicit GzipFile(const std::filesystem::path& file) : Compressed(file) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, kGzipOnly + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;
  ~GzipFile() override { inflateEnd(&stream_); }

  std::size_t read(char* bytes, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(bytes);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0 && !refill()) return 0;
      advance();
    }
    return held(size - stream_.avail_out);
  }

 private:
  /// False at the end of the file.
  bool refill() {
    stream_.next_in = reinterpret_cast<Bytef*>(part());
    stream_.avail_in = static_cast<uInt>(nextPart());
    if (stream_.avail_in > 0) return true;
    if (!ended_) throw error("wanted a whole gzip file, found its beginning");
    return false;
  }

  void advance() {
    if (ended_ && inflateReset(&stream_) != Z_OK) throw error("wanted gzip, found something else");
    ended_ = false;
    const int state = inflate(&stream_, Z_NO_FLUSH);
    ended_ = state == Z_STREAM_END;
    if (!ended_ && state != Z_OK && state != Z_BUF_ERROR) {
      throw error("wanted gzip, found something else");
    }
  }

  z_stream stream_{};
  bool ended_ = false;  // at the end of a member, behind which another may follow
};

class ZstandardFile : public Compressed {
 public:
  explicit ZstandardFile(const std::filesystem::path& file)
      : Compressed(file), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMostWindowLog);
  }

  std::size_t read(char* bytes, std::size_t size) override {
    ZSTD_outBuffer out{bytes, size, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !refill() && !pending_) return 0;
      const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(left) != 0) {
        throw error(fmt::format("wanted Zstandard, found a fault: {}", ZSTD_getErrorName(left)));
      }
      within_ = left != 0;
      pending_ = out.pos == out.size;
    }
    return held(out.pos);
  }

 private:
  /// False at the end of the file.
  bool refill() {
    in_ = {part(), nextPart(), 0};
    if (in_.size > 0) return true;
    if (within_ && !pending_) throw error("wanted a whole Zstandard file, found its beginning");
    return false;
  }

  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool within_ = false;   // within a frame
  bool pending_ = false;  // there may be more to give without another part
};

std::string gzipped(const std::string& text) {
  z_stream stream{};
  constexpr int kGzipOnly = 16;
  constexpr int kMemoryLevel = 8;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipOnly + MAX_WBITS, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int state = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  check(state == Z_STREAM_END, "the bound on what gzip takes");
  return packed;
}

std::string zstandard(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), kZstandardLevel);
  check(ZSTD_isError(size) == 0, "the bound on what Zstandard takes");
  packed.resize(size);
  return packed;
}

}  // namespace

std::unique_ptr<ByteSource> openBytes(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".gz") return std::make_unique<GzipFile>(file);
  if (ending == ".zst") return std::make_unique<ZstandardFile>(file);
  return std::make_unique<PlainFile>(file);
}

std::unique_ptr<ByteSource> bytesInMemory(std::string_view bytes) {
  return std::make_unique<Memory>(bytes);
}

std::string compressedFor(const std::filesystem::path& file, std::string text) {
  const std::string ending = file.extension().string();
  if (ending == ".gz") {
    constexpr std::size_t kMostAtOnce = 0xFFFFFFFF;
    if (text.size() > kMostAtOnce) throw errorIn(file.string(), "wanted .zst for 4 GB and more");
    return gzipped(text);
  }
  if (ending == ".zst") return zstandard(text);
  return text;
}

}  // namespace ipusim::workloads
