#!/usr/bin/env python3
"""Power cuts in the middle of decisions, on real file systems (ext4, xfs) in loop-mounted images.

A cut is the file system's own shutdown without a flush of its log: from that instant nothing
reaches the image, and what was not flushed is gone. The image is unmounted, mounted again (which
replays the journal) and looked at. The cutter is proved first: unflushed files must be lost,
flushed ones must stay.
"""

import contextlib
import fcntl
import os
import random
import shutil
import struct
import subprocess
import sys
import threading
import time

import support
from support import Sandbox, Tally

CUTS = int(os.environ.get("POWER_CUTS", "14"))
"""Cuts in the middle of a command, for each file system."""
LEAST_OF_EACH = max(1, CUTS // 7)
"""Cuts of each verb, and with the old and with the new files found afterwards."""
MOST = 8 * CUTS
SEED = int(os.environ.get("POWER_CUTS_SEED", "20261130"))
MAKE = {"ext4": ["mkfs.ext4", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-f"]}
SIZE = 320 << 20  # the least that mkfs.xfs takes is 300 MiB
GOING_DOWN = 0x8004587D  # XFS_IOC_GOINGDOWN, which ext4 knows as EXT4_IOC_SHUTDOWN
NO_FLUSH = struct.pack("I", 2)
SKILLS = ("release-notes", "house-style", "triage")


class Disk:
    """An image, mounted through a loop device, whose power can be cut."""

    def __init__(self, kind, folder):
        self.kind = kind
        self.image = folder / f"{kind}.img"
        self.place = folder / kind
        self.place.mkdir()
        with open(self.image, "wb") as image:
            image.truncate(SIZE)
        subprocess.run([*MAKE[kind], self.image], check=True, capture_output=True)
        self.mounted = False

    def mount(self):
        subprocess.run(["mount", "-o", "loop", "-t", self.kind, self.image, self.place], check=True)
        self.mounted = True

    def unmount(self):
        """Unmounts; a process that was just cut off may hold a file for a moment."""
        for _ in range(200):
            done = subprocess.run(["umount", self.place], capture_output=True, check=False)
            if done.returncode == 0:
                self.mounted = False
                return
            time.sleep(0.02)
        raise OSError(done.stderr.decode())

    def cut(self):
        """The instant: whatever is not on the image now never gets there."""
        handle = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(handle, GOING_DOWN, NO_FLUSH)
        finally:
            os.close(handle)

    def sync(self):
        """Lets everything written so far reach the image, as a journal commit by chance would."""
        handle = os.open(self.place, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError:
            pass
        finally:
            os.close(handle)

    def back(self):
        """Power is back: the journal is replayed."""
        self.unmount()
        self.mount()


def control(tally, disk):
    """The cutter is honest: it loses what was not flushed and keeps what was."""
    disk.mount()
    subprocess.run(["sync", "-f", disk.place], check=True)
    for number in range(20):
        (disk.place / f"plain-{number}").write_bytes(b"acknowledged, not flushed")
        with open(disk.place / f"flushed-{number}", "wb") as file:
            file.write(b"acknowledged and flushed")
            if number < 10:
                file.flush()
                os.fsync(file.fileno())
    for number in range(20, 30):  # after the last flush: nothing carries these along
        (disk.place / f"plain-{number}").write_bytes(b"acknowledged, not flushed")
    disk.cut()
    disk.back()
    whole = [n for n in range(10) if content(disk.place / f"flushed-{n}") == b"acknowledged and flushed"]
    lost = [n for n in range(30) if content(disk.place / f"plain-{n}") != b"acknowledged, not flushed"]
    tally.equal(len(whole), 10, f"{disk.kind}: flushed files survive a cut")
    tally.check(len(lost) >= 10, f"{disk.kind}: a cut loses unflushed files", f"lost {len(lost)} of 30")
    print(f"  {disk.kind}: control: lost {len(lost)} of 30 unflushed, kept {len(whole)} of 10 flushed")
    disk.unmount()


def content(path):
    return path.read_bytes() if path.exists() else None


class Acknowledged:
    """What was acknowledged, kept in memory: the machine that remembers is not the one that fails."""

    def __init__(self):
        self.receipts = []
        self.bytes = {}
        """Skill to its files after the last acknowledged decision."""


class Workload:
    """Decisions, one after another, on a few skills; each knows what it would make of the files."""

    def __init__(self, box, chance):
        self.box = box
        self.chance = chance
        self.known = Acknowledged()
        self.round = 0
        self.undo = None

    def start(self):
        """Some skills to decide on."""
        for skill in SKILLS:
            document = support.create(skill, ("references/log.md", "Entry 0.\n"))
            self.acknowledge(skill, self.box.decide("apply", self.box.propose(document)))

    def acknowledge(self, skill, receipt):
        self.known.receipts.append(receipt)
        self.known.bytes[skill] = support.contents(self.box.skills / skill)

    def next(self):
        """Prepares a decision: the skill, the verb's command line, and the files after it."""
        self.round += 1
        if self.undo and self.chance.random() < 0.6:
            skill, receipt, before = self.undo
            self.undo = None
            return skill, ["rollback", receipt], before
        skill = self.chance.choice(SKILLS)
        before = dict(self.known.bytes[skill])
        mode, text = before["SKILL.md"]
        last = text.decode().rstrip("\n").rsplit("\n", 1)[-1]
        line = f"Line of round {self.round}."
        path = f"references/round-{self.round}.md"
        document = support.support_file(skill, path, f"Round {self.round}.\n", (last, line))
        after = before | {"SKILL.md": (mode, text.decode().replace(last, line).encode())}
        after[path] = (None, f"Round {self.round}.\n".encode())
        return skill, ["apply", self.box.propose(document)], after

    def done(self, skill, line, answer, before):
        """Takes a decision as acknowledged."""
        receipt = support.receipt_of(answer)
        self.acknowledge(skill, receipt)
        self.undo = (skill, receipt, before) if line[0] == "apply" else None


def texts(files):
    """The bytes without the modes."""
    return {path: data for path, (_, data) in files.items()}


class Cuts:
    """The cuts that fell into a command, by verb and by what was found."""

    def __init__(self):
        self.number = 0
        self.middle = {"apply": 0, "rollback": 0}
        self.found = {"old": 0, "new": 0}

    def enough(self):
        """Enough of them, of both verbs, with both ends."""
        some = [*self.middle.values(), *self.found.values()]
        return sum(self.middle.values()) >= CUTS and min(some) >= LEAST_OF_EACH


def campaign(tally, disk, chance):
    """Cuts until enough of them fell into a command."""
    disk.mount()
    work = Workload(Sandbox.make(disk.place / "box"), chance)
    work.start()
    cuts, pace = Cuts(), {"apply": 0.02, "rollback": 0.02}
    while not cuts.enough() and cuts.number < MOST:
        cuts.number += 1
        for _ in range(chance.randrange(1, 3)):
            undisturbed(work, pace)
        skill, line, after = work.next()
        before = work.known.bytes[skill]
        # No sync here: what the commands before this one acknowledged has to be durable by itself.
        answer = interrupted(disk, work.box, line, chance, pace[line[0]])
        disk.back()
        what = f"{disk.kind}: cut {cuts.number}, in {line[0]}"
        outcome = look(tally, work, what, (skill, line, before, after, answer))
        if not is_acknowledged(answer):
            cuts.middle[line[0]] += 1
            cuts.found[outcome] += 1
        work.known.bytes[skill] = support.contents(work.box.skills / skill)
        work.undo = None
        print(f"  {what}: exit {answer.code}, found {outcome}", flush=True)
    disk.unmount()
    detail = f"{cuts.middle}, {cuts.found} of {cuts.number} cuts"
    tally.check(cuts.enough(), f"{disk.kind}: {CUTS} cuts in the middle, {LEAST_OF_EACH} of each kind", detail)
    print(f"  {disk.kind}: {detail}")


def undisturbed(work, pace):
    """One decision without a cut; keeps how long such a decision takes."""
    skill, line, _ = work.next()
    before = work.known.bytes[skill]
    begin = time.monotonic()
    answer = work.box.loop(*line)
    if answer.code != 0:
        raise support.Refused(line[0], answer)
    pace[line[0]] = (pace[line[0]] + time.monotonic() - begin) / 2
    work.done(skill, line, answer, before)


def interrupted(disk, box, line, chance, pace):
    """Starts a decision and cuts the power at a random instant while it runs: anywhere, or (every
    other time) after its opening line, where the files are written."""
    written = box.ledger.stat().st_size if chance.random() < 0.5 else None
    moment = chance.uniform(0, pace / 2 if written else pace)
    commits = chance.random() < 0.5

    def cutter():
        end = time.monotonic() + pace
        while written and box.ledger.stat().st_size == written and time.monotonic() < end:
            time.sleep(0.0002)
        end = time.monotonic() + moment
        while time.monotonic() < end:
            if commits:  # a journal commit now and then: other prefixes of the work survive
                disk.sync()
            time.sleep(0.0005)
        disk.cut()

    thread = threading.Thread(target=cutter)
    thread.start()
    try:
        return box.loop(*line)
    finally:
        thread.join()


def is_acknowledged(answer):
    """Whether the command ended well, and everything after its closing line too.

    ext4's shutdown lets a flush that waits in that very instant succeed although its commit was
    aborted: a loop of plain `write` and `fdatasync` loses its last append in two of a hundred cuts.
    All later writes fail then, and the command warns of them.
    """
    warned = any(entry.get("warnings") for entry in support.objects(answer.json))
    return answer.code == 0 and not warned


def look(tally, work, what, decision):
    """After the power is back: nothing acknowledged is lost, files are old or new, all is sound."""
    skill, line, before, after, given = decision
    box, acknowledged = work.box, is_acknowledged(given)
    if acknowledged:
        work.known.receipts.append(support.receipt_of(given))
    now = texts(support.contents(box.skills / skill))
    mixed = [path for path in now.keys() | before.keys() | after.keys()
             if now.get(path) not in (texts(before).get(path), texts(after).get(path))]
    tally.check(not mixed, f"{what}: every file old or new", str(mixed))
    for other in set(SKILLS) - {skill}:
        tally.equal(support.contents(box.skills / other), work.known.bytes[other], f"{what}: `{other}` as acknowledged")
    kept = {entry["id"] for entry in box.entries()}
    lost = [receipt for receipt in work.known.receipts if receipt not in kept]
    tally.check(not lost, f"{what}: no acknowledged receipt is lost", str(lost))
    if acknowledged:
        tally.equal(now, texts(after), f"{what}: what was acknowledged is there")
    answer = box.loop("verify")
    tally.check(answer.code == 0, f"{what}: verify before recovery", answer.brief())
    answer = box.loop("verify", "--repair")
    tally.check(answer.code == 0, f"{what}: recovery", answer.brief())
    now = texts(support.contents(box.skills / skill))
    tally.check(now in (texts(before), texts(after)), f"{what}: old or new as a whole")
    tally.check(not support.temporaries(box.root), f"{what}: no temporary file", str(support.temporaries(box.root)))
    found = "old" if now == texts(before) else "new"
    if line[0] == "apply":
        state = box.state(line[1])
        tally.check((found == "new") == (state == "applied"), f"{what}: the state says so", f"{found}, {state}")
    box.sound(tally, what)
    return found


def main():
    tally = Tally()
    for program in ("mkfs.ext4", "mkfs.xfs", "mount", "git"):
        support.require(tally, program)
    tally.check(os.geteuid() == 0, "loop mounts need root")
    tally.check(support.RELEASE.exists(), f"`{support.RELEASE}` is built")
    if tally.failed:
        tally.close()
    chance = random.Random(SEED)
    print(f"  seed {SEED}")
    folder = support.scratch("power")
    try:
        for kind in MAKE:
            disk = Disk(kind, folder)
            try:
                control(tally, disk)
                if "--control" not in sys.argv:
                    campaign(tally, disk, chance)
            except (support.Refused, OSError, subprocess.SubprocessError) as error:
                tally.check(False, f"{kind}: could be carried out", repr(error))
            finally:
                with contextlib.suppress(OSError):
                    if disk.mounted:
                        disk.unmount()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    main()
