#!/usr/bin/env bash
# Drives the window under a virtual display with mouse and keys: looks, selects, pulls, pushes, steps, goes back,
# branches, edits files, moves sliders and targets, writes them back, saves scenes and recomputes them, opens a finished
# run. The output of `--statistics` is checked; pictures are written to the given folder (default: a temporary one).
# APLOMB_VIEW and APLOMB name programs that are already built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

for tool in Xvfb xdotool import; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is missing (Debian: xvfb xdotool imagemagick libgl1-mesa-dri)" >&2
        exit 0
    fi
done
pictures=${1:-$(mktemp -d)}
mkdir -p "$pictures"
pictures=$(realpath "$pictures")
if [ -z "${APLOMB_VIEW:-}" ]; then
    cargo build --locked --release --package aplomb --package aplomb-view
fi
view=$(realpath "${APLOMB_VIEW:-target/release/aplomb-view}")
aplomb=$(realpath "${APLOMB:-target/release/aplomb}")
log=$pictures/log.txt

fail() {
    echo "failed: $*; the log is $log" >&2
    exit 1
}

# Without a display: a message and exit code 4.
code=0
env -u DISPLAY -u WAYLAND_DISPLAY "$view" stand 2>"$log" || code=$?
[ "$code" = 4 ] || fail "without a display the exit code is $code, not 4"
grep -q "a display with OpenGL 3.3 is needed" "$log" || fail "nothing is said about the display"

Xvfb -displayfd 3 -noreset -screen 0 1280x800x24 3>"$pictures/display" 2>/dev/null &
server=$!
program=
trap 'kill $program $server 2>/dev/null || true' EXIT
for _ in $(seq 50); do
    [ -s "$pictures/display" ] && break
    sleep 0.1
done
export DISPLAY=":$(cat "$pictures/display")"
unset WAYLAND_DISPLAY

# Waits until the last line of the statistics matches.
await() {
    for _ in $(seq 100); do
        grep -E "^(running|paused) " "$log" | tail -n 1 | grep -qE -- "$1" && return
        sleep 0.1
    done
    fail "never came to '$1' but to '$(tail -n 1 "$log")'"
}

at() { grep -E "^(running|paused) " "$log" | tail -n 1 | sed -E 's/.* at ([0-9]+) of.*/\1/'; }
end() { grep -E "^(running|paused) " "$log" | tail -n 1 | sed -E 's/.* of ([0-9]+),.*/\1/'; }
digest() { grep -E "^(running|paused) " "$log" | tail -n 1 | sed -E 's/.*digest ([0-9a-f]+),.*/\1/'; }
picture() { import -window root "$pictures/$1.png"; }

open_window() {
    (cd "$pictures" && exec "$view" "$@" --statistics 2>"$log") &
    program=$!
    await "at "
    window=$(xdotool search --sync --onlyvisible --pid "$program" | head -n 1)
    xdotool windowmove "$window" 0 0 windowsize "$window" 1280 800 windowfocus "$window"
    sleep 0.5
}

# Drags with a mouse button from one position to another in steps, as a hand does.
drag() { # BUTTON X Y DX DY
    xdotool mousemove "$2" "$3"
    sleep 0.2
    xdotool mousedown "$1"
    for step in 1 2 3 4; do
        sleep 0.1
        xdotool mousemove $(($2 + $4 * step / 4)) $(($3 + $5 * step / 4))
    done
    sleep 0.2
    xdotool mouseup "$1"
}

# The saved scene, recomputed by the main program, gives the same bits in the frame shown. Criteria are removed: the
# window continues after a violation, a run ends.
replays() { # SCENE
    local frame digest
    frame=$(at)
    digest=$(digest)
    close_window
    (cd "$pictures" && "$aplomb" run "$1" --quiet --no-plots --set 'success={}' --out "replay_${1%.toml}") || true
    open_window "$pictures/replay_${1%.toml}" --paused
    await "paused at 0 of"
    for _ in $(seq $((frame / 10))); do xdotool key Next; done
    for _ in $(seq $((frame % 10))); do xdotool key Right; done
    await "paused at $frame of"
    [ "$(digest)" = "$digest" ] || fail "$1 does not move as it was saved: $(digest) instead of $digest in frame $frame"
    echo "$1 replays to the same bits, $frame frames"
    close_window
}

close_window() {
    kill "$program"
    wait "$program" 2>/dev/null || true
    program=
}

open_window stand --paused
await "paused at 0 of 0"
picture 1-start
xdotool key Right Right Right
await "paused at 3 of 3"
xdotool key Left
await "paused at 2 of 3"
xdotool key space
await "running"
sleep 1.5
xdotool key space
await "paused at"
[ "$(at)" -gt 20 ] || fail "it ran for more than a second and came to frame $(at)"

# The chest is in the middle of the picture's left part, above its centre.
xdotool mousemove 430 235 click --repeat 2 --delay 60 1
await "selected [a-z]*[^ng]$|selected (chest|trunk|torso|head|neck|abdomen|pelvis)"
picture 2-selected
grep -q "selected nothing" <(tail -n 1 "$log") && fail "the double click selected nothing"

# A pull by the mouse during the run.
xdotool key space
await "running"
xdotool keydown ctrl mousedown 3
for step in $(seq 12); do
    xdotool mousemove_relative -- 6 -3
    sleep 0.05
done
await "pull [1-9][0-9]* N"
sleep 0.3
picture 3-pull
xdotool mouseup 3 keyup ctrl
await "selected [a-z_]+$"
sleep 0.5
xdotool key p
sleep 0.1
picture 4-push
sleep 0.7
xdotool key space
await "paused at"

# The actions, saved as a scene with the same motion.
rm -f "$pictures"/stand_window_*.toml
xdotool key ctrl+s
await "written to stand_window_1.toml"
"$aplomb" check "$pictures/stand_window_1.toml" || fail "the saved scene is no scene"
grep -q '^body = "chest"' "$pictures/stand_window_1.toml" || fail "the saved scene has no push"

# Back, and a branch from there.
before=$(end)
xdotool key Prior Prior Prior
await "paused at $((before - 30)) of $before"
sleep 0.5
picture 5-back
xdotool key b
await "paused at $((before - 30)) of $((before - 30))"
xdotool key F1
sleep 1.5
picture 6-keys
xdotool key F1
xdotool key BackSpace
await "paused at 0 of 0"

# Paused: no processor time after the list of keys has faded.
sleep 3
ticks() { awk '{ print $14 + $15 }' "/proc/$program/stat"; }
first=$(ticks)
sleep 3
spent=$(($(ticks) - first))
echo "paused: $spent ticks of 10 ms in 3 s"
[ "$spent" -le 3 ] || fail "paused, it took $spent ticks of processor time in 3 s"
close_window

# Files that change while their scene runs: time from saving them to the first picture drawn with them.
own=$pictures/own
mkdir -p "$own"
cat >"$own/scene.toml" <<'END'
duration = 4.0
[characters.adult]
model = "adult"
controller = "own.toml"
[success]
upright = { always = "com_height > 0.5 * standing_height" }
END
controller() {
    cat <<END
start = "balance"

[parameters]
crouch = $1   # m, of the COM

[states.balance]
until = "com_height < 0.5 and state_time > crouch"
to = ["down"]
objectives = [
    { name = "over feet", weight = 1.0, response = 0.35, of = { com_over_support = {} } },
    { name = "height", weight = 1.0, response = 0.35, of = { com_height = { target = "crouch" } } },
    { name = "rest pose", weight = 0.01, response = 0.5, of = { pose = {} } },
    { name = "damping", weight = 0.001, of = { velocity = {} } },
]

[states.down]
drive = "limp"
END
}
controller 0.90 >"$own/own.toml"
open_window "$own/scene.toml"
await "running at [1-9][0-9]"
now() { date +%s%N; }
for edit in $(seq 20); do
    controller "0.$((90 - edit % 5))${edit}" >"$own/new.toml"
    begun=$(now)
    mv "$own/new.toml" "$own/own.toml"
    until grep -q "reloads $edit," "$log"; do
        [ $(($(now) - begun)) -lt 5000000000 ] || fail "edit $edit never acted"
        sleep 0.005
    done
    echo $((($(now) - begun) / 1000000))
done | sort -n >"$pictures/edits.txt"
median=$(sed -n 10p "$pictures/edits.txt")
echo "edit to picture: median $median ms, longest $(tail -n 1 "$pictures/edits.txt") ms"
[ "$median" -le 200 ] || fail "a saved file acted after $median ms"
picture 8-reloaded
sed 's/com_height = {/com_hight = {/' "$own/own.toml" >"$own/bad.toml"
cp "$own/own.toml" "$own/good.toml"
cp "$own/bad.toml" "$own/own.toml"
await "running .*, mistakes"
sleep 0.5
picture 9-mistakes
cp "$own/good.toml" "$own/own.toml"
sleep 1
await "running .*selected [a-z_]+$"

# The slider of `crouch`, and its value written to the file: offered, discarded, offered again, written.
xdotool key space
await "paused at"
drag 1 951 460 -8 0
sleep 0.3
xdotool mousemove 944 437 click 1
await "offers to write"
sleep 0.3
picture 11-write-back
before=$(cat "$own/own.toml")
xdotool key Escape
await "paused .*selected [a-z_]+$"
[ "$before" = "$(cat "$own/own.toml")" ] || fail "what was not confirmed was written"
xdotool mousemove 944 437 click 1
await "offers to write"
xdotool key Return
await "written to .*own.toml"
[ "$(diff <(echo "$before") "$own/own.toml" | grep -c '^>')" = 1 ] || fail "more than one line was written"
grep -q '^crouch = .*# m, of the COM' "$own/own.toml" || fail "the comment is gone"

# The target of the height, dragged downwards; a ball thrown at the chest. Both are saved, with the same motion.
drag_target() {
    xdotool keydown ctrl
    drag 3 439 "$1" 0 30
    xdotool keyup ctrl
}
drag_target 353
sleep 0.3
picture 12-target
xdotool key space
await "running"
sleep 1
xdotool mousemove 430 235
xdotool key t
sleep 0.45
picture 10-thrown
sleep 1
xdotool key space
await "paused at"
rm -f "$pictures"/scene_window_*
xdotool key ctrl+s
await "written to scene_window_1.toml"
grep -q '^kind = "throw"' "$pictures/scene_window_1.toml" || fail "the saved scene has no throw"
grep -q '^kind = "replace"' "$pictures/scene_window_1.toml" || fail "the saved scene has no reload"
grep -q '^path = "states.balance.objectives.height.of.com_height.target"' "$pictures/scene_window_1.toml" ||
    fail "the saved scene has no target"
"$aplomb" check "$pictures/scene_window_1.toml" || fail "the saved scene is no scene"
replays scene_window_1.toml

# A scene that changes during the run continues, and cannot be saved; after a reset it can be.
open_window "$own/scene.toml"
await "running at [1-9][0-9]"
sed 's/^duration.*/&\ngravity = [0.0, 0.0, -8.0]/' "$own/scene.toml" >"$own/new.toml"
mv "$own/new.toml" "$own/scene.toml"
await "reloads 1,"
xdotool key ctrl+s
await "not saved: "
picture 13-not-saved
await "running"
xdotool key BackSpace
sleep 1
xdotool key space
await "paused at"
cp "$own/own.toml" "$pictures/own.toml"
xdotool key ctrl+s
await "written to scene_window_2.toml"
grep -q 'gravity = \[0.0, 0.0, -8.0\]' "$pictures/scene_window_2.toml" || fail "the scene was saved as it was before"
replays scene_window_2.toml

# A finished run, by the main program.
"$aplomb" run stand --set duration=0.5 --quiet --no-plots --out "$pictures/run" || true
open_window "$pictures/run" --paused
await "paused at 0 of 51"
xdotool key Next
await "paused at 10 of 51"
picture 7-run
close_window
echo "passed; pictures are in $pictures"
