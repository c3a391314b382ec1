"""Tunes parameters of a controller with Optuna, by CMA-ES (needs `pip install optuna cmaes`).

    python python/examples/tune.py --trials 50

It maximises the survivable area of a push map (docs/sweep.md), a small one so that a trial takes seconds. The study is
stored in a file; another call continues it.
"""

import argparse

import aplomb
import optuna

SCENE = "step_push"
PARAMETERS = {"outward": (0.02, 0.12), "swing_height": (0.02, 0.08), "settle_weight": (0.2, 2.0)}


def area(values: dict[str, float]) -> float:
    """Area of a push map of eight directions, N s rad."""
    given = [f"controller.parameters.{name}={value!r}" for name, value in values.items()]
    return aplomb.sweep(SCENE, set=given, directions=8, impulses="40:80:10").push_map()["area"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--storage", default="tune.sqlite3", help="file that keeps the study")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        direction="maximize",
        study_name=SCENE,
        storage=f"sqlite:///{given.storage}",
        load_if_exists=True,
        sampler=optuna.samplers.CmaEsSampler(seed=given.seed),
    )
    shipped = aplomb.Scene(SCENE).start().character.parameters
    if not study.trials:
        study.enqueue_trial({name: shipped[name] for name in PARAMETERS})

    def objective(trial: optuna.Trial) -> float:
        return area({name: trial.suggest_float(name, *ends) for name, ends in PARAMETERS.items()})

    def say(study: optuna.Study, trial: optuna.trial.FrozenTrial) -> None:
        print(f"trial {trial.number}: {trial.value:.1f} N s rad; best {study.best_value:.1f}", flush=True)

    study.optimize(objective, n_trials=given.trials, callbacks=[say])
    print(f"shipped: {study.trials[0].value:.1f} N s rad; best: {study.best_value:.1f} with")
    for name, value in study.best_params.items():
        print(f"  {name} = {value:.4g}")


if __name__ == "__main__":
    main()
