// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers of the processor that C++ codelets ask for. The control register that names the worker
// is read through __builtin_ipu_get.
#define CTXT_WORKERS 6
#define CSR_W_WSR__INDEX 112
#define CSR_W_WSR__CTXTID_M1__MASK 7
#define CSR_W_WSR__CTXTID_M1__SHIFT 0
#define TEXCH_SYNCZONE_LOCAL 0
