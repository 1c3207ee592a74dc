# SPDX-License-Identifier: Apache-2.0
"""What is simulated: set by the environment, by `ipusim poptorch run`, or by configure()."""
import os
import pathlib
import tomllib

from .errors import Error

_chosen = {}
# Systems by the IPUs that they have, for each IPU.
_SYSTEMS = {"bow": ((16, "bow-pod16"), (64, "bow-pod64"), (256, "bow-pod256")),
            "c600": ((8, "c600"),), "gc2": ((16, "c2-pod16"),),
            "gc200": ((4, "m2000"), (16, "pod16"), (64, "pod64"), (256, "pod256"))}


def configure(machine=None, system=None, report=None):
    """Chooses the machine of one IPU, the system of several, and the folder of reports. None leaves one as it is."""
    for name, value in (("machine", machine), ("system", system), ("report", report)):
        if value is not None:
            _chosen[name] = str(value)


def machine():
    """The IPU: a preset, or a path."""
    return _chosen.get("machine") or os.environ.get("IPUSIM_MACHINE") or "gc200"


def system(ipus):
    """A system with so many IPUs."""
    chosen = _chosen.get("system") or os.environ.get("IPUSIM_SYSTEM")
    if chosen:
        return chosen
    known = _SYSTEMS.get(machine())
    if known is None:
        raise Error(f"No system is known for several IPUs of {machine()}: set IPUSIM_SYSTEM")
    for count, name in known:
        if ipus <= count:
            return name
    raise Error(f"No system of {machine()} has {ipus} IPUs: set IPUSIM_SYSTEM")


def report_folder():
    """Where reports go, or None."""
    return _chosen.get("report") or os.environ.get("IPUSIM_REPORT") or None


def is_predicting():
    """Whether programs are compiled for the simulated IPU, or numbers are all that is wanted."""
    return os.environ.get("IPUSIM_PREDICTION", "on") != "off"


def home():
    """The folder that has configs: of an installation, or the tree that this package stands in."""
    if os.environ.get("IPUSIM_HOME"):
        return pathlib.Path(os.environ["IPUSIM_HOME"])
    for folder in pathlib.Path(__file__).resolve().parents:
        for place in (folder, folder / "share/ipusim"):
            if (place / "configs/machines").is_dir():
                return place
    raise Error("The folder of machines is not found: set IPUSIM_HOME")


def machine_value(key):
    """A number of the machine's preset."""
    path = pathlib.Path(machine())
    while True:
        if not path.is_file():
            path = home() / "configs/machines" / f"{path}.toml"
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        if key in values:
            return values[key]["value"] if isinstance(values[key], dict) else values[key]
        if "base" not in values:
            raise Error(f"{path}: {key}: wanted a number, found none")
        path = pathlib.Path(values["base"])
