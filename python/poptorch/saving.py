# SPDX-License-Identifier: Apache-2.0
"""Wrapped models in files."""
import os

import torch

from .errors import Error

_MARK = "poptorch executable"


def guard(model):
    """Lets a wrapped model be pickled as what the user made: without its wrapper."""
    kind = type(model)
    if "__getstate__" in vars(kind) or getattr(model, "__getstate__", None) is not None \
            and "__getstate__" in dir(kind) and kind.__getstate__ is not getattr(object, "__getstate__", None):
        return

    def state(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("_poptorch_trainer", "destroy")}

    kind.__getstate__ = state


def _path(executor, filename):
    if os.path.isdir(filename):
        number = abs(hash(repr(executor.model))) % 10 ** 16
        return os.path.join(filename, f"{number}.poptorch")
    folder = os.path.dirname(filename)
    if folder:
        os.makedirs(folder, exist_ok=True)
    return filename


def save(executor, filename, export_model, save_rng_state):
    """Writes the model, its options and its optimiser, or the mark of a program alone."""
    values = {"mark": _MARK, "is_training": executor._is_training}  # pylint: disable=protected-access
    if export_model:
        values["model"] = executor.model
        values["options"] = executor.options
        values["optimizer"] = executor._optimizer  # pylint: disable=protected-access
        values["arguments"] = executor.compiled_arguments() if hasattr(executor, "compiled_arguments") else None
    if save_rng_state:
        values["rng_state"] = executor.rng_state
    torch.save(values, _path(executor, filename))


def _read(filename):
    try:
        values = torch.load(filename)
    except Exception as error:
        raise Error(f"{filename} is not a valid PopTorch file: {error}") from error
    if not isinstance(values, dict) or values.get("mark") != _MARK:
        raise Error(f"{filename} is not a valid PopTorch file.")
    return values


def expect_executable(filename):
    """Raises unless a file was written by save()."""
    _read(filename)


def load(filename, edit_opts_fn=None):
    """The wrapped model of a file."""
    from . import inferenceModel, trainingModel  # pylint: disable=import-outside-toplevel

    values = _read(filename)
    if "model" not in values:
        raise Error(f"{filename} has no model: it was saved with export_model=False. Wrap the model and call "
                    "loadExecutable()")
    options = values["options"].clone()
    options.set(is_offline=False)
    if options.connection_type.name == "Never":
        options.set(connection_type=type(options.connection_type).Always)
    if edit_opts_fn is not None:
        edit_opts_fn(options)
    executor = (trainingModel(values["model"], options, values["optimizer"]) if values["is_training"] else
                inferenceModel(values["model"], options))
    if values.get("rng_state") is not None:
        executor.rng_state = values["rng_state"]
    return executor


