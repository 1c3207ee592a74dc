# SPDX-License-Identifier: Apache-2.0
"""Asks the program `ipusim`, or its Python module where that is built."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from .errors import Error
from . import settings

_answers = {}


def program():
    """The path of the program: IPUSIM_PROGRAM, that of the tree, or that of the search path."""
    chosen = os.environ.get("IPUSIM_PROGRAM")
    if chosen:
        return chosen
    for folder in pathlib.Path(__file__).resolve().parents:
        for place in ("build/release/bin/ipusim", "bin/ipusim"):
            if os.access(folder / place, os.X_OK) and (folder / place).is_file():
                return str(folder / place)
    found = shutil.which("ipusim")
    if found is None:
        raise Error("The program ipusim is not found: build it with `./ipusim build networks onnx systems`, or set "
                    "IPUSIM_PROGRAM")
    return found


def _key(model, config):
    """What an answer depends on: the network, the config and the program."""
    path = program()
    stat = os.stat(path)
    text = f"{config}\0{path}\0{stat.st_mtime_ns}\0{stat.st_size}".encode()
    return hashlib.sha256(text + model).hexdigest()


def answer(model, config, cache=None):
    """The object that `ipusim run --json` prints for a network, the bytes of an ONNX file, and a config without its
    file. Kept in this process, and in the folder `cache`."""
    key = _key(model, config)
    kept = pathlib.Path(cache) / f"{key}.json" if cache else None
    if key not in _answers:
        if kept is not None and kept.is_file():
            _answers[key] = json.loads(kept.read_text(encoding="utf-8"))
        else:
            _answers[key] = _run(model, config, ["--json", "--no-advice"])
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(_answers[key]), encoding="utf-8")
    return _answers[key]


def _run(model, config, words):
    with tempfile.TemporaryDirectory(prefix="poptorch-") as folder:
        written = write(model, config, folder)
        done = _call(["run", str(written), "--engine", "closed-form", *words])
    return json.loads(done.stdout)


def write(model, config, folder):
    """Writes the network and its config into a folder. Returns the path of the config."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(model)
    written = folder / "run.toml"
    written.write_text(config.replace("@FILE@", str((folder / "model.onnx").resolve())), encoding="utf-8")
    return written


def _call(words):
    environment = dict(os.environ)
    environment.setdefault("IPUSIM_HOME", str(settings.home()))
    done = subprocess.run([program(), *words], capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise SimulatorError(lines[-1].removeprefix("ipusim: "))
    return done


class SimulatorError(Error):
    """The simulator does not take a network; the text is its line."""


def page(model, config, folder):
    """Writes report.html, with the network and its config beside it. Returns its path."""
    written = write(model, config, folder)
    path = pathlib.Path(folder) / "report.html"
    _call(["run", str(written), "--engine", "closed-form", "--no-advice", "--report", str(path)])
    return path


def check(model, config):
    """What `ipusim check --json` says of a network."""
    with tempfile.TemporaryDirectory(prefix="poptorch-") as folder:
        written = write(model, config, folder)
        done = _call(["check", str(written), "--json"])
    return json.loads(done.stdout)
