// What a folder keeps of a plan, and its manifest, which says the same to any later process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sweep/store/reductions/reduction.h"
#include "volcontact/export.h"
#include "volcontact/sweep/sweep_plan.h"
#include "volcontact/sweep/sweep_store.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// What a manifest is made of.
struct ManifestParts {
  std::uint64_t rows = 0, rows_of_chunk = 1;
  std::vector<ResultColumn> columns;
  std::vector<InputFile> inputs;
  std::string document;  ///< JSON
  std::string origin;    ///< names the sweep file in messages
};

struct StoreLayout {
  std::uint64_t rows = 0, rows_of_chunk = 1, chunks = 0;
  std::vector<ResultColumn> columns;  ///< of what a chunk gives
  bool keeps_rows = true;
  std::vector<ReductionSpec> reductions;
  std::string title;
  std::string manifest;   ///< text of manifest.json
  std::string plan_hash;  ///< SHA-256 of it: chunks say so which plan they are of

  std::uint64_t FirstRow(std::uint64_t chunk) const { return chunk * rows_of_chunk; }
  std::uint64_t RowsOf(std::uint64_t chunk) const;
};

/// Throws InvalidInput that names the place in the sweep file if "keep" or "reduce" is invalid.
VOLCONTACT_EXPORT std::shared_ptr<const StoreLayout> MakeLayout(const ManifestParts& parts);
std::shared_ptr<const StoreLayout> LayoutOf(const Plan& plan);

/// The layout in a manifest. Throws InvalidInput if the text is not a manifest.
std::shared_ptr<const StoreLayout> ParseManifest(const std::string& text,
                                                 const std::filesystem::path& file);

/// What differs first between two manifests, such as `over.seed is 7 there, 8 here`; empty where
/// nothing does. Throws InvalidInput where the text `there` is no manifest.
std::string ManifestDifference(const std::string& there, const std::string& here,
                               const std::filesystem::path& file);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
