// The numbers of glTF files, which lie in buffers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json_cursor.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The buffers of a document, each read when it is first asked for.
class GltfBuffers {
 public:
  /// `binary` is the second part of a .glb file. Both must outlive this object.
  GltfBuffers(const JsonCursor& root, std::string_view binary) : root_(root), binary_(binary) {}

  /// The numbers of an accessor, of a type with so many components: "SCALAR" or "VEC3". Throws
  /// InvalidInput with the place in the document for all that is out of range.
  std::vector<double> Numbers(const JsonCursor& accessor_index, std::string_view type,
                              std::size_t components);

 private:
  std::string_view Buffer(const JsonCursor& index);
  std::string_view View(const JsonCursor& index, std::size_t* stride);
  void ReplaceSparse(const JsonCursor& sparse, int component_type, bool normalized,
                     std::size_t components, std::vector<double>* numbers);

  const JsonCursor root_;
  const std::string_view binary_;
  std::size_t read_ = 0;
  std::map<std::size_t, std::string> buffers_;
};

/// The item of a list of the document's root that an index names. Throws InvalidInput at the index
/// if there is none.
JsonCursor GltfItem(const JsonCursor& root, std::string_view list, const JsonCursor& index);

VOLCONTACT_NAMESPACE_END
