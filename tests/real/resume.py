#!/usr/bin/env python3
"""Conferences whose run is killed with SIGKILL, at any moment, and gone on with.

Small programs do the children's work first: two hundred runs die at seeded moments, half of them by the
clock and half by what stands in the events, some of their successors die too, and each is resumed until
it ends. Then a few whose children are real Hermes processes. Whatever the moment: nothing of the run
lives on, no id goes out twice or ends twice, what was out is lost and charged, and the end of a run that
died with nothing out is the end of a run that nobody killed.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import conference as agents
import host
import support
from scripted_model import Model
from support import Sandbox, Tally

KILLS = int(os.environ.get("RESUME_KILLS", "200"))
SEED = int(os.environ.get("RESUME_SEED", "20260101"))
HOST_KILLS = 6
WORKERS = 4
CLOCK = {"LITHERMES_TEST_CLOCK": "2026-01-02T03:04:05Z"}
EVENTS = "conference_events.jsonl"
ENDS = {"dispatch.received", "dispatch.failed", "dispatch.timed_out", "dispatch.cancelled"}
GOOD = ("CONVERGED", "CONVERGED_PLATEAU", "BUDGET_STOP", "STALLED")
OVER = ("conference.completed", "conference.blocked", "conference.cancelled")

FORM = """# Conference: The best level

## Goal
Find the level with the least cost.

## Mode
{mode}
{success}
## Researchers
- **Count:** {lanes}
- **Iterations per round:** 2
- **Max rounds:** {rounds}
{poster}
## Pre-Flight Gate
- **Critic:** {critic}
- **Final confirmation:** pending

## Search Space Partitioning
- **Strategy:** free

{parameters}## Constraints
- **Time budget:** 1h
- **Researcher timeout:** 1m
{lost}
## Host
- **Host:** command
- **Command:** ./child.sh
"""
METRIC = """
## Success Metric
- **Metric:** cost
- **Target:** <= {target}
- **Direction:** minimize
- **Evaluator:** ./cost.sh

"""
CRITERIA = """
## Success Criteria
A stranger spells it right.

"""
PARAMETERS = """## Parameters
- level: 1 .. 40 integer

"""
COST = r"""#!/bin/sh
read -r line
level=$(printf '%s' "$line" | sed -n 's/.*"level":\([0-9]*\).*/\1/p')
echo $(( (${level:-0} - 13) * (${level:-0} - 13) ))
"""
# Ten to a hundred milliseconds, as the id says; lane B leaves a process behind that left its group.
CHILD = r"""#!/bin/sh
charter=$(cat)
field() { printf '%s' "$charter" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
role=$(field role) id=$(field dispatch_id) lane=$(field lane)
round=$(printf '%s' "$charter" | sed -n 's/.*"round":\([0-9]*\).*/\1/p')
sleep "0.0$(printf '%s' "$id" | cksum | cut -c1-2)"
case $role in
researcher)
    level=$((20 - ${round:-0} * 3 - $(printf '%d' "'$lane") % 4))
    claims='{"claim":"level '$level' is good","evidence":"a guess","confidence":"low","rows":[ROWS]}'
    more=RESEARCH
    case $lane in B) setsid sleep 60 >/dev/null 2>&1 & ;; esac
    ;;
reviewer)
    each='{"claim":"\1","verdict":"validated","reason":"it came again","evidence":"seen","confidence":"high"}'
    verdicts=$(printf '%s' "$charter" | grep -o '"id":"r[^"]*"' | sed "s/\"id\":\"\(.*\)\"/$each/" | paste -sd, -)
    more=',"verdicts":['$verdicts']'SCORES
    ;;
esac
printf '{"dispatch_id":"%s","role":"%s","status":"completed","claims":[%s],"uncertainties":[],"recommended_root_actions":[]%s}' \
    "$id" "$role" "$claims" "$more"
"""
MEASURED = """',"candidates":[{"values":{"level":'$level'}},{"values":{"level":'$((level + 1))'}}]'"""
JUDGED = """',"hypotheses":[{"statement":"short","verdict":"supported","evidence":"said"}],"self_score":6'"""
SCORES = """',"scores":['$(printf '%s' "$charter" | grep -o '"lane":"[A-Z]"' | sort -u | sed 's/$/,"score":6,"notes":"fine"/;s/^/{/;s/$/}/' | paste -sd, -)']'"""


class Shape:
    """What one kind of conference looks like."""

    def __init__(self, name, slots, lanes, rounds, target=None, poster="", critic="disabled", lost=""):
        self.name, self.slots = name, slots
        is_metric = target is not None
        success = METRIC.format(target=target) if is_metric else CRITERIA
        self.form = FORM.format(mode="metric" if is_metric else "qualitative", success=success, lanes=lanes,
                                rounds=rounds, poster=poster, critic=critic, lost=lost,
                                parameters=PARAMETERS if is_metric else "")
        child = CHILD.replace("ROWS", "0" if is_metric else "").replace("RESEARCH", MEASURED if is_metric else JUDGED)
        self.child = child.replace("SCORES", "" if is_metric else SCORES)


SHAPES = [
    Shape("one at a time, until the target", 1, 2, 6, target=0),
    Shape("four lanes at a time", 4, 4, 3),
    Shape("a poster, lost ones replaced", 2, 3, 4, target=0, poster="- **Poster:** child\n",
          lost="- **On lost child:** redispatch\n"),
]


def named(events, *names):
    return [event["payload"] for event in events if event["event"] in names]


def ids(events, *names):
    return [payload["dispatch_id"] for payload in named(events, *names)]


def open_ids(events):
    """Ids that went out, and of which nothing came back."""
    return set(ids(events, "dispatch.issued")) - set(ids(events, "packet.accepted", *ENDS))


def bare(events):
    """What happened, whenever and in whichever order children answered."""
    kept = [event for event in events if event["event"] != "conference.resumed"]
    return sorted(json.dumps([event["event"], payload(event["payload"])], sort_keys=True) for event in kept)


def payload(payload):
    """Without how many lines there were, and what counts the order of arrival in."""
    check = re.sub(r"replayed \d+ events", "replayed", payload.get("check", ""))
    return {name: value for name, value in payload.items() if name != "evidence_digest"} | {"check": check}


class Held:
    """One root that is put back to where it was approved as often as it is wanted."""

    def __init__(self, box, root, env, slots):
        self.box, self.root, self.slots = box, root, slots
        self.env = {"TMPDIR": str(box.temporary)} | env
        self.kept = box.root.with_name(box.root.name + ".kept")
        self.places = [box.home, root, box.temporary]

    def approve(self):
        digest = self.verb("check").json.get("approval_digest") or "none"
        answer = self.verb("approve", "--digest", digest)
        if answer.code != 0:
            raise OSError(answer.brief())
        for at, place in enumerate(self.places):
            shutil.copytree(place, self.kept / str(at), symlinks=True)

    def restore(self):
        for at, place in enumerate(self.places):
            shutil.rmtree(place)
            shutil.copytree(self.kept / str(at), place, symlinks=True)

    def verb(self, verb, *args):
        return self.box.run("conference", verb, self.root, *args, binary=support.DEBUG, env=self.env, timeout=300)

    def start(self, verb, *args):
        argv = self.box.argv("conference", verb, self.root, "--slots", self.slots, *args, binary=support.DEBUG)
        return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env=self.box.environment(**self.env), cwd=self.box.workspace)

    @property
    def events(self):
        """The whole lines."""
        path = self.root / EVENTS
        whole = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        return [json.loads(line) for line in whole]

    @property
    def lines(self):
        try:
            return (self.root / EVENTS).read_bytes().count(b"\n")
        except FileNotFoundError:
            return 0

    def artifacts(self):
        files = [*self.root.glob("*.md"), *self.root.glob("*.tsv")]
        return {path.name: path.read_text() for path in files}

    def living(self):
        """Processes that bear this sandbox's path in their environment."""
        mark, found = str(self.box.user).encode() + b"\0", []
        for process in pathlib.Path("/proc").iterdir():
            try:
                if process.name.isdigit() and mark in (process / "environ").read_bytes():
                    found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200])
            except OSError:
                continue
        return [command for command in found if command]

    def lives(self, patience=10):
        """What still lives once it had the time to go."""
        until = time.monotonic() + patience
        while (found := self.living()) and time.monotonic() < until:
            time.sleep(0.01)
        return found

    def kill(self, process, moment):
        """Kills it at a moment: seconds since it began, or lines of events and a little more."""
        kind, amount, more = moment
        began = time.monotonic()
        until = began + amount if kind == "time" else began + 60
        while process.poll() is None and time.monotonic() < until:
            if kind == "lines" and self.lines >= amount:
                time.sleep(more)
                break
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


class Trial:
    """One run that is killed and gone on with; what is wrong with it is kept."""

    def __init__(self, held, random, what, counts):
        self.held, self.random, self.what, self.counts = held, random, what, counts
        self.passed, self.failures = 0, []
        self.lost, self.before = set(), []

    def check(self, holds, what, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failures.append((f"{self.what}: {what}", str(detail)[:900]))
        return holds

    def died(self):
        """What must hold as soon as a run is dead, and what is remembered of it."""
        living = self.held.lives()
        self.check(not living, "nothing of the run lives", living)
        now = self.held.events
        self.check(now[:len(self.before)] == self.before, "the history is kept")
        self.before = now
        self.lost |= open_ids(now)
        return now

    def go_on(self, again=()):
        """Resumes until it ends; those in `again` are killed at their moments."""
        moments, flags = list(again), []
        for _ in range(40):
            verb = "resume" if self.before else "run"
            if moments and self.before and not named(self.before, *OVER):
                self.counts["kills of a resume"] += self.held.kill(self.held.start(verb, *flags), moments.pop())
                self.died()
                flags = []
                continue
            answer = self.held.verb(verb, "--slots", self.held.slots, *flags)
            if answer.code != 6 or "BLOCKED_LOST_CHILD" not in answer.out + answer.err:
                return answer
            offered = [flag for flag in ("--go-on", "--redispatch") if flag in answer.out + answer.err]
            self.check(offered and self.lost, "it asks where something was lost", answer.brief())
            flags = [self.random.choice(offered or ["--go-on"])]
            self.counts[flags[0]] += 1
        return answer

    def accounted(self, answer, events):
        issued = ids(events, "dispatch.issued")
        self.check(len(set(issued)) == len(issued), "no id went out twice", issued)
        ends = ids(events, *ENDS)
        self.check(sorted(ends) == sorted(issued), "every id has one end", (issued, ends))
        for what in ("reserved", "settled"):
            found = ids(events, f"budget.{what}")
            self.check(sorted(found) == sorted(issued), f"every id is {what} once", found)
        reasons = {payload["dispatch_id"]: payload.get("reason") for payload in named(events, "dispatch.failed")}
        lost = {one for one, reason in reasons.items() if reason == "lost"}
        self.check(lost == self.lost, "what was out is lost, and nothing else", (lost, self.lost))
        for one in issued:
            task, attempt = one.rsplit(".", 1)
            if attempt != "1":
                self.check(f"{task}.{int(attempt) - 1}" in lost, "only what was lost goes out again", one)
        self.check(len(named(events, *OVER)) == 1, "it ends once", answer.brief())
        # Whoever goes on without the probe, or without any lane, has nobody left to work with.
        stop = named(events, *OVER)[0]["stop_code"] if named(events, *OVER) else None
        probes = {one for one in issued if ".probe." in one}
        rounds = collections.defaultdict(set)
        for one in issued:
            _, of, who, *_ = one.split(".")
            if who.isupper():
                rounds[of].add(one)
        if stop == "BLOCKED_MULTI_AGENT_UNAVAILABLE":
            self.check(probes and probes == set(issued) and probes <= lost, "only a lost probe ends it", issued)
        elif stop == "BLOCKED_NO_VALID_PACKET":
            self.check(any(lanes <= lost for lanes in rounds.values()), "only lost lanes end it", (issued, lost))
        else:
            self.check(answer.code in (0, 8) and stop in GOOD, f"exit {answer.code} with {stop}", answer.brief())
        self.counts[f"ends with {stop}"] += 1

    def sound(self):
        held = self.held
        replayed = held.verb("check", "--replay")
        self.check(replayed.code == 0 and replayed.json.get("replay", {}).get("differences", []) == [],
                   "check --replay finds no difference", replayed.brief())
        verified = held.box.loop("verify", binary=support.DEBUG)
        self.check(verified.code == 0, "verify", verified.brief())
        living = held.lives()
        self.check(not living, "nothing lives in the end", living)
        left = [path.name for path in held.box.temporary.iterdir()]
        self.check(not left, "no folder of a child is left", left)
        left = [path.name for path in (*held.root.iterdir(), *(held.root / "packets").iterdir()) if path.suffix == ".tmp"]
        self.check(not left, "no unfinished file is left", left)

    def tell(self, moment, again, whole):
        held = self.held
        held.restore()
        self.counts["kills of a run"] += held.kill(held.start("run"), moment)
        events = self.died()
        self.counts["before the gate"] += not events
        answer = self.go_on(again)
        events = held.events
        self.check(events[:len(self.before)] == self.before, "the history is kept in the end")
        self.accounted(answer, events)
        self.sound()
        if self.lost:
            self.counts["with children out"] += 1
        elif whole:
            self.counts["with nothing out"] += 1
            self.check(held.artifacts() == whole[0], "the same artifacts as those of a whole run")
            differs = collections.Counter(bare(events))
            differs.subtract(whole[1])
            differs = {line[:200]: count for line, count in differs.items() if count}
            self.check(not differs, "the same events as those of a whole run", differs)
        return self


def programs(folder, number, shape):
    """An approved root of a shape."""
    box = Sandbox.make(folder / f"{number}-{SHAPES.index(shape)}")
    box.temporary = box.root / "tmp"
    box.temporary.mkdir()
    (box.workspace / "conference.md").write_text(shape.form)
    for name, text in (("child.sh", shape.child), ("cost.sh", COST)):
        (box.workspace / name).write_text(text)
        (box.workspace / name).chmod(0o755)
    held = Held(box, box.workspace, CLOCK, shape.slots)
    held.approve()
    return held


def whole_run(held, trial):
    """How long a run takes that nobody kills, how many lines it writes, and its end."""
    began = time.monotonic()
    answer = held.verb("run", "--slots", held.slots)
    took = time.monotonic() - began
    trial.accounted(answer, held.events)
    trial.sound()
    return took, held.lines, (held.artifacts(), collections.Counter(bare(held.events)))


def moments(random, took, lines):
    """When a run dies, and when those that go on with it do."""
    by_time = lambda: ("time", random.uniform(0, took), 0)
    by_lines = lambda: ("lines", random.randint(1, lines), random.uniform(0, 0.02))
    first = random.choice((by_time, by_lines))()
    again = [by_time() for _ in range(random.choice((0, 0, 0, 1, 2)))]
    return first, again


def work(folder, number, kills):
    """One worker's share: its passes, failures and counts."""
    counts, passed, failures = collections.Counter(), 0, []
    for shape in SHAPES:
        held = programs(folder, number, shape)
        seeded = random.Random(f"{SEED} {number} {shape.name}")
        trial = Trial(held, seeded, f"{shape.name}, whole", counts)
        took, lines, end = whole_run(held, trial)
        trials = [trial]
        for at in range(number, kills, WORKERS):
            if at % len(SHAPES) == SHAPES.index(shape):
                moment, again = moments(seeded, took, lines)
                what = f"{shape.name}, kill {at} at {moment}, then {again}"
                trials.append(Trial(held, seeded, what, counts).tell(moment, again, end))
        passed += sum(one.passed for one in trials)
        failures += [failure for one in trials for failure in one.failures]
        shutil.rmtree(held.box.root)
        counts[f"a whole run of '{shape.name}' takes ms"] = round(took * 1000)
    return passed, failures, counts


def small_programs(tally, folder):
    """Many kills, with programs as children."""
    began, counts = time.monotonic(), collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(WORKERS) as pool:
        for passed, failures, counted in pool.map(work, *zip(*((folder, n, KILLS) for n in range(WORKERS)))):
            tally.add(passed, failures)
            counts += counted
    for what, count in sorted(counts.items()):
        print(f"  {count:5} {what}", flush=True)
    print(f"  small programs: {time.monotonic() - began:.0f} s", flush=True)
    tally.check(counts["kills of a run"] > KILLS * 3 // 4, "most runs were killed before their end", counts)
    for what in ("with children out", "with nothing out", "kills of a resume", "--go-on", "--redispatch"):
        tally.check(counts[what] > 0 or KILLS < 50, f"there were some {what}", counts)


def real_agents(tally, folder):
    """A few kills, with real Hermes processes as children."""
    began, counts = time.monotonic(), collections.Counter()
    seeded = random.Random(f"{SEED} agents")
    with Model() as model:
        story = agents.Story(tally, folder, model)
        story.play(lambda *_: None)
        conference = agents.Conference(story.box, "killed", "AB", rounds=2)
        path = f"{support.HERMES / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}"
        held = Held(story.box, conference.root, {"PATH": path}, 2)
        held.approve()
        # After the gate, with the probe, both lanes, the reviewer or the synthesis out.
        for at, lines in enumerate((4, 10, 13, 20, 35, 50)[:HOST_KILLS]):
            moment = ("lines", lines, seeded.uniform(0, 1.5))
            trial = Trial(held, seeded, f"real agents, kill {at} at {moment}", counts).tell(moment, [], None)
            tally.add(trial.passed, trial.failures)
        print(f"  {len(story.turns)} turns of real Hermes {host.VERSION} processes reached the model", flush=True)
    for what, count in sorted(counts.items()):
        print(f"  {count:5} {what}", flush=True)
    print(f"  real agents: {time.monotonic() - began:.0f} s", flush=True)
    tally.check(counts["with children out"] > 2, "agents were out when their runs were killed", counts)


def main():
    tally = Tally()
    tally.check(support.DEBUG.exists(), f"`{support.DEBUG}` is built")
    if not host.present(tally) or tally.failed:
        tally.close()
    folder = support.scratch("resume")
    parts = [part for part in (small_programs, real_agents) if sys.argv[1:] in ([], [part.__name__])]
    try:
        for part in parts:
            part(tally, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    main()
