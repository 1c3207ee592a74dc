# SPDX-License-Identifier: Apache-2.0
"""What a running model is in: nothing, a recording, or a run with numbers."""
import threading


class _State(threading.local):
    """The session of this thread, if a model is running."""
    session = None


_state = _State()


def session():
    """The session that is running, or None."""
    return _state.session


def recorder():
    """What records the model, or None."""
    return _state.session.recorder if _state.session else None


def isRunningOnIpu():
    """Whether a wrapped model is running."""
    return _state.session is not None


class entered:
    """Makes a session the running one."""

    def __init__(self, new):
        self._new = new
        self._before = None

    def __enter__(self):
        self._before = _state.session
        _state.session = self._new
        return self._new

    def __exit__(self, *_):
        _state.session = self._before
