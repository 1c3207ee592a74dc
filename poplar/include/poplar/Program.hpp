// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "poplar/DataStream.hpp"
#include "poplar/DebugContext.hpp"
#include "poplar/GraphElements.hpp"
#include "poplar/OptionFlags.hpp"
#include "poplar/StringRef.hpp"
#include "poplar/SyncType.hpp"
#include "poplar/Tensor.hpp"
#include "poplar/TypeTraits.hpp"
#include "poplar/detail/program_api.hpp"

namespace poplar {
namespace program {

/// Something that a device runs: a value. Whoever takes it keeps it as it was at that moment.
class Program {
 public:
  Program() : data_(detail::makeSequence(nullptr, 0)) {}
  bool isEmpty() const { return !data_; }
  const detail::ProgramData* data() const { return data_.get(); }

 protected:
  explicit Program(detail::ProgramData* data) : data_(data) {}

  /// Replaces the program by what `change` makes of it.
  template <typename Change>
  void replace(const Change& change) {
    detail::ProgramData* old = data_.get();
    detail::retain(old);
    data_ = detail::Handle<detail::ProgramData>();
    data_ = detail::Handle<detail::ProgramData>(change(old));
  }

 private:
  detail::Handle<detail::ProgramData> data_;
};

/// Steps that run one after the other.
class Sequence : public Program {
 public:
  Sequence() = default;
  Sequence(std::initializer_list<Program> steps, const DebugContext& = {}) {
    for (const Program& step : steps) add(step);
  }
  explicit Sequence(const std::vector<Program>& steps, const DebugContext& = {}) {
    for (const Program& step : steps) add(step);
  }
  explicit Sequence(const DebugContext&) {}
  /// A sequence of one step.
  Sequence(const Program& only) { add(only); }
  template <typename... More>
  Sequence(const Program& first, const Program& second, const More&... more)
      : Sequence({first, second, more...}) {}

  void add(const Program& step) {
    replace([&](detail::ProgramData* old) { return detail::withStep(old, step.data()); });
  }
};

/// Runs the vertices of a compute set. With a tensor: sets it to whether all of them returned true.
class Execute : public Program {
 public:
  explicit Execute(const ComputeSet& compute_set, const DebugContext& name = {})
      : Program(detail::makeExecute(compute_set.getId(), detail::textOf(name))) {}
  Execute(const ComputeSet& compute_set, const Tensor& all_true, const DebugContext& name = {})
      : Program(detail::makeExecute(compute_set.getId(), all_true.data(), detail::textOf(name))) {}
};

/// Copies elements between tensors, streams and remote buffers.
class Copy : public Program {
 public:
  Copy(const Tensor& from, const Tensor& to, bool /*dont_outline*/ = false,
       const DebugContext& name = {})
      : Program(detail::makeCopy(from.data(), to.data(), detail::textOf(name))) {}
  Copy(const Tensor& from, const Tensor& to, const DebugContext& name)
      : Copy(from, to, false, name) {}
  Copy(const DataStream& from, const Tensor& to, bool /*optimise_memory*/ = false,
       const DebugContext& name = {})
      : Program(detail::makeStream(from.id(), to.data(), detail::TransferTo::Device,
                                   detail::textOf(name))) {}
  Copy(const Tensor& from, const DataStream& to, bool /*optimise_memory*/ = false,
       const DebugContext& name = {})
      : Program(detail::makeStream(to.id(), from.data(), detail::TransferTo::Host,
                                   detail::textOf(name))) {}
  Copy(const RemoteBuffer& from, const Tensor& to, const DebugContext& name = {})
      : Program(detail::makeRemote(from.id(), to.data(), nullptr, detail::TransferTo::Device,
                                   detail::textOf(name))) {}
  Copy(const RemoteBuffer& from, const Tensor& to, const Tensor& row, const DebugContext& name = {})
      : Program(detail::makeRemote(from.id(), to.data(), row.data(), detail::TransferTo::Device,
                                   detail::textOf(name))) {}
  Copy(const Tensor& from, const RemoteBuffer& to, const DebugContext& name = {})
      : Program(detail::makeRemote(to.id(), from.data(), nullptr, detail::TransferTo::Host,
                                   detail::textOf(name))) {}
  Copy(const Tensor& from, const RemoteBuffer& to, const Tensor& row, const DebugContext& name = {})
      : Program(detail::makeRemote(to.id(), from.data(), row.data(), detail::TransferTo::Host,
                                   detail::textOf(name))) {}
};

class Repeat : public Program {
 public:
  Repeat(unsigned count, const Program& body, const DebugContext& = {})
      : Program(detail::makeRepeat(count, body.data())) {}
};

/// Runs `condition`; while the only element of `predicate` is true, `body` and `condition` again.
class RepeatWhileTrue : public Program {
 public:
  RepeatWhileTrue(const Program& condition, const Tensor& predicate, const Program& body,
                  const DebugContext& = {})
      : Program(detail::makeRepeatWhile(condition.data(), predicate.data(), body.data(),
                                        detail::LoopUntil::False)) {}
};

class RepeatWhileFalse : public Program {
 public:
  RepeatWhileFalse(const Program& condition, const Tensor& predicate, const Program& body,
                   const DebugContext& = {})
      : Program(detail::makeRepeatWhile(condition.data(), predicate.data(), body.data(),
                                        detail::LoopUntil::True)) {}
};

class If : public Program {
 public:
  If(const Tensor& predicate, const Program& then, const Program& otherwise,
     const DebugContext& = {})
      : Program(detail::makeIf(predicate.data(), then.data(), otherwise.data())) {}
};

/// Runs the case whose number the only element of `control` is, or else the default.
class Switch : public Program {
 public:
  using Cases = std::vector<std::pair<std::int32_t, Program>>;

  explicit Switch(const Tensor& control, const DebugContext& = {})
      : Program(detail::makeSwitch(control.data(), Program().data())) {}
  Switch(const Tensor& control, const Program& otherwise, const DebugContext& = {})
      : Program(detail::makeSwitch(control.data(), otherwise.data())) {}
  Switch(const Tensor& control, const Cases& cases, const DebugContext& = {})
      : Switch(control, cases, Program()) {}
  Switch(const Tensor& control, const Cases& cases, const Program& otherwise,
         const DebugContext& = {})
      : Program(detail::makeSwitch(control.data(), otherwise.data())) {
    for (const std::pair<std::int32_t, Program>& one : cases) add(one.first, one.second);
  }

  /// A value without a case ends the run with an application_runtime_error.
  static Switch switchWithBoundsChecking(const Tensor& control, const Cases& cases,
                                         const DebugContext& name = {});
  /// The program says that the value always has a case, so there is nothing to do for another.
  static Switch switchWithUnreachableDefault(const Tensor& control, const DebugContext& name = {}) {
    return Switch(control, name);
  }

  Switch& add(std::int32_t value, const Program& body) {
    replace([&](detail::ProgramData* old) { return detail::withCase(old, value, body.data()); });
    return *this;
  }
};

class Call : public Program {
 public:
  explicit Call(const Function& function, const DebugContext& = {})
      : Program(detail::makeCall(function.getId())) {}
  /// Calls a function of the host with the elements of `inputs`, and takes those of `outputs` from
  /// it.
  Call(const HostFunction& function, ArrayRef<Tensor> inputs, ArrayRef<Tensor> outputs,
       const DebugContext& = {})
      : Program(detail::makeSequence(nullptr, 0)) {
    std::uint32_t stream = function.firstStream();
    add(function.inputs(), inputs, detail::TransferTo::Host, stream);
    append(detail::makeHostCall(function.getId()));
    add(function.outputs(), outputs, detail::TransferTo::Device, stream);
  }

 private:
  void add(const std::vector<HostFunctionArgument>& arguments, ArrayRef<Tensor> tensors,
           detail::TransferTo to, std::uint32_t& stream) {
    if (arguments.size() != tensors.size()) {
      throw control_program_error("Call of a host function: wanted " +
                                  std::to_string(arguments.size()) + " tensors, found " +
                                  std::to_string(tensors.size()));
    }
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      detail::checkArgument(tensors[a].data(), arguments[a].elementType.id(),
                            arguments[a].numElements);
      append(detail::makeStream(stream++, tensors[a].data(), to, detail::Text{"", 0}));
    }
  }
  void append(detail::ProgramData* step) {
    const detail::Handle<detail::ProgramData> owned(step);
    replace([&](detail::ProgramData* old) { return detail::withStep(old, owned.get()); });
  }
};

/// Says that the elements hold nothing from here on. Their memory serves other variables until the
/// next step that uses them, where the tensor has all elements of a variable.
class WriteUndef : public Program {
 public:
  explicit WriteUndef(const Tensor& tensor, const DebugContext& = {})
      : Program(detail::makeWriteUndef(tensor.data())) {}
};

/// Prints the elements of a tensor where the program has come to this step.
class PrintTensor : public Program {
 public:
  explicit PrintTensor(const Tensor& tensor, const DebugContext& = {})
      : Program(detail::makePrint(detail::textOf(StringRef(tensor.getDebugStr())), tensor.data())) {
  }
  PrintTensor(const StringRef& title, const Tensor& tensor, const DebugContext& = {})
      : Program(detail::makePrint(detail::textOf(title), tensor.data())) {}
};

/// There is one replica, so a tensor is equal across all of them.
class AssumeEqualAcrossReplicas : public Program {
 public:
  explicit AssumeEqualAcrossReplicas(const Tensor& tensor, const DebugContext& = {}) {
    static_cast<void>(tensor.data());
  }
};

/// Copies from a replica to another. There is one, whose number is 0.
class CrossReplicaCopy : public Program {
 public:
  CrossReplicaCopy(const Tensor& from, const Tensor& to,
                   const std::map<unsigned, unsigned>& replicas, const DebugContext& name = {})
      : Program(copyOf(from, to, replicas, name)) {}

 private:
  static Copy copyOf(const Tensor& from, const Tensor& to,
                     const std::map<unsigned, unsigned>& replicas, const DebugContext& name) {
    if (replicas != std::map<unsigned, unsigned>{{0, 0}}) {
      throw control_program_error("CrossReplicaCopy: wanted a copy from replica 0 to replica 0");
    }
    return Copy(from, to, false, name);
  }
};

class Sync : public Program {
 public:
  explicit Sync(SyncType, const DebugContext& name = {})
      : Program(detail::makeSync(detail::textOf(name))) {}
};

/// A program under a name.
class Block : public Program {
 public:
  explicit Block(const Program& body, const DebugContext& = {}) : Program(body) {}
  Block(std::initializer_list<Program> steps, const DebugContext& = {})
      : Program(Sequence(steps)) {}
};

class Abort : public Program {
 public:
  explicit Abort(const DebugContext& message = {})
      : Program(detail::makeAbort(nullptr, detail::textOf(message))) {}
  Abort(const std::string& message, const DebugContext&)
      : Program(detail::makeAbort(nullptr, detail::textOf(message))) {}
};

inline Switch Switch::switchWithBoundsChecking(const Tensor& control, const Cases& cases,
                                               const DebugContext& name) {
  return Switch(control, cases, Abort("Switch: a value without a case"), name);
}

class AbortOnCondition : public Program {
 public:
  AbortOnCondition(const Tensor& condition, const DebugContext& message = {})
      : Program(detail::makeAbort(condition.data(), detail::textOf(message))) {}
  AbortOnCondition(const Tensor& condition, const std::string& message, const DebugContext&)
      : Program(detail::makeAbort(condition.data(), detail::textOf(message))) {}
};

class ErrorProgram : public Program {
 public:
  ErrorProgram(const StringRef& message, const Tensor& tensor, const DebugContext& = {})
      : Program(Sequence({PrintTensor(message, tensor), Abort(DebugContext(message))})) {}
};

}  // namespace program
}  // namespace poplar
