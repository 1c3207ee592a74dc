# SPDX-License-Identifier: Apache-2.0
"""A run of a wrapped model, with a recorder or without: blocks, names, losses, and tensors on the device "ipu"."""
import torch
from torch.overrides import TorchFunctionMode

from . import context
from .errors import Error
from .execution import PipelinedExecution

# Functions whose result is a loss.
LOSSES = frozenset("""l1_loss mse_loss smooth_l1_loss huber_loss cross_entropy nll_loss nll_loss_nd binary_cross_entropy
binary_cross_entropy_with_logits kl_div poisson_nll_loss hinge_embedding_loss margin_ranking_loss soft_margin_loss
multilabel_soft_margin_loss multilabel_margin_loss multi_margin_loss cosine_embedding_loss triplet_margin_loss
triplet_margin_with_distance_loss ctc_loss gaussian_nll_loss""".split())
# Functions that a recorder keeps as one operation.
WHOLE = frozenset("""dropout dropout1d dropout2d dropout3d feature_dropout alpha_dropout one_hot""".split())


class Session:
    """What is known while a model runs."""

    def __init__(self, strategy=None, recorder=None):
        self.strategy = strategy or PipelinedExecution()
        self.recorder = recorder
        self.place = self.strategy.begin()
        self.next_block = None
        self.open_block = False
        self.had_block = False
        self.block = (None, 0, 0)
        self.scopes = []
        self.attributes = []
        self.losses = []
        self.marked = False
        self.saw_ipu = False
        self.overlapped_outputs = []
        self.is_training = False

    def begin_block(self, user_id, ipu_id):
        """Operations from here on stand in this block."""
        if user_id is None and self.next_block is not None:
            user_id = str(self.next_block)
            self.next_block += 1
        self.had_block = True
        if self.recorder is None:
            return
        user_id = None if user_id is None else str(user_id)
        self.block = (user_id, *self.place(user_id, ipu_id))

    def end_block(self):
        """Operations from here on stand in no block of their own."""
        if self.strategy.needs_blocks:
            self.block = None

    def current_block(self):
        """Name, stage and IPU of the block that operations stand in."""
        if self.block is None:
            raise Error("No active Block: all operations must stand in a block with this execution strategy")
        return self.block

    def add_loss(self, loss):
        """A result of a loss function, or what identity_loss marked."""
        self.losses.append(loss)

    def final_loss(self):
        """The loss that the others lead to."""
        losses = [one for one in self.losses if isinstance(one, torch.Tensor)]
        if not losses:
            raise Error("Couldn't find a loss in graph! Wrap the loss in poptorch.identity_loss, or use a loss of PyTorch")
        final = losses[-1]
        reached = _reached_from(final)
        for other in losses[:-1]:
            if other is not final and other.grad_fn is not None and other.grad_fn not in reached:
                raise Error("Multiple independent losses found in graph. Graph must have one final loss. "
                            "Wrap final graph loss in poptorch.identity_loss.")
        return final


def _reached_from(tensor):
    """The functions of autograd behind a tensor."""
    reached, waiting = set(), [tensor.grad_fn]
    while waiting:
        function = waiting.pop()
        if function is None or function in reached:
            continue
        reached.add(function)
        waiting.extend(before for before, _ in function.next_functions)
    return reached


def _is_ipu(device):
    return str(device).split(":", maxsplit=1)[0] in ("ipu", "xla")


class Functions(TorchFunctionMode):
    """Sees functions of PyTorch by name while a model runs."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        session = context.session()
        name = getattr(func, "__name__", "")
        if name in ("__get__", "dim", "size") or session is None:
            return func(*args, **kwargs)
        if kwargs.get("device") is not None and _is_ipu(kwargs["device"]):
            kwargs = dict(kwargs, device="cpu")
            session.saw_ipu = True
        if name == "to" and len(args) > 1 and isinstance(args[1], (str, torch.device)) and _is_ipu(args[1]):
            session.saw_ipu = True
            return func(args[0], *args[2:], **kwargs) if len(args) > 2 or kwargs else args[0]
        if name == "ipu":
            return args[0]
        if name == "one_hot" and (args[1] if len(args) > 1 else kwargs.get("num_classes", -1)) == -1:
            raise Error("OneHot num classes must be specified and must be constant.")
        if session.recorder is not None and name in WHOLE:
            return session.recorder.as_one(name, func, args, kwargs)
        result = func(*args, **kwargs)
        if name in LOSSES:
            session.add_loss(result)
        return result


class run:
    """Runs in a session, with the functions of PyTorch watched where asked."""

    def __init__(self, session, is_watched=True):
        self._entered = context.entered(session)
        self._watch = Functions() if is_watched else None

    def __enter__(self):
        session = self._entered.__enter__()
        if self._watch is not None:
            self._watch.__enter__()
        return session

    def __exit__(self, *error):
        if self._watch is not None:
            self._watch.__exit__(*error)
        self._entered.__exit__(*error)


def _ipu(self, *_args, **_kwargs):
    """Tensors of the simulated IPU lie in the memory of the host."""
    return self


def patch_tensors():
    """Gives tensors and modules a method ipu()."""
    torch.Tensor.ipu = _ipu
    torch.nn.Module.ipu = _ipu
