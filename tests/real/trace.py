#!/usr/bin/env python3
"""Each system call by which the release binary changes a disk: traced, killed at, and failed.

For every scenario: (a) the calls of the debug binary stand one to one beside its stop points, and
the release binary makes the same ones; (b) the release binary is killed at each call; (c) from each
call on the disk is full. A full tmpfs and a file-size limit do (c) without a tracer.
"""

import concurrent.futures
import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys

import strace
import support
from support import Sandbox, Tally

NOTES = "notes"
REFERENCE = ("references/tone.md", "Short sentences.\n")


# Scenarios: a sandbox made ready, and the command that is watched ---------------------------


def ready(box):
    """One agent-owned skill with a receipt, so that ledger and store exist."""
    box.decide("apply", box.propose(support.create(NOTES, REFERENCE)))
    return box


def pending(document):
    """A preparation that leaves a pending proposal."""

    def prepare(box):
        ready(box)
        return ["apply", box.propose(document)], ""

    return prepare


def first_apply(box):
    return ["apply", box.propose(support.create(NOTES, REFERENCE))], ""


def first_propose(_box):
    return ["propose", "-"], support.json.dumps(support.create(NOTES, REFERENCE))


def propose_patch(box):
    ready(box)
    return ["propose", "-"], support.json.dumps(PATCH)


def reject(box):
    ready(box)
    return ["reject", box.propose(PATCH), "--reason", "not now"], ""


def rollback_patch(box):
    ready(box)
    return ["rollback", box.decide("apply", box.propose(PATCH))], ""


def rollback_create(box):
    ready(box)
    receipt = box.decide("apply", box.propose(support.create("second", REFERENCE)))
    return ["rollback", receipt], ""


def rollback_again(box):
    ready(box)
    receipt = box.decide("apply", box.propose(support.create("second", REFERENCE)))
    return ["rollback", box.decide("rollback", receipt)], ""


def reopen(box):
    ready(box)
    box.decide("reject", box.propose(PATCH))
    return ["propose", "-"], support.json.dumps(PATCH)


def torn(box):
    ready(box)
    with open(box.ledger, "ab") as ledger:
        ledger.write(b'{"actor":"somebo')
    return ["verify", "--repair"], ""


def doctor(box):
    ready(box)
    return ["doctor"], ""


def interrupted(kind, which):
    """A preparation that kills an apply at the `which`-th call of a kind below the skills."""

    def prepare(box):
        ready(box)
        identity = box.propose(POINTER)
        line = ["apply", identity]
        keep = box.root.with_name(box.root.name + ".before")
        shutil.copytree(box.root, keep, symlinks=True)
        calls = traced(box, line, "")
        hits = [call for call in calls if call.kind == kind and call.below([str(box.skills)])]
        restore(keep, box.root)
        shutil.rmtree(keep)
        call = hits[which]
        box.loop(*line, wrap=strace.command(log_of(box), [kill(call)]))
        return ["verify", "--repair"], ""

    return prepare


PATCH = support.patch(NOTES, ("Second line.", "A better second line."))
EDITS = support.patch(NOTES, ("First line.", "One."), ("Second line.", "Two."), ("Third line.", "Three."))
POINTER = support.support_file(NOTES, "references/order.md", "Newest first.\n",
                               ("Third line.", "Third line, see references/order.md."))
ALONE = support.support_file(NOTES, "templates/page.md", "A page.\n")

SCENARIOS = {
    "propose, first": first_propose,
    "propose patch": propose_patch,
    "apply create, first": first_apply,
    "apply create": pending(support.create("second", REFERENCE, ("scripts/run.sh", "echo\n"))),
    "apply patch": pending(PATCH),
    "apply edits": pending(EDITS),
    "apply support file": pending(ALONE),
    "apply file and pointer": pending(POINTER),
    "reject": reject,
    "rollback patch": rollback_patch,
    "rollback create": rollback_create,
    "rollback of that": rollback_again,
    "propose again, reopened": reopen,
    "torn ledger": torn,
    "doctor": doctor,
    "recovery, undone": interrupted("Create", 0),
    "recovery, finished": interrupted("Exchange", 0),
}


# Running one -------------------------------------------------------------------------------


def log_of(box):
    return box.root.with_name(box.root.name + ".trace")


def kill(call):
    return f"{call.name}:signal=SIGKILL:when={call.ordinal}"


def restore(keep, root):
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(keep, root, symlinks=True)


def traced(box, line, stdin, **more):
    """Runs a command under the tracer and gives its mutating calls below home and workspace."""
    box.loop(*line, stdin=stdin, wrap=strace.command(log_of(box)), **more)
    return strace.read(log_of(box))


class Scenario:
    """A prepared sandbox that can be put back, and what a clean run makes of it."""

    def __init__(self, name, folder, tally):
        self.name = name
        self.tally = tally
        self.box = Sandbox.make(folder / "box")
        self.line, self.stdin = SCENARIOS[name](self.box)
        all_folders(self.box)
        self.keep = folder / "box.keep"
        shutil.copytree(self.box.root, self.keep, symlinks=True)
        self.inside = [str(self.box.home), str(self.box.workspace)]
        self.old = support.contents(self.box.skills)
        self.lines = len(self.box.entries())
        self.trace()
        self.new = support.contents(self.box.skills)
        self.recovers = self.line[0] == "verify"
        if not self.recovers:
            tally.check(temporary_free(self.box), f"{name}: a clean run leaves no temporary file")
        tally.check(self.watched, f"{name}: the trace lists a call")
        processes = {call.process for call in self.watched}
        tally.equal(len(processes), 1, f"{name}: one process changes the disk")
        self.box.sound(tally, f"{name}: clean run")

    def trace(self):
        """What the release binary does, from the calls of a clean run."""
        self.calls = traced(self.box, self.line, self.stdin)
        self.watched = [call for call in self.calls if call.below(self.inside)]

    def again(self):
        restore(self.keep, self.box.root)

    def run(self, **more):
        return self.box.loop(*self.line, stdin=self.stdin, **more)

    def compare(self):
        """(a) Every call of the debug binary has its stop point, and the release binary makes the same."""
        for _ in range(40):  # a directory of the store that two ids share is made once: rare, and by chance
            self.again()
            steps = self.box.root.with_name("steps")
            steps.unlink(missing_ok=True)
            more = {"binary": support.DEBUG, "env": {"LITHERMES_TEST_STEPS": str(steps)}}
            calls = traced(self.box, self.line, self.stdin, **more)
            mine = [call.key() for call in calls if call.below(self.inside)]
            theirs = [call.key() for call in self.watched]
            if mine == theirs:
                break
            # Either of them may have been the rare one.
            self.again()
            self.trace()
        faults = pair(calls, str(steps), self.inside)
        self.tally.check(not faults, f"{self.name}: a stop point for each call", "\n       ".join(faults[:12]))
        different = [f"{a} / {b}" for a, b in zip(mine, theirs) if a != b][:6]
        self.tally.check(mine == theirs, f"{self.name}: release and debug make the same calls",
                         f"{len(mine)} and {len(theirs)}; {different}")
        return len([call for call in calls if call.path == str(steps) and call.kind == "Write"])

    def kill_everywhere(self):
        """(b) Killed at each call, then looked at, recovered and carried on."""
        for number, call in enumerate(self.watched):
            what = f"{self.name}: killed at {number + 1}, {call.kind} {call.base}"
            # Object ids hold the time, and with them how many folders of the store are new: the
            # number of a call differs by one or two from run to run.
            for _ in range(60):
                self.again()
                self.run(wrap=strace.command(log_of(self.box), [kill(call)]))
                if strace.killed_at(log_of(self.box)):
                    break
            if self.tally.check(strace.killed_at(log_of(self.box)), f"{what}: it was reached"):
                self.look(what)
                # What a killed doctor leaves, the next one takes away.
                self.carry_on(what, by_repair=number % 2 == 0 and self.line[0] != "doctor")
        return len(self.watched)

    def fill_everywhere(self):
        """(c) From each call that can fill a disk on, everything that can fill it fails."""
        runs = 0
        for index, call in enumerate(self.calls):
            if call.name not in strace.FILLING or not call.below(self.inside):
                continue
            self.again()
            wrap = strace.command(log_of(self.box), strace.filling_from(self.calls, index))
            answer = self.run(wrap=wrap)
            what = f"{self.name}: full from {call.kind} {call.base}"
            # The tracer fails writes to stdout and stderr too: the exit code is of no interest, a signal is.
            self.failed_well(what, answer, codes=range(256))
            runs += 1
        return runs

    def limit_everywhere(self):
        """(c) A file-size limit, from nothing up to where the command succeeds."""
        ledger = self.keep / "home/lithermes/skill-loop-ledger.jsonl"
        size = ledger.stat().st_size if ledger.exists() else 0
        sizes = sorted({0, 1, 40, 200, size, size + 1, size + 300, size + 700, size + 1000, size + 1500})
        for limit in sizes:
            self.again()
            answer = self.run(preexec_fn=lambda limit=limit: small_files(limit))
            self.failed_well(f"{self.name}: files of at most {limit} bytes", answer)
        return len(sizes)

    def failed_well(self, what, answer, codes=(0, 1)):
        """After a failure: said so, nothing half done, and the next command goes on."""
        self.tally.check(answer.code in codes, f"{what}: exit 0 or 1", answer.brief())
        self.look(what)
        if answer.code == 0:
            self.tally.check(support.contents(self.box.skills) == self.new, f"{what}: 0 means done")
        self.carry_on(what, by_repair=False)

    def look(self, what):
        """Before anything recovers: bytes old or new, no receipt without write, no write without opening."""
        now = support.contents(self.box.skills)
        mixed = [path for path in now.keys() | self.old.keys() | self.new.keys()
                 if now.get(path) not in (self.old.get(path), self.new.get(path))]
        self.tally.check(not mixed, f"{what}: every file old or new", str(mixed))
        fresh = [entry["kind"] for entry in self.box.entries()[self.lines:]]
        if now != self.old and not self.recovers:
            self.tally.check("skill.approve" in fresh, f"{what}: no write without an opening line", str(fresh))
        if "skill.apply" in fresh or "skill.rollback" in fresh:
            self.tally.check(now == self.new, f"{what}: no receipt without its write", str(fresh))
        answer = self.box.loop("verify")
        self.tally.check(answer.code == 0, f"{what}: verify before recovery", answer.brief())
        answer = self.box.loop("list")
        self.tally.check(answer.code == 0, f"{what}: list before recovery", answer.brief())

    def carry_on(self, what, by_repair):
        """The next commands find old or new, recover, and reach what a clean run reaches."""
        if by_repair:
            answer = self.box.loop("verify", "--repair")
            self.tally.check(answer.code == 0, f"{what}: repair", answer.brief())
            now = support.contents(self.box.skills)
            self.tally.check(now in (self.old, self.new), f"{what}: old or new as a whole")
            if (self.box.home / "lithermes").exists():
                self.tally.check(temporary_free(self.box), f"{what}: repair clears up")
        answer = self.run()
        self.tally.check(answer.code == 0, f"{what}: the same command again", answer.brief())
        now = support.contents(self.box.skills)
        self.tally.check(now == self.new, f"{what}: new at the end", str(now.keys() ^ self.new.keys()))
        self.tally.check(temporary_free(self.box), f"{what}: no temporary file", str(support.temporaries(self.box.root)))
        self.box.sound(self.tally, what)


def all_folders(box):
    """Object ids hold the time, so how many folders of the store a run makes is chance. With all of
    them there each run makes the same calls; the scenarios without a store show the making."""
    if box.store.exists():
        for number in range(256):
            (box.store / f"objects/{number:02x}").mkdir(mode=0o700, exist_ok=True)


def temporary_free(box):
    return not support.temporaries(box.root)


def pair(calls, steps, inside):
    """Where stop points and calls do not stand one to one, as sentences."""
    faults, announced = [], None
    for call in calls:
        if call.path == steps and call.kind == "Write":
            if announced:
                faults.append(f"the stop point `{announced}` has no call")
            announced = call.data.removesuffix("\\n")
        elif call.below(inside) and call.kind not in ("Create", "Mode"):
            if announced is None:
                faults.append(f"no stop point: {call.name} {call.path}")
            elif announced.split(" ")[0] != call.kind:
                faults.append(f"the stop point `{announced}` stands before {call.name} {call.path}")
            announced = None
    return faults + ([f"the stop point `{announced}` has no call"] if announced else [])


def small_files(limit):
    """In the child: no file may grow beyond `limit` bytes, and a write that would fails with EFBIG."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def one(name, folder):
    """Everything about one scenario, in a process of its own: counts, failures, and a row."""
    tally = Collected()
    row = [name]
    with contextlib.chdir(folder):
        place = folder / name.replace(",", "").replace(" ", "-")
        place.mkdir()
        try:
            scenario = Scenario(name, place, tally)
            row += [len(scenario.watched), scenario.compare(), scenario.kill_everywhere()]
            row += [scenario.fill_everywhere(), scenario.limit_everywhere()]
        except (support.Refused, IndexError, OSError, subprocess.SubprocessError) as error:
            tally.check(False, f"{name}: could be carried out", repr(error))
    return tally.passed, tally.failures, row


class Collected(Tally):
    """A tally that keeps its failures for the process that asked."""

    def __init__(self):
        super().__init__()
        self.failures = []

    def check(self, holds, what, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failures.append((what, detail))
        return bool(holds)


# A real disk that is full ------------------------------------------------------------------


def full_tmpfs(tally, folder):
    """(c) On a small tmpfs with room for 0, 1, 2 … more pages, until the command succeeds."""
    place = folder / "small"
    place.mkdir()
    for name in ("apply create", "apply patch", "apply file and pointer", "rollback patch", "reject"):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place], check=True)
        try:
            runs = fill(Scenario(name, place, tally), place)
        finally:
            subprocess.run(["umount", place], check=True)
        print(f"  {name:24} {runs:4} fillings of a tmpfs", flush=True)


def fill(scenario, place):
    """Leaves ever more pages free; gives the number of runs."""
    # The way back must fit beside the filling: the kept copy moves off the small disk.
    away = support.scratch("kept")
    try:
        shutil.move(scenario.keep, away / "box.keep")
        scenario.keep = away / "box.keep"
        for free in range(80):
            scenario.again()
            log_of(scenario.box).unlink(missing_ok=True)
            ballast = place / "ballast"
            leave(ballast, free)
            answer = scenario.run()
            ballast.unlink()
            scenario.failed_well(f"{scenario.name}: {free} free pages", answer)
            if answer.code == 0:
                return free + 1
        scenario.tally.check(False, f"{scenario.name}: 80 pages are enough")
        return 80
    finally:
        shutil.rmtree(away)


def leave(ballast, pages):
    """Fills the disk with a file but for so many pages."""
    size = os.sysconf("SC_PAGE_SIZE")
    with open(ballast, "wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while file.write(bytes(size)) == size:
                pass
        length = file.tell() // size * size
        file.truncate(max(0, length - pages * size))


def main():
    tally = Tally()
    for program in ("strace", "git"):
        if not support.require(tally, program):
            tally.close()
    for binary in (support.RELEASE, support.DEBUG):
        if not tally.check(binary.exists(), f"`{binary}` is built"):
            tally.close()
    names = [name for name in SCENARIOS if not sys.argv[1:] or name in sys.argv[1:]]
    folder = support.scratch("trace")
    try:
        strace.check_counting(tally, folder)
        print(f"  {'scenario':24} {'calls':>6} {'stops':>6} {'kills':>6} {'full':>6} {'limits':>6}")
        with concurrent.futures.ProcessPoolExecutor() as pool:
            for passed, failures, row in pool.map(one, names, [folder] * len(names)):
                tally.add(passed, failures)
                print(f"  {row[0]:24} " + " ".join(f"{cell:6}" for cell in row[1:]), flush=True)
        if not sys.argv[1:]:
            full_tmpfs(tally, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    main()
