# SPDX-License-Identifier: Apache-2.0
"""Trains a single hidden layer with structured matrices on pictures of random classes, in plain PyTorch.

usage: ./ipusim poptorch run examples/pytorch/structured_layers.py [--steps N] [--layers dense,butterfly,...]
"""
import argparse

import torch

import poptorch
from layers import LAYERS, SingleHiddenLayer

FEATURES, CLASSES, BATCH = 1024, 10, 50


def pictures(count, generator):
    """Noisy copies of one picture for each class."""
    classes = torch.randn(CLASSES, FEATURES, generator=torch.Generator().manual_seed(1))
    labels = torch.randint(0, CLASSES, (count,), generator=generator)
    return classes[labels] + 2 * torch.randn(count, FEATURES, generator=generator), labels


def train(layer, steps):
    """The share of right answers at the end, and the wrapped model."""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(2)
    model = SingleHiddenLayer(layer, FEATURES, CLASSES)
    optimizer = poptorch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    options = poptorch.Options().showCompilationProgressBar(False)
    training = poptorch.trainingModel(model, options, optimizer)
    right = 0.0
    for _ in range(steps):
        x, labels = pictures(BATCH, generator)
        y, _ = training(x, labels)
        right = float((y.argmax(1) == labels).float().mean())
    return right, training


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--layers", default=",".join(LAYERS))
    arguments = parser.parse_args()
    print("layer,parameters,right_share,step_cycles,step_seconds,fits")
    for layer in arguments.layers.split(","):
        right, training = train(layer, arguments.steps)
        parameters = sum(one.numel() for one in training.model.parameters())
        time = training.ipusim_result.time
        print(f"{layer},{parameters},{right:.2f},{time.cycles},{time.seconds:.4g},{training.ipusim_result.fits}",
              flush=True)


if __name__ == "__main__":
    main()
