"""Settings as objects. Their attributes, ranges and docstrings come from the library's table of parameters."""
from ringlet import _ringlet


def _docstring(low, high, unit, words, sentence):
    parts = [sentence]
    if words:
        parts.append("One of: " + ", ".join(words) + ".")
    elif low < high:
        parts.append(f"From {low:g} to {high:g}{' ' + unit if unit else ''}.")
    elif unit:
        parts.append(f"In {unit}.")
    return "\n\n".join(parts)


def _property(key, is_whole, doc):
    def read(self):
        value = self._settings.get(key)
        return int(value) if is_whole else value

    def write(self, value):
        self._settings.set(key, value)

    return property(read, write, doc=doc)


def _members():
    """(group, name) -> property for every parameter: ("rod", "radius") for sim.rod.radius."""
    out = {}
    for key, is_whole, low, high, unit, words, sentence in _ringlet.sim_parameters():
        parts = key.split(".")
        group = parts[1] if parts[0] == "sim" and len(parts) == 3 else "" if parts[0] == "sim" else parts[0]
        out[group, parts[-1]] = _property(key, is_whole, _docstring(low, high, unit, words, sentence))
    return out


class _Group:
    """Settings that belong together. Unknown names are refused."""

    __slots__ = ("_settings",)

    def __init__(self, settings):
        object.__setattr__(self, "_settings", settings)

    def __setattr__(self, name, value):
        if not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"there is no setting {name!r}; dir() lists them")
        super().__setattr__(name, value)

    def __repr__(self):
        names = [name for name in dir(type(self)) if isinstance(getattr(type(self), name), property)]
        values = {name: getattr(self, name) for name in names}
        return "\n".join(f"{name} = {value}" for name, value in values.items() if not isinstance(value, _Group))


def _make_classes():
    members = _members()
    groups = {}
    for group in dict.fromkeys(group for group, _ in members):
        own = {name: member for (of, name), member in members.items() if of == group}
        groups[group] = type(f"{group.title().replace('_', '')}Settings", (_Group,), {"__slots__": (), **own})
    parts = {name: property(lambda self, kind=kind: kind(self._settings), doc=f"The settings of {name}.")
             for name, kind in groups.items() if name}
    return groups, parts


_groups, _parts = _make_classes()


class SimSettings(_groups[""]):
    """The settings of a simulation, at their defaults.

    >>> settings = SimSettings(model="rod", substeps=2)
    >>> settings.rod.radius = 35e-6
    >>> settings.wind.velocity = (1, 0, 0)

    help(SimSettings.damping) tells meaning and range.
    """

    __slots__ = ()

    def __init__(self, **values):
        super().__init__(_ringlet.Settings())
        for name, value in values.items():
            setattr(self, name, value)


for _name, _part in _parts.items():
    setattr(SimSettings, _name, _part)
