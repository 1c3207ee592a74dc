# SPDX-License-Identifier: Apache-2.0
"""What all groups of options share: named values that nothing changes after their first use."""
import copy


class OptionGroup:
    """Values by name. They are read as attributes, and set by methods of the groups."""

    def __init__(self, **values):
        object.__setattr__(self, "_values", dict(values))
        object.__setattr__(self, "_is_frozen", False)

    def set(self, **values):
        """Sets known values."""
        self.checkIsFrozen()
        for name, value in values.items():
            if name not in self._values:
                raise AttributeError(f"Invalid option {name}, valid options are {sorted(self._values)}")
            self._values[name] = value
        return self

    def checkIsFrozen(self, option=None):
        """Raises an AttributeError once the options are in use."""
        if self._is_frozen and option != "_is_frozen":
            raise AttributeError("Can't modify frozen Options")

    def exists(self, name):
        """Whether there is a value of this name."""
        return name in self._values

    def deleteIfExists(self, name):
        """Forgets a value."""
        self.checkIsFrozen()
        self._values.pop(name, None)

    def groups(self):
        """The groups inside this one by name."""
        return {}

    def freeze(self):
        """From now on values stay as they are."""
        object.__setattr__(self, "_is_frozen", True)
        for group in self.groups().values():
            group.freeze()

    def toDict(self):
        """The values by name, with those of the groups inside."""
        values = dict(self._values)
        for group in self.groups().values():
            values.update(group.toDict())
        return values

    def __getattr__(self, name):
        values = self.__dict__.get("_values", {})
        if name in values:
            return values[name]
        raise AttributeError(f"{type(self).__name__} has no option {name!r}")

    def __setattr__(self, name, value):
        self.checkIsFrozen(name)
        if name in self._values:
            self._values[name] = value
        else:
            object.__setattr__(self, name, value)

    def __deepcopy__(self, memory):
        """A copy that may be changed."""
        new = type(self).__new__(type(self))
        memory[id(self)] = new
        for name, value in self.__dict__.items():
            object.__setattr__(new, name, copy.deepcopy(value, memory))
        object.__setattr__(new, "_is_frozen", False)
        return new

    def __getstate__(self):
        return self.__dict__

    def __setstate__(self, state):
        self.__dict__.update(state)

    def __repr__(self):
        values = [f"{name}={value!r}" for name, value in self._values.items()]
        values += [f"{name}={group!r}" for name, group in self.groups().items()]
        return f"{type(self).__name__}({', '.join(values)})"


def whole_from_one(name, value):
    """`value`, a whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} must be an integer greater than 0, found {value!r}")
    return value
