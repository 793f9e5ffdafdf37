// Queries and forces of two solids.
#include <fmt/format.h>

#include "io/contacts/contact_members.h"
#include "sweep/near_contact.h"
#include "sweep/row_inputs.h"
#include "sweep/row_numbers.h"
#include "sweep/row_runner.h"
#include "sweep/run_options.h"
#include "volcontact/forces/pair_force.h"
#include "volcontact/io/answer_columns.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// Short enough to share out a chunk of long queries, and long enough for short ones.
constexpr std::size_t kRowsOfPairBlock = 128;
constexpr std::uint64_t kRowsOfPairChunk = 10000;

ContactFile ReadRowContact(const JsonCursor& at) {
  at.ExpectObject({"volcontact", "normal", "friction", "direction", "rolling", "contact_plate",
                   "tau_relaxation"});
  at.ExpectVersion();
  const ContactFile contact = ReadContactMembers(at);
  RequireVolumetric(contact.parameters, at.Place() + ".");
  return contact;
}

void Append(const std::vector<AnswerColumn>& from, std::vector<ResultColumn>* to) {
  for (const AnswerColumn& column : from) to->push_back({column.name, column.unit});
}

class PairRunner : public RowRunner {
 public:
  PairRunner(const JsonCursor& root, const std::string& kind, SweepVariables* variables);

  const std::vector<ResultColumn>& columns() const override { return columns_; }
  std::vector<std::string> notes() const override;
  std::size_t rows_of_block() const override { return kRowsOfPairBlock; }
  std::uint64_t rows_of_chunk() const override { return kRowsOfPairChunk; }
  void AddInputs(InputFiles* files) const override { files->AddNamed(run_, {}); }
  void Run(const RowBlock& block, const StopRows& stop, RowAnswers* answers) const override;

 private:
  RunPart Part(const JsonCursor& root, const char* key, const SweepVariables& variables) const {
    return RunPart(root, {"run", kind_, key}, variables);
  }
  void ReadPoses(const JsonCursor& run, const SweepVariables& variables);
  void ReadForce(const JsonCursor& root, const SweepVariables& variables);
  void PreparePair(const JsonCursor& at, SweepVariables* variables);
  PosePair PosesAt(const RowBlock& block, std::size_t row) const;
  void RunRow(const RowBlock& block, std::size_t row, RowAnswers* answers) const;
  void PutForceOf(const RowBlock& block, std::size_t row, const PreparedPair& pair,
                  const QueryOptions& options, const PairInstant& instant, double* numbers) const;

  std::string kind_;
  nlohmann::json run_;
  std::vector<ResultColumn> columns_;
  std::vector<std::string> remarks_;  // on rows that were tried
  RowInput<RowSolid> a_, b_;
  std::optional<RowInput<QueryOptions>> options_;
  std::optional<RowInput<ContactFile>> contact_;
  RowPose pose_a_, pose_b_;
  bool is_relative_ = false;  // A's pose is given in B's frame
  RowTwist twist_a_, twist_b_;
  std::shared_ptr<const PreparedPair> pair_;  // where neither solid varies
};

PairRunner::PairRunner(const JsonCursor& root, const std::string& kind, SweepVariables* variables)
    : kind_(kind),
      run_(root.Member("run").Member(kind).value()),
      a_(Part(root, "a", *variables), ReadRowSolid),
      b_(Part(root, "b", *variables), ReadRowSolid) {
  const JsonCursor run = root.Member("run").Member(kind);
  if (kind == "query") {
    run.ExpectObject({"a", "b", "pose_a", "pose_b", "options"});
  } else {
    run.ExpectObject({"a", "b", "pose_a", "pose_b", "options", "contact", "twist_a", "twist_b"});
  }
  if (run.Has("options")) options_.emplace(Part(root, "options", *variables), ReadRunOptions);
  ReadPoses(run, *variables);
  if (kind == "force") ReadForce(root, *variables);
  Append(MetricsColumns(), &columns_);
  PreparePair(run, variables);
  remarks_ = TryRows(*variables, [this](const RowBlock& block, std::size_t row) {
    if (!pair_) PreparedPair(a_.At(block, row).solid, b_.At(block, row).solid);
    if (options_) options_->At(block, row);
    if (contact_) contact_->At(block, row);
  });
  NoteOldMethod(run, &remarks_);
}

std::vector<std::string> PairRunner::notes() const {
  std::vector<std::string> notes = remarks_;
  for (const auto* solid : {&a_, &b_}) {
    if (!solid->constant()) continue;
    notes.insert(notes.end(), solid->constant()->notes.begin(), solid->constant()->notes.end());
  }
  return notes;
}

void PairRunner::ReadPoses(const JsonCursor& run, const SweepVariables& variables) {
  if (const auto pose = run.Find("pose_a")) {
    pose_a_ = RowPose::Read(*pose, variables, &is_relative_);
  }
  if (const auto pose = run.Find("pose_b")) pose_b_ = RowPose::Read(*pose, variables, nullptr);
}

void PairRunner::ReadForce(const JsonCursor& root, const SweepVariables& variables) {
  const JsonCursor run = root.Member("run").Member(kind_);
  contact_.emplace(Part(root, "contact", variables), ReadRowContact);
  if (const auto twist = run.Find("twist_a")) twist_a_ = RowTwist::Read(*twist, variables);
  if (const auto twist = run.Find("twist_b")) twist_b_ = RowTwist::Read(*twist, variables);
  Append(ForceColumns(), &columns_);
}

void PairRunner::PreparePair(const JsonCursor& at, SweepVariables* variables) {
  if (a_.varies() || b_.varies()) {
    if (variables->NeedsPair()) at.Fail("poses near contact need solids that do not vary");
    return;
  }
  try {
    pair_ = std::make_shared<const PreparedPair>(a_.constant()->solid, b_.constant()->solid);
    if (!variables->NeedsPair()) return;
    variables->UsePair(std::make_shared<const NearContact>(pair_, a_.constant()->solid.Bounds(),
                                                           b_.constant()->solid.Bounds()));
  } catch (const InvalidInput& error) {
    at.Fail(error.what());
  }
}

PosePair PairRunner::PosesAt(const RowBlock& block, std::size_t row) const {
  PosePair poses{pose_a_.At(block, row), pose_b_.At(block, row)};
  if (is_relative_) poses.X_WA = Compose(poses.X_WB, poses.X_WA);
  return poses;
}

void PairRunner::PutForceOf(const RowBlock& block, std::size_t row, const PreparedPair& pair,
                            const QueryOptions& options, const PairInstant& instant,
                            double* numbers) const {
  const ContactFile contact = contact_->varies() ? contact_->At(block, row) : *contact_->constant();
  const PairForce force(contact.parameters, pair, options, contact.impact_speed);
  const ForceAnswer answer = force.Evaluate(instant, ContactState());
  PutForce(answer.force, answer.state, numbers);
}

void PairRunner::RunRow(const RowBlock& block, std::size_t row, RowAnswers* answers) const {
  std::shared_ptr<const PreparedPair> own;
  if (!pair_) {
    const RowSolid a = a_.varies() ? a_.At(block, row) : *a_.constant();
    const RowSolid b = b_.varies() ? b_.At(block, row) : *b_.constant();
    own = std::make_shared<const PreparedPair>(a.solid, b.solid);
  }
  const PreparedPair& pair = pair_ ? *pair_ : *own;
  QueryOptions options;
  if (options_) options = options_->varies() ? options_->At(block, row) : *options_->constant();
  PairInstant instant;
  instant.poses = PosesAt(block, row);
  instant.metrics = pair.Query(instant.poses.X_WA, instant.poses.X_WB, options);
  double* numbers = answers->Row(row);
  if (contact_) {
    instant.A = twist_a_.At(block, row);
    instant.B = twist_b_.At(block, row);
    PutForceOf(block, row, pair, options, instant, numbers);
    numbers += ForceColumns().size();
  }
  PutMetrics(instant.metrics, numbers);
  if (instant.metrics.converged) return;
  answers->DidNotConverge(
      row, ReasonUnconverged(instant.metrics.warnings, instant.metrics.method, options));
}

void PairRunner::Run(const RowBlock& block, const StopRows& stop, RowAnswers* answers) const {
  for (std::size_t row = 0; row < block.count; ++row) {
    if (stop()) throw StoppedRun();
    if (!block.failures[row].empty()) continue;
    try {
      RunRow(block, row, answers);
    } catch (const InvalidInput& error) {
      answers->Fail(row, error.what());
    }
  }
}

}  // namespace

std::unique_ptr<RowRunner> MakePairRunner(const JsonCursor& root, const std::string& kind,
                                          SweepVariables* variables) {
  return std::make_unique<PairRunner>(root, kind, variables);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
