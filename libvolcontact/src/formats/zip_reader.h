// The room `formats`: 3MF and AMF files. Reading a zip file that is in memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/text_file.h"

namespace volcontact {

/// A zip file. Its members are unpacked piece by piece, and nothing is written. Not for several
/// threads at a time.
class ZipReader {
 public:
  using Sink = std::function<void(std::string_view piece)>;

  /// Throws InvalidInput that names `origin` if the data are no zip file. The data must outlive the
  /// reader. All members together may have `most_bytes`: a zip file can unpack to a thousand times
  /// its size, and one within another to any size.
  ZipReader(std::string_view data, std::string origin, std::size_t most_bytes = kMaxMeshFileSize);
  ~ZipReader();

  static bool IsZip(std::string_view data) { return data.starts_with("PK"); }

  /// Hands over a member in pieces. False if there is none of this name; small and capital letters
  /// are the same. Throws InvalidInput if it is damaged, encrypted, or too large, and what the sink
  /// throws.
  bool Read(const std::string& member, const Sink& sink);

  /// The first member whose name ends so, in any case; empty if there is none.
  std::string FirstEndingIn(std::string_view ending);

 private:
  struct Stream;

  std::string origin_;
  std::size_t left_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace volcontact
