# SPDX-License-Identifier: Apache-2.0
"""Comparisons for tests of models."""
import torch


def allclose(expected, actual, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether two structures of tensors are nearly equal."""
    if isinstance(expected, torch.Tensor):
        return torch.allclose(expected, actual, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if isinstance(expected, dict):
        return expected.keys() == actual.keys() and all(
            allclose(expected[key], actual[key], rtol, atol, equal_nan) for key in expected)
    if isinstance(expected, (tuple, list)):
        return len(expected) == len(actual) and all(
            allclose(left, right, rtol, atol, equal_nan) for left, right in zip(expected, actual))
    return expected == actual
