# SPDX-License-Identifier: Apache-2.0
"""What tests of the package share. Without PyTorch a test program says so and is skipped."""
import pathlib
import sys
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
sys.path.insert(0, str(TREE / "python"))

try:
    import torch  # noqa: F401  pylint: disable=unused-import
except ImportError:
    print("skipped: PyTorch is not installed (Debian's python3-torch)")
    sys.exit(SKIPPED)

import poptorch  # noqa: E402


class ModelTest(unittest.TestCase):
    """Models have the same random numbers in every run, and no bar."""

    def setUp(self):
        torch.manual_seed(1)

    @staticmethod
    def options():
        """Options without a bar."""
        return poptorch.Options().showCompilationProgressBar(False)

    def expect_equal(self, actual, expected):
        """Tensors of nearly equal numbers."""
        torch.testing.assert_close(actual, expected)


class Classifier(torch.nn.Module):
    """Two dense layers and the loss of classes."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(8, 16)
        self.second = torch.nn.Linear(16, 4)
        self.loss = torch.nn.CrossEntropyLoss()

    def forward(self, x, labels=None):
        y = self.second(torch.relu(self.first(x)))
        return y if labels is None else (y, self.loss(y, labels))


def main():
    """Runs the tests of the program."""
    unittest.main()
