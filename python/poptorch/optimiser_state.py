# SPDX-License-Identifier: Apache-2.0
"""What the optimisers of this package share: which attributes may change, and their state on the device."""
import torch

from ._logging import logger


class VariableAttributes:
    """Which attributes of an optimiser may change after compilation."""

    def __init__(self, variable, allowed):
        self._variable = list(variable)
        self._allowed = list(allowed)

    def isConstant(self, name):
        """Whether an attribute keeps its value."""
        assert name in self._allowed, f"Unknown attribute {name}"
        return name not in self._variable

    def markAsConstant(self, name):
        """From now on it does."""
        assert name in self._allowed, f"Unknown attribute {name}"
        self._variable = [one for one in self._variable if one != name]

    def markAsVariable(self, name):
        """From now on it may change."""
        assert name in self._allowed, f"Unknown attribute {name}"
        if name not in self._variable:
            self._variable.append(name)


class IpuOptimizer:
    """Beside a class of torch.optim. `extra` are arguments that PyTorch does not know, with their defaults."""
    _child_vars = ()
    _child_only_groups = ()

    def _keep(self, given, defaults, per_group):
        """Keeps extra arguments: those of all parameters as attributes, those of groups in the groups."""
        self._is_given = {name for name, value in given.items() if value is not None}
        for name, otherwise in defaults.items():
            value = given.get(name)
            value = otherwise if value is None else value
            if name in per_group:
                for group in self.param_groups:
                    group.setdefault(name, value)
                self.defaults[name] = value
            else:
                setattr(self, name, value)
        names = [name for name in list(self.defaults) + list(defaults) if name != "params"]
        self.variable_attrs = VariableAttributes(names if self._is_given is None else
                                                 [name for name in names if name in self._is_given or name == "lr"],
                                                 dict.fromkeys(names))

    def add_param_group(self, param_group):
        """Adds parameters with the attributes of the others."""
        super().add_param_group(param_group)
        for name, value in self.defaults.items():
            self.param_groups[-1].setdefault(name, value)

    def state_dict(self):
        """PyTorch's, and what the device has: by name of attribute and parameter."""
        values = super().state_dict()
        values["ipu_state"] = None
        values["ipu_param"] = None
        names = getattr(self, "_device_names", None)
        if names is None:
            return values
        values["ipu_state"], values["ipu_param"] = {}, {}
        for parameter, state in self.state.items():
            name = names.get(id(parameter), "parameter")
            for key, value in state.items():
                tensor = value if isinstance(value, torch.Tensor) else torch.tensor(float(value or 0))
                values["ipu_state"][f"{key}___{name}"] = tensor.detach().clone()
        if self._scales_loss:
            values["ipu_state"]["lossScaleUpdateFactor"] = torch.tensor(1.0)
        for number, group in enumerate(self.param_groups):
            for key, value in group.items():
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    values["ipu_param"][f"{key}___group{number}"] = torch.tensor(float(value))
        return values

    def load_state_dict(self, state_dict):
        """Takes what state_dict() of an optimiser of this package gave."""
        if "ipu_state" not in state_dict or "ipu_param" not in state_dict:
            raise RuntimeError("Only IPU optimizer states can be loaded onto the IPU.")
        super().load_state_dict({key: value for key, value in state_dict.items() if not key.startswith("ipu_")})

    def on_device(self, names, scales_loss=False):
        """The optimiser is part of a compiled program; names of parameters by id. Numbers are floats of the host, for
        which an automatic scale of the loss stays 1."""
        self._device_names = names
        self._scales_loss = scales_loss


def refuse_amsgrad(amsgrad):
    """The device has no such variant."""
    assert not amsgrad, "Only non-amsgrad Adam/AdamW optimizers are supported."


def attributes_text(optimiser):
    """What a log says of the types of an optimiser."""
    names = {"accum_type": "accumType", "first_order_momentum_accum_type": "firstOrderMomentumAccumType",
             "velocity_accum_type": "firstOrderMomentumAccumType",
             "second_order_momentum_accum_type": "secondOrderMomentumAccumType"}
    texts = []
    for name, word in names.items():
        kind = getattr(optimiser, name, None)
        if kind is not None:
            texts.append(f"{word}={str(kind).split('.')[-1]}")
    return " ".join(["graph optimizer", type(optimiser).__name__, *texts])


def log_attributes(optimiser):
    """Logs them."""
    logger.debug(attributes_text(optimiser))
