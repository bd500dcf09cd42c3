"""System calls that change a disk, as `strace` saw them, and faults put into them.

`check_counting` proves on a sample what an injection's `when=` counts; the suites rely on it.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys

# What each call is as a stop point (src/disk/step.rs). `Create` and `Mode` have none of their own:
# a file that is made empty, or a mode that is set, is nothing before the write or flush that follows.
KINDS = {
    "Write": "write pwrite64 writev pwritev pwritev2 copy_file_range sendfile",
    "Flush": "fsync fdatasync sync_file_range syncfs",
    "Rename": "rename renameat renameat2",
    "Link": "link linkat symlink symlinkat",
    "Unlink": "unlink unlinkat",
    "Rmdir": "rmdir",
    "Truncate": "ftruncate truncate fallocate",
    "Mkdir": "mkdir mkdirat",
    "Create": "open openat openat2 creat",
    "Mode": "chmod fchmod fchmodat fchmodat2 chown fchown fchownat utimensat",
}
KIND_OF = {call: kind for kind, calls in KINDS.items() for call in calls.split()}
# The calls that fail when a disk is full.
FILLING = [call for kind in ("Write", "Flush", "Rename", "Link", "Mkdir") for call in KINDS[kind].split()]

LINE = re.compile(r"(\d+)\s+(\w+)\((.*)$")
PLACE = re.compile(r'(?:(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>(?:\(deleted\))?)?(?:, )?"((?:[^"\\]|\\.)*)"')
DESCRIPTOR = re.compile(r"\d+<((?:[^>\\]|\\.)*)>")


@dataclasses.dataclass
class Call:
    """One system call of a trace."""

    process: str
    name: str
    ordinal: int
    """The how-manieth of its name in its process, counted from 1 as `when=` counts."""
    kind: str
    path: str
    """What it changes: the new name of a rename or link."""
    data: str
    """The beginning of what was written."""

    @property
    def base(self):
        return pathlib.PurePath(self.path).name

    def below(self, folders):
        return any(self.path == folder or self.path.startswith(folder + "/") for folder in folders)

    def key(self):
        """Kind and name without what differs between two runs: ids, process numbers."""
        name = re.sub(r"[0-9a-f]{8,}", "#", self.base)
        name = re.sub(r"^[0-9a-f]{2}$", "#", name)
        return f"{self.kind} {re.sub(r'[0-9]+', '#', name)}"


def command(log, inject=()):
    """The tracer to put before a command line."""
    # `--seccomp-bpf` would be faster, but with it an injected signal is not delivered.
    faults = [word for fault in inject for word in ("-e", f"inject={fault}")]
    calls = ",".join(f"?{call}" for call in KIND_OF)
    return ["strace", "-f", "-y", "-s", "300", "-o", str(log), "-e", f"trace={calls}", *faults]


def read(log):
    """The mutating calls of a trace, in order. Opens for reading are left out."""
    counts, calls = {}, []
    for line in pathlib.Path(log).read_text(errors="replace").splitlines():
        match = LINE.match(line)
        if not match or match[2] not in KIND_OF:
            continue
        process, name, rest = match.groups()
        counts[process, name] = counts.get((process, name), 0) + 1
        call = Call(process, name, counts[process, name], KIND_OF[name], *target(name, rest))
        if classify(call, rest):
            calls.append(call)
    return calls


def classify(call, rest):
    """Settles the kind where flags decide it; false for a call that changes nothing."""
    if call.kind == "Create":
        if "O_TRUNC" in rest and "O_EXCL" not in rest:
            call.kind = "Truncate"
            return True
        return "O_CREAT" in rest
    if "RENAME_EXCHANGE" in rest:
        call.kind = "Exchange"
    if "AT_REMOVEDIR" in rest:
        call.kind = "Rmdir"
    return True


def target(name, rest):
    """The path that a call changes, and the beginning of what it writes."""
    if KIND_OF[name] in ("Write", "Flush") or name in ("ftruncate", "fallocate", "fchmod", "fchown"):
        descriptor = DESCRIPTOR.match(rest)
        data = re.search(r', "((?:[^"\\]|\\.)*)"', rest)
        return descriptor[1] if descriptor else "", data[1] if data else ""
    places = PLACE.findall(rest)
    if not places:
        return "", ""
    folder, last = places[-1]
    return (last if last.startswith("/") else f"{folder}/{last}"), ""


def filling_from(calls, index):
    """Injections that let call number `index` and every later call that fills a disk fail."""
    before = calls[:index]
    faults = []
    for name in FILLING:
        ordinals = [call.ordinal for call in before if call.name == name]
        faults.append(f"?{name}:error=ENOSPC:when={max(ordinals, default=0) + 1}+")
    return faults


def killed_at(log):
    """The call in which the traced process was killed; None where it was not."""
    lines = pathlib.Path(log).read_text(errors="replace").splitlines()
    if not any("+++ killed by SIGKILL +++" in line for line in lines):
        return None
    calls = read(log)
    return calls[-1] if calls else None


def check_counting(tally, folder):
    """Proves what the suites build upon: the n-th call *of that name* is hit, and is not done."""
    program = (
        "import os\n"
        "for n in '123':\n"
        "    fd = os.open('file' + n, os.O_CREAT | os.O_WRONLY)\n"
        "    os.write(fd, b'12345'); os.fsync(fd)\n"
    )

    def sizes(*inject):
        for file in folder.glob("file?"):
            file.unlink()
        line = [*command(folder / "sample.trace", inject), sys.executable, "-c", program]
        done = subprocess.run(line, cwd=folder, capture_output=True, check=False)
        return done.returncode, [file.stat().st_size for file in sorted(folder.glob("file?"))]

    tally.equal(sizes("write:signal=SIGKILL:when=2"), (-9, [5, 0]), "the second write is killed, not done")
    tally.equal(sizes("write,fsync:signal=SIGKILL:when=2"), (-9, [5, 0]), "each name counts for itself")
    tally.equal(sizes("fsync:signal=SIGKILL:when=2"), (-9, [5, 5]), "the second flush is killed")
    tally.equal(sizes("write:error=ENOSPC:when=3+")[1], [5, 5, 0], "the third write fails")
    calls = [call for call in read(folder / "sample.trace") if call.below([str(folder)])]
    tally.equal([call.kind for call in calls], ["Create", "Write", "Flush"] * 2 + ["Create", "Write"],
                "the trace lists each call")
