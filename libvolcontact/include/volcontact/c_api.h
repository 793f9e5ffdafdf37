/* The C interface: overlap metrics and contact forces for engines that are not written in C++.
 *
 * Ownership. Objects are opaque handles, made by *_create, *_read, *_parse, *_mesh and *_check,
 * which set them to NULL when they fail, and released by *_free (which take NULL). A pair keeps
 * what it needs of its solids: they may be freed before it. All other memory is the caller's.
 * Threads. Solids, pairs, models and mesh reports never change: any number of threads may use one
 * at the same time, as long as none frees it. States belong to one contact; a call changes only
 * what it is given to write to. Errors. Every function that can fail returns a status; the message
 * of a thread's last failure is vc_last_error(). Outputs are written with VC_OK and
 * VC_NOT_CONVERGED only. No exception leaves the library. Sizes. Structures that may grow begin
 * with struct_size: set it to sizeof the structure before the structure is handed over, whether it
 * is read, written or set to defaults. A program then works with a newer library, which takes what
 * the program does not know of from the defaults. Units are SI; vectors are x, y, z; matrices by
 * rows. C89. */
#ifndef VOLCONTACT_C_API_H_
#define VOLCONTACT_C_API_H_

/* NOLINTBEGIN(modernize-*): this is C */
#include <stddef.h>

#if defined(__GNUC__)
#define VC_EXPORT __attribute__((visibility("default")))
#define VC_RENAMED(cure) __attribute__((deprecated(cure)))
#else
#define VC_EXPORT
#define VC_RENAMED(cure)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vc_status {
  VC_OK = 0,
  VC_NOT_CONVERGED = 1, /* there is an answer, but short of the tolerance */
  VC_INVALID_INPUT = 2, /* the message says what, where, and what to do */
  VC_OUT_OF_MEMORY = 3,
  VC_INTERNAL_ERROR = 4
} vc_status;

/* "major.minor.patch" of the library. */
VC_EXPORT const char* vc_version(void);

/* What was wrong with the last call in this thread that returns a status, "" when nothing was;
 * valid until the next such call in this thread. */
VC_EXPORT const char* vc_last_error(void);

typedef struct vc_solid vc_solid;
typedef struct vc_pair vc_pair;               /* two solids, prepared for queries */
typedef struct vc_model vc_model;             /* a contact model */
typedef struct vc_mesh_report vc_mesh_report; /* the defects of a mesh */

/* Poses and twists are complete, and stay as they are. */
typedef struct vc_pose {
  double t[3]; /* of the body frame's origin in the world [m] */
  double q[4]; /* unit quaternion w, x, y, z */
} vc_pose;

typedef struct vc_twist {
  double velocity[3];         /* of the body frame's origin [m/s] */
  double angular_velocity[3]; /* [rad/s] */
} vc_twist;

/* Solids. */

/* A solid from a file (.json, .csg, .stl, .obj, .ply, .off), or from the text of a .json file. */
VC_EXPORT vc_status vc_solid_read(const char* file, vc_solid** solid);
VC_EXPORT vc_status vc_solid_parse(const char* json, vc_solid** solid);
/* A closed triangle mesh: 3 vertex_count coordinates [m], 3 face_count vertex indices, counted from
 * 0, counterclockwise as seen from outside. The arrays are copied. */
VC_EXPORT vc_status vc_solid_mesh(const double* vertices, size_t vertex_count, const int* faces,
                                  size_t face_count, vc_solid** solid);
VC_EXPORT void vc_solid_free(vc_solid* solid);

/* How metrics are computed; see volcontact::Method. The names of methods that were replaced are
 * read as VC_METHOD_BOUNDARY for one version. */
typedef enum vc_method {
  VC_METHOD_AUTO = 0,
  VC_METHOD_CLOSED_FORM = 1,
  VC_METHOD_PATCH VC_RENAMED("use VC_METHOD_BOUNDARY") = 2,
  VC_METHOD_OCTREE VC_RENAMED("use VC_METHOD_BOUNDARY") = 3,
  VC_METHOD_MESH VC_RENAMED("use VC_METHOD_BOUNDARY") = 4,
  VC_METHOD_VOXEL = 5,
  VC_METHOD_BOUNDARY = 6,
  VC_METHOD_COLUMNS = 7
} vc_method;

/* See volcontact::QueryOptions. Begin with vc_options_init, which sets the defaults. */
typedef struct vc_options {
  size_t struct_size;
  double tolerance;          /* relative, in (1e-14, 1); default 1e-6 */
  int method;                /* a vc_method; default VC_METHOD_AUTO */
  int threads;               /* at most, >= 1; default 1; the answer does not depend on it */
  double voxel_size;         /* [m], for VC_METHOD_VOXEL only */
  long max_cells;            /* effort before a query reports "not converged" */
  int certify;               /* 1: volume bounds with every method */
  int bound_distance;        /* 1, the default: bound the distance if there is no overlap */
  double previous_normal[3]; /* of this contact in the last step, in the world; 0 for none */
  int hessian;               /* 1: compute vc_metrics.hessian and centroid_derivative */
  int bound_volume;          /* 1, the default: compute volume bounds; else only free ones */
  int contact_area;          /* 1, the default: compute it and mean_height; else NaN */
  int check_hessian;         /* 1, the default: with hessian, warn if faces touch */
} vc_options;

VC_EXPORT vc_status vc_options_init(vc_options* options);

/* Mass properties at unit density, in the solid's frame. */
typedef struct vc_mass {
  size_t struct_size;
  int converged;
  int method;                  /* the vc_method that was used */
  double volume;               /* [m^3] */
  double volume_error;         /* estimated */
  double volume_bounds[2];     /* certified; 0 and infinity when there are none */
  double centroid[3];          /* [m] */
  double inertia[9];           /* about the centroid [m^5] */
  double principal_moments[3]; /* ascending [m^5] */
  double principal_axes[9];    /* columns, right-handed */
} vc_mass;

/* Options may be NULL for the defaults; those that concern contact are not read. */
VC_EXPORT vc_status vc_solid_mass(const vc_solid* solid, const vc_options* options, vc_mass* mass);

/* Looks for all kinds of defects of a mesh, given as to vc_solid_mesh, whatever it is. */
VC_EXPORT vc_status vc_mesh_check(const double* vertices, size_t vertex_count, const int* faces,
                                  size_t face_count, vc_mesh_report** report);
VC_EXPORT void vc_mesh_report_free(vc_mesh_report* report);

typedef struct vc_mesh_summary {
  size_t struct_size;
  int sound;          /* no defects: vc_solid_mesh accepts it, and its metrics are valid */
  int closed;         /* no edge has an odd number of faces */
  int oriented;       /* no face is turned against a neighbour */
  size_t shells;      /* sets of faces that are connected */
  size_t defects;     /* all of them */
  size_t listed;      /* those of vc_mesh_report_defect: 20 of each kind */
  int mass_known;     /* the mesh is closed and oriented; else what follows is 0 */
  double volume;      /* [m^3] */
  double centroid[3]; /* [m] */
  double inertia[9];  /* about the centroid, at unit density [m^5] */
} vc_mesh_summary;

VC_EXPORT vc_status vc_mesh_report_summary(const vc_mesh_report* report, vc_mesh_summary* summary);

/* Texts live as long as the report. */
typedef struct vc_mesh_defect {
  size_t struct_size;
  const char* kind;    /* "open_boundary", ...; see volcontact::DefectKindName */
  const char* message; /* one line: what is wrong, where, and what to do */
} vc_mesh_defect;

/* A defect by its index below vc_mesh_summary.listed. */
VC_EXPORT vc_status vc_mesh_report_defect(const vc_mesh_report* report, size_t index,
                                          vc_mesh_defect* defect);

/* Overlaps. */

VC_EXPORT vc_status vc_pair_create(const vc_solid* a, const vc_solid* b, vc_pair** pair);
VC_EXPORT void vc_pair_free(vc_pair* pair);

/* Metrics of the overlap in the frame in which the poses are given; see volcontact::Metrics. */
typedef struct vc_metrics {
  size_t struct_size;
  int overlap;
  int converged;
  int method; /* the vc_method that was used */
  double volume, volume_error;
  double volume_bounds[2]; /* certified; 0 and infinity when there are none */
  double centroid[3];
  double inertia[9];
  double normal[3]; /* from B toward A */
  double area_vector[3], area_moment[3];
  double contact_area, mean_height, gyration_radius;
  int distance_known; /* 0: the distance is unknown, and then 0 */
  double distance;    /* lower bound of the separation without overlap [m] */
  int hessian_known;  /* 0: not requested, or there is none; then both are zero */
  double hessian[36]; /* second derivative of V by translations and rotations of A, symmetric */
  double centroid_derivative[18]; /* of the centroid by the same, by rows */
  double area_normal[3];          /* unit vector along area_vector; 0 where that vanishes */
  int undecided; /* 1: no overlap was found, nor that there is none; volume is mid of its bounds */
} vc_metrics;

/* The overlap at two poses in the world. Options may be NULL for the defaults. */
VC_EXPORT vc_status vc_pair_query(const vc_pair* pair, const vc_pose* pose_a, const vc_pose* pose_b,
                                  const vc_options* options, vc_metrics* metrics);

/* The overlap at `count` poses of B in A's frame, spread over options->threads threads; metrics in
 * A's frame, in the order of the poses. metrics[0].struct_size holds for all elements.
 * VC_NOT_CONVERGED when one of them is not. */
VC_EXPORT vc_status vc_pair_query_batch(const vc_pair* pair, const vc_pose* poses_ab, size_t count,
                                        const vc_options* options, vc_metrics* metrics);

/* The connected parts of the overlap, largest first; see volcontact::PreparedPair::QueryPatches.
 * `count` gets their number; the first `capacity` of them are written. metrics[0].struct_size holds
 * for all elements; metrics may be NULL when capacity is 0. */
VC_EXPORT vc_status vc_pair_query_patches(const vc_pair* pair, const vc_pose* pose_a,
                                          const vc_pose* pose_b, const vc_options* options,
                                          vc_metrics* metrics, size_t capacity, size_t* count);

/* What was proved of two solids, roundings included; see volcontact::OverlapProof. */
typedef enum vc_overlap_proof {
  VC_PROOF_UNDECIDED = 0, /* neither was proved: a touch, or nearly one */
  VC_PROOF_OVERLAP = 1,   /* their interiors meet */
  VC_PROOF_SEPARATED = 2  /* they do not; the boundaries may touch */
} vc_overlap_proof;

/* Whether the interiors of the solids meet, at two poses in the world; stops at the first proof.
 * See volcontact::PreparedPair::Overlaps. */
VC_EXPORT vc_status vc_pair_overlaps(const vc_pair* pair, const vc_pose* pose_a,
                                     const vc_pose* pose_b, vc_overlap_proof* proof);

/* A lower bound of the distance [m]; 0 when the solids overlap or touch, or nothing was proved. */
VC_EXPORT vc_status vc_pair_distance(const vc_pair* pair, const vc_pose* pose_a,
                                     const vc_pose* pose_b, double* distance);

/* Forces. */

/* Volumetric contact with bristle friction; see volcontact::VolumetricNormal and BristleFriction.
 * Begin with vc_parameters_init, which sets the defaults and no friction. */
typedef struct vc_parameters {
  size_t struct_size;
  double stiffness_a, stiffness_b; /* [N/m^3]; infinite for a rigid body */
  double restitution, v_small;
  double mu_s, mu_c; /* both 0: no friction, and the rest is ignored */
  double sigma0, sigma1, sigma2, v_stribeck, tau_dwell;
  int thesis_rolling;        /* 1: J_v in the rolling resistance, as published */
  int no_contact_plate;      /* 1: friction acts at the centroid */
  double tau_relaxation;     /* 0: none */
  int eigenvector_direction; /* 1: push along vc_metrics.normal, as published, and not along
                              * area_normal */
} vc_parameters;

VC_EXPORT vc_status vc_parameters_init(vc_parameters* parameters);
VC_EXPORT vc_status vc_model_create(const vc_parameters* parameters, vc_model** model);
VC_EXPORT void vc_model_free(vc_model* model);

/* The state of one contact; see volcontact::ContactState. All zero but struct_size: no contact
 * yet. */
typedef struct vc_state {
  size_t struct_size;
  int touching;
  double impact_speed;
  double normal[3];
  double deflection[3]; /* integrate these four with the rates of vc_force */
  double twist, dwell, relaxation;
} vc_state;

typedef struct vc_force {
  size_t struct_size;
  double point[3], force[3], torque[3]; /* on A at `point`; B gets the opposite */
  double normal[3], tangential[3], rolling[3], spinning[3];
  double deflection_rate[3], twist_rate, dwell_rate, relaxation_rate;
  double power_stored, power_dissipated; /* [W] */
} vc_force;

/* The contact forces for metrics that vc_pair_query returned at these poses. A state that is not
 * touching begins the contact: the speed of impact is latched in it. One that is touching without
 * overlap is set to zero. Its deflection is turned to the present normal. Trial stages of an
 * integrator should work on a copy of the state. An overlap without an area_normal, as where one
 * solid lies inside the other, goes on along the state's normal; without a state there is no
 * force. */
VC_EXPORT vc_status vc_model_evaluate(const vc_model* model, const vc_metrics* metrics,
                                      const vc_pose* pose_a, const vc_twist* twist_a,
                                      const vc_pose* pose_b, const vc_twist* twist_b,
                                      vc_state* state, vc_force* force);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*) */

#endif /* VOLCONTACT_C_API_H_ */
