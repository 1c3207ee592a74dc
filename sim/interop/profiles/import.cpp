// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/profiles/import.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error_boundary.h"
#include "base/files/read_file.h"
#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/interop/profiles/profile_json.h"
#include "sim/interop/profiles/profile_summary.h"
#include "sim/report/json.h"

namespace ipusim::interop {

namespace {

/// A parsed profile takes some four times the bytes of its file, and empty arrays take more.
constexpr std::uint64_t kMostMebibytes = 512;

struct NamedText {
  std::string name;
  std::string text;
};

NamedText textOf(const std::filesystem::path& file) {
  return {oneLine(file.string(), kPathLength), readFile(file, kMostMebibytes)};
}

bool isJson(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string::npos && (text[begin] == '{' || text[begin] == '[');
}

/// The profiles of the files, as far as they have come up.
struct Profiles {
  std::optional<Json> graph;
  std::string graph_file;
  std::optional<Json> execution;
  std::string execution_file;
};

void take(Json value, const std::string& file, const char* what, std::optional<Json>& profile,
          std::string& profile_file) {
  if (profile) {
    throw ConfigError(
        fmt::format("{}: wanted one {} profile, found another in {}", file, what, profile_file));
  }
  profile = std::move(value);
  profile_file = file;
}

void takeGraph(Json value, const std::string& file, Profiles& profiles) {
  take(std::move(value), file, "graph", profiles.graph, profiles.graph_file);
}

void takeExecution(Json value, const std::string& file, Profiles& profiles) {
  take(std::move(value), file, "execution", profiles.execution, profiles.execution_file);
}

/// Engine::getProfile() has both profiles as members; the other two calls give one each.
void sortIn(Json json, const std::string& file, Profiles& profiles) {
  const JsonReader reader(json, file);
  const bool has_graph = reader.find("graphProfile").has_value();
  const bool has_execution = reader.find("executionProfile").has_value();
  if (has_graph) takeGraph(std::move(json["graphProfile"]), file, profiles);
  if (has_execution) takeExecution(std::move(json["executionProfile"]), file, profiles);
  if (has_graph || has_execution) return;
  if (reader.find("target")) {
    takeGraph(std::move(json), file, profiles);
  } else if (reader.find("profilerMode") || reader.find("simulation") ||
             reader.find("programTrace")) {
    takeExecution(std::move(json), file, profiles);
  } else {
    reader.fail(
        "a graph profile with the key \"target\" or an execution profile with the key "
        "\"profilerMode\"",
        "neither");
  }
}

Json resultOf(const Profiles& profiles) {
  if (!profiles.graph) {
    throw ConfigError(profiles.execution_file +
                      ": wanted a graph profile beside the execution profile, found none");
  }
  GraphProfile graph = readGraphProfile(JsonReader(*profiles.graph, profiles.graph_file));
  if (profiles.execution) {
    readExecutionProfile(JsonReader(*profiles.execution, profiles.execution_file), graph);
  }
  return resultOf(graph.recording);
}

Json importTexts(std::vector<NamedText> texts) {
  Profiles profiles;
  for (NamedText& file : texts) {
    if (!isJson(file.text)) {
      if (texts.size() > 1) {
        throw ConfigError(file.name + ": wanted JSON in each of several files, found other text");
      }
      return resultOf(readProfileSummary(file.text, file.name));
    }
    Json json = parseJson(file.text, file.name);
    file.text = std::string();
    sortIn(std::move(json), file.name, profiles);
  }
  return resultOf(profiles);
}

Json imported(std::vector<NamedText> texts) {
  const std::string name = texts.front().name;
  return translateErrors<CountError>(
      [&] { return importTexts(std::move(texts)); },
      [&](const CountError&) {
        return ConfigError(name +
                           ": wanted sums of cycles and bytes below 2^64, found larger ones");
      });
}

/// A value on one line. A summary may have names of any bytes, but JSON is UTF-8.
std::string lineOf(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Appends `value` as lines of text: arrays of objects get a line for each element.
void appendMember(const Json& value, std::string& text) {
  const bool is_list = value.is_array() && !value.empty() && value.front().is_object();
  if (!is_list) {
    text += lineOf(value);
    return;
  }
  text += '[';
  for (std::size_t i = 0; i < value.size(); ++i) {
    text += (i == 0 ? "\n    " : ",\n    ") + lineOf(value[i]);
  }
  text += "\n  ]";
}

}  // namespace

Json importProfile(const std::vector<std::filesystem::path>& files) {
  std::vector<NamedText> texts;
  texts.reserve(files.size());
  for (const std::filesystem::path& file : files) texts.push_back(textOf(file));
  return imported(std::move(texts));
}

Json importProfileText(std::string text, const std::string& name) {
  return imported({{name, std::move(text)}});
}

Json readResult(const std::filesystem::path& file) {
  NamedText named = textOf(file);
  if (isJson(named.text)) {
    Json json = parseJson(named.text, named.name);
    if (const auto schema = JsonReader(json, named.name).find("schema")) {
      const std::string name = schema->text();
      if (name != report::kSchema && name != kProfileSchema) {
        schema->fail(fmt::format("\"{}\" or \"{}\"", report::kSchema, kProfileSchema));
      }
      return json;
    }
  }
  return imported({std::move(named)});
}

std::string resultText(const Json& result) {
  std::string text = "{";
  for (const auto& [key, value] : result.items()) {
    text += (text.size() == 1 ? "\n  " : ",\n  ") + lineOf(Json(key)) + ": ";
    appendMember(value, text);
  }
  return text + "\n}\n";
}

}  // namespace ipusim::interop
