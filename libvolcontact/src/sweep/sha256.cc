#include "sweep/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

namespace {

class Sha256Sum {
 public:
  Sha256Sum() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    Require(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void Add(std::string_view bytes) {
    Require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }

  std::string Text() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int size = 0;
    Require(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
      fmt::format_to(std::back_inserter(text), "{:02x}", digest[i]);
    }
    return text;
  }

 private:
  static void Require(bool good) {
    if (!good) {
      throw std::runtime_error("the cryptographic library refuses to compute a SHA-256");
    }
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string Sha256(std::string_view bytes) {
  Sha256Sum sum;
  sum.Add(bytes);
  return sum.Text();
}

std::string Sha256OfFile(const std::filesystem::path& file) {
  Sha256Sum sum;
  std::ifstream stream(file, std::ios::binary);
  std::string block(std::size_t{1} << 20, '\0');
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    sum.Add({block.data(), static_cast<std::size_t>(stream.gcount())});
  }
  if (!stream.eof()) throw std::runtime_error(file.string() + ": cannot be read");
  return sum.Text();
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
