// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/price.h"

#include <cmath>
#include <numeric>

#include "ipusim/error.h"
#include "models/ipu/energy/area.h"
#include "models/ipu/energy/geometry.h"
#include "models/ipu/energy/quantile.h"

namespace ipusim::energy {

namespace {

constexpr double kPico = 1e-12;
constexpr double kBytesPerWord = 4;
constexpr double kBitsPerWord = kBytesPerWord * kBitsPerByte;
constexpr double kRoomCelsius = 20;
/// Leakage doubles over this rise. Assumed: 25 to 31 degrees are usual for FinFET logic.
constexpr double kDoublingCelsius = 28;

/// (V / V of the GC200)^2.
double voltageSquare(Silicon silicon, const Values& values) {
  return silicon == Silicon::Bow ? values[Constant::BowVoltageSquare] : 1;
}

/// Machines that hold the IPUs, such as M2000. A part of one counts as its share.
double platformsOf(const Site& site) {
  const std::uint32_t ipus = site.ipu.streaming.ipus;
  return ipus == 0 ? 0 : static_cast<double>(site.ipus) / ipus;
}

double leakageWatts(const Site& site, const Values& values, double die_mm2, double square) {
  const double rise = values[Constant::DieCelsius] - kRoomCelsius;
  return values[Constant::LeakageWatts] * std::exp2(rise / kDoublingCelsius) *
         (die_mm2 / kGc200Mm2) * square * std::sqrt(square) * site.ipus;
}

double sumOf(const EnergyByPart& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

EnergyByPart times(const EnergyByPart& prices, const Counts& counts) {
  EnergyByPart joules{};
  for (std::size_t p = 0; p < kEnergyParts; ++p) joules[p] = prices[p] * counts[p];
  return joules;
}

}  // namespace

std::string whyUnpriced(const Machine& machine) {
  switch (machine.silicon) {
    case Silicon::Gc200:
    case Silicon::Bow:
      return "";
    case Silicon::Gc2:
      return "not supported for a GC2: scaled to 16 nm, its products take more than its card draws";
    case Silicon::Unknown:
      break;
  }
  return "not supported: the machine names no silicon";
}

bool isIdentified(EnergyPart part) {
  static constexpr std::array<Constant, kEnergyParts> kConstantOf = {
      Constant::LeakageWatts,          Constant::ClockPicojoules,
      Constant::IssuePicojoules,       Constant::HalfMacPicojoules,
      Constant::FloatMacPicojoules,    Constant::FlopPicojoules,
      Constant::SramPicojoulesPerByte, Constant::WirePicojoulesPerBitMm,
      Constant::SyncPicojoules,        Constant::LinkPicojoulesPerBit,
      Constant::HostPicojoulesPerBit,  Constant::StreamingPicojoulesPerBit,
      Constant::PlatformWatts,
  };
  const Constant constant = kConstantOf[static_cast<std::size_t>(part)];
  return !shippedConstants().of(constant).identified_by.empty();
}

double priorsOnly(const EnergyByPart& parts) {
  double joules = 0;
  for (std::size_t p = 0; p < kEnergyParts; ++p) {
    if (!isIdentified(static_cast<EnergyPart>(p))) joules += parts[p];
  }
  return joules;
}

Counts countsOf(const Activity& activity, double seconds, const Machine& ipu) {
  Counts counts{};
  const auto set = [&counts](EnergyPart part, double count) {
    counts[static_cast<std::size_t>(part)] = count;
  };
  const auto real = [](std::uint64_t count) { return static_cast<double>(count); };
  set(EnergyPart::Leakage, seconds);
  set(EnergyPart::Clock, real(activity.tile_cycles.value()));
  set(EnergyPart::Issue, real(activity.bundles));
  set(EnergyPart::HalfMac, real(activity.half_macs));
  set(EnergyPart::FloatMac, real(activity.float_macs));
  set(EnergyPart::Flop, real(activity.other_flops.value()));
  set(EnergyPart::Sram,
      real(activity.loaded_bytes.value()) + real(activity.stored_bytes.value()) +
          kBytesPerWord * (real(activity.sent_words) + real(activity.received_words)));
  set(EnergyPart::Wire,
      real(activity.column_word_rows) + real(activity.spine_words) * spinePitches(ipu));
  set(EnergyPart::Sync, real(activity.tile_syncs));
  set(EnergyPart::Links, kBitsPerByte * real(activity.link_bytes.value()));
  set(EnergyPart::Host, kBitsPerByte * real(activity.host_bytes.value()));
  set(EnergyPart::Streaming, kBitsPerByte * real(activity.streaming_bytes.value()));
  set(EnergyPart::Platform, seconds);
  return counts;
}

EnergyByPart pricesOf(const Site& site, const Values& values) {
  check(whyUnpriced(site.ipu).empty(), "the silicon has prices");
  const DieArea die = dieAreaOf(site.ipu, values);
  const double square = voltageSquare(site.ipu.silicon, values);
  const double pitch_mm = std::sqrt(die.tile.total());
  EnergyByPart prices{};
  const auto set = [&prices](EnergyPart part, double joules) {
    prices[static_cast<std::size_t>(part)] = joules;
  };
  const auto set_on_chip = [&](EnergyPart part, double picojoules) {
    set(part, picojoules * kPico * square);
  };
  set(EnergyPart::Leakage, leakageWatts(site, values, die.total(), square));
  set_on_chip(EnergyPart::Clock, values[Constant::ClockPicojoules]);
  set_on_chip(EnergyPart::Issue, values[Constant::IssuePicojoules]);
  set_on_chip(EnergyPart::HalfMac, values[Constant::HalfMacPicojoules]);
  set_on_chip(EnergyPart::FloatMac, values[Constant::FloatMacPicojoules]);
  set_on_chip(EnergyPart::Flop, values[Constant::FlopPicojoules]);
  set_on_chip(EnergyPart::Sram, values[Constant::SramPicojoulesPerByte]);
  set_on_chip(EnergyPart::Wire, kBitsPerWord * values[Constant::WirePicojoulesPerBitMm] *
                                    values[Constant::PathFactor] * pitch_mm);
  set_on_chip(EnergyPart::Sync, values[Constant::SyncPicojoules]);
  set(EnergyPart::Links, values[Constant::LinkPicojoulesPerBit] * kPico);
  set(EnergyPart::Host, values[Constant::HostPicojoulesPerBit] * kPico);
  set(EnergyPart::Streaming, values[Constant::StreamingPicojoulesPerBit] * kPico);
  set(EnergyPart::Platform, values[Constant::PlatformWatts] * platformsOf(site));
  return prices;
}

PriceList::PriceList(const Site& site, const std::vector<Values>& draws) {
  check(!draws.empty(), "there are draws");
  draws_.reserve(draws.size());
  for (const Values& values : draws) {
    draws_.push_back(pricesOf(site, values));
    for (std::size_t p = 0; p < kEnergyParts; ++p) mean_[p] += draws_.back()[p];
  }
  for (double& price : mean_) price /= static_cast<double>(draws.size());
}

EnergyByPart PriceList::meanOf(const Counts& counts) const {
  return times(mean_, counts);
}

EnergyResult PriceList::price(const Counts& run) const {
  EnergyResult result;
  result.draws.reserve(draws_.size());
  for (const EnergyByPart& prices : draws_) result.draws.push_back(sumOf(times(prices, run)));
  result.joules = quantileOf(result.draws, 0.5);
  result.low_joules = quantileOf(result.draws, kLowShare);
  result.high_joules = quantileOf(result.draws, kHighShare);
  result.by_part = priceWithin(run, run, result);
  return result;
}

EnergyByPart PriceList::priceWithin(const Counts& part, const Counts& run,
                                    const EnergyResult& whole) const {
  const double mean = sumOf(meanOf(run));
  EnergyByPart joules = meanOf(part);
  for (double& one : joules) one = mean > 0 ? one * (whole.joules / mean) : 0;
  return joules;
}

EnergyResult priceEnergy(const Activity& activity, double seconds, const Machine& ipu) {
  return PriceList({ipu}).price(countsOf(activity, seconds, ipu));
}

double shareBelow(const std::vector<double>& one, const std::vector<double>& other) {
  check(one.size() == other.size() && !one.empty(), "two designs have the same draws");
  double below = 0;
  for (std::size_t d = 0; d < one.size(); ++d) {
    if (one[d] < other[d]) below += 1;
    if (one[d] == other[d]) below += 0.5;
  }
  return below / static_cast<double>(one.size());
}

}  // namespace ipusim::energy
