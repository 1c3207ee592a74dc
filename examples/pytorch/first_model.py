# SPDX-License-Identifier: Apache-2.0
"""A classifier on the simulated IPU: its numbers, what it takes, and the table of its modules."""
import torch

import poptorch


def main():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10))
    on_ipu = poptorch.inferenceModel(model, poptorch.Options().deviceIterations(4))
    out = on_ipu(torch.randn(256, 784))
    result = on_ipu.ipusim_result
    print(f"outputs {tuple(out.shape)}, fits: {result.fits}, fullest tile {result.memory.max_tile_bytes} bytes")
    print(f"a micro-batch takes {result.time.cycles} cycles, {on_ipu.getComputeLatency()[2] * 1e6:.1f} us")
    print(f"{'module':10} {'parameters':>12} {'cycles':>8}")
    for module, parameters, forward, _, _ in on_ipu.prediction.modules():
        print(f"{module:10} {parameters:12} {forward:8}")


if __name__ == "__main__":
    main()
