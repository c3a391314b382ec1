#!/usr/bin/env python3
"""Which public models load, and which of them stand: the table of docs/bodies.md.

    table.py FOLDER PROGRAM [--only WORD] [--push] [--steps] [--markdown] [--thumbnails PICTURES]

FOLDER is that of fetch.py, PROGRAM a build of aplomb. Each model is checked as published, then stands 10 s with the
shipped `balance`, unchanged; with --push it is also pushed from four sides at the chest: 0.25 m/s of its mass in 0.15 s.
With --steps a biped is pushed from four sides at 0.5 m/s of its mass, also in 0.15 s, with the shipped `step_recovery`; a
quadruped is so pushed at 0.5 and at 1 m/s, for 5 s with `step_quadruped`, and trots 5 s on the spot with `trot_in_place`.
What has no legs, by its roles, is asked for none of this. The two models whose own program makes their root free get a
file beside them that says so, which is taken away again. With --thumbnails each body is drawn into the folder PICTURES; a Markdown table in docs/ shows them.
"""
import argparse
import collections
import contextlib
import json
import pathlib
import subprocess
import tempfile

import fetch

SCENE = """title = "A public model"
duration = {duration}
[characters.hero]
model = "{model}"
controller = "{controller}"
{event}
[success]
{success}
"""
STANDS = 'upright = { always = "com_height > 0.8 * standing_height" }'
RECOVERS = """upright = { always = "com_height > 0.6 * standing_height" }
settled = { at_end = "com_speed < 0.1 and support_margin(capture_point) > 0" }"""
TROTS = """upright = { always = "com_height > 0.8 * standing_height and tilt(pelvis) < 0.4" }
left_pair = { once = "height(left_front_sole) > 0.08 * standing_height and height(right_hind_sole) > 0.08 * standing_height" }
right_pair = { once = "height(right_front_sole) > 0.08 * standing_height and height(left_hind_sole) > 0.08 * standing_height" }
stays = { at_end = "norm(com - [0, 0, com.z]) < 1.5 * standing_height" }"""
# The programs that load these give them a free joint.
FREED = ("humanoid_CMU_V2019.xml", "humanoid_CMU_V2020.xml")
PUSH = """[events.push]
at = 0.5
duration = 0.15
body = "chest"
impulse = {impulse}
"""
SIDES = {"front": (-1, 0), "back": (1, 0), "left": (0, -1), "right": (0, 1)}


def check(program, model):
    """Whether it loads, and the first error where it does not."""
    done = subprocess.run([program, "check", str(model), "--json"], capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)
    except json.JSONDecodeError:
        return False, [done.stderr.strip().splitlines()[-1] if done.stderr else "no answer"]
    errors = [line["message"] for line in found if line["severity"] == "error"]
    return not errors, errors


def has_legs(program, model):
    """Whether it has a left foot, by its roles."""
    done = subprocess.run([program, "roles", str(model)], capture_output=True, text=True)
    return any(line.split()[:1] == ["left_foot"] and line.split()[1] != "-" for line in done.stdout.splitlines())


@contextlib.contextmanager
def freed(model):
    """The file beside a model that makes its root free, for as long as it is needed."""
    beside = model.with_suffix(".body.toml")
    beside.write_text('root = "free"\n')
    try:
        yield
    finally:
        beside.unlink()


def run(program, model, duration, event="", controller="balance", success=STANDS):
    """Whether the run passed, and its summary."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "scene.toml"
        scene.write_text(SCENE.format(model=model, duration=duration, event=event, controller=controller, success=success))
        try:
            done = subprocess.run(
                [program, "run", str(scene), "--out", f"{folder}/run", "--no-plots", "--no-trace", "--json"],
                capture_output=True, text=True, timeout=300,
            )
        except subprocess.TimeoutExpired:
            return None, {}, "not done in 300 s"
    summary = json.loads(done.stdout) if done.returncode < 2 and done.stdout else {}
    error = "" if summary else (done.stderr.strip().splitlines() or ["?"])[0]
    return done.returncode == 0, summary, error


def mass_of(program, model):
    """kg, by the masses that `list bodies` prints."""
    done = subprocess.run([program, "list", "bodies", "--model", str(model), "--json"], capture_output=True, text=True)
    return sum(float(item["about"].split(" kg")[0]) for item in json.loads(done.stdout))


def sides(program, model, speed, duration=4.0, **how):
    """From which sides it takes a push of this speed of its mass."""
    mass = mass_of(program, model)
    events = {side: PUSH.format(impulse=[speed * mass * x, speed * mass * y, 0.0]) for side, (x, y) in SIDES.items()}
    return [side for side, event in events.items() if run(program, model, duration, event, **how)[0]]


def steps(program, model, kind, counts):
    """What a biped or a quadruped does with the controllers that step."""
    if kind == "biped":
        survived = sides(program, model, 0.5, controller="step_recovery", success=RECOVERS)
        counts["bipeds that recover from all sides"] += len(survived) == 4
        return f"{len(survived)}/4"
    survived = sides(program, model, 0.5, duration=5.0, controller="step_quadruped", success=RECOVERS)
    strong = sides(program, model, 1.0, duration=5.0, controller="step_quadruped", success=RECOVERS)
    trots, _, error = run(program, model, 5.0, controller="trot_in_place", success=TROTS)
    counts["quadrupeds that take 0.5 m/s from all sides"] += len(survived) == 4
    counts["quadrupeds that take 1 m/s from all sides"] += len(strong) == 4
    counts["quadrupeds that trot"] += bool(trots)
    return f"{len(survived)}/4, at 1 m/s {len(strong)}/4, {'trots' if trots else error or 'does not trot'}"


def thumbnail(program, model, folder, name):
    """A picture of the body, and how Markdown shows it."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / (name.replace("/", "_").rsplit(".", 1)[0] + ".png")
    subprocess.run(
        [program, "roles", str(model), "--picture", str(file), "--thumbnail"], capture_output=True, check=True
    )
    docs = pathlib.Path(__file__).resolve().parents[2] / "docs"
    shown = file.resolve()
    return f"![{name}]({shown.relative_to(docs) if shown.is_relative_to(docs) else shown})"


def measured(given, package, kind, path, model, counts, causes):
    """The row of a model."""
    loads, errors = check(given.program, model)
    counts["models"] += 1
    counts["load"] += loads
    if loads and kind != "planar" and not has_legs(given.program, model):
        kind = "no legs"
    name = "/".join(path.split("/")[-3:]) if path.endswith(".xml") else path.rsplit("/", 1)[-1]
    row = [package, name, kind, "yes" if loads else errors[0]]
    if not loads:
        causes.update(set(error.split(":")[-1].strip() for error in errors))
    stands, pushed, stepped = "", "", ""
    if loads and kind not in ("planar", "no legs") and not given.check:
        good, summary, error = run(given.program, model, 10.0)
        counts[f"{kind}s"] += 1
        counts[f"{kind}s standing"] += bool(good)
        stands = "10 s" if good else error or "falls"
        if given.push and good:
            survived = sides(given.program, model, 0.25)
            counts[f"{kind}s pushed"] += len(survived) == 4
            pushed = f"{len(survived)}/4"
        if given.steps:
            stepped = steps(given.program, model, kind, counts)
    row += [stands, pushed, stepped]
    if given.thumbnails:
        distinct = f"{package}_{name}" if path.endswith(".xml") else f"{package}_{path.split('/')[-3]}_{name}"
        row.insert(0, thumbnail(given.program, model, given.thumbnails, distinct) if loads else "")
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("program")
    parser.add_argument("--only", default="")
    parser.add_argument("--push", action="store_true")
    parser.add_argument("--steps", action="store_true", help="and the controllers that step")
    parser.add_argument("--check", action="store_true", help="load only")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--thumbnails", metavar="PICTURES", help="draw each body into this folder")
    given = parser.parse_args()
    counts = collections.Counter()
    causes = collections.Counter()
    rows = []
    for package, _, kind, path in fetch.listed():
        if given.only not in f"{package} {path}":
            continue
        model = (fetch.unpacked(given.folder, package) / path).resolve()
        with freed(model) if model.name in FREED else contextlib.nullcontext():
            row = measured(given, package, kind, path, model, counts, causes)
        rows.append(row)
        print(("| " + " | ".join(row) + " |") if given.markdown else "\t".join(row), flush=True)
    print()
    for name, count in counts.items():
        print(f"{name}: {count}")
    if given.check:
        for cause, count in causes.most_common(30):
            print(f"{count:4}  {cause}")


if __name__ == "__main__":
    main()
