// SPDX-License-Identifier: Apache-2.0
#include "base/error_boundary.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

#include "ipusim/error.h"

namespace ipusim {
namespace {

template <typename Error>
int throwing(const char* what) {
  throw Error(what);
}

template <typename... Errors, typename Work>
std::string retoldMessage(const Work& work) {
  try {
    translateErrors<Errors...>(work, [](const std::exception& error) {
      return std::logic_error(std::string("told: ") + error.what());
    });
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

TEST(TranslateErrors, GivesTheResultOfWork) {
  const auto tell = [](const GraphError& error) { return error; };
  EXPECT_EQ(translateErrors<GraphError>([] { return 3; }, tell), 3);
}

TEST(TranslateErrors, TellsTheNamedErrorsAndLetsOthersPass) {
  const auto config = [] { return throwing<ConfigError>("config"); };
  const auto graph = [] { return throwing<GraphError>("graph"); };
  EXPECT_EQ((retoldMessage<ConfigError, GraphError>(config)), "told: config");
  EXPECT_EQ((retoldMessage<ConfigError, GraphError>(graph)), "told: graph");
  EXPECT_EQ(retoldMessage<ConfigError>(graph), "graph");
  EXPECT_THROW(translateErrors<ConfigError>([]() -> int { throw 3; },
                                            [](const ConfigError& error) { return error; }),
               int);
}

TEST(TranslateErrors, GivesTheErrorWithItsOwnType) {
  const auto tell = [](const CountError& error) { return ConfigError(error.what()); };
  EXPECT_THROW(translateErrors<CountError>([] { return throwing<CountError>("count"); }, tell),
               ConfigError);
}

TEST(ResultOrNone, IsNoneAfterANamedError) {
  EXPECT_EQ(resultOrNone<ConfigError>([] { return 3; }), 3);
  EXPECT_EQ(resultOrNone<ConfigError>([] { return throwing<ConfigError>("x"); }), std::nullopt);
  EXPECT_THROW(resultOrNone<ConfigError>([] { return throwing<GraphError>("x"); }), GraphError);
}

TEST(FaultOf, IsTheMessageOfANamedError) {
  EXPECT_EQ(faultOf<ConfigError>([] {}), std::nullopt);
  EXPECT_EQ(faultOf<ConfigError>([] { throwing<ConfigError>("x"); }), "x");
  EXPECT_EQ(faultOf<std::exception>([] { throwing<ConfigError>("x"); }), "x");
  EXPECT_THROW(faultOf<std::bad_alloc>([] { throwing<ConfigError>("x"); }), ConfigError);
}

TEST(FailureOf, KeepsWhateverWasThrown) {
  EXPECT_EQ(failureOf([] {}), nullptr);
  const std::exception_ptr failure = failureOf([] { throw 3; });
  EXPECT_THROW(std::rethrow_exception(failure), int);
}

}  // namespace
}  // namespace ipusim
