# SPDX-License-Identifier: Apache-2.0
"""Optimisers: those of PyTorch, with the types of what the device keeps. Numbers are PyTorch's; loss scaling
changes none of them."""
import torch

from .optimiser_state import IpuOptimizer, VariableAttributes, refuse_amsgrad

__all__ = ["Adam", "AdamW", "LAMB", "RMSprop", "SGD", "VariableAttributes"]


def _expect_type(name, value):
    assert value in (None, torch.float16, torch.float32), f"{name} must be either torch.float16 or torch.float32"


def _expect_number(name, value):
    if value is not None and not isinstance(value, (int, float, torch.Tensor)):
        raise ValueError(f"{name} must be a number, found {value!r}")


class SGD(IpuOptimizer, torch.optim.SGD):
    """Stochastic gradient descent. `use_combined_accum`: momentum and accumulated gradient are one tensor."""

    def __init__(self, params, lr, momentum=None, dampening=None, weight_decay=None, nesterov=None, maximize=None,
                 foreach=None, differentiable=None, loss_scaling=None, velocity_scaling=None, use_combined_accum=False,
                 accum_type=None, velocity_accum_type=None, max_grad_norm=None):
        _expect_type("accum_type", accum_type)
        _expect_type("velocity_accum_type", velocity_accum_type)
        _expect_number("loss_scaling", loss_scaling)
        if use_combined_accum:
            assert velocity_accum_type is None, "velocity_accum_type is not used with use_combined_accum"
        else:
            assert velocity_scaling is None, "velocity_scaling is used with use_combined_accum alone"
        del differentiable
        super().__init__(params, lr, momentum or 0.0, dampening or 0.0, weight_decay or 0.0, bool(nesterov),
                         maximize=bool(maximize), foreach=foreach)
        self.use_combined_accum = use_combined_accum
        self.accum_type = accum_type or torch.float32
        self.velocity_accum_type = None if use_combined_accum else velocity_accum_type or torch.float32
        self._keep({"momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
                    "loss_scaling": loss_scaling, "velocity_scaling": velocity_scaling,
                    "max_grad_norm": max_grad_norm},
                   {"loss_scaling": 1.0, "velocity_scaling": 1.0, "max_grad_norm": float("inf")},
                   ("velocity_scaling",))


class _AdamTypes(IpuOptimizer):
    """What optimisers with two moments share."""

    def _keep_types(self, accum_type, first, second, given, defaults):
        for name, value in (("accum_type", accum_type), ("first_order_momentum_accum_type", first),
                            ("second_order_momentum_accum_type", second)):
            _expect_type(name, value)
            setattr(self, name, value or torch.float32)
        _expect_number("loss_scaling", given.get("loss_scaling"))
        self._keep(given, defaults, ("max_weight_norm", "bias_correction"))


class Adam(_AdamTypes, torch.optim.Adam):
    """Adam, its weight decay in the gradient."""

    def __init__(self, params, lr=None, betas=None, eps=None, weight_decay=None, amsgrad=None, foreach=None,
                 maximize=None, capturable=None, differentiable=None, fused=None, loss_scaling=None, accum_type=None,
                 first_order_momentum_accum_type=None, second_order_momentum_accum_type=None, max_grad_norm=None):
        refuse_amsgrad(amsgrad)
        del capturable, differentiable, fused
        super().__init__(params, 1e-3 if lr is None else lr, betas or (0.9, 0.999), 1e-8 if eps is None else eps,
                         weight_decay or 0.0, foreach=foreach, maximize=bool(maximize))
        self._keep_types(accum_type, first_order_momentum_accum_type, second_order_momentum_accum_type,
                         {"betas": betas, "eps": eps, "weight_decay": weight_decay, "loss_scaling": loss_scaling,
                          "max_grad_norm": max_grad_norm},
                         {"loss_scaling": 1.0, "max_grad_norm": float("inf")})


class AdamW(_AdamTypes, torch.optim.AdamW):
    """Adam, its weight decay beside the gradient. Without `bias_correction` the first steps are smaller."""

    def __init__(self, params, lr=None, betas=None, eps=None, weight_decay=None, amsgrad=None, maximize=None,
                 foreach=None, capturable=None, differentiable=None, loss_scaling=None, bias_correction=True,
                 accum_type=None, first_order_momentum_accum_type=None, second_order_momentum_accum_type=None,
                 max_grad_norm=None):
        refuse_amsgrad(amsgrad)
        del capturable, differentiable
        super().__init__(params, 1e-3 if lr is None else lr, betas or (0.9, 0.999), 1e-8 if eps is None else eps,
                         1e-2 if weight_decay is None else weight_decay, foreach=foreach, maximize=bool(maximize))
        self.bias_correction = bool(bias_correction)
        self._keep_types(accum_type, first_order_momentum_accum_type, second_order_momentum_accum_type,
                         {"betas": betas, "eps": eps, "weight_decay": weight_decay, "loss_scaling": loss_scaling,
                          "max_grad_norm": max_grad_norm},
                         {"loss_scaling": 1.0, "max_grad_norm": float("inf")})

    @torch.no_grad()
    def step(self, closure=None):
        if self.bias_correction:
            return super().step(closure)
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                update = moments(self.state[parameter], parameter.grad, group, is_corrected=False)
                parameter.mul_(1 - group["lr"] * group["weight_decay"]).add_(update, alpha=-group["lr"])
        return None


class RMSprop(IpuOptimizer, torch.optim.RMSprop):
    """RMSprop. With `use_tf_variant`, epsilon is added before the root is taken."""

    def __init__(self, params, lr=None, alpha=None, eps=None, weight_decay=None, momentum=None, centered=None,
                 foreach=None, maximize=None, differentiable=None, loss_scaling=None, accum_type=None,
                 first_order_momentum_accum_type=None, second_order_momentum_accum_type=None, use_tf_variant=None,
                 max_grad_norm=None):
        del maximize, differentiable, max_grad_norm
        super().__init__(params, 1e-2 if lr is None else lr, 0.99 if alpha is None else alpha,
                         1e-8 if eps is None else eps, weight_decay or 0.0, momentum or 0.0, bool(centered),
                         foreach=foreach)
        for name, value in (("accum_type", accum_type),
                            ("first_order_momentum_accum_type", first_order_momentum_accum_type),
                            ("second_order_momentum_accum_type", second_order_momentum_accum_type)):
            _expect_type(name, value)
            setattr(self, name, value or torch.float32)
        self.use_tf_variant = bool(use_tf_variant)
        self._keep({"alpha": alpha, "eps": eps, "weight_decay": weight_decay, "momentum": momentum,
                    "loss_scaling": loss_scaling}, {"loss_scaling": 1.0}, ())

    @torch.no_grad()
    def step(self, closure=None):
        if not self.use_tf_variant:
            return super().step(closure)
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._step_of(parameter, group)
        return None

    def _step_of(self, parameter, group):
        gradient, state = parameter.grad, self.state[parameter]
        if group["weight_decay"]:
            gradient = gradient.add(parameter, alpha=group["weight_decay"])
        if not state:
            state["step"] = 0
            for name in ("square_avg", "grad_avg", "momentum_buffer"):
                state[name] = torch.zeros_like(parameter)
        state["step"] += 1
        state["square_avg"].mul_(group["alpha"]).addcmul_(gradient, gradient, value=1 - group["alpha"])
        mean_square = state["square_avg"]
        if group["centered"]:
            state["grad_avg"].mul_(group["alpha"]).add_(gradient, alpha=1 - group["alpha"])
            mean_square = mean_square - state["grad_avg"] ** 2
        step = gradient * group["lr"] / (mean_square + group["eps"]).sqrt()
        if group["momentum"]:
            step = state["momentum_buffer"].mul_(group["momentum"]).add_(step)
        parameter.sub_(step)


def moments(state, gradient, group, is_corrected):
    """Updates the two moments of Adam. Returns their quotient."""
    beta1, beta2 = group["betas"]
    if not state:
        state["step"] = 0
        state["exp_avg"] = torch.zeros_like(gradient)
        state["exp_avg_sq"] = torch.zeros_like(gradient)
    state["step"] += 1
    first = state["exp_avg"].mul_(beta1).add_(gradient, alpha=1 - beta1)
    second = state["exp_avg_sq"].mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    if is_corrected:
        first = first / (1 - beta1 ** state["step"])
        second = second / (1 - beta2 ** state["step"])
    return first / (second.sqrt() + group["eps"])


class LAMB(_AdamTypes, torch.optim.Optimizer):
    """Adam with a rate for each tensor: the ratio of the norms of the weights and of their update."""

    def __init__(self, params, lr=None, betas=None, eps=None, weight_decay=None, bias_correction=True,
                 loss_scaling=None, max_weight_norm=None, accum_type=None, first_order_momentum_accum_type=None,
                 second_order_momentum_accum_type=None):
        defaults = {"lr": 1e-3 if lr is None else lr, "betas": betas or (0.9, 0.999),
                    "eps": 1e-8 if eps is None else eps,
                    "weight_decay": 1e-2 if weight_decay is None else weight_decay}
        super().__init__(params, defaults)
        self.bias_correction = bool(bias_correction)
        self._keep_types(accum_type, first_order_momentum_accum_type, second_order_momentum_accum_type,
                         {"betas": betas, "eps": eps, "weight_decay": weight_decay, "loss_scaling": loss_scaling,
                          "max_weight_norm": max_weight_norm},
                         {"loss_scaling": 1.0, "max_weight_norm": float("inf")})

    @torch.no_grad()
    def step(self, closure=None):
        """One update of all parameters that have a gradient."""
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                update = moments(self.state[parameter], parameter.grad, group, self.bias_correction)
                update = update + group["weight_decay"] * parameter
                length = parameter.norm().clamp(max=group["max_weight_norm"])
                step = update.norm()
                ratio = float(length / step) if length > 0 and step > 0 else 1.0
                parameter.add_(update, alpha=-group["lr"] * ratio)
