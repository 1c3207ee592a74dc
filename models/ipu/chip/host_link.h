// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "base/units.h"
#include "models/ipu/chip/fault.h"

namespace ipusim::models {

/// What a tile sees of the host link.
class HostLinkIf : public virtual sc_core::sc_interface {
 public:
  /// Takes part in the transfer that follows the sync released at `release` and holds the link for
  /// `cycles`; returns when it has ended.
  virtual Cycles transfer(Cycles release, Cycles cycles) = 0;
};

/// The one link to the host. It moves one transfer at a time, for the whole chip: tiles that know
/// another length of it, or a transfer that begins before the last has ended, are a fault.
class HostLink : public sc_core::sc_module, public HostLinkIf {
 public:
  HostLink(const sc_core::sc_module_name& name, Fault& fault) : sc_module(name), fault_(fault) {}

  Cycles transfer(Cycles release, Cycles cycles) override;

 private:
  Cycles began_;
  Cycles ends_;
  Fault& fault_;
};

}  // namespace ipusim::models
