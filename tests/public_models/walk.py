#!/usr/bin/env python3
"""How public bipeds walk with the shipped `drive`, unchanged: the second table of docs/bodies.md.

    walk.py FOLDER PROGRAM [--only WORD] [--draws N] [--seed N] [--threads N] [--controller FILE]
            [--shipped]

FOLDER is that of fetch.py, PROGRAM a build of aplomb. Bodies are compared at the same dimensionless speed (Froude number):
speeds are those of a body whose COM stands 0.93 m high, times the square root of the height over that; pushes are those of
72 kg, times the mass over that and the same root. Asked of each:

speed   told 0.5 m/s at 0.5 s: how far its mean speed from 3 to 6 s is off, m/s
rests   told to stop at 6 s: when it is at rest with its balance kept, s later
driven  30 s of random commands, a new one every 3 s (-0.4 to 1.2 m/s ahead, 0.3 m/s aside, turns of 0.6 rad/s), then a stop:
        in how many of N draws it never sinks below 0.8 of its standing height and stands at the end; not asked of who fell
        before
pushed  the same with 20 N s at the chest every 5 s, from anywhere

A body is left out that `balance` does not hold upright for 2 s. Of a folder with a `scene_…`, which has the pose that the
robot stands in, that file alone is taken. With --shipped the project's own adult and child come first. Prints a row of
Markdown for each.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

import fetch
import table

HEIGHT, MASS = 0.93, 72.0  # m and kg, of the body whose speeds and pushes are scaled
SCENE = """title = "{title}"
duration = {duration}
bias_velocity = "extrapolated"
contact_response = 0.01

[characters.hero]
model = "{model}"
controller = "{controller}"

"""
COMMAND = """[events.{name}]
kind = "command"
at = {at}
command = "{command}"
to = {to}

"""
PUSH = """[events.push_{index}]
at = {at}
duration = 0.15
body = "chest"
impulse = [{impulse:.4f}, 0.0, 0.0]

"""
STANDS = """[success]
upright = { always = "com_height > 0.8 * standing_height" }
stands = { at_end = "com_speed < 0.08 and support_margin(capture_point) > 0" }

"""


class Body:
    """A model with what its speeds and pushes are scaled by."""

    def __init__(self, program, model, controller):
        self.program, self.model, self.controller = program, model, controller
        frames, upright = self.frames(SCENE.format(title="Stands", duration=2.0, model=model, controller="balance") + STANDS)
        self.stands = bool(frames) and upright
        if self.stands:
            self.height = frames[0]["com.z"]
            self.mass = table.mass_of(program, model)
            self.root = math.sqrt(self.height / HEIGHT)

    def scene(self, title, duration):
        return SCENE.format(title=title, duration=duration, model=self.model, controller=self.controller)

    def frames(self, scene):
        """The frames of a run, by the names of their columns, and whether all criteria held."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scene.toml"
            path.write_text(scene)
            command = [self.program, "run", path, "--out", f"{folder}/run", "--no-plots", "--quiet"]
            done = subprocess.run(command, capture_output=True)
            if done.returncode > 1:
                return [], False
            subprocess.run([self.program, "export", f"{folder}/run", "--to", "csv"], capture_output=True, check=True)
            with open(pathlib.Path(folder) / "run" / "frames.csv", newline="") as file:
                rows = csv.reader(file)
                names = [name.split(" ")[0] for name in next(rows)]
                wanted = [names.index(name) for name in ("time", "com.x", "com.y", "com.z", "com_velocity.x", "com_velocity.y")]
                frames = [{names[column]: float(row[column]) for column in wanted} for row in rows]
            return frames, done.returncode == 0

    def obeys(self):
        """How far the speed is off, m/s, and how long after a stop it is at rest, s."""
        told, go, stop = 0.5 * self.root, 0.5, 6.0
        scene = self.scene("Ahead, and a stop", 12.0)
        scene += COMMAND.format(name="go", at=go, command="walk_velocity", to=[told, 0.0, 0.0])
        scene += COMMAND.format(name="stop", at=stop, command="walk_velocity", to=[0.0, 0.0, 0.0])
        frames, held = self.frames(scene + STANDS)
        if not held:
            return "falls", ""
        at = lambda time: min(frames, key=lambda frame: abs(frame["time"] - time))
        far = math.hypot(at(6.0)["com.x"] - at(3.0)["com.x"], at(6.0)["com.y"] - at(3.0)["com.y"])
        speed = lambda frame: math.hypot(frame["com_velocity.x"], frame["com_velocity.y"])
        moving = [frame["time"] for frame in frames if speed(frame) > 0.08]
        return f"{far / 3.0 - told:+.2f}", f"{max(moving) - stop:.1f}"

    def driven(self, pushed, draws, seed, threads):
        """In how many of the draws it stays up and stands at the end."""
        scene, drawn = self.scene("Driven about", 30.0), []

        def uniform(path, low, high):
            drawn.append(f'"{path}" = {{ uniform = [{low:.4f}, {high:.4f}] }}')

        for index in range(9):
            at = 0.5 if index == 0 else 3.0 * index
            scene += COMMAND.format(name=f"go_{index}", at=at, command="walk_velocity", to=[0.0, 0.0, 0.0])
            scene += COMMAND.format(name=f"turn_{index}", at=at, command="turn", to=0.0)
            uniform(f"events.go_{index}.to.0", -0.4 * self.root, 1.2 * self.root)
            uniform(f"events.go_{index}.to.1", -0.3 * self.root, 0.3 * self.root)
            uniform(f"events.turn_{index}.to", -0.6, 0.6)
        scene += COMMAND.format(name="stop", at=27.0, command="walk_velocity", to=[0.0, 0.0, 0.0])
        scene += COMMAND.format(name="straight", at=27.0, command="turn", to=0.0)
        if pushed:
            impulse = 20.0 * self.mass / MASS * self.root
            for index in range(5):
                scene += PUSH.format(index=index, at=5.0 * (index + 1), impulse=impulse)
                drawn.append(f'"events.push_{index}.impulse" = {{ direction = {{ length = {impulse:.4f} }} }}')
                uniform(f"events.push_{index}.at", 5.0 * index + 4.5, 5.0 * index + 5.5)
        scene += STANDS + f"[trials]\ncount = {draws}\nseed = {seed}\nrate = 0.0\n\n[trials.draw]\n" + "\n".join(drawn) + "\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scene.toml"
            path.write_text(scene)
            command = [self.program, "test", path, "--out", f"{folder}/out", "--format", "json", "--threads", str(threads)]
            done = subprocess.run(command + ["--save-worst", "0"], capture_output=True, text=True)
            if done.returncode > 1:
                raise RuntimeError(done.stderr.strip() or "aplomb test failed")
            rate = json.loads(done.stdout)["scenes"][0]["all"]
            return "{passed} of {trials}".format(**rate)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("program")
    parser.add_argument("--only", default="")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--controller", default="drive")
    parser.add_argument("--shipped", action="store_true")
    given = parser.parse_args()
    print("| package | model | COM, m | mass, kg | speed off, m/s | rests after, s | driven | driven and pushed |")
    print("|---|---|---|---|---|---|---|---|")
    models = [("(shipped)", name, name) for name in ("adult", "child") if given.shipped]
    bipeds = [(package, path) for package, _, kind, path in fetch.listed() if kind == "biped"]
    is_scene = lambda path: pathlib.PurePath(path).name.startswith("scene_")
    with_scene = {pathlib.PurePath(path).parent for _, path in bipeds if is_scene(path)}
    for package, path in bipeds:
        if given.only in f"{package}/{path}" and (is_scene(path) or pathlib.PurePath(path).parent not in with_scene):
            name = "/".join(path.split("/")[-3:]) if path.endswith(".xml") else path.rsplit("/", 1)[-1]
            models.append((package, name, fetch.unpacked(given.folder, package) / path))
    for package, name, model in models:
        body = Body(given.program, model, given.controller)
        if not body.stands:
            continue
        obeys, rates = body.obeys(), ["", ""]
        if obeys[0] != "falls":
            rates = [body.driven(pushed, given.draws, given.seed, given.threads) for pushed in (False, True)]
        print("|", " | ".join([package, name, f"{body.height:.2f}", f"{body.mass:.0f}", *obeys, *rates]), "|", flush=True)


if __name__ == "__main__":
    main()
