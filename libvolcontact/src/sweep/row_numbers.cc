#include "sweep/row_numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "volcontact/io/suggestion.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

RowNumber ReadRowNumber(const JsonCursor& input, const SweepVariables& variables) {
  if (!input.value().is_string()) return {input.Number(), -1};
  const std::string name = input.String();
  const auto found = variables.Find(name);
  if (!found) {
    input.Fail(
        fmt::format("there is no variable \"{}\"{}", name, DidYouMean(name, variables.names())));
  }
  if (found->kind != VariableKind::kNumber) {
    input.Fail(fmt::format("the variable \"{}\" is not a number", name));
  }
  return {0.0, static_cast<int>(found->column)};
}

template <std::size_t kCount>
RowNumbers<kCount> ReadRowNumbers(const JsonCursor& input, const SweepVariables& variables,
                                  const char* what) {
  input.ExpectArray(kCount, what);
  RowNumbers<kCount> numbers;
  for (std::size_t i = 0; i < kCount; ++i) {
    numbers[i] = ReadRowNumber(input.Item(i), variables);
  }
  return numbers;
}

template <std::size_t kCount>
bool Vary(const RowNumbers<kCount>& numbers) {
  for (const RowNumber& number : numbers) {
    if (number.column >= 0) return true;
  }
  return false;
}

Eigen::Vector3d VectorAt(const RowNumbers<3>& numbers, const RowBlock& block, std::size_t row) {
  return {numbers[0].At(block, row), numbers[1].At(block, row), numbers[2].At(block, row)};
}

// The quaternion of a rotation about this vector by its length.
std::array<double, 4> QuaternionOf(const Eigen::Vector3d& turn) {
  const double angle = turn.norm();
  // sin(a/2)/a by its series where that is exact.
  const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  return {std::cos(0.5 * angle), scale * turn.x(), scale * turn.y(), scale * turn.z()};
}

// The columns from one on.
template <std::size_t kCount>
RowNumbers<kCount> Columns(std::size_t first) {
  RowNumbers<kCount> numbers;
  for (std::size_t i = 0; i < kCount; ++i) numbers[i].column = static_cast<int>(first + i);
  return numbers;
}

}  // namespace

void RowPose::ReadRotation(const JsonCursor& input, const SweepVariables& variables) {
  if (const auto turn = input.Find("rotation_vector")) {
    if (input.Has("q")) input.Fail("give either \"q\" or \"rotation_vector\"");
    is_turned_ = true;
    turn_ = ReadRowNumbers<3>(*turn, variables, "numbers or variables (x, y, z)");
    return;
  }
  const auto q = input.Find("q");
  if (!q) return;
  if (q->value().is_string()) {
    const std::string name = q->String();
    const auto found = variables.Find(name);
    if (!found || found->kind != VariableKind::kRotation) {
      q->Fail(fmt::format("there is no rotation \"{}\" among the variables{}", name,
                          DidYouMean(name, variables.names())));
    }
    q_ = Columns<4>(found->column);
    return;
  }
  q_ = ReadRowNumbers<4>(*q, variables, "numbers or variables (w, x, y, z)");
}

RowPose RowPose::Read(const JsonCursor& input, const SweepVariables& variables, bool* relative) {
  RowPose pose;
  if (relative != nullptr) *relative = false;
  if (input.value().is_string()) {
    const std::string name = input.String();
    const auto found = variables.Find(name);
    if (!found || found->kind != VariableKind::kPose) {
      input.Fail(fmt::format("there is no pose \"{}\" among the variables{}", name,
                             DidYouMean(name, variables.names())));
    }
    if (relative == nullptr) input.Fail("poses near contact are those of A: use it in \"pose_a\"");
    *relative = true;
    pose.t_ = Columns<3>(found->column);
    pose.q_ = Columns<4>(found->column + 3);
  } else {
    input.ExpectObject({"t", "q", "rotation_vector"});
    if (const auto t = input.Find("t")) {
      pose.t_ = ReadRowNumbers<3>(*t, variables, "numbers or variables (x, y, z)");
    }
    pose.ReadRotation(input, variables);
  }
  if (!Vary(pose.q_)) {
    Pose constant;
    for (std::size_t i = 0; i < constant.q.size(); ++i) constant.q[i] = pose.q_[i].value;
    ValidatePose(constant, input.Place());
  }
  return pose;
}

Pose RowPose::At(const RowBlock& block, std::size_t row) const {
  Pose pose;
  pose.t = VectorAt(t_, block, row);
  if (is_turned_) {
    pose.q = QuaternionOf(VectorAt(turn_, block, row));
  } else {
    for (std::size_t i = 0; i < q_.size(); ++i) pose.q[i] = q_[i].At(block, row);
  }
  return pose;
}

RowTwist RowTwist::Read(const JsonCursor& input, const SweepVariables& variables) {
  constexpr const char* kWhat = "numbers or variables (x, y, z)";
  input.ExpectObject({"velocity", "angular_velocity"});
  RowTwist twist;
  if (const auto v = input.Find("velocity")) {
    twist.velocity = ReadRowNumbers<3>(*v, variables, kWhat);
  }
  if (const auto w = input.Find("angular_velocity")) {
    twist.angular_velocity = ReadRowNumbers<3>(*w, variables, kWhat);
  }
  return twist;
}

Twist RowTwist::At(const RowBlock& block, std::size_t row) const {
  return {VectorAt(velocity, block, row), VectorAt(angular_velocity, block, row)};
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
