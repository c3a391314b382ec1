"""Controllers by their specification: `pd`, `tsid`, `aplomb`, `aplomb:NAME`, `FILE.py:CLASS`, `MODULE:CLASS`,
`LIBRARY.so`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

from ..controller import CannotDo
from ..toml import FileError

SHIPPED = {
    "aplomb": "by task step_recovery, drive or fall_and_get_up of aplomb; aplomb:NAME is another controller, or a file",
    "pd": "springs hold the pose, ankles pull the capture point back",
    "tsid": "TSID: COM, trunk and posture as tasks of an inverse-dynamics QP; steps to the capture point",
}
LIBRARIES = (".so", ".dylib", ".dll")


def maker(spec: str):
    """A function or class that makes controllers. Raises FileError for a wrong specification, CannotDo for a missing
    package."""
    if spec == "pd":
        from .pd import PdStander

        return PdStander
    if spec == "tsid":
        from .tsid import TsidStepper

        return TsidStepper
    if spec == "aplomb" or spec.startswith("aplomb:"):
        from .aplomb import Aplomb

        name = spec.partition(":")[2] or None
        return lambda: Aplomb(name)
    if spec.endswith(LIBRARIES):
        from .native import Native

        path = Path(spec)
        # Loaded once here, so that a library without the functions is not counted as failed trials.
        Native(path)
        return lambda: Native(path)
    place, colon, name = spec.rpartition(":")
    if not colon:
        raise FileError(
            f"there is no controller `{spec}`: shipped are {', '.join(SHIPPED)}; yours are FILE.py:CLASS, MODULE:CLASS, or a "
            f"shared library ({', '.join(LIBRARIES)})"
        )
    found = getattr(module(place), name, None)
    if found is None:
        raise FileError(f"`{place}` has no `{name}`")
    missing = [key for key in ("reset", "command", "act", "close") if not callable(getattr(found, key, None))]
    if missing:
        raise FileError(f"`{spec}` has no function {' and no '.join(missing)}")
    return found


def module(place: str):
    try:
        if not place.endswith(".py"):
            return importlib.import_module(place)
        path = Path(place)
        if not path.exists():
            raise FileError(f"there is no file {place}")
        spec = importlib.util.spec_from_file_location(f"pushbench_of_{path.stem}", path.resolve())
        made = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = made
        spec.loader.exec_module(made)
        return made
    except (FileError, CannotDo):
        raise
    except Exception as error:  # noqa: BLE001: it is somebody else's code
        raise FileError(f"{place}: {type(error).__name__}: {error}") from error
