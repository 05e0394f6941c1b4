"""Settings as objects. Their attributes, ranges and docstrings come from the library's table of parameters."""
from typing import Any, Dict, List, NamedTuple, Tuple

from ringlet import _ringlet


class Parameter(NamedTuple):
    """One entry of the library's table of parameters."""

    key: str
    """As in a scene file: "sim.rod.radius"."""
    kind: str
    """"float", "int", "bool", "word" or "vector"."""
    default: Any
    low: float
    """The range of numbers, limits included; without limits low is not below high."""
    high: float
    unit: str
    """SI; "" if there is none."""
    words: Tuple[str, ...]
    """The values of a word."""
    sentence: str
    """What it means."""

    @property
    def group(self) -> str:
        """The object of SimSettings that has it: "rod" for sim.rod.radius, "" for sim.dt, "wind" for wind.gust."""
        parts = self.key.split(".")
        if parts[0] != "sim":
            return parts[0]
        return parts[1] if len(parts) == 3 else ""

    @property
    def name(self) -> str:
        """Its attribute: "radius" for sim.rod.radius."""
        return self.key.rpartition(".")[2]

    @property
    def range(self) -> str:
        """The allowed values, for people."""
        if self.words:
            return "One of: " + ", ".join(self.words) + "."
        if self.low < self.high:
            return f"From {self.low:g} to {self.high:g}{' ' + self.unit if self.unit else ''}."
        return f"In {self.unit}." if self.unit else ""

    @property
    def documentation(self) -> str:
        """Meaning, range and default."""
        default = " ".join(f"{a:g}" for a in self.default) if self.kind == "vector" else self.default
        default = f"{default:g}" if self.kind in ("float", "int") else default
        return "\n\n".join(filter(None, [self.sentence, self.range, f"Default: {default}"]))


def parameters() -> List[Parameter]:
    """All parameters of a simulation and its wind, in the order of docs/scene_keys.md."""
    return [Parameter(*row) for row in _ringlet.sim_parameters()]


def _property(parameter):
    key, is_whole = parameter.key, parameter.kind == "int"

    def read(self):
        value = self._settings.get(key)
        return int(value) if is_whole else value

    def write(self, value):
        self._settings.set(key, value)

    return property(read, write, doc=parameter.documentation)


class _Group:
    """Settings that belong together. Unknown names are refused."""

    __slots__ = ("_settings",)

    def __init__(self, settings):
        object.__setattr__(self, "_settings", settings)

    def __setattr__(self, name, value):
        if not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"there is no setting {name!r}; dir() lists them")
        super().__setattr__(name, value)

    def __dir__(self):
        """The settings alone, for completion."""
        return [name for name in super().__dir__() if isinstance(getattr(type(self), name, None), property)]

    def __repr__(self):
        values = {name: getattr(self, name) for name in dir(self)}
        return "\n".join(f"{name} = {value}" for name, value in values.items() if not isinstance(value, _Group))


def _make_classes() -> Dict[str, type]:
    members: Dict[str, Dict[str, Any]] = {}
    for parameter in parameters():
        members.setdefault(parameter.group, {})[parameter.name] = _property(parameter)
    return {group: type(f"{group.title().replace('_', '')}Settings", (_Group,), {"__slots__": (), **own})
            for group, own in members.items()}


_groups = _make_classes()


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

    def get(self, key):
        """The entry with this key of a scene file: settings.get("sim.rod.radius")."""
        return self._settings.get(key)

    def set(self, key, value):
        """Sets the entry with this key of a scene file."""
        self._settings.set(key, value)


for _name, _kind in _groups.items():
    if _name:
        setattr(SimSettings, _name, property(lambda self, kind=_kind: kind(self._settings),
                                             doc=f"The settings of {_name}."))
