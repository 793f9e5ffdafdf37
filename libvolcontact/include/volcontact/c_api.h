/* The C interface: overlap metrics and contact forces for engines that are not written in C++.
 *
 * Objects are opaque handles, made by *_create, *_read, *_parse and *_mesh, which set them to NULL
 * when they fail, and released by *_free (which take NULL).
 * Solids, pairs and models never change: any number of threads may use one. Every function that can
 * fail returns a status; the message of a thread's last failure is vc_last_error(). No exception
 * leaves the library. SI units; vectors are x, y, z; matrices by rows. */
#ifndef VOLCONTACT_C_API_H_
#define VOLCONTACT_C_API_H_

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vc_status {
  VC_OK = 0,
  VC_NOT_CONVERGED = 1, /* the answer is there, short of the tolerance */
  VC_INVALID_INPUT = 2, /* the message names what, where and the cure */
  VC_OUT_OF_MEMORY = 3,
  VC_INTERNAL_ERROR = 4
} vc_status;

/* What was wrong with the last call in this thread that returns a status, "" when nothing was;
 * valid until the next such call. */
const char* vc_last_error(void);

typedef struct vc_solid vc_solid;
typedef struct vc_pair vc_pair;   /* two solids made ready for queries */
typedef struct vc_model vc_model; /* a contact model */

/* A solid from a file (.json, .csg, .stl, .obj, .ply, .off), or from the text of a .json file. */
vc_status vc_solid_read(const char* file, vc_solid** solid);
vc_status vc_solid_parse(const char* json, vc_solid** solid);
/* A closed triangle mesh: 3 vertex_count coordinates [m], 3 face_count vertex indices, counted from
 * 0, counterclockwise as seen from outside. */
vc_status vc_solid_mesh(const double* vertices, long vertex_count, const int* faces,
                        long face_count, vc_solid** solid);
void vc_solid_free(vc_solid* solid);

vc_status vc_pair_create(const vc_solid* a, const vc_solid* b, vc_pair** pair);
void vc_pair_free(vc_pair* pair);

typedef struct vc_pose {
  double t[3]; /* of the body frame's origin in the world [m] */
  double q[4]; /* unit quaternion w, x, y, z */
} vc_pose;

typedef struct vc_twist {
  double velocity[3];         /* of the body frame's origin [m/s] */
  double angular_velocity[3]; /* [rad/s] */
} vc_twist;

/* Metrics of the overlap in the world frame; see volcontact::Metrics. */
typedef struct vc_metrics {
  int overlap;
  int converged;
  double volume, volume_error;
  double volume_bounds[2]; /* certified; 0 and infinity when there are none */
  double centroid[3];
  double inertia[9];
  double normal[3]; /* from B toward A */
  double area_vector[3], area_moment[3];
  double contact_area, mean_height, gyration_radius;
  double distance; /* lower bound of the separation without overlap */
} vc_metrics;

/* The overlap of the pair, to a relative tolerance (0 stands for 1e-6). */
vc_status vc_pair_query(const vc_pair* pair, const vc_pose* pose_a, const vc_pose* pose_b,
                        double tolerance, vc_metrics* metrics);

/* Volumetric contact with bristle friction; see volcontact::VolumetricNormal and BristleFriction.
 * Begin with vc_parameters_init, which sets the defaults and no friction. */
typedef struct vc_parameters {
  double stiffness_a, stiffness_b; /* [N/m^3]; infinite for a rigid body */
  double restitution, v_small;
  double mu_s, mu_c; /* both 0: no friction, and the rest is not read */
  double sigma0, sigma1, sigma2, v_stribeck, tau_dwell;
  int thesis_rolling;    /* 1: J_v in the rolling resistance, as published */
  int no_contact_plate;  /* 1: friction acts at the centroid */
  double tau_relaxation; /* 0: none */
} vc_parameters;

void vc_parameters_init(vc_parameters* parameters);
vc_status vc_model_create(const vc_parameters* parameters, vc_model** model);
void vc_model_free(vc_model* model);

/* The state of one contact; see volcontact::ContactState. All zero: no contact yet. */
typedef struct vc_state {
  int touching;
  double impact_speed;
  double normal[3];
  double deflection[3]; /* integrate these four with the rates of vc_force */
  double twist, dwell, relaxation;
} vc_state;

typedef struct vc_force {
  double point[3], force[3], torque[3]; /* on A at `point`; B gets the opposite */
  double normal[3], tangential[3], rolling[3], spinning[3];
  double deflection_rate[3], twist_rate, dwell_rate, relaxation_rate;
  double power_stored, power_dissipated; /* [W] */
} vc_force;

/* The contact forces for metrics that vc_pair_query returned at these poses. A state that is not
 * touching begins the contact: the speed of impact is latched in it. One that is touching without
 * overlap is set to zero. Its deflection is turned to the present normal. Trial stages of an
 * integrator should work on a copy of the state. No force comes of an overlap without a normal, as
 * where one solid lies inside the other. */
vc_status vc_model_evaluate(const vc_model* model, const vc_metrics* metrics, const vc_pose* pose_a,
                            const vc_twist* twist_a, const vc_pose* pose_b, const vc_twist* twist_b,
                            vc_state* state, vc_force* force);

#ifdef __cplusplus
}
#endif

#endif /* VOLCONTACT_C_API_H_ */
