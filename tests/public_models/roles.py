#!/usr/bin/env python3
"""How many public models have their roles detected rightly, against roles.txt, which people wrote.

    roles.py FOLDER PROGRAM [--only WORD] [--verbose]

FOLDER is that of fetch.py, PROGRAM a build of aplomb. A model is right when every role of its line is; `-` stands for a
part that it lacks. Left and right that are swapped are told apart from other mistakes. Exit code 1 below nine in ten.
"""
import argparse
import pathlib
import subprocess
import sys

import fetch

TRUTH = pathlib.Path(__file__).with_name("roles.txt")
SHARE = 0.9


def truths():
    """Of each model its roles, by package and path."""
    found = {}
    for line in TRUTH.read_text().splitlines():
        if line and not line.startswith("#"):
            package, path, *roles = line.split()
            found[package, path] = dict(role.split("=") for role in roles)
    return found


def detected(program, model):
    """Role and part, as `aplomb roles` lists them; empty where the model does not load."""
    done = subprocess.run([program, "roles", str(model)], capture_output=True, text=True)
    return dict(line.split()[:2] for line in done.stdout.splitlines()), done.stderr


def mirrored(name):
    """The role of the other side."""
    for one, other in (("left_", "right_"), ("right_", "left_")):
        if name.startswith(one):
            return other + name[len(one):]
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("program")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true", help="list those that are right, too")
    given = parser.parse_args()
    right, loaded, swapped, silent = 0, 0, 0, 0
    for (package, path), truth in truths().items():
        if given.only not in f"{package} {path}":
            continue
        found, said = detected(given.program, (fetch.unpacked(given.folder, package) / path).resolve())
        if not found:
            continue
        loaded += 1
        wrong = {role: (is_, found.get(role, "-")) for role, is_ in truth.items() if found.get(role, "-") != is_}
        right += not wrong
        is_swapped = any(mine == truth.get(mirrored(role)) != "-" for role, (_, mine) in wrong.items())
        swapped += is_swapped
        silent += is_swapped and "left" not in said
        if wrong or given.verbose:
            print(f"{package} {path}: " + (", ".join(f"{r} is {i}, found {f}" for r, (i, f) in wrong.items()) or "right"))
    if loaded == 0:
        sys.exit("no model of roles.txt was read")
    print(f"{right} of {loaded} right ({100 * right / loaded:.0f} %), {swapped} with left and right swapped, {silent} silently")
    sys.exit(0 if right >= SHARE * loaded else 1)


if __name__ == "__main__":
    main()
