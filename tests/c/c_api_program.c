/* The C interface in C89: a program that touches every kind of object, as other languages do. */
#include <stdio.h>
#include <string.h>

#include "volcontact/c_api.h"

static int failures = 0;

static void Expect(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "not so: %s (last error: %s)\n", what, vc_last_error());
  ++failures;
}

static void QueryPair(const vc_pair* pair) {
  vc_pose a = {{0.0, 0.0, 0.09}, {1.0, 0.0, 0.0, 0.0}};
  vc_pose b = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
  vc_pose poses[2] = {{{0.0, 0.0, -0.09}, {1.0, 0.0, 0.0, 0.0}},
                      {{0.0, 0.0, -0.2}, {1.0, 0.0, 0.0, 0.0}}};
  vc_options options;
  vc_metrics metrics[2];
  vc_overlap_proof proof = VC_PROOF_UNDECIDED;
  size_t count = 0;
  options.struct_size = sizeof options;
  Expect(vc_options_init(&options) == VC_OK, "options have defaults");
  options.tolerance = 1e-8;
  metrics[0].struct_size = sizeof metrics[0];
  Expect(vc_pair_query(pair, &a, &b, &options, &metrics[0]) == VC_OK, "a query answers");
  Expect(metrics[0].overlap && metrics[0].volume > 0.0, "the ball dips into the ground");
  Expect(vc_pair_query_batch(pair, poses, 2, &options, metrics) == VC_OK, "a batch answers");
  Expect(metrics[0].overlap && !metrics[1].overlap, "the second pose is apart");
  Expect(metrics[1].distance_known && metrics[1].distance > 0.0, "and its distance known");
  Expect(vc_pair_query_patches(pair, &a, &b, NULL, metrics, 2, &count) == VC_OK, "patches");
  Expect(count == 1, "there is one patch");
  Expect(vc_pair_overlaps(pair, &a, &b, &proof) == VC_OK, "an overlap is asked for");
  Expect(proof == VC_PROOF_OVERLAP, "and proved");
}

static void CheckMesh(void) {
  static const double vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int faces[9] = {0, 2, 1, 0, 1, 3, 0, 3, 2}; /* one is missing */
  vc_mesh_report* report = NULL;
  vc_mesh_summary summary;
  vc_mesh_defect defect;
  summary.struct_size = sizeof summary;
  defect.struct_size = sizeof defect;
  Expect(vc_mesh_check(vertices, 4, faces, 3, &report) == VC_OK, "a bad mesh can be checked");
  Expect(vc_mesh_report_summary(report, &summary) == VC_OK, "and the report read");
  Expect(!summary.sound && summary.listed == 1, "it has one defect");
  Expect(vc_mesh_report_defect(report, 0, &defect) == VC_OK, "which is told");
  Expect(strcmp(defect.kind, "open_boundary") == 0, "an open boundary");
  vc_mesh_report_free(report);
}

int main(void) {
  vc_solid *ball = NULL, *ground = NULL;
  vc_pair* pair = NULL;
  vc_mass mass;
  mass.struct_size = sizeof mass;
  Expect(strlen(vc_version()) >= 5, "there is a version");
  Expect(vc_solid_parse("{\"sphere\": {\"radius\": 0.1}}", &ball) == VC_OK, "a ball");
  Expect(vc_solid_parse("{\"half_space\": {}}", &ground) == VC_OK, "a ground");
  Expect(vc_solid_mass(ball, NULL, &mass) == VC_OK && mass.volume > 0.0, "the ball has a volume");
  Expect(vc_pair_create(ball, ground, &pair) == VC_OK, "a pair");
  vc_solid_free(ground);
  vc_solid_free(ball);
  QueryPair(pair);
  vc_pair_free(pair);
  CheckMesh();
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
