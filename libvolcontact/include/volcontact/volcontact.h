// Everything volcontact offers, in one header.
#pragma once

#include "volcontact/contact/cell_contacts.h"          // IWYU pragma: export
#include "volcontact/contact/cells.h"                  // IWYU pragma: export
#include "volcontact/contact/contact_geometry.h"       // IWYU pragma: export
#include "volcontact/contact/contact_motion.h"         // IWYU pragma: export
#include "volcontact/contact/point_pairs.h"            // IWYU pragma: export
#include "volcontact/forces/contact_model.h"           // IWYU pragma: export
#include "volcontact/forces/damping.h"                 // IWYU pragma: export
#include "volcontact/forces/friction.h"                // IWYU pragma: export
#include "volcontact/forces/friction_estimates.h"      // IWYU pragma: export
#include "volcontact/forces/hydroelastic_estimates.h"  // IWYU pragma: export
#include "volcontact/forces/normal_force.h"            // IWYU pragma: export
#include "volcontact/forces/step_estimates.h"          // IWYU pragma: export
#include "volcontact/forces/stiffness_estimates.h"     // IWYU pragma: export
#include "volcontact/io/csv_table.h"                   // IWYU pragma: export
#include "volcontact/io/material_table.h"              // IWYU pragma: export
#include "volcontact/io/mesh_file.h"                   // IWYU pragma: export
#include "volcontact/io/replace_file.h"                // IWYU pragma: export
#include "volcontact/io/solid_file.h"                  // IWYU pragma: export
#include "volcontact/math/aabb.h"                      // IWYU pragma: export
#include "volcontact/math/error.h"                     // IWYU pragma: export
#include "volcontact/math/isometry.h"                  // IWYU pragma: export
#include "volcontact/math/pose.h"                      // IWYU pragma: export
#include "volcontact/math/volume_moments.h"            // IWYU pragma: export
#include "volcontact/overlap/contact_normal.h"         // IWYU pragma: export
#include "volcontact/overlap/mass_properties.h"        // IWYU pragma: export
#include "volcontact/overlap/metrics.h"                // IWYU pragma: export
#include "volcontact/overlap/options.h"                // IWYU pragma: export
#include "volcontact/overlap/prepared_pair.h"          // IWYU pragma: export
#include "volcontact/solids/csg.h"                     // IWYU pragma: export
#include "volcontact/solids/cylinder_size.h"           // IWYU pragma: export
#include "volcontact/solids/mesh_check.h"              // IWYU pragma: export
#include "volcontact/solids/mesh_repair.h"             // IWYU pragma: export
#include "volcontact/solids/primitives.h"              // IWYU pragma: export
#include "volcontact/solids/solid.h"                   // IWYU pragma: export
#include "volcontact/solids/triangle_mesh.h"           // IWYU pragma: export
