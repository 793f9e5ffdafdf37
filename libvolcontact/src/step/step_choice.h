// Names of bodies, and which of them is meant.
#pragma once

#include <string>
#include <vector>

#include "step/step_solid.h"

namespace volcontact {

/// The names of the bodies, each its own: what several share is numbered, as "bolt:1", "bolt:2"; a
/// body without a name is called "body", numbered so, too, where there are several.
std::vector<std::string> NamesOf(const std::vector<StepInstance>& bodies);

/// The bodies that a choice means: all of them for "" and "all", else the one of this name, or of
/// this number from 1. Throws InvalidInput that lists the bodies, without the file's name, where it
/// is none or could be several.
std::vector<int> ChosenBodies(const std::vector<StepInstance>& bodies, const std::string& choice);

/// The note on a file with several bodies of which none is chosen.
std::string NoteOfBodies(const std::vector<StepInstance>& bodies, const std::string& origin);

/// How messages call a solid: by the first body that has it, `solid 2 "bolt:1"`; a file's only
/// one is `solid 1`.
std::string Called(const std::vector<StepInstance>& bodies, int solid);

}  // namespace volcontact
