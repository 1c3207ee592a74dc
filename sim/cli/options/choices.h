// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/cli/options/arguments.h"

// The names that an option or a word of the command line may take.

namespace ipusim::cli {

inline const std::map<std::string, Engine>& engines() {
  static const std::map<std::string, Engine> kEngines = {
      {nameOf(Engine::SystemC), Engine::SystemC}, {nameOf(Engine::ClosedForm), Engine::ClosedForm}};
  return kEngines;
}

inline const std::map<std::string, report::StepOrder>& stepOrders() {
  static const std::map<std::string, report::StepOrder> kOrders = [] {
    std::map<std::string, report::StepOrder> orders;
    for (const auto& [order, word] : report::kStepOrders) orders.emplace(word, order);
    return orders;
  }();
  return kOrders;
}

inline const std::map<std::string, Listing>& listings() {
  static const std::map<std::string, Listing> kListings = {
      {"machines", Listing::Machines},   {"systems", Listing::Systems},   {"gpus", Listing::Gpus},
      {"workloads", Listing::Workloads}, {"codelets", Listing::Codelets}, {"keys", Listing::Keys}};
  return kListings;
}

inline const std::map<std::string, GeneratedPage>& generatedPages() {
  static const std::map<std::string, GeneratedPage> kPages = {
      {"bash", GeneratedPage::Bash}, {"man", GeneratedPage::Man}, {"zsh", GeneratedPage::Zsh}};
  return kPages;
}

template <typename Choice>
std::vector<std::string> namesOf(const std::map<std::string, Choice>& choices) {
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const auto& [name, choice] : choices) names.push_back(name);
  return names;
}

}  // namespace ipusim::cli
