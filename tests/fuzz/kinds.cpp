// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/kinds.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/gpu/machine.h"
#include "models/ipu/machine/machine_reader.h"
#include "sim/answer/answer.h"
#include "sim/studies/calibrate/calibration.h"
#include "sim/studies/search/search_options.h"
#include "sim/studies/sweep/store/sweep_identity.h"
#include "sim/studies/validate/measurement.h"
#include "sim/studies/validate/run_set.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/program.h"
#include "tests/fuzz/small_run.h"

namespace ipusim::fuzz {

namespace {

namespace fs = std::filesystem;

std::string bytesOf(const fs::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

std::vector<Seed> seedsIn(const std::vector<std::string>& folders) {
  std::vector<Seed> seeds;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.is_regular_file()) seeds.push_back({entry.path().string(), bytesOf(entry.path())});
    }
  }
  std::sort(seeds.begin(), seeds.end(),
            [](const Seed& a, const Seed& b) { return a.name < b.name; });
  return seeds;
}

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

/// The configs of configs/runs and configs/parallel, on the toy machine and at sizes that take
/// moments.
std::vector<Seed> smallRuns() {
  std::vector<Seed> seeds = seedsIn({"configs/runs", "configs/parallel"});
  for (Seed& seed : seeds) {
    for (const char* system : {"pod16", "pod64"}) {
      replaceAll(seed.bytes, std::string("\"") + system + '"', "{base = \"pod16\", ipu = \"toy\"}");
    }
    replaceAll(seed.bytes, "1024, ", "16, ");
    for (const char* machine : {"gc200-624k", "gc200", "bow", "gc2"}) {
      replaceAll(seed.bytes, std::string("\"") + machine + '"', "\"toy\"");
    }
    for (const char* size :
         {"66240000", "1048576", "65536", "8192", "4096", "2048", "1024", "512"}) {
      replaceAll(seed.bytes, std::string("= ") + size, "= 16");
    }
  }
  return seeds;
}

std::vector<Seed> overrides() {
  std::vector<Seed> seeds;
  for (const char* text :
       {"machine.tiles=2", "machine=toy", "workload.m=8", "workload.type=\"half\"",
        "machine={base=\"toy\", tiles={value=3, source=\"x\"}}", "workload.kind=butterfly",
        "machine.sram_per_tile_bytes=1000", "compare.gpu=a30", "workload.n=[1, 2]",
        "machine.clock_hz=1e9", "planner.available_memory_proportion=0.3"}) {
    seeds.push_back({text, text});
  }
  return seeds;
}

void run(const ConfigReader& config) {
  answer::AnswerOptions options;
  options.on_estimate = refuseExpensive;
  static_cast<void>(answer::jsonOf(answer::answerOf(config, options)).dump());
}

void readSweep(const ConfigReader& config) {
  constexpr std::uint64_t kMostLooks = 50;
  const sweep::Sweep sweep = sweep::readSpace(config);
  static_cast<void>(sweep::identify(sweep, Engine::ClosedForm, "1"));
  for (std::uint64_t n = 0; n < std::min(sweep.numbers(), kMostLooks); ++n) {
    static_cast<void>(sweep.asked(n));
    static_cast<void>(sweep::describePoint(sweep, n));
  }
  if (config.has("explore")) search::readSearchOptions(config);
}

/// The kind of input whose seeds are configs.
template <typename Read>
Kind configs(const std::string& name, std::vector<Seed> seeds, const Read& read) {
  return {name, std::move(seeds), [read](const Seed& seed) {
            expectOneLine([&] { read(ConfigReader::fromText(seed.bytes, seed.name)); });
          }};
}

/// The kind of input whose seeds, those in the corpus of that name, a libFuzzer target reads.
Kind bytes(const std::string& name, void (*read)(std::string_view), const std::string& corpus) {
  return {name, seedsIn({"tests/fuzz/corpus/" + corpus}),
          [read](const Seed& seed) { read(seed.bytes); }};
}
Kind bytes(const std::string& name, void (*read)(std::string_view)) {
  return bytes(name, read, name);
}

std::string put(const std::string& folder, const std::string& name, const std::string& bytes) {
  std::ofstream(fs::path(folder) / name, std::ios::binary) << bytes;
  return (fs::path(folder) / name).string();
}

Kind measurements(const std::string& folder) {
  return {"measurements", seedsIn({"configs/measurements"}), [folder](const Seed& seed) {
            const std::string file = put(folder, "measurements.csv", seed.bytes);
            expectOneLine([&] {
              for (const auto& row : validate::readMeasurements(fs::path(file))) {
                static_cast<void>(validate::pointsOf(row.runs.overrides));
              }
            });
          }};
}

/// A file that a preset includes.
Kind fragments(const std::string& folder) {
  const std::string preset =
      put(folder, "preset.toml", "base = \"gc2\"\ninclude = \"fragment.toml\"\n");
  return {
      "fragments", seedsIn({"configs/calibrations/fitted"}), [folder, preset](const Seed& seed) {
        put(folder, "fragment.toml", seed.bytes);
        expectOneLine(
            [&] { readMachine(ConfigReader::fromText("machine = \"" + preset + "\"", "run")); });
      }};
}

}  // namespace

std::vector<Kind> kindsHere(const std::string& folder) {
  const auto override = [](const Seed& seed) {
    expectOneLine([&] {
      run(
          ConfigReader::fromText("machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = 16\n"
                                 "k = 16\nn = 16\ntype = \"float\"\n",
                                 "run", {Override::parse(seed.bytes)}));
    });
  };
  const auto machine = [](const ConfigReader& preset) { readPreset(preset); };
  const auto gpu = [](const ConfigReader& preset) { gpu::readPreset(preset); };
  const auto calibration = [](const ConfigReader& config) { calibrate::readCalibration(config); };
  return {configs("runs", smallRuns(), run),
          configs("gpu_runs", seedsIn({"configs/gpu_runs"}), run),
          configs("machines", seedsIn({"configs/machines"}), machine),
          configs("gpus", seedsIn({"configs/gpus"}), gpu),
          configs("sweeps", seedsIn({"configs/sweeps"}), readSweep),
          configs("calibrations", seedsIn({"configs/calibrations"}), calibration),
          {"overrides", overrides(), override},
          measurements(folder),
          fragments(folder),
          bytes("config", config),
          bytes("expression", expression),
          bytes("store", store),
          bytes("csv", csv),
          bytes("matrix", matrix),
          bytes("trace", trace),
          bytes("profile", profile),
          bytes("chakra", chakra),
          bytes("onnx", onnx),
          bytes("onnx_check", onnxCheck, "onnx"),
          bytes("record", record),
          bytes("network", network),
          bytes("topology", topology)};
}

std::vector<Kind> kindsOf(const std::string& program, const std::string& folder) {
  const auto by = [&](const std::string& name, std::vector<Seed> seeds, const std::string& file,
                      const std::vector<std::string>& words) {
    return Kind{name, std::move(seeds), [=](const Seed& seed) {
                  std::vector<std::string> all = {program};
                  all.insert(all.end(), words.begin(), words.end());
                  all.push_back(put(folder, file, seed.bytes));
                  expectTidyEnd(all, folder);
                }};
  };
  const std::string out = (fs::path(folder) / "out").string();
  const std::string matrix_run = put(folder, "matrix.toml",
                                     "machine = \"toy\"\n[workload]\nkind = \"sparse_matmul\"\n"
                                     "n = 4\ntype = \"float\"\nblock = 1\n"
                                     "file = \"matrix.mtx\"\n");
  return {
      by("run", smallRuns(), "run.toml", {"run"}),
      by("run of a gpu", seedsIn({"configs/gpu_runs"}), "gpu.toml", {"run"}),
      by("check", smallRuns(), "check.toml", {"check"}),
      by("sweep", seedsIn({"configs/sweeps"}), "sweep.toml", {"sweep", "--out", out, "--dry-run"}),
      by("validate", seedsIn({"configs/measurements"}), "rows.csv", {"validate"}),
      {"set", overrides(),
       [=](const Seed& seed) {
         expectTidyEnd({program, "run", matrix_run, "--set", seed.bytes}, folder);
       }},
      {"matrix", seedsIn({"tests/fuzz/corpus/matrix"}),
       [=](const Seed& seed) {
         put(folder, "matrix.mtx", seed.bytes);
         expectTidyEnd({program, "run", matrix_run}, folder);
       }},
      by("trace", seedsIn({"tests/fuzz/corpus/trace"}), "trace.ipt", {"trace", "check"}),
      {"merge", seedsIn({"tests/fuzz/corpus/store"}), [=](const Seed& seed) {
         fs::create_directories(fs::path(folder) / "part");
         put(folder, "part/sweep.sqlite", seed.bytes);
         expectTidyEnd({program, "merge", folder + "/part", "--out", out}, folder);
       }}};
}

}  // namespace ipusim::fuzz
