#include "formats/zip_reader.h"

#include <fmt/format.h>
#include <minizip/unzip.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;
// Longer names are none that the formats have; minizip compares no more than this.
constexpr std::size_t kLongestName = 255;
constexpr int kAnyCase = 2;

}  // namespace

// The data as minizip's file.
struct ZipReader::Stream {
  std::string_view data;
  std::size_t at = 0;
  unzFile zip = nullptr;

  static Stream& Of(voidpf opaque) { return *static_cast<Stream*>(opaque); }
  static voidpf Open(voidpf opaque, const void*, int) { return opaque; }
  static uLong Write(voidpf, voidpf, const void*, uLong) { return 0; }
  static int Close(voidpf, voidpf) { return 0; }
  static int Error(voidpf, voidpf) { return 0; }
  static uLong Read(voidpf opaque, voidpf, void* bytes, uLong size) {
    Stream& stream = Of(opaque);
    const std::size_t count = std::min<std::size_t>(size, stream.data.size() - stream.at);
    std::memcpy(bytes, stream.data.data() + stream.at, count);
    stream.at += count;
    return count;
  }
  static ZPOS64_T Tell(voidpf opaque, voidpf) { return Of(opaque).at; }
  static long Seek(voidpf opaque, voidpf, ZPOS64_T offset, int from) {
    Stream& stream = Of(opaque);
    const std::size_t base = from == ZLIB_FILEFUNC_SEEK_SET   ? 0
                             : from == ZLIB_FILEFUNC_SEEK_CUR ? stream.at
                                                              : stream.data.size();
    // Offsets before the base wrap around, and come out right.
    const std::size_t target = base + static_cast<std::size_t>(offset);
    if (target > stream.data.size()) return -1;
    stream.at = target;
    return 0;
  }
};

ZipReader::ZipReader(std::string_view data, std::string origin, std::size_t most_bytes)
    : origin_(std::move(origin)), left_(most_bytes), stream_(std::make_unique<Stream>()) {
  stream_->data = data;
  zlib_filefunc64_def functions = {Stream::Open, Stream::Read,  Stream::Write, Stream::Tell,
                                   Stream::Seek, Stream::Close, Stream::Error, stream_.get()};
  stream_->zip = unzOpen2_64("", &functions);
  if (stream_->zip == nullptr) {
    throw InvalidInput(origin_ + ": is a damaged zip file; export it again");
  }
}

ZipReader::~ZipReader() { unzClose(stream_->zip); }

bool ZipReader::Read(const std::string& member, const Sink& sink) {
  const bool is_there = member.size() <= kLongestName &&
                        unzLocateFile(stream_->zip, member.c_str(), kAnyCase) == UNZ_OK;
  if (!is_there) return false;
  const auto fail = [&](const char* what) {
    throw InvalidInput(fmt::format("{}: {} in it {}", origin_, Quoted(member), what));
  };
  unz_file_info64 info;
  if (unzGetCurrentFileInfo64(stream_->zip, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
    fail("is damaged; export the file again");
  }
  if ((info.flag & 1u) != 0) fail("is encrypted; export the file without a password");
  if (unzOpenCurrentFile(stream_->zip) != UNZ_OK) {
    fail("is damaged, or packed in a way that is not read; export the file again");
  }
  std::array<char, kPiece> piece;
  int count = 0;
  try {
    while ((count = unzReadCurrentFile(stream_->zip, piece.data(), kPiece)) > 0) {
      const auto size = static_cast<std::size_t>(count);
      if (size > left_) fail("unpacks to more than a mesh can have; export the file again");
      left_ -= size;
      sink(std::string_view(piece.data(), size));
    }
  } catch (...) {
    unzCloseCurrentFile(stream_->zip);
    throw;
  }
  if (unzCloseCurrentFile(stream_->zip) != UNZ_OK || count < 0) {
    fail("is damaged; export the file again");
  }
  return true;
}

std::string ZipReader::FirstEndingIn(std::string_view ending) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  std::array<char, kLongestName + 1> buffer{};
  for (int state = unzGoToFirstFile(stream_->zip); state == UNZ_OK;
       state = unzGoToNextFile(stream_->zip)) {
    unz_file_info64 info;
    if (unzGetCurrentFileInfo64(stream_->zip, &info, buffer.data(), kLongestName, nullptr, 0,
                                nullptr, 0) != UNZ_OK) {
      break;
    }
    const std::string name(buffer.data(), std::min<std::size_t>(info.size_filename, kLongestName));
    if (name.size() >= ending.size() &&
        std::equal(ending.rbegin(), ending.rend(), name.rbegin(), same)) {
      return name;
    }
  }
  return {};
}

}  // namespace volcontact
