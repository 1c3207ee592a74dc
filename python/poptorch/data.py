# SPDX-License-Identifier: Apache-2.0
"""Loads what a call of a model needs: the micro-batches of all its iterations, replicas and accumulated gradients."""
import math

import torch

from .batches import Batching
from .data_access import AsynchronousDataAccessor
from .enums import DataLoaderMode
from .errors import Error

__all__ = ["AsynchronousDataAccessor", "DataLoader"]


class _Share(torch.utils.data.IterableDataset):
    """The part of an iterable data set that belongs to one process or worker: a run of its samples."""

    def __init__(self, dataset, process, processes):
        super().__init__()
        self._dataset = dataset
        self._process, self._processes = process, processes
        if hasattr(type(dataset), "__len__"):
            self.length = len(dataset)

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        workers = worker.num_workers if worker else 1
        number = self._process * workers + (worker.id if worker else 0)
        shares = self._processes * workers
        if shares == 1:
            yield from self._dataset
            return
        length = getattr(self, "length", None)
        if length is None:
            yield from (one for place, one in enumerate(self._dataset) if place % shares == number)
            return
        share = math.ceil(length / shares)
        for place, one in enumerate(self._dataset):
            if number * share <= place < (number + 1) * share:
                yield one


class _LongShare(_Share):
    """The same with a length."""

    def __len__(self):
        return math.ceil(self.length / self._processes)


class _Part(torch.utils.data.Dataset):
    """The part of a data set that belongs to one process: a run of its samples."""

    def __init__(self, dataset, process, processes):
        self._dataset = dataset
        share = len(dataset) // processes
        self._first, self._length = process * share, share

    def __len__(self):
        return self._length

    def __getitem__(self, index):
        if not 0 <= index < self._length:
            raise IndexError("index out of range")
        return self._dataset[self._first + index]


def _part_of(dataset, options):
    """What this process reads of a data set."""
    process, processes = options.Distributed.processId, options.Distributed.numProcesses
    if isinstance(dataset, torch.utils.data.IterableDataset):
        kind = _LongShare if hasattr(type(dataset), "__len__") else _Share
        return kind(dataset, process, processes)
    return _Part(dataset, process, processes) if processes > 1 else dataset


def _keeps_all(dataset, batch, options):
    """Whether each batch is whole."""
    try:
        length = len(dataset)
    except TypeError:
        return False
    return length % (batch * options.Distributed.numProcesses) == 0


class DataLoader(torch.utils.data.DataLoader):
    """A loader whose batches hold `batch_size` rows for each run of a model in a call. Incomplete batches are left out
    unless told otherwise. Data come in order from this process, in the mode Async too."""

    def __init__(self, options, dataset, batch_size=1, shuffle=None, num_workers=0, drop_last=True,
                 persistent_workers=None, auto_distributed_partitioning=True, mode=DataLoaderMode.Sync,
                 async_options=None, rebatched_worker_size=None, batch_sampler=None, **kwargs):
        self._options = options
        options.freeze()
        batching = Batching.of(options, True)
        self._pieces = batching.pieces
        self._combined = batch_size * self._pieces if batch_size is not None else None
        if batch_sampler is None and batch_size is None:
            if self._pieces != 1:
                raise Error("batch_size=None is for models that run once in a call")
        processes = options.Distributed.numProcesses
        if auto_distributed_partitioning and not isinstance(dataset, torch.utils.data.IterableDataset) \
                and processes > 1 and shuffle and "sampler" not in kwargs:
            kwargs["sampler"] = _shuffled(dataset, options)
            shuffle = None
        elif auto_distributed_partitioning and "sampler" not in kwargs and batch_sampler is None:
            dataset = _part_of(dataset, options)
        self._accessor = None
        persistent = bool(num_workers) if persistent_workers is None else persistent_workers
        if batch_sampler is not None:
            super().__init__(dataset, batch_sampler=batch_sampler, num_workers=num_workers,
                             persistent_workers=persistent and num_workers > 0, **kwargs)
        else:
            super().__init__(dataset, batch_size=self._combined, shuffle=shuffle, num_workers=num_workers,
                             drop_last=drop_last, persistent_workers=persistent and num_workers > 0, **kwargs)
        del rebatched_worker_size
        if mode != DataLoaderMode.Sync:
            self._accessor = AsynchronousDataAccessor(self, **(async_options or {}))

    @property
    def options(self):
        """The options that say how many rows a batch has."""
        return self._options

    @property
    def combinedBatchSize(self):
        """The rows of a batch of this loader."""
        return self._combined

    def __len__(self):
        if isinstance(self.dataset, _Share) and not hasattr(self.dataset, "length"):
            raise TypeError(f"object of type '{type(self.dataset._dataset).__name__}' has no len()")  # pylint: disable=protected-access
        return super().__len__()

    def terminate(self):
        """Ends the loading."""
        if self._accessor is not None:
            self._accessor.terminate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.terminate()


def _shuffled(dataset, options):
    """A sampler that gives each process another part of a shuffled data set."""
    return torch.utils.data.DistributedSampler(dataset, options.Distributed.numProcesses,
                                               options.Distributed.processId, shuffle=True)
