"""The command line: `python -m aplomb run balance_push`, or `aplomb` if it is installed."""

import signal
import sys


def main() -> int:
    from . import _aplomb

    if not _aplomb.HAS_CLI:
        print("this build of aplomb has no command line", file=sys.stderr)
        return 2
    # The program handles Ctrl-C itself; Python's own handler would only run after it has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _aplomb.command_line(["aplomb", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
