#!/usr/bin/env python3
"""Reads the addresses in the test scripts of pzprjs with gordian, and writes them again.

    pzpr_addresses.py PZPRJS [GORDIAN]

PZPRJS is a checkout of github.com/robx/pzprjs. For each script of a puzzle type whose addresses gordian knows, the script prints
whether the address is read, and whether the written address is the same. The exit code is 1 if an address is not read.
"""

import re
import subprocess
import sys
from pathlib import Path


def run(gordian, address, *more):
    result = subprocess.run([gordian, "show", "-", *more], input=address, capture_output=True, text=True, timeout=60)
    return result.stdout.strip(), result.stderr.strip().split("\n")[0]


def main():
    scripts = Path(sys.argv[1]) / "test" / "script"
    gordian = sys.argv[2] if len(sys.argv) > 2 else "gordian"
    unknown = failed = same = other = 0
    for script in sorted(scripts.glob("*.js")):
        url = re.search(r'url:\s*"([^"]*)"', script.read_text())
        if not url:
            continue
        address = f"https://puzz.link/p?{script.stem}/{url.group(1)}"
        board, error = run(gordian, address)
        if not board:
            if "an address of" in error:
                unknown += 1
            else:
                failed += 1
                print(f"{address}: {error}")
            continue
        written, error = run(gordian, address, "--url")
        body = re.sub(r"^[^/]*/", "", written.rsplit("?", 1)[-1])
        if body == url.group(1).rstrip("/"):
            same += 1
        else:
            other += 1
            print(f"{address}: written as {written or error}")
    print(f"{same} written as they were read, {other} differently, {failed} not read, {unknown} of unknown types")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
