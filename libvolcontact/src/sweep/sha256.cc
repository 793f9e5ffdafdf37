#include "sweep/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <iterator>
#include <stdexcept>

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

std::string Sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("the cryptographic library refuses to compute a SHA-256");
  }
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    fmt::format_to(std::back_inserter(text), "{:02x}", digest[i]);
  }
  return text;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
