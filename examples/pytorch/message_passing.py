# SPDX-License-Identifier: Apache-2.0
"""The operators of message passing on graphs, in plain PyTorch: a gather of rows, a scatter that adds, and a block of
continuous filters between them.

usage: ./ipusim poptorch run examples/pytorch/message_passing.py [--nodes N] [--edges N] [--features N]
"""
import argparse

import torch

import poptorch


class Gather(torch.nn.Module):
    """Rows of nodes for each edge."""

    def forward(self, x, index):
        return torch.index_select(x, 0, index)


class Scatter(torch.nn.Module):
    """Sums of the rows of edges for each node."""

    def __init__(self, nodes):
        super().__init__()
        self.nodes = nodes

    def forward(self, rows, index):
        sums = torch.zeros(self.nodes, rows.shape[1])
        return sums.scatter_add(0, index.reshape(-1, 1).expand_as(rows), rows)


class FilterBlock(torch.nn.Module):
    """Messages are rows of neighbours times a filter of the distance, summed for each node."""

    def __init__(self, nodes, features, bases=50):
        super().__init__()
        self.gather, self.scatter = Gather(), Scatter(nodes)
        self.filter = torch.nn.Sequential(torch.nn.Linear(bases, features), torch.nn.Softplus(),
                                          torch.nn.Linear(features, features))
        self.before = torch.nn.Linear(features, features, bias=False)
        self.behind = torch.nn.Linear(features, features)

    def forward(self, x, bases, senders, receivers):
        messages = self.gather(self.before(x), senders) * self.filter(bases)
        return self.behind(self.scatter(messages, receivers))


def cycles_of(model, *inputs):
    """Cycles of one call."""
    wrapped = poptorch.inferenceModel(model, poptorch.Options().showCompilationProgressBar(False))
    wrapped(*inputs)
    return wrapped.ipusim_result.time


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=1024)
    parser.add_argument("--edges", type=int, default=8192)
    parser.add_argument("--features", type=int, default=64)
    size = parser.parse_args()
    torch.manual_seed(0)
    x, rows = torch.randn(size.nodes, size.features), torch.randn(size.edges, size.features)
    senders, receivers = (torch.randint(0, size.nodes, (size.edges,)) for _ in range(2))
    runs = {
        "gather": (Gather(), x, senders),
        "scatter_add": (Scatter(size.nodes), rows, receivers),
        "filter_block": (FilterBlock(size.nodes, size.features), x, torch.rand(size.edges, 50), senders, receivers),
    }
    print("operator,nodes,edges,features,cycles,seconds")
    for name, (model, *inputs) in runs.items():
        time = cycles_of(model, *inputs)
        print(f"{name},{size.nodes},{size.edges},{size.features},{time.cycles},{time.seconds:.4g}", flush=True)


if __name__ == "__main__":
    main()
