// Scenes as files: glTF, ParaView, and one page that shows itself.
//
// Component volcontact::view. Any number of threads may call these functions at a time, for
// different files. All throw std::runtime_error that names a file which cannot be written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "volcontact/export.h"
#include "volcontact/view/scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// A report on the files that were written. A plain value.
struct WrittenFiles {
  std::size_t files = 0;
  std::size_t bytes = 0;  ///< of all of them
};

/// The scene as a glTF 2.0 file in its binary form, with what glTF has no place for in `extras`
/// (docs/view.md). Throws InvalidInput for more than 2 GiB.
VOLCONTACT_EXPORT std::string ToGlb(const Scene& scene);

/// The page: a template in which the comment <!--VOLCONTACT-SCENE--> gives way to the scene, as
/// base64 of its glTF: nothing of the scene can be taken for a part of the page. Throws
/// InvalidInput for a template without that comment.
VOLCONTACT_EXPORT std::string ToPage(const Scene& scene, const std::string& page_template);

/// All of a scene that stands still, or of a run at one of its times, as one PolyData of ParaView
/// (.vtp).
VOLCONTACT_EXPORT std::string ToVtp(const Scene& scene, std::size_t time = 0);

/// The extension of a file's name, in lower case: ".html" of A.HTML.
VOLCONTACT_EXPORT std::string SceneExtension(const std::filesystem::path& file);

/// Whether a file's name ends like a scene's: .html, .glb, .vtp, .vtm or .pvd, in capitals or not.
VOLCONTACT_EXPORT bool IsSceneFile(const std::filesystem::path& file);

/// Whether WriteScene wrote the file, of which nothing is lost when it is written anew. False where
/// it cannot be read; of an empty file true. Cost: reading it.
VOLCONTACT_EXPORT bool IsWrittenScene(const std::filesystem::path& file);

/// Writes a scene in the form that the file's name ends like. `page_template` is the file of the
/// page's template, read for .html alone. A .vtm has its items, and a .pvd its times, in a folder
/// beside it that is named like it, without the extension. Every file is replaced in one step, and
/// the one that names the others last. Throws InvalidInput for another extension, a template that
/// cannot be read, and a run into .vtp or .vtm, which have no time.
VOLCONTACT_EXPORT WrittenFiles WriteScene(const Scene& scene, const std::filesystem::path& file,
                                          const std::filesystem::path& page_template = {});

}  // namespace view
VOLCONTACT_NAMESPACE_END
