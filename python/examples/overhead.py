"""Cost of a step called from Python, compared with the same frames in one call of the engine.

    python python/examples/overhead.py

The variants run in turn, each from the same snapshot; the shortest time of each counts, because other load only adds
time.
"""

import time

import aplomb

FRAMES, TURNS = 300, 9


def main() -> None:
    world = aplomb.World()
    hero = world.add_character("adult", "step_recovery")
    world.step(20)
    hero.push("chest", [250.0, 0.0, 0.0], duration=0.15)
    moment = world.snapshot()

    def engine() -> None:
        world.step(FRAMES)

    def steps() -> None:
        for _ in range(FRAMES):
            world.step()

    def steps_and_states() -> None:
        for _ in range(FRAMES):
            world.step()
            hero.q, hero.v, hero.com, hero.torque

    ways = {"in one call": engine, "a call a frame": steps, "and reading q, v, com, torque": steps_and_states}
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(TURNS):
        for name, way in ways.items():
            world.restore(moment)
            started = time.perf_counter()
            way()
            least[name] = min(least[name], time.perf_counter() - started)
    for name, taken in least.items():
        print(f"{name:30} {1e6 * taken / FRAMES:7.1f} us a frame, {taken / least['in one call']:.3f}")


if __name__ == "__main__":
    main()
