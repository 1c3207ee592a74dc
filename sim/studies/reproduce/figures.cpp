// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/figures.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/report/output_folder.h"
#include "sim/studies/sweep/processes/worker_pool.h"
#include "sim/studies/sweep/store/results_csv.h"
#include "sim/studies/validate/report.h"

namespace ipusim::reproduce {

namespace {

constexpr std::size_t kFiguresReasonLength = 300;

std::string predictionsOf(const Item& item) {
  return "numbers/" + item.name + ".json";
}

void writePredictions(const Item& item, const Verdicts& verdicts, const Options& options) {
  std::vector<validate::Verdict> own;
  for (const std::size_t number : item.numbers) {
    if (verdicts[number]) own.push_back(*verdicts[number]);
  }
  report::OutputFolder(options.out / "numbers").write(item.name + ".json", validate::jsonText(own));
}

/// Reads all that a process writes into the pipe, up to its end.
std::string readAll(int descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t count = read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

std::string lastLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? text : text.substr(end + 1);
}

/// How a process ended, and what it wrote to standard error.
struct ProcessResult {
  bool well = false;
  std::string said;
};

ProcessResult endOf(pid_t process, int errors) {
  const std::string said = readAll(errors);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) && WEXITSTATUS(status) == 0, said};
}

/// Runs a program in a folder. The program's standard output is dropped, because standard output
/// carries the answers of ipusim.
ProcessResult runProgram(const std::filesystem::path& folder, std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return {false, std::error_code(errno, std::generic_category()).message()};
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = -1;
  const int fault =
      posix_spawn(&process, words.front().c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  ProcessResult ended =
      fault == 0 ? endOf(process, ends[0])
                 : ProcessResult{false, std::error_code(fault, std::generic_category()).message()};
  close(ends[0]);
  return ended;
}

/// The picture of one figure, and the words of the command that draws it.
struct Drawing {
  std::string picture;
  std::vector<std::string> words;
};

std::vector<Drawing> drawingsOf(const Paper& paper) {
  std::vector<Drawing> drawings;
  for (const Item& item : paper.items) {
    for (const Figure& figure : item.figures) {
      const std::string picture = pictureOf(item, figure);
      Drawing drawing{picture, drawingOf(paper, item, figure, picture)};
      drawing.words.front() = std::filesystem::absolute(figure.script).string();
      drawings.push_back(std::move(drawing));
    }
  }
  return drawings;
}

sweep::PointResult draw(const Drawing& drawing, const std::filesystem::path& folder) {
  std::error_code none;
  std::filesystem::remove(folder / drawing.picture, none);
  const ProcessResult ended = runProgram(folder, drawing.words);
  sweep::PointResult result;
  if (ended.well && std::filesystem::is_regular_file(folder / drawing.picture, none)) return result;
  result.status = sweep::Status::Failed;
  result.reason = oneLine(lastLine(ended.said), kFiguresReasonLength);
  if (result.reason.empty()) result.reason = "the script ended without a word";
  return result;
}

}  // namespace

std::string pictureOf(const Item& item, const Figure& figure) {
  return "figures/" + item.name + '-' + figure.name + ".png";
}

std::vector<std::string> drawingOf(const Paper& paper, const Item& item, const Figure& figure,
                                   const std::string& picture) {
  std::vector<std::string> words = {figure.written};
  for (const std::size_t sweep : figure.sweeps) {
    words.push_back("sweeps/" + paper.sweeps[sweep].name + '/' + sweep::kResultsFile);
  }
  if (figure.sweeps.empty()) words.push_back(predictionsOf(item));
  words.push_back(picture);
  words.insert(words.end(), figure.options.begin(), figure.options.end());
  return words;
}

FiguresOutcome drawFigures(const Paper& paper, const Verdicts& verdicts, const Options& options,
                           const Watch& watch) {
  const report::OutputFolder pictures(options.out / "figures");
  for (const Item& item : paper.items) writePredictions(item, verdicts, options);
  const std::vector<Drawing> drawings = drawingsOf(paper);
  sweep::WorkerPool pool({options.jobs, std::nullopt},
                         [&](std::uint64_t figure) { return draw(drawings[figure], options.out); });
  FiguresOutcome outcome;
  sweep::SweepState state{drawings.size(), 0, 0};
  std::uint64_t next = 0;
  pool.compute({[&](std::optional<std::uint64_t>) {
                  return next < drawings.size() ? std::optional(next++) : std::nullopt;
                },
                [&](std::uint64_t figure, const sweep::PointResult& result) {
                  ++state.done;
                  if (result.status == sweep::Status::Ok) return;
                  outcome.faults[drawings[figure].picture] = result.reason;
                },
                [&] { return watch("figures", state); }});
  outcome.done = state.done == state.points;
  return outcome;
}

}  // namespace ipusim::reproduce
