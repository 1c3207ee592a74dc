# SPDX-License-Identifier: Apache-2.0
"""Layers with structured square matrices in plain PyTorch: butterfly, pixelfly, fastfood, circulant, low rank."""
import math

import torch


class Butterfly(torch.nn.Module):
    """log2(n) factors, each of n / 2 blocks of 2 x 2, on pairs of elements that are 1, 2, 4, ... apart."""

    def __init__(self, features):
        super().__init__()
        self.features = features
        self.stages = int(math.log2(features))
        scale = 1 / math.sqrt(2)
        self.twiddles = torch.nn.Parameter(torch.randn(self.stages, features // 2, 2, 2) * scale)
        self.bias = torch.nn.Parameter(torch.zeros(features))

    def forward(self, x):
        rows = x.shape[0]
        for stage in range(self.stages):
            apart = 1 << stage
            pairs = x.reshape(rows, self.features // (2 * apart), 2, apart)
            twiddle = self.twiddles[stage].reshape(1, self.features // (2 * apart), apart, 2, 2)
            left, right = pairs[:, :, 0], pairs[:, :, 1]
            first = twiddle[..., 0, 0] * left + twiddle[..., 0, 1] * right
            second = twiddle[..., 1, 0] * left + twiddle[..., 1, 1] * right
            x = torch.stack((first, second), dim=2).reshape(rows, self.features)
        return x + self.bias


class Pixelfly(torch.nn.Module):
    """Blocks on a flat butterfly beside a product of low rank."""

    def __init__(self, features, block=32, rank=32):
        super().__init__()
        self.blocks, self.block = features // block, block
        steps = int(math.log2(self.blocks))
        # Block row i meets the columns i, i ^ 1, i ^ 2, i ^ 4, ...
        columns = [[row] + [row ^ (1 << step) for step in range(steps)] for row in range(self.blocks)]
        self.places = columns
        self.register_buffer("columns", torch.tensor(columns))
        scale = 1 / math.sqrt(block * len(columns[0]))
        self.weights = torch.nn.Parameter(torch.randn(self.blocks, len(columns[0]) * block, block) * scale)
        self.down = torch.nn.Linear(features, rank, bias=False)
        self.up = torch.nn.Linear(rank, features)

    def forward(self, x):
        rows = x.shape[0]
        parts = x.reshape(rows, self.blocks, self.block)
        met = torch.stack([torch.cat([parts[:, place] for place in places], dim=1) for places in self.places])
        sparse = torch.bmm(met, self.weights).transpose(0, 1).reshape(rows, -1)
        return sparse + self.up(self.down(x))


def hadamard(x):
    """The Walsh-Hadamard transform of rows."""
    rows, features = x.shape
    apart = 1
    while apart < features:
        pairs = x.reshape(rows, features // (2 * apart), 2, apart)
        left, right = pairs[:, :, 0], pairs[:, :, 1]
        x = torch.stack((left + right, left - right), dim=2).reshape(rows, features)
        apart *= 2
    return x


class Fastfood(torch.nn.Module):
    """Three diagonals, two transforms and a permutation."""

    def __init__(self, features):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.randn(features))
        self.gauss = torch.nn.Parameter(torch.randn(features))
        self.signs = torch.nn.Parameter(torch.randint(0, 2, (features,)).float() * 2 - 1)
        self.register_buffer("order", torch.randperm(features))
        self.bias = torch.nn.Parameter(torch.zeros(features))

    def forward(self, x):
        features = x.shape[1]
        x = hadamard(x * self.signs)
        x = torch.index_select(x, 1, self.order) * self.gauss
        return hadamard(x) * self.scale / features + self.bias


class Circulant(torch.nn.Module):
    """Each row of the matrix is the one above it, moved by one. Products with it are products of rows of the
    doubled vector of weights."""

    def __init__(self, features):
        super().__init__()
        self.features = features
        self.first = torch.nn.Parameter(torch.randn(features) / math.sqrt(features))
        index = (torch.arange(features)[:, None] - torch.arange(features)[None, :]) % features
        self.register_buffer("index", index.reshape(-1))
        self.bias = torch.nn.Parameter(torch.zeros(features))

    def forward(self, x):
        matrix = torch.index_select(self.first, 0, self.index).reshape(self.features, self.features)
        return torch.matmul(x, matrix) + self.bias


class LowRank(torch.nn.Module):
    """A product of two thin matrices."""

    def __init__(self, features, rank=1):
        super().__init__()
        self.down = torch.nn.Linear(features, rank, bias=False)
        self.up = torch.nn.Linear(rank, features)

    def forward(self, x):
        return self.up(self.down(x))


LAYERS = {
    "dense": lambda features: torch.nn.Linear(features, features),
    "butterfly": Butterfly,
    "fastfood": Fastfood,
    "circulant": Circulant,
    "low_rank": LowRank,
    "pixelfly": Pixelfly,
}


class SingleHiddenLayer(torch.nn.Module):
    """A structured layer, a relu, a dense layer of classes, and the loss."""

    def __init__(self, layer, features, classes):
        super().__init__()
        self.hidden = LAYERS[layer](features)
        self.output = torch.nn.Linear(features, classes)
        self.loss = torch.nn.CrossEntropyLoss()

    def forward(self, x, labels):
        y = self.output(torch.relu(self.hidden(x)))
        return y, self.loss(y, labels)
