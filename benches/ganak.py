"""Counts the models of a CNF formula with ganak. It needs `pip install pyganak`.

    python ganak.py FILE.cnf
"""

import sys

import pyganak

counter = pyganak.Counter()
with open(sys.argv[1], encoding="utf-8") as formula:
    for words in map(str.split, formula):
        if words and words[0] not in ("c", "p"):
            counter.add_clause([int(word) for word in words[:-1]])
print(counter.count())
