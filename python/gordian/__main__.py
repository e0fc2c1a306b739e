"""The command line: ``gordian`` or ``python -m gordian``."""

import sys

from gordian import _core


def main():
    """Run the command line with the arguments of the process, and exit."""
    arguments = sys.argv[1:]
    if arguments[:2] == ["minizinc", "install"] and len(arguments) in (2, 4):
        # The program of this process is Python, which MiniZinc must not run by itself.
        from gordian._minizinc import minizinc_install

        if len(arguments) == 2 or arguments[2] == "--directory":
            print(minizinc_install(arguments[3] if len(arguments) == 4 else None))
            sys.exit(0)
    sys.exit(_core.main(["gordian", *arguments]))


if __name__ == "__main__":
    main()
