// Thousands of scenes of many small contacts: what is known of each must add up.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>

#include "support/contact_scenes.h"

namespace volcontact::testing {
namespace {

constexpr int kScenes = 100;
constexpr int kMostParts = 50;
// Of wrong answers some tell enough.
constexpr int kMostWrongScenes = 5;
constexpr double kFewNotConverged = 0.02;

const char* const kArrangements[] = {"all_depths", "like_depths", "rows"};

class ManyContactsSlow : public ::testing::TestWithParam<std::tuple<BaseKind, int>> {};

TEST_P(ManyContactsSlow, AddUp) {
  const auto& [base, arrangement] = GetParam();
  Tally tally;
  int scenes = 0, wrong = 0;
  for (; scenes < kScenes && wrong < kMostWrongScenes; ++scenes) {
    const auto seed = static_cast<std::uint64_t>(1'000'000 * (arrangement + 1) + scenes);
    Random random(seed);
    // Few parts as a rule.
    const double part = random.Uniform(0.0, 1.0);
    const int count = 2 + static_cast<int>(part * part * (kMostParts - 1));
    const Scene scene =
        RandomScene(base, static_cast<Arrangement>(arrangement), count, scenes % 2 == 1, seed);
    SCOPED_TRACE(::testing::Message() << scene.parts.size() << " parts, seed " << seed);
    const int before =
        ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
    ExpectContactsAddUp(scene, ContactsOneByOne(scene), &tally);
    const int after =
        ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
    if (after > before) ++wrong;
  }
  RecordProperty("scenes", scenes);
  RecordProperty("not_converged", tally.not_converged);
  EXPECT_LE(tally.Share(), kFewNotConverged)
      << tally.not_converged << " of " << tally.queries << " queries did not converge";
}

INSTANTIATE_TEST_SUITE_P(Bases, ManyContactsSlow,
                         ::testing::Combine(::testing::ValuesIn(BaseKinds()),
                                            ::testing::Range(0, 3)),
                         [](const auto& test) {
                           return std::get<0>(test.param).name + "_" +
                                  kArrangements[std::get<1>(test.param)];
                         });

}  // namespace
}  // namespace volcontact::testing
