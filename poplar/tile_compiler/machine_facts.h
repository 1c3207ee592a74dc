// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The numbers of the tile's processor and of its compiler, each with its public source.
//
// Sources: [B] the backend in josemonsalve2/llvm-project, a public fork of LLVM 15; [T] the
// expected assembly in its tests, llvm/test/CodeGen/Colossus; [P] graphcore/poplibs (MIT), cycle
// estimators; [R] the routines in its compiler-rt/lib/builtins/ipu; [A] the output of popc for the
// codelets of simehaa's Aliev-Panfilov solver. "assumed" has no public source.

namespace ipusim::tile_compiler {

// Registers [B].
constexpr unsigned kMainArguments = 4;   // m0 to m3
constexpr unsigned kAuxArguments = 6;    // a0 to a5
constexpr unsigned kMainGeneral = 11;    // m0 to m10; m10 is the link until it is saved
constexpr unsigned kAuxGeneral = 8;      // a0 to a7
constexpr unsigned kLinkRegister = 10;   // m10
constexpr unsigned kStackRegister = 11;  // m11
constexpr unsigned kFirstMainSaved = 7;  // m7 to m9 are the callee's to save
constexpr unsigned kFirstAuxSaved = 6;   // a6 and a7, as one pair of 64 bits
constexpr unsigned kWordBytes = 4;
constexpr unsigned kFrameAlignmentBytes = 8;  // [T] f32-conversions.ll

// Code [B].
constexpr unsigned kInstructionBytes = 4;
constexpr unsigned kRepeatAlignmentBytes = 8;
constexpr std::uint64_t kRepeatLimit = 65535;         // trips; Mk2 and Bow
constexpr unsigned kRepeatBundleLimit = 256;          // bundles in a body
constexpr unsigned kRepeatFreeFillers = 4;            // fillers that are always accepted
constexpr std::int64_t kRepeatImmediateLimit = 4095;  // trips without a register

// Immediates [B] [T] i32-arithmetic.ll, constants.ll, f32-memory.ll.
constexpr std::int64_t kAddImmediateLow = -32768;
constexpr std::int64_t kAddImmediateHigh = 65535;
constexpr std::int64_t kSigned16Low = -32768;
constexpr std::int64_t kSigned16High = 32767;
constexpr std::int64_t kUnsigned16High = 65535;
constexpr std::uint64_t kLow12Bits = 0xFFF;
constexpr std::uint64_t kLow20Bits = 0xFFFFF;
constexpr std::int64_t kOffsetHigh = 4095;  // elements of the access; none below zero
constexpr std::int64_t kStepLow = -128;     // elements of the access
constexpr std::int64_t kStepHigh = 127;

// Slots of an instruction that holds its worker longer than one.
// Fitted to the loop for pi of UCL-RITS/pi_examples on a Bow, 90.08 cycles a turn: its other
// instructions take 9 slots of the 15. [P] popops speaks of 1 or 3 by the data.
constexpr unsigned kSlotsFloatDivide = 6;
constexpr unsigned kSlotsFloatExp = 3;         // [P] popops, reductions by log-add
constexpr unsigned kSlotsFloatLog = 6;         // [P] the same
constexpr unsigned kSlotsHalfPairExp = 2;      // [P] the same
constexpr unsigned kSlotsHalfPairLog = 2;      // [P] the same
constexpr unsigned kSlotsFloatTanh = 5;        // [P] popnn, worst case
constexpr unsigned kSlotsFloatSigmoid = 5;     // [P] popnn, worst case
constexpr unsigned kSlotsHalfPairTanh = 1;     // [P] popnn
constexpr unsigned kSlotsHalfPairSigmoid = 2;  // [P] popnn
constexpr unsigned kSlotsFloatRoot = 5;        // assumed, as tanh: sqrt, 1/sqrt, exp2, log2

// Sequences that have no instruction [T] umul_lohi.ll, i32-arithmetic.ll, index of extends.
constexpr unsigned kMulHighMain = 16;
constexpr unsigned kPackedMinMaxMain = 9;      // of two i16 in a word: 2 + 4 shifts, 2 min, 1 sort
constexpr unsigned kPackedArithmeticMain = 7;  // of two i16 in a word: 4 unpack, 2, 1 sort
constexpr unsigned kAbsMain = 3;               // assumed: shift, add, xor
constexpr unsigned kRotateMain = 3;            // assumed: two shifts, or
constexpr unsigned kTrailingZerosMain = 3;     // assumed: not, and, popc
constexpr unsigned kByteSwapMain = 2;          // [B]
constexpr unsigned kBitReverseMain = 3;        // [B]
constexpr unsigned kLongAddMain = 4;           // [B] add, compare, add, add
constexpr unsigned kLongMulMain = 21;          // assumed: 17 for the wide product, 2 mul, 2 add
constexpr unsigned kLongShiftMain = 10;        // assumed: between 8 and 12
constexpr unsigned kVariableElementMain = 3;   // assumed: through the stack

// Routines [R]: slots from entry to return.
constexpr unsigned kSlotsStoreByte = 12;
constexpr unsigned kSlotsStoreHalfWord = 8;    // at an even half word; 7 at an odd one
constexpr unsigned kSlotsStoreUnaligned = 12;  // assumed, as a byte
constexpr unsigned kSlotsDivideBit = 11;       // a bit of the quotient
constexpr unsigned kSlotsDivideFixed = 25;
constexpr unsigned kSlotsSignedDivide = 6;  // on top
constexpr unsigned kSlotsRemainder = 2;     // on top
constexpr unsigned kSlotsLibrary = 100;     // assumed, for a routine that is not listed

constexpr unsigned kSlotsDouble = 60;  // assumed, for a sum or a product of doubles

// The stub around a vertex's function: stack, argument, call, exit [A].
constexpr unsigned kVertexStubMain = 4;
// The number of a worker: read a status register, mask it [B].
constexpr unsigned kWorkerNumberMain = 2;
// A float operation of a supervisor is a routine.
constexpr unsigned kSlotsSoftFloat = 40;  // assumed

// The stack-limit check of a frame [T] stack-check tests, [A]: subtract, compare, branch.
constexpr unsigned kStackCheckMain = 3;

// Scheduling [B]: blocks below this size are ordered without a look at the registers.
constexpr unsigned kSmallBlock = 8;  // assumed: LLVM's rule, half of the allocatable registers

}  // namespace ipusim::tile_compiler
