"""What the suites against the real world share: a sandbox, a runner, documents, counting.

Standard library only. Every suite ends with one line `N passed, M failed` and an exit code.
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target"))
RELEASE = pathlib.Path(os.environ.get("LITHERMES_RELEASE", TARGET / "release/lithermes"))
DEBUG = pathlib.Path(os.environ.get("LITHERMES_DEBUG", TARGET / "debug/lithermes"))
HERMES = pathlib.Path(os.environ.get("HERMES_VENV", TARGET / "real/hermes"))

PROPOSAL_ID = re.compile(r"p-[0-9a-f]{32}")
LEDGER_ID = re.compile(r"l-[0-9a-f]{12}")
TEMPORARY = re.compile(r"\.lithermes-[0-9a-f]{16}\.tmp")


class Tally:
    """Counts checks, prints failures where they happen, and closes with the one counted line."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, holds, what, detail=""):
        """Counts one check; what failed is said at once. Returns whether it held."""
        if holds:
            self.passed += 1
            return True
        self.failed += 1
        print(f"FAILED {what}" + (f"\n       {detail}" if detail else ""), flush=True)
        return False

    def equal(self, found, expected, what):
        """Counts whether two values are equal, and shows both when they are not."""
        return self.check(found == expected, what, f"found {found!r}, expected {expected!r}"[:900])

    def add(self, passed, failures):
        """Takes over what another process counted: a number, and (what, detail) pairs."""
        self.passed += passed
        for what, detail in failures:
            self.check(False, what, detail)

    def close(self):
        """Prints the counted line and ends the process; no check at all is a failure."""
        if self.passed + self.failed == 0:
            self.check(False, "the suite made no check")
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        sys.exit(1 if self.failed else 0)


@dataclasses.dataclass
class Answer:
    """What one run of a command gave back."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """The document on stdout; an empty object where there is none."""
        try:
            return json.loads(self.out)
        except ValueError:
            return {}

    def find(self, pattern):
        """The first string anywhere in the document that matches the pattern as a whole."""
        found = [text for text in strings(self.json) if pattern.fullmatch(text)]
        return found[0] if found else None

    def brief(self):
        """One line for a failure message."""
        return f"exit {self.code}; {self.out[-400:]!r} {self.err[-600:]!r}"


def strings(value):
    """Every string value in a JSON document, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from strings(member)


class Sandbox:
    """A Hermes home, a workspace and a user's home below one directory."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.home = self.root / "home"
        self.workspace = self.root / "work"
        self.user = self.root / "user"
        self.notes = {}

    @classmethod
    def make(cls, root):
        """Makes the directories and a little that a host leaves lying around."""
        box = cls(root)
        for folder in (box.home / "skills", box.home / "logs", box.workspace, box.user):
            folder.mkdir(parents=True)
        (box.home / "config.yaml").write_text("model:\n  default: fake-model\n")
        (box.home / "logs/agent.log").write_text("a line\n")
        return box

    @property
    def skills(self):
        return self.home / "skills"

    @property
    def ledger(self):
        return self.home / "lithermes/skill-loop-ledger.jsonl"

    @property
    def store(self):
        return self.home / "lithermes/skill-loop-blobs"

    def environment(self, **more):
        """A clean environment: nothing of the caller's but the search path."""
        clean = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(self.user)}
        clean |= {"LANG": "C.UTF-8", "TZ": "UTC", "USER": "tester"}
        clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return clean | more

    def argv(self, *args, binary=RELEASE):
        """The full command line of a verb, with this sandbox's home and workspace."""
        place = ["--hermes-home", str(self.home), "--workspace", str(self.workspace)]
        return [str(binary), *place, *map(str, args), "--json"]

    def run(self, *args, stdin="", wrap=(), binary=RELEASE, env=None, **more):
        """Runs a verb to its end. `wrap` is put before it (a tracer)."""
        command = [*wrap, *self.argv(*args, binary=binary)]
        return execute(command, stdin, self.environment(**(env or {})), self.workspace, **more)

    def loop(self, verb, *args, **more):
        """Runs `skill-loop VERB`, or `doctor`."""
        room = [] if verb == "doctor" else ["skill-loop"]
        return self.run(*room, verb, *args, **more)

    def propose(self, document):
        """Imports a proposal and returns its id; what is refused raises `Refused`."""
        answer = self.loop("propose", "-", stdin=json.dumps(document))
        identity = answer.find(PROPOSAL_ID)
        if answer.code != 0 or identity is None:
            raise Refused("propose", answer)
        return identity

    def decide(self, verb, *args):
        """Takes a decision and returns the receipt's id; what is refused raises `Refused`."""
        answer = self.loop(verb, *args)
        receipt = receipt_of(answer)
        if answer.code != 0 or receipt is None:
            raise Refused(verb, answer)
        return receipt

    def state(self, proposal):
        """The state that `list` shows for a proposal."""
        answer = self.loop("list", "--all")
        for entry in objects(answer.json):
            if entry.get("id") == proposal:
                return entry.get("state") or entry.get("status")
        return None

    def entries(self):
        """The whole lines of the ledger; a torn last line is not there yet."""
        if not self.ledger.exists():
            return []
        whole = self.ledger.read_bytes().split(b"\n")[:-1]
        return [json.loads(line) for line in whole]

    def sound(self, tally, what, repaired=True):
        """Counts whether `verify` holds and git finds the store sound."""
        answer = self.loop("verify")
        holds = answer.code == 0 and (not repaired or not answer.json.get("interrupted"))
        sound = tally.check(holds, f"{what}: verify", answer.brief())
        complaint = fsck(self)
        return tally.check(complaint is None, f"{what}: git fsck", complaint) and sound


class Refused(Exception):
    """A verb that was expected to be carried out was not."""

    def __init__(self, verb, answer):
        super().__init__(f"{verb}: {answer.brief()}")
        self.answer = answer


def execute(command, stdin, env, cwd, timeout=120, **more):
    """Runs a command to its end with text in and out."""
    done = subprocess.run(command, input=stdin.encode(), capture_output=True, env=env, cwd=cwd,
                          timeout=timeout, check=False, **more)
    return Answer(done.returncode, done.stdout.decode(errors="replace"),
                  done.stderr.decode(errors="replace"))


def objects(value):
    """Every JSON object in a document, outermost first."""
    if isinstance(value, dict):
        yield value
        for member in value.values():
            yield from objects(member)
    elif isinstance(value, list):
        for member in value:
            yield from objects(member)


def receipt_of(answer):
    """The id of the receipt in the answer of a deciding verb."""
    for entry in objects(answer.json):
        for field in ("receipt", "ledgerEntryId"):
            if isinstance(entry.get(field), str):
                return entry[field]
    return answer.find(LEDGER_ID)


def fsck(box):
    """What `git fsck --strict` complains about in the store; nothing while there is no store."""
    if not box.store.exists():
        return None
    command = ["git", "--git-dir", str(box.store), "fsck", "--strict", "--no-dangling"]
    answer = execute(command, "", box.environment(), box.workspace)
    lines = (answer.out + answer.err).splitlines()
    lines = [line for line in lines if line and not line.startswith("notice:")]
    return None if answer.code == 0 and not lines else answer.brief()


def contents(folder):
    """Relative path to bytes and mode of every file below a folder, our temporary files left out."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = ("link", os.readlink(path))
        elif path.is_file() and not TEMPORARY.fullmatch(path.name):
            mode = path.stat().st_mode & 0o7777
            found[str(path.relative_to(folder))] = (mode, path.read_bytes())
    return found


def temporaries(folder):
    """Our temporary files below a folder."""
    paths = pathlib.Path(folder).rglob(".lithermes-*")
    return sorted(str(path.relative_to(folder)) for path in paths)


def fingerprint(folder, without=()):
    """Path to kind, mode and digest of everything below a folder, without some subtrees."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        relative = str(path.relative_to(folder))
        if any(relative == top or relative.startswith(top + "/") for top in without):
            continue
        if path.is_symlink():
            found[relative] = ("link", os.readlink(path))
        elif path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            found[relative] = (oct(path.stat().st_mode), digest)
        else:
            found[relative] = (oct(path.stat().st_mode), "")
    return found


def scratch(prefix):
    """A throw-away directory; the caller removes it."""
    return pathlib.Path(tempfile.mkdtemp(prefix=f"lithermes-{prefix}-")).resolve()


def require(tally, program):
    """A missing prerequisite is a failure, never a skip."""
    return tally.check(shutil.which(program) is not None, f"`{program}` is installed")


# Documents ---------------------------------------------------------------------------------

MARKER = 'lithermesAgentGenerated: "true"'


def skill_text(name, description="Draws up the release notes", body=None):
    """A small SKILL.md, not yet marked."""
    body = body or f"# {name}\n\nFirst line.\nSecond line.\nThird line.\n"
    return f"---\nname: {name}\ndescription: {description}\n---\n\n{body}"


def marked(text):
    """The same SKILL.md with the ownership marker (skill-loop.md §4), or None where it has no place."""
    lines = text.splitlines(keepends=True)
    fence = re.compile(r"---\s*$")
    closing = next((at for at, line in enumerate(lines) if at and fence.match(line)), None)
    if not lines or not fence.match(lines[0]) or closing is None:
        return None
    ending = "\r\n" if lines[0].endswith("\r\n") else "\n"
    head = [at for at in range(1, closing) if re.match(r"""["']?metadata["']?\s*:""", lines[at])]
    if not head:
        lines[closing:closing] = [f"metadata:{ending}", f"  {MARKER}{ending}"]
        return "".join(lines)
    if not re.match(r"metadata:\s*(#.*)?$", lines[head[0]]):
        return None
    child = re.match(r"([ \t]+)[^\s#-]", lines[head[0] + 1])
    if child is None:
        return None
    lines.insert(head[0] + 1, f"{child[1]}{MARKER}{ending}")
    return "".join(lines)


def proposal(skill, **change):
    """A proposal document with one change."""
    return {
        "schema": "lithermes/proposal/v1",
        "skill": skill,
        "signal": "correction",
        "rationale": "The user asked for it in three sessions.",
        "evidenceRefs": ["note:said in review"],
        **change,
    }


def create(skill, *more, **text):
    """A proposal that creates a skill, with further files as (path, content) pairs."""
    files = [{"path": "SKILL.md", "content": skill_text(skill, **text)}]
    files += [{"path": path, "content": content} for path, content in more]
    return proposal(skill, create={"files": files})


def patch(skill, *edits, file="SKILL.md"):
    """A proposal that replaces strings of one file, given as (old, new) pairs."""
    if len(edits) == 1:
        change = {"file": file, "oldString": edits[0][0], "newString": edits[0][1]}
    else:
        change = {"file": file, "edits": [dict(oldString=a, newString=b) for a, b in edits]}
    return proposal(skill, patch=change)


def support_file(skill, path, content, pointer=None):
    """A proposal that adds a support file, and the line of SKILL.md that points at it."""
    change = {"path": path, "content": content}
    if pointer:
        change["pointer"] = {"oldString": pointer[0], "newString": pointer[1]}
    return proposal(skill, supportFile=change)


def plant(box, skill, text=None):
    """Puts an agent-owned skill into the home without a proposal."""
    folder = box.skills / skill
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(marked(text or skill_text(skill)))
