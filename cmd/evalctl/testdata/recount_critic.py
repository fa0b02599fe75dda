"""Recounts the critic.* metrics of a run from its results.jsonl alone.

It prints one JSON object: condition -> metric -> [value, n, missing, lo, hi]. lo and hi
are null where the script does not compute the interval. The difference of good attempts
uses the interval of Bonett & Price (2012), extended to epochs: two pseudo-cases that
differ by the root mean square of the cases that differ.
"""
import collections
import json
import math
import sys

Z = 1.959963984540054


def turns(row):
    by = collections.defaultdict(list)
    for loop in row.get("loops") or []:
        by[loop["turn"]].append(loop)
    return by.values()


def reviewed(loop):
    return loop["reviewer"] != "none"


def over(loop):
    return reviewed(loop) and (loop["passed"] or loop.get("exhausted", False))


class Values:
    def __init__(self):
        self.values, self.missing = [], 0

    def result(self):
        value = sum(self.values) / len(self.values) if self.values else None
        return [value, len(self.values), self.missing, None, None]


def recount(rows):
    of = collections.defaultdict(Values)
    pairs = collections.defaultdict(list)
    lost = sum(1 for r in rows if r.get("error") and not r.get("loops"))
    for row in rows:
        for loops in turns(row):
            count_turn(row, loops, of, pairs)
    for name in ("pass_rate", "exhausted_rate", "oscillation_rate", "loops_mean", "gain_per_loop", "raw_gain_per_loop"):
        of[name].missing += lost
    for name in ("false_accept", "false_reject", "first_attempt_good", "delivered_good", "good_gain"):
        if of[name].values or of[name].missing or name == "good_gain" and pairs:
            of[name].missing += lost
    result = {name: v.result() for name, v in of.items()}
    if pairs:
        value, lo, hi = paired(pairs)
        result["good_gain"] = [value, sum(map(len, pairs.values())), of["good_gain"].missing, lo, hi]
    return result


def count_turn(row, loops, of, pairs):
    first, last = loops[0], loops[-1]
    if over(last):
        of["pass_rate"].values.append(last["passed"])
        of["exhausted_rate"].values.append(last.get("exhausted", False))
        of["loops_mean"].values.append(len(loops))
        scores = [l["score"] for l in loops]
        steps = [b - a for a, b in zip(scores, scores[1:])]
        if len(loops) > 2:
            of["oscillation_rate"].values.append(any(s > 0 for s in steps) and any(s < 0 for s in steps))
    else:
        for name in ("pass_rate", "exhausted_rate", "loops_mean", "oscillation_rate"):
            of[name].missing += 1
    if len(loops) > 1 and reviewed(loops[1]):
        of["raw_gain_per_loop"].values.append(loops[1]["score"] - first["score"])
        second = (first.get("second_judgment") or {}).get("score")
        if second is None:
            of["gain_per_loop"].missing += 1
        else:
            of["gain_per_loop"].values.append(loops[1]["score"] - second)
    elif len(loops) > 1 or not over(first):
        of["raw_gain_per_loop"].missing += 1
        of["gain_per_loop"].missing += 1
    for loop in loops:
        if "acceptable" in loop:
            v = of["false_reject" if loop["acceptable"] else "false_accept"]
            if reviewed(loop) and loop.get("critic_input") == "image":
                v.values.append(loop["passed"] != loop["acceptable"])
            else:
                v.missing += 1
    if "acceptable" not in first:
        return
    if "other_picture" in (first.get("critic_input"), last.get("critic_input")):
        for name in ("first_attempt_good", "delivered_good", "good_gain"):
            of[name].missing += 1
        return
    of["first_attempt_good"].values.append(first["acceptable"])
    if over(last) or not reviewed(last):
        of["delivered_good"].values.append(last["acceptable"])
        pairs[row["case"]].append((first["acceptable"], last["acceptable"]))
    else:
        of["delivered_good"].missing += 1
        of["good_gain"].missing += 1


def paired(pairs):
    differences = [sum(b - a for a, b in turn) / len(turn) for turn in pairs.values()]
    n, squares = len(differences), sum(d * d for d in differences)
    pseudo = (squares + 1) / (sum(d != 0 for d in differences) + 1)
    mean = sum(differences) / (n + 2)
    half = Z * math.sqrt(((squares + 2 * pseudo) / (n + 2) - mean * mean) / (n + 2))
    return sum(differences) / n, max(mean - half, -1), min(mean + half, 1)


def main():
    conditions = collections.defaultdict(list)
    with open(sys.argv[1] + "/results.jsonl", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            conditions["/".join((row["suite"], row["variant"], row.get("fault") or "none"))].append(row)
    json.dump({name: recount(rows) for name, rows in conditions.items()}, sys.stdout)


main()
