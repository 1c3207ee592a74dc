# SPDX-License-Identifier: Apache-2.0
"""Functions of the user that are called before and after each compilation."""
import collections

from torch.utils.hooks import RemovableHandle

_before = collections.OrderedDict()
_behind = collections.OrderedDict()


def _register(hooks, hook):
    if not callable(hook):
        raise RuntimeError("Compilation hooks must be callable")
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def registerPreCompileHook(hook):
    """Calls `hook` before each compilation. Returns a handle that removes it."""
    return _register(_before, hook)


def registerPostCompileHook(hook):
    """Calls `hook` after each compilation. Returns a handle that removes it."""
    return _register(_behind, hook)


def call_before():
    """Before a compilation."""
    for hook in list(_before.values()):
        hook()


def call_behind():
    """After one."""
    for hook in list(_behind.values()):
        hook()
