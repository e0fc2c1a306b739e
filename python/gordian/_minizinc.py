"""The installation as a solver of MiniZinc."""

import os
import sys
import sysconfig
from pathlib import Path


def minizinc_install(directory=None):
    """Install Gordian as a solver of MiniZinc, for ``minizinc --solver gordian`` and the package minizinc-python.

    MiniZinc itself is not needed for this call. The configuration names the command ``gordian`` of this Python environment, so
    install again if the environment moves.

    :param directory: the directory for the configuration and its library; by default the one that MiniZinc searches first
    :returns: the path of the configuration
    :raises FileNotFoundError: if the command ``gordian`` is not installed
    """
    from gordian import _core

    name = "gordian.exe" if os.name == "nt" else "gordian"
    places = [Path(sysconfig.get_path("scripts")), Path(sys.executable).parent, Path(sys.argv[0]).parent]
    program = next((place / name for place in places if (place / name).is_file()), None)
    if program is None:
        raise FileNotFoundError(f"the command `{name}` is in none of the directories {', '.join(map(str, places))}")
    return _core.minizinc_install(os.fspath(program.absolute()), None if directory is None else os.fspath(directory))
