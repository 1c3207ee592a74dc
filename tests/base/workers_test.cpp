// SPDX-License-Identifier: Apache-2.0
#include "base/process/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>

namespace ipusim {

namespace {

/// What `forEach` throws where every call from `first` on throws its own index.
std::string thrownFrom(Workers& workers, std::size_t count, std::size_t first) {
  try {
    workers.forEach(count, [first](std::size_t i, std::size_t) {
      if (i >= first) throw std::runtime_error(std::to_string(i));
    });
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

TEST(Workers, DoEachPieceOnce) {
  for (const std::uint64_t threads : {1U, 2U, 7U}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (const std::size_t count : {0U, 1U, 2U, 5U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      workers.forEach(count, [&](std::size_t i, std::size_t thread) {
        EXPECT_LT(thread, threads);
        ++done[i];
      });
      for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(Workers, ThrowWhatTheFirstPieceThrew) {
  for (const std::uint64_t threads : {1U, 4U}) {
    Workers workers(threads);
    for (int times = 0; times < 50; ++times) {
      EXPECT_EQ(thrownFrom(workers, 300, 123), "123");
      EXPECT_EQ(thrownFrom(workers, 300, 0), "0");
      EXPECT_EQ(thrownFrom(workers, 300, 300), "");
    }
  }
}

TEST(Workers, TakeOnePieceAtATimeWhereTheyAreTold) {
  Workers workers(2);
  std::atomic<std::size_t> others = 0;
  workers.forEach(
      100,
      [&others](std::size_t i, std::size_t) {
        // Piece 0 lasts until all others are done, which no thread may therefore hold back.
        while (i == 0 && others < 99) std::this_thread::yield();
        if (i > 0) ++others;
      },
      Workers::Share::One);
  EXPECT_EQ(others, 99U);
}

TEST(Workers, LeaveSignalsToTheThreadThatMadeThem) {
  Workers workers(2);
  std::atomic<int> served = 0;
  const auto blocks_interrupts = [] {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    return sigismember(&blocked, SIGINT) == 1;
  };
  workers.forEach(2, [&](std::size_t, std::size_t thread) {
    EXPECT_EQ(blocks_interrupts(), thread != 0);
    ++served;
    while (served < 2) std::this_thread::yield();  // so that each thread gets a piece
  });
}

}  // namespace ipusim
