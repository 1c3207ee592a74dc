# SPDX-License-Identifier: Apache-2.0
"""Which value each view of a storage holds, now and after writes in place."""
import numpy
import torch

from .graph import Value


def _key(tensor):
    return tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride())


def _touched(key, size):
    """Which elements of a storage a view has, one truth value each."""
    offset, shape, stride = key
    touched = numpy.zeros(size, dtype=bool)
    numpy.lib.stride_tricks.as_strided(touched[offset:], shape, stride)[...] = True
    return touched


class _Entry:
    """A view, the value that it holds, and whether that was written."""

    def __init__(self, key, value, is_write):
        self.key, self.value, self.is_write = key, value, is_write


class Storages:
    """Storages by address. Tensors are kept, so that no address comes twice."""

    def __init__(self, recorder):
        self._recorder = recorder
        self._entries = {}
        self._sizes = {}
        self._kept = []

    def add(self, tensor, value):
        """A view that holds what is in the storage already, or a new tensor."""
        self._put(tensor, value, False)

    def write(self, tensor, value):
        """What was written to a view: other views of the same elements hold something new, too."""
        self._put(tensor, value, True)

    def _put(self, tensor, value, is_write):
        storage = tensor.storage()
        address = storage._cdata  # pylint: disable=protected-access
        if address not in self._entries:
            self._kept.append(tensor)
            self._entries[address] = []
        self._sizes[address] = storage.size()
        self._entries[address].append(_Entry(_key(tensor), value, is_write))

    def find(self, tensor):
        """The value of a view, or None. A view that was partly written since is put together again."""
        with torch._C.DisableTorchFunction():  # pylint: disable=protected-access
            address = tensor.storage()._cdata  # pylint: disable=protected-access
            entries = self._entries.get(address)
            if entries is None:
                return None
            key = _key(tensor)
            place = next((place for place in range(len(entries) - 1, -1, -1) if entries[place].key == key), None)
            if place is None:
                return self._from_whole(tensor, address, key)
            return self._with_writes(tensor, address, place)

    def _with_writes(self, tensor, address, place):
        entries = self._entries[address]
        value = entries[place].value
        size = max(self._sizes[address], 1)
        own = None
        for entry in entries[place + 1:]:
            if not entry.is_write or entry.key == entries[place].key:
                continue
            if own is None:
                own = _touched(entries[place].key, size)
            other = _touched(entry.key, size)
            if not bool((own & other).any()):
                continue
            merged = Value(value.shape, value.dtype)
            self._recorder.add_node("poptorch::assign", (value, entry.value), {"base": entries[place].key,
                                                                               "part": entry.key}, [merged])
            value = merged
        if value is not entries[place].value:
            self._put(tensor, value, False)
        return value

    def _from_whole(self, tensor, address, key):
        """A view that no recorded operation made, such as one that autograd made anew."""
        first = self._entries[address][0]
        with self._recorder.paused():
            whole = self._recorder.value_of(torch.as_strided(tensor, first.key[1], first.key[2], first.key[0]))
        if key[1] == first.key[1] and key[2] == first.key[2]:
            return whole
        value = Value(tuple(tensor.shape), tensor.dtype)
        self._recorder.add_node("aten::as_strided", (whole, key[1], key[2], key[0]), {}, [value])
        self._put(tensor, value, False)
        return value
