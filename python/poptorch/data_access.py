# SPDX-License-Identifier: Apache-2.0
"""Access to data in the mode Async. The simulated device takes data when it needs them, so that none are loaded
beforehand: the order and the numbers are those of an asynchronous loader."""
from .errors import Error


class AsynchronousDataAccessor:
    """Iterates over a data set, again and again."""

    def __init__(self, dataset, buffer_size=3, miss_sleep_time_in_ms=0.1, load_indefinitely=True, early_preload=False,
                 sharing_strategy=None, rebatched_size=None):
        del buffer_size, miss_sleep_time_in_ms, load_indefinitely, early_preload, sharing_strategy, rebatched_size
        self._dataset = dataset
        try:
            self._is_iterable = iter is not None and hasattr(dataset, "__iter__")
            if not self._is_iterable and len(dataset) > 0:
                dataset[0]  # pylint: disable=pointless-statement
        except Exception as error:
            raise Error(f"worker thread failed to start: {error}") from error

    def __len__(self):
        return len(self._dataset)

    def __iter__(self):
        if self._is_iterable:
            return iter(self._dataset)
        return (self._dataset[place] for place in range(len(self._dataset)))

    def terminate(self):
        """Ends the access."""
