// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/processes/mpi_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>
#include <chrono>
#include <exception>
#include <thread>

#include "base/error_boundary.h"

namespace ipusim::sweep {

namespace mpi = boost::mpi;

namespace {

constexpr int kOwner = 0;
constexpr int kInterrupted = 130;
constexpr std::chrono::microseconds kPause(200);

/// Messages from a rank to the owner, and the answer to Ask.
enum Tag : int {
  Ask,     ///< asks for a point: a PointRequest
  Result,  ///< result of a point: its number, a space and its text
  Leave,   ///< reason for leaving; empty when there was no more to do
  Answer,  ///< number of a point, or kNoPoint
};
const std::string kNoPoint = "none";

/// The data of an Ask.
struct PointRequest {
  std::optional<std::uint64_t> last;  ///< the point that the process had before
  std::string identity;
};

std::string textOf(const PointRequest& request) {
  const std::string last = request.last ? std::to_string(*request.last) : kNoPoint;
  return last + ' ' + request.identity;
}

PointRequest requestFrom(const std::string& text) {
  const std::size_t space = text.find(' ');
  const std::string last = text.substr(0, space);
  PointRequest request;
  if (last != kNoPoint) request.last = std::stoull(last);
  request.identity = text.substr(space + 1);
  return request;
}

/// Waits for a message without keeping a processor busy, unlike MPI's own wait.
mpi::status awaitMessage(const mpi::communicator& world, int source, int tag) {
  while (true) {
    if (const auto message = world.iprobe(source, tag)) return *message;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

class MpiRanks::Session {
 public:
  Session() : environment_(mpi::threading::single, false) {}
  ~Session() {
    if (isOwner()) {
      stop_ = true;
      while (left_ < world_.size() - 1) answerOne(nullptr);
    } else if (!has_left_) {
      leave("");
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] bool isOwner() const { return world_.rank() == kOwner; }
  [[nodiscard]] int size() const { return world_.size(); }
  [[nodiscard]] const std::vector<std::string>& reasons() const { return reasons_; }

  void compute(const PoolWork& work, const std::string& identity) {
    identity_ = identity;
    while (left_ < world_.size() - 1) {
      const StopRequest stop_request = work.stop_request();
      if (stop_request == StopRequest::EndNow) mpi::environment::abort(kInterrupted);
      if (stop_request == StopRequest::FinishPoints) stop_ = true;
      answerAll(work);
      std::this_thread::sleep_for(kPause);
    }
    if (failure_) std::rethrow_exception(failure_);
  }

  void serve(WorkerPool& pool, const std::string& identity) {
    pool.compute({[&](std::optional<std::uint64_t> last) -> std::optional<std::uint64_t> {
                    world_.send(kOwner, Ask, textOf({last, identity}));
                    awaitMessage(world_, kOwner, Answer);
                    std::string answer;
                    world_.recv(kOwner, Answer, answer);
                    if (answer == kNoPoint) return std::nullopt;
                    return std::stoull(answer);
                  },
                  [&](std::uint64_t point, const PointResult& result) {
                    world_.send(kOwner, Result, fmt::format("{} {}", point, toText(result)));
                  },
                  [] { return StopRequest::None; }});
  }

  void leave(const std::string& reason) {
    world_.send(kOwner, Leave, reason);
    has_left_ = true;
  }

 private:
  void answerAll(const PoolWork& work) {
    while (world_.iprobe(mpi::any_source, mpi::any_tag)) answerOne(&work);
  }

  /// Answers the next message. Without work there are no points to hand out.
  void answerOne(const PoolWork* work) {
    const mpi::status message = awaitMessage(world_, mpi::any_source, mpi::any_tag);
    std::string text;
    world_.recv(message.source(), message.tag(), text);
    if (message.tag() == Leave) {
      ++left_;
      if (!text.empty()) reasons_.push_back(fmt::format("rank {}: {}", message.source(), text));
    } else if (message.tag() == Ask) {
      world_.send(message.source(), Answer, answerFor(message.source(), requestFrom(text), work));
    } else if (work != nullptr) {
      keep(text, *work);
    }
  }

  std::string answerFor(int rank, const PointRequest& request, const PoolWork* work) {
    if (stop_ || work == nullptr) return kNoPoint;
    if (request.identity != identity_) {
      reasons_.push_back(
          fmt::format("rank {}: wanted the build and the files of rank 0, found others", rank));
      return kNoPoint;
    }
    const std::optional<std::uint64_t> point = work->next(request.last);
    return point ? std::to_string(*point) : kNoPoint;
  }

  /// Keeps a result. An error here has to wait until all ranks were told to stop.
  void keep(const std::string& text, const PoolWork& work) {
    if (failure_) return;
    failure_ = failureOf([&] {
      const std::size_t space = text.find(' ');
      work.keep(std::stoull(text.substr(0, space)), resultFrom(text.substr(space + 1)));
    });
    if (failure_) stop_ = true;
  }

  mpi::environment environment_;
  mpi::communicator world_;
  std::string identity_;
  int left_ = 0;  ///< number of ranks that have left
  bool has_left_ = false;
  bool stop_ = false;
  std::vector<std::string> reasons_;
  std::exception_ptr failure_;
};

MpiRanks::MpiRanks() : session_(std::make_unique<Session>()) {}
MpiRanks::~MpiRanks() = default;

bool MpiRanks::isOwner() const {
  return session_->isOwner();
}

int MpiRanks::size() const {
  return session_->size();
}

void MpiRanks::compute(const PoolWork& work, const std::string& identity) {
  session_->compute(work, identity);
}

const std::vector<std::string>& MpiRanks::reasons() const {
  return session_->reasons();
}

void MpiRanks::serve(WorkerPool& pool, const std::string& identity) {
  session_->serve(pool, identity);
}

void MpiRanks::leave(const std::string& reason) {
  session_->leave(reason);
}

}  // namespace ipusim::sweep
