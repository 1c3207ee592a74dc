// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/guard.h"

#include <pthread.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <memory>
#include <mutex>

#include "poplar/codelets/codelets.h"
#include "poplar/codelets/run/watchdog.h"

extern "C" {
/// Calls function(a, b) with the stack pointer at `stack`.
std::uint64_t ipusimEnterCodelet(std::uint64_t function, std::uint64_t a, std::uint64_t b,
                                 std::uint64_t stack);
}

// The code of codelets keeps rbp as every function of x86-64 does, so the old stack is found there.
asm(R"(
.text
.globl ipusimEnterCodelet
.hidden ipusimEnterCodelet
.type ipusimEnterCodelet, @function
ipusimEnterCodelet:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rcx, %rsp
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  callq *%rax
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  retq
  .cfi_endproc
.size ipusimEnterCodelet, . - ipusimEnterCodelet
)");

namespace ipusim::codelets {

namespace {

/// Room for the native frames of a codelet and of the functions that it calls here.
constexpr Bytes kStackBytes(1U << 20U);
constexpr std::size_t kSignalStackBytes = 65536;
constexpr std::array kFaultSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, kWatchdogSignal};
/// Bits of the stack pointer that are zero at a call.
constexpr std::uint64_t kStackAlignment = 16;

/// A thread that runs native code.
struct GuardedThread {
  GuardedThread();
  GuardedThread(const GuardedThread&) = delete;
  GuardedThread& operator=(const GuardedThread&) = delete;
  ~GuardedThread();

  LowMemory stack{1, kStackBytes};
  std::unique_ptr<std::byte[]> signal_stack;  // NOLINT(modernize-avoid-c-arrays): sigaltstack's
  stack_t old_signal_stack{};
  std::string printed;
  WatchedThread watched;
  sigjmp_buf back{};
  volatile bool is_inside = false;
  CodeRange code;
  CallResult ended;
};

thread_local GuardedThread* current = nullptr;

std::array<struct sigaction, NSIG> old_actions;

FaultKind kindOf(int signal) {
  switch (signal) {
    case SIGFPE:
      return FaultKind::Arithmetic;
    case SIGILL:
      return FaultKind::Instruction;
    case kWatchdogSignal:
      return FaultKind::TimeLimit;
    default:
      return FaultKind::Memory;
  }
}

/// What the signal would have done without codelets.
void passOn(int signal, siginfo_t* info, void* context) {
  const struct sigaction& old = old_actions.at(static_cast<std::size_t>(signal));
  if ((old.sa_flags & SA_SIGINFO) != 0 && old.sa_sigaction != nullptr) {
    old.sa_sigaction(signal, info, context);
  } else if (old.sa_handler == SIG_IGN || signal == kWatchdogSignal) {
    return;
  } else if (old.sa_handler != SIG_DFL) {
    old.sa_handler(signal);
  } else {
    // The instruction runs again and ends the program.
    sigaction(signal, &old, nullptr);
  }
}

void onSignal(int signal, siginfo_t* info, void* context) {
  GuardedThread* const thread = current;
  if (thread == nullptr || !thread->is_inside) {
    passOn(signal, info, context);
    return;
  }
  const auto* machine = static_cast<const ucontext_t*>(context);
  const auto code = static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_RIP]);
  const bool is_in_codelet = code >= thread->code.begin && code < thread->code.end;
  // A function of this program may hold a lock: the watchdog tries again later.
  if (signal == kWatchdogSignal && !is_in_codelet) return;
  thread->ended.fault = kindOf(signal);
  thread->ended.code = is_in_codelet ? code : 0;
  thread->ended.address = reinterpret_cast<std::uint64_t>(info->si_addr);
  siglongjmp(thread->back, 1);
}

void installHandlers() {
  struct sigaction action {};
  action.sa_sigaction = onSignal;
  // The handler leaves by a jump, so no signal may stay blocked.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  for (const int signal : kFaultSignals) {
    sigaction(signal, &action, &old_actions.at(static_cast<std::size_t>(signal)));
  }
}

GuardedThread::GuardedThread() : signal_stack(new std::byte[kSignalStackBytes]) {
  static std::once_flag once;
  std::call_once(once, installHandlers);
  stack_t stack_of_signals{};
  stack_of_signals.ss_sp = signal_stack.get();
  stack_of_signals.ss_size = kSignalStackBytes;
  sigaltstack(&stack_of_signals, &old_signal_stack);
  // Workers of this program block all signals; a blocked fault would end the program.
  sigset_t needed;
  sigemptyset(&needed);
  for (const int signal : kFaultSignals) sigaddset(&needed, signal);
  pthread_sigmask(SIG_UNBLOCK, &needed, nullptr);
}

GuardedThread::~GuardedThread() {
  current = nullptr;
  sigaltstack(&old_signal_stack, nullptr);
}

GuardedThread& thisThread() {
  thread_local GuardedThread thread;
  current = &thread;
  return thread;
}

}  // namespace

CallResult enterGuarded(CodeRange code, std::uint64_t function, std::uint64_t a, std::uint64_t b,
                        std::chrono::milliseconds limit) {
  GuardedThread& thread = thisThread();
  thread.code = code;
  thread.ended = {};
  const std::uint64_t top = thread.stack.address(0) + kStackBytes.value() - kStackAlignment;
  if (sigsetjmp(thread.back, 0) == 0) {
    thread.watched.begin(limit);
    thread.is_inside = true;
    thread.ended.value = ipusimEnterCodelet(function, a, b, top);
  }
  thread.is_inside = false;
  thread.watched.end();
  return thread.ended;
}

void stopCall(const char* reason) {
  GuardedThread& thread = *current;
  thread.ended.fault = FaultKind::Stopped;
  thread.ended.reason = reason;
  siglongjmp(thread.back, 1);
}

std::string& printedText() {
  return thisThread().printed;
}

}  // namespace ipusim::codelets
