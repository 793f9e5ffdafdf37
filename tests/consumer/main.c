/* A user's first program in C: a ball that falls onto the ground with restitution. */
#include <math.h>
#include <stdio.h>
#include <volcontact/c_api.h>

static int Fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, vc_last_error());
  return 1;
}

int main(void) {
  vc_solid *ball = NULL, *ground = NULL, *nothing = NULL;
  vc_pair* pair = NULL;
  vc_model* model = NULL;
  if (vc_solid_parse("{\"sphere\": {\"radius\": 0.1}}", &ball) != VC_OK) return Fail("ball");
  if (vc_solid_parse("{\"half_space\": {}}", &ground) != VC_OK) return Fail("ground");
  if (vc_solid_parse("{\"sphere\": {\"radius\": -1}}", &nothing) != VC_INVALID_INPUT) {
    return Fail("a negative radius was accepted");
  }
  if (vc_pair_create(ball, ground, &pair) != VC_OK) return Fail("pair");
  vc_parameters parameters = {.struct_size = sizeof parameters};
  if (vc_parameters_init(&parameters) != VC_OK) return Fail("parameters");
  parameters.stiffness_a = 1e9;
  parameters.restitution = 0.5;
  if (vc_model_create(&parameters, &model) != VC_OK) return Fail("model");

  const double mass = 1.0, impact = 1.0, step = 1e-6;
  vc_pose pose_a = {{0.0, 0.0, 0.1}, {1.0, 0.0, 0.0, 0.0}};
  const vc_pose pose_b = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
  vc_twist twist_a = {{0.0, 0.0, -impact}, {0.0, 0.0, 0.0}};
  const vc_twist twist_b = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  vc_state state = {.struct_size = sizeof state};
  int touched = 0;
  for (long n = 0; n < 1000000; ++n) {
    vc_metrics metrics = {.struct_size = sizeof metrics};
    vc_force force = {.struct_size = sizeof force};
    pose_a.t[2] += 0.5 * step * twist_a.velocity[2];
    if (vc_pair_query(pair, &pose_a, &pose_b, NULL, &metrics) != VC_OK) return Fail("query");
    if (vc_model_evaluate(model, &metrics, &pose_a, &twist_a, &pose_b, &twist_b, &state, &force) !=
        VC_OK) {
      return Fail("evaluate");
    }
    if (touched && !state.touching) break;
    touched |= state.touching;
    twist_a.velocity[2] += step * force.force[2] / mass;
    pose_a.t[2] += 0.5 * step * twist_a.velocity[2];
  }
  const double rebound = twist_a.velocity[2] / impact;
  printf("rebound %.6f, expected %.6f\n", rebound, parameters.restitution);
  vc_model_free(model);
  vc_pair_free(pair);
  vc_solid_free(ground);
  vc_solid_free(ball);
  return fabs(rebound - parameters.restitution) < 1e-3 ? 0 : 1;
}
