# SPDX-License-Identifier: Apache-2.0
"""Results as dataclasses. Their fields are keys of the object that `ipusim run --json` prints."""
import dataclasses
import html
import typing


def fields_of(kind, values):
    """A dataclass of the keys that it names; other keys are in Result.json."""
    names = [field.name for field in dataclasses.fields(kind)]
    return kind(**{name: values.get(name) for name in names})


@dataclasses.dataclass(frozen=True)
class OutOfMemory:
    """Why a program does not fit."""
    tile: int
    step: str
    category: str
    bytes_over: int


@dataclasses.dataclass(frozen=True)
class Memory:
    """Bytes; those of a total are of all tiles."""
    capacity_tile_bytes: int
    total_bytes: int
    max_tile_bytes: int
    max_tile: int
    always_live_bytes: int
    peak_not_always_live_bytes: int
    by_category: dict
    total_including_gaps_bytes: int


@dataclasses.dataclass(frozen=True)
class Time:
    """The time of the run with its band; parts are means over the tiles."""
    cycles: int
    seconds: float
    low_seconds: float
    high_seconds: float
    compute_cycles: int
    exchange_cycles: int
    sync_cycles: int
    host_cycles: int


@dataclasses.dataclass(frozen=True)
class Step:
    """A step of the compiled program; cycles are of all its iterations."""
    name: str
    kind: str
    iterations: int
    cycles: int
    max_tile: int
    live_bytes: int


@dataclasses.dataclass(frozen=True)
class Result:
    """What a run answers. In a notebook it shows its report page."""
    fits: bool
    oom: typing.Optional[OutOfMemory]
    memory: Memory
    time: Time
    steps: list
    json: dict = dataclasses.field(repr=False)
    make_page: typing.Callable = dataclasses.field(repr=False, compare=False)

    @classmethod
    def of(cls, values, make_page):
        """The result of an object, and what makes its page."""
        oom = values["oom"]
        return cls(values["fits"], oom and fields_of(OutOfMemory, oom), fields_of(Memory, values["memory"]),
                   fields_of(Time, values["time"]), [fields_of(Step, step) for step in values["steps"]], values,
                   make_page)

    def page(self):
        """The report page, HTML that needs no other file; made by running the config once more."""
        return self.make_page()

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.page())}" width="100%" height="700"></iframe>'
