#!/usr/bin/env python3
"""Makes one board of each puzzle type at its default size, and checks that it has exactly one solution.

    benches/make_all.py target/release/gordian [--timeout SECONDS] [--seed NUMBER] [TYPE ...]

Prints a line for each puzzle type (how it ended, seconds of processor time, number of data tokens), and a summary. A
board that is unique, but whose superfluous clues were not all removed within the limit, counts as made. The timeout is in
seconds of processor time, so other work on the machine does not change the result.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def processor_time_of(process):
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def make(gordian, name, seed, timeout):
    command = [gordian, "make", name, "--seed", str(seed)]
    before = processor_time()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        while True:
            try:
                stdout, stderr = run.communicate(timeout=0.2)
                break
            except subprocess.TimeoutExpired:
                if processor_time_of(run.pid) > timeout:
                    run.send_signal(signal.SIGINT)
                    stdout, stderr = run.communicate()
                    break
    seconds = processor_time() - before
    # With exit code 3, the limit was reached: a board on standard output may keep superfluous clues.
    if run.returncode not in (0, 3) or not stdout.strip():
        return "refused" if run.returncode not in (0, 3) else "stopped", seconds, stderr.strip()
    check = [gordian, "solve", "-", "--unique", "--json", "--timeout", "120"]
    solved = subprocess.run(check, input=stdout, capture_output=True, text=True)
    try:
        status = json.loads(solved.stdout)
    except ValueError:
        return "wrong", seconds, solved.stderr.strip()
    is_unique = status.get("unique") is True
    return ("made" if run.returncode == 0 else "unfinished") if is_unique else "wrong", seconds, stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gordian")
    parser.add_argument("types", nargs="*")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boards", help="a file to which the boards are appended")
    options = parser.parse_intermixed_args()
    listed = subprocess.run([options.gordian, "list", "puzzles", "--json"], capture_output=True, text=True, check=True)
    entries = [json.loads(line) for line in listed.stdout.splitlines()]
    types = options.types or [entry["name"] for entry in entries]
    ends = {}
    for name in types:
        end, seconds, text = make(options.gordian, name, options.seed, options.timeout)
        ends.setdefault(end, []).append(name)
        first = text.splitlines()[0] if text and end not in ("made", "unfinished") else ""
        print(f"{name:20} {end:10} {seconds:7.2f} s  {first[:150]}", flush=True)
        if options.boards and end in ("made", "unfinished"):
            with open(options.boards, "a", encoding="utf-8") as file:
                file.write(f"{text}\n")
    for end, names in sorted(ends.items()):
        print(f"{end}: {len(names)}" + ("" if end == "made" else f" ({' '.join(names)})"))
    sys.exit("wrong" in ends)


if __name__ == "__main__":
    main()
