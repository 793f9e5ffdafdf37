// What the subcommands print.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/metrics.h"

namespace volcontact::tool {

/// How a run ended, as the exit status of the process.
enum class ExitStatus : int { kAnswered = 0, kNotConverged = 1, kDefective = 1, kBadInput = 2 };

using Json = nlohmann::ordered_json;

inline double Megabytes(std::uintmax_t bytes) { return static_cast<double>(bytes) / 1e6; }

/// Numbers are printed with as many digits as it takes to read back the same double. What is not
/// finite has no JSON number and becomes null.
Json VectorJson(const Eigen::Vector3d& v);
Json NumberJson(double value);
/// By columns, which for an inertia tensor are its rows.
Json ColumnsJson(const Eigen::Matrix3d& m);

/// The answer of `query` and of `mass`.
void AddQueryJson(const Metrics& metrics, Json* json);
Json QueryJson(const Metrics& metrics);
/// With a density [kg/m³], mass and moments of inertia are those of the body.
Json MassJson(const MassProperties& mass, std::optional<double> density);

/// The Hessian by rows, or null where there is none.
Json HessianJson(const Metrics& metrics);

/// The same as a table for reading.
std::string QueryTable(const Metrics& metrics);
std::string HessianTable(const Metrics& metrics);
std::string MassTable(const MassProperties& mass, std::optional<double> density);

/// The contact patches of a `query`.
Json PatchesJson(const std::vector<Metrics>& patches);
std::string PatchesTable(const std::vector<Metrics>& patches);

/// The version of the answers' format, "schema" of every one of them.
inline constexpr int kAnswerSchema = 1;

/// Writes to standard output; an object gets its "schema" first, a text may have several lines.
/// What texts of files hold that would act on a terminal is written as escapes. Throws
/// std::runtime_error when that fails.
void Print(const Json& json);
void Print(const std::string& text);

/// One of many lines, which need not leave before FlushOutput does. An object as Print has it.
void PrintLine(const Json& json);
void PrintLine(const std::string& line);
/// A line for each warning that the answer itself has no place for.
void WarnOnStandardError(const std::vector<std::string>& warnings);
/// A line on standard error, after the name of the tool, whatever files or arguments put into it.
void Tell(std::string_view message);
/// Throws std::runtime_error when standard output takes no more.
void FlushOutput();

}  // namespace volcontact::tool
