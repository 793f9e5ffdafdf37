// Names of the bodies of a file, and which of them is meant.
#pragma once

#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The bodies of a file with the names that it gives them, which may be empty or shared. Exported
/// for the components of the library.
class VOLCONTACT_EXPORT BodyChoice {
 public:
  explicit BodyChoice(std::vector<std::string> own);

  /// The names of the bodies, each its own: a name that several share is numbered, as "bolt:1",
  /// "bolt:2"; a body without a name is called "body", and numbered, too, if there are several.
  const std::vector<std::string>& names() const { return names_; }

  /// The bodies that a choice means: all of them for "" and "all", else the one of this name, or of
  /// this number from 1. Throws InvalidInput that lists the bodies, without the file's name, if it
  /// is none or could be several.
  std::vector<int> Chosen(const std::string& choice) const;

  /// `1 "plate", 2 "bolt:1"`, and how many more there are.
  std::string Listed() const { return Listed(All()); }

  /// "holds 2 bodies, read as one solid: 1 "plate", 2 "bolt"; choose one of them as part.step#NAME,
  /// or with --body", for a file of this name.
  std::string NoteOfSeveral(const std::string& origin) const;

 private:
  std::vector<int> All() const;
  std::string Listed(const std::vector<int>& those) const;

  std::vector<std::string> own_, names_;
};

VOLCONTACT_NAMESPACE_END
