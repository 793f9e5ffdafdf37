// Contacts, each in a slot of its own: of every pair one for all of the overlap, or one a patch.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include "simbody/contact_latch.h"
#include "simbody/pair_geometry.h"
#include "volcontact/simbody/simbody_contact.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// The place of a slot, pair or body in a list.
inline std::size_t At(int i) { return static_cast<std::size_t>(i); }

/// The discrete variable of an element: a latch for each slot, and the patch in it at the last
/// accepted step, by which those after it are known again.
struct SlotLatches {
  struct Slot {
    int pair = 0;  ///< whose contact it is, or was last
    ContactLatch latch;
    PatchMark mark;
    ContactGeometry last;  ///< volume, point, radius and area, while it touches
  };
  std::vector<Slot> slots;

  /// The slots in contact, by pairs, ascending.
  std::vector<int> TouchingByPair() const;
  /// What is known of the patches in these slots.
  std::vector<LastPatch> LastPatches(const std::vector<int>& touching) const;
  ContactEnergies EnergiesOf(const std::vector<Variables>& z) const;
  int TouchCount() const;

  std::vector<double> Save() const;
  /// Throws InvalidInput unless Save wrote the list, of so many slots.
  static SlotLatches Load(const std::vector<double>& saved, int count);
};

/// Simbody prints values of its state.
std::ostream& operator<<(std::ostream& stream, const SlotLatches& latches);

/// What a normal spring holds, up to a factor of the patch's shape: the volume times its height
/// [m⁴].
double ElasticShare(const ContactGeometry& geometry);

/// Where a patch found goes, and the slots that it comes from: its own; several, where patches have
/// grown together; one that others come from, too, where one has come apart; none.
struct SlotOrigin {
  int slot = 0;
  std::vector<int> from;
  bool exchanges = false;  ///< it is not simply what its slot held
};

/// A pair whose patches are to find their slots.
struct PairSlots {
  int pair = 0;
  std::vector<int> touching;    ///< its slots in contact
  bool has_patch_each = false;  ///< else its one patch is all of its overlap
};

/// The slots of the patches found of one pair; new ones take free slots, and mark them in `taken`,
/// which has a mark for each. Throws InvalidInput where there are too few.
std::vector<SlotOrigin> AssignSlots(const SlotLatches& latches, const PairSlots& of,
                                    const std::vector<FoundPatch>& patches,
                                    std::vector<bool>* taken);

/// The states of the patches found of one pair.
std::vector<ContactState> StatesOf(const ContactModel& model, const SlotLatches& latches,
                                   const std::vector<FoundPatch>& patches,
                                   const std::vector<SlotOrigin>& origins,
                                   const std::vector<Variables>& z);

/// A patch with its pair, its slot, and what its contact does.
struct SlotEvaluation {
  int pair = 0;
  const ContactModel* model = nullptr;  ///< of the pair
  SlotOrigin origin;
  PatchMark mark;
  ContactEvaluation evaluation;
};

/// The latches after an accepted step that ended with these. If patches merge or split, the energy
/// of their springs passes on. Joined bristles never hold more energy than before, and the
/// difference is lost. The pieces share the energy of the bristles in proportion to that of their
/// own bent bristles, and the energy of the normal spring by V²/A_c. This estimate leaves out the
/// shape of the patch. At the end of the contact its error shows as energy that one piece made and
/// another one kept.
SlotLatches Next(const SlotLatches& latches, const std::vector<SlotEvaluation>& now,
                 const std::vector<Variables>& z);

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
