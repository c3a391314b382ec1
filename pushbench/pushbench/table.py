"""The table: one row per protocol and controller, with confidence intervals; as text, Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from statistics import fmean, median

import numpy as np

from . import toml
from .bench import Row

HERE = Path(__file__).parent
#: 0.975 quantile of the normal distribution.
Z = 1.959963984540054
ERRORS = ("error", "cannot")


def wilson(passed: int, count: int) -> tuple[float, float]:
    """Wilson score interval of a rate, 95 %."""
    if count == 0:
        return 0.0, 1.0
    share, square = passed / count, Z * Z / count
    middle = (share + square / 2.0) / (1.0 + square)
    reach = Z / (1.0 + square) * math.sqrt(share * (1.0 - share) / count + square / (4.0 * count))
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def half(strengths: list[float], stepped: list[bool]) -> float | str | None:
    """Strength at which half of the trials step, by logistic regression; `none` or `all` if none or all of them do,
    None if there is no such strength between the weakest and the strongest.

    The slope has a weak prior (ten standard deviations), so that it exists even if all weaker pushes are without a step
    and all stronger ones with one: the result is then between them."""
    x, y = np.array(strengths), np.array(stepped, dtype=float)
    if y.min() == y.max():
        return "all" if y[0] else "none"
    if np.ptp(x) == 0.0:
        return None
    scale, mean = x.std(), x.mean()
    rows = np.column_stack([np.ones_like(x), (x - mean) / scale])
    prior, found = np.diag([1e-4, 1e-2]), np.zeros(2)
    for _ in range(100):
        share = 1.0 / (1.0 + np.exp(-np.clip(rows @ found, -30.0, 30.0)))
        way = np.linalg.solve(rows.T * (share * (1.0 - share)) @ rows + prior, rows.T @ (y - share) - prior @ found)
        found = found + way * min(1.0, 2.0 / max(np.abs(way).max(), 1e-12))
        if np.abs(way).max() < 1e-10:
            break
    if found[1] <= 0.0:
        return None
    answer = float(mean - scale * found[0] / found[1])
    return answer if x.min() <= answer <= x.max() else None


def references() -> list[dict]:
    table = toml.read(HERE / "references.toml")
    return table.take("row", list)


def share(part: int, whole: int) -> dict:
    low, high = wilson(part, whole)
    return {"count": part, "of": whole, "rate": part / whole if whole else None, "low": low, "high": high}


def summary(row: Row) -> dict:
    """Summary of a row, without the timing, which changes from run to run."""
    results = [r for r in row.results if r.outcome != "cannot"]
    cannot = row.cannot or next((r.reason for r in row.results if r.outcome == "cannot"), "")
    found = {"protocol": row.protocol.name, "controller": row.controller, "cannot": cannot if not results else ""}
    if not results:
        return found
    good = [r for r in results if r.outcome == "recovered"]
    found["recovered"] = share(len(good), len(results))
    found["outcomes"] = {kind: sum(r.outcome == kind for r in results) for kind in ("recovered", "fell", "unsettled", "error")}
    found["stepped"] = share(sum(r.steps > 0 for r in good), len(good))
    found["steps"] = fmean(r.steps for r in good) if good else None
    firsts, calm = [r.first_step for r in good if r.steps], [r.settled for r in good if r.settled is not None]
    found["first_step"], found["settled"] = median(firsts) if firsts else None, median(calm) if calm else None
    heads = [r.head_force for r in results if r.head_force > 0.0]
    found["head_force"] = median(heads) if heads else None
    found["errors"] = sorted({r.reason for r in results if r.outcome == "error"})[:5]
    asked = row.protocol
    if asked.draws["direction"].grid is not None:
        # A trial with a fall counts as one with a step: the push was not balanced in place.
        found["half_step"], found["half_fall"] = {}, {}
        for direction in asked.draws["direction"].grid:
            mine = [r for r in results if r.trial.direction == direction]
            if not mine:
                continue
            strengths = [r.trial.velocity for r in mine]
            found["half_step"][f"{direction:g}"] = half(strengths, [r.steps > 0 or r.outcome != "recovered" for r in mine])
            found["half_fall"][f"{direction:g}"] = half(strengths, [r.outcome != "recovered" for r in mine])
    return found


def timing(row: Row) -> dict | None:
    """Times of `act`, s, the only results that depend on the machine and its load."""
    calls = [call for result in row.results for call in result.calls]
    if not calls:
        return None
    return {"calls": len(calls), "median": float(np.median(calls)), "p99": float(np.percentile(calls, 99)), "max": max(calls)}


def of_reference(row: dict) -> dict:
    found = {"protocol": row["protocol"], "controller": row["who"], "cannot": "", "reference": True}
    found |= {key: row[key] for key in ("about", "source", "half_step") if key in row}
    if "recovered" in row:
        found["recovered"] = share(row["recovered"], row["trials"])
    if "stepped" in row:
        found["stepped"] = share(*row["stepped"])
    return found


def lines(rows: list[Row]) -> list[dict]:
    """All rows, with reference rows after ours of the same protocol."""
    found, names = [], list(dict.fromkeys(row.protocol.name for row in rows))
    for name in names:
        found += [summary(row) | {"timing": timing(row)} for row in rows if row.protocol.name == name]
        found += [of_reference(row) for row in references() if row["protocol"] == name]
    return found


COLUMNS = ["protocol", "controller", "recovered", "rate", "95 % interval", "stepped", "steps", "first step, s", "at rest, s",
           "call, ms", "p99, ms"]  # fmt: skip


def cells(line: dict) -> list[str]:
    """The cells of a row as strings."""
    start = [line["protocol"], line["controller"]]
    if line["cannot"]:
        return [*start, f"not run: {line['cannot']}"] + [""] * (len(COLUMNS) - 3)

    def shown(key: str, form: str, scale: float = 1.0) -> str:
        value = line.get(key)
        return "" if value is None else format(value * scale, form)

    rate, stepped, times = line.get("recovered"), line.get("stepped"), line.get("timing")
    first = ["not told", "", ""]
    if rate:
        percent = [f"{100.0 * rate[key]:.1f}" for key in ("rate", "low", "high")]
        first = [f"{rate['count']}/{rate['of']}", f"{percent[0]} %", f"{percent[1]} to {percent[2]} %"]
    called = [f"{1e3 * times['median']:.2f}", f"{1e3 * times['p99']:.2f}"] if times else ["", ""]
    of_steps = f"{stepped['count']}/{stepped['of']}" if stepped and stepped["of"] else ""
    return [*start, *first, of_steps, shown("steps", ".1f"), shown("first_step", ".2f"), shown("settled", ".1f"), *called]


def notes(found: list[dict]) -> list[str]:
    """Notes on results that have no column."""
    told = []
    for line in found:
        name = f"{line['protocol']}, {line['controller']}"
        if line.get("reference"):
            told.append(f"{name}: {line['about']}; {line['source']}.")
        outcomes = line.get("outcomes", {})
        if outcomes.get("unsettled"):
            told.append(f"{name}: {outcomes['unsettled']} stood in the end, but not as the protocol asks.")
        if outcomes.get("error"):
            told.append(f"{name}: {outcomes['error']} ended with an error: {'; '.join(line['errors'])}.")
        if line.get("head_force"):
            told.append(f"{name}: the head met the floor with {line['head_force']:.0f} N (median of the trials in which it did).")
    return told


def halves(found: list[dict], key: str) -> list[list[str]]:
    """A second table: the strengths `key` by direction, m/s."""
    having = [line for line in found if key in line and len(line[key]) <= 8]
    if not having:
        return []
    directions = list(dict.fromkeys(d for line in having for d in line[key]))
    head = ["protocol", "controller", *[f"{direction}°" for direction in directions]]
    body = []
    for line in having:
        values = [line[key].get(direction) for direction in directions]
        body.append([line["protocol"], line["controller"], *["" if v is None else v if isinstance(v, str) else f"{v:.2f}" for v in values]])
    return [head, *body]


def aligned(rows: list[list[str]]) -> str:
    # The message of a row that was not run does not widen a column.
    long = [len(row) > 3 and not any(row[3:]) for row in rows]
    widths = [max((len(row[c]) for row, l in zip(rows, long) if not l or c < 2), default=0) for c in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def marked(rows: list[list[str]]) -> str:
    made = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([made[0], "|" + "---|" * len(rows[0]), *made[1:]])


HALVES = {
    "half_step": "Impulse per mass at which half of the trials step or fail, m/s, by direction",
    "half_fall": "Impulse per mass at which half of the trials fail, m/s, by direction",
}


def text(found: list[dict], form: str) -> str:
    draw = marked if form == "markdown" else aligned
    parts = [draw([COLUMNS, *[cells(line) for line in found]])]
    for key, title in HALVES.items():
        rows = halves(found, key)
        if rows and any(cell for row in rows[1:] for cell in row[2:]):
            parts.append(f"{title}:\n\n{draw(rows)}")
    told = notes(found)
    if told:
        parts.append("\n".join(("* " if form == "markdown" else "") + note for note in told))
    return "\n\n".join(parts)


def as_csv(found: list[dict]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["protocol", "controller", "cannot", "recovered", "trials", "rate", "low", "high", "stepped", "stepped_of",
                     "steps", "first_step_s", "settled_s", "head_force_n", "errors"])  # fmt: skip
    for line in found:
        rate, stepped = line.get("recovered") or {}, line.get("stepped") or {}
        writer.writerow([
            line["protocol"], line["controller"], line["cannot"],
            *[blank(rate.get(k)) for k in ("count", "of", "rate", "low", "high")],
            blank(stepped.get("count")), blank(stepped.get("of")),
            *[blank(line.get(k)) for k in ("steps", "first_step", "settled", "head_force")],
            blank(line.get("outcomes", {}).get("error")),
        ])  # fmt: skip
    return out.getvalue()


def blank(value: object) -> object:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else value


def of_trials(rows: list[Row]) -> str:
    """The CSV table of all trials, one row per trial."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["protocol", "controller", "trial", "at_s", "duration_s", "direction_deg", "force_n", "impulse_n_s",
                     "velocity_m_s", "outcome", "reason", "steps", "first_step_s", "settled_s", "head_force_n"])  # fmt: skip
    for row in rows:
        for r in row.results:
            push = [r.trial.at, r.trial.duration, r.trial.direction, r.trial.force, r.trial.impulse, r.trial.velocity]
            writer.writerow([row.protocol.name, row.controller, r.trial.number, *map(blank, push), r.outcome, r.reason, r.steps,
                             blank(r.first_step), blank(r.settled), blank(r.head_force)])  # fmt: skip
    return out.getvalue()


def save(folder: Path, rows: list[Row], found: list[dict]) -> None:
    """Writes the files. All but `timing.json` are identical for identical runs."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = [{key: value for key, value in line.items() if key != "timing"} for line in found]
    times = [{key: line[key] for key in ("protocol", "controller", "timing")} for line in found if line.get("timing")]
    (folder / "trials.csv").write_text(of_trials(rows), encoding="utf-8")
    (folder / "table.csv").write_text(as_csv(found), encoding="utf-8")
    (folder / "table.json").write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    (folder / "timing.json").write_text(json.dumps(times, indent=1) + "\n", encoding="utf-8")
