#!/usr/bin/env python3
"""What the completion scripts do in the real shells: bash, zsh and elvish on a terminal, fish by `complete -C`.

The scripts are those that `lithermes completions` prints. Beside what is completed: that asking for
ids opens nothing for writing and takes no lock, and how long it takes among 1,000 proposals.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import tempfile
import termios
import time
from fcntl import ioctl

import support
from support import Sandbox, Tally

PATIENCE = 20
MANY = 1000
BUDGET = 0.100
ESCAPE = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|\x1b[=>78]|[\r\x08]")
PROMPT = b"@ "
BELL = b"\x07"


class Shell:
    """An interactive shell on a terminal of its own. More is typed only when what was typed is answered."""

    def __init__(self, command, env, folder):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, env)
        ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
        self.raw = b""
        self.count = 0

    @property
    def screen(self):
        """What came and was not taken yet, without what only moves the cursor."""
        return ESCAPE.sub(b"", self.raw)

    def wait(self, *texts):
        """Reads until all these texts have come."""
        end = time.monotonic() + PATIENCE
        while any(text not in self.screen for text in texts):
            ready = select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]
            try:
                more = os.read(self.fd, 65536) if ready else b""
            except OSError:
                more = b""
            if not more:
                raise TimeoutError(f"{texts} never came: {self.screen[-2000:]!r}")
            self.raw += more

    def take(self, text):
        """The screen up to this text, which is taken off it."""
        self.wait(text)
        before, self.raw = self.screen.split(text, 1)
        return before.decode(errors="replace")

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def run(self, line):
        """Runs a line; gives what was on the screen before its end, and waits for the next prompt."""
        self.count += 1
        # Typed in two halves, so that the echo of the line is not its end.
        self.type(f"{line}echo end-'of'-{self.count}\r")
        screen = self.take(f"end-of-{self.count}".encode())
        self.take(PROMPT)
        return screen

    def complete(self, line, wanted):
        """What one TAB shows and writes behind this line, which is then thrown away. Where nothing
        fits, the shell rings the bell."""
        self.type(f"{line}\t")
        self.wait(*[text.encode() for text in wanted] or [BELL])
        return self.run("\x15")

    def close(self):
        os.close(self.fd)
        try:
            os.kill(self.pid, signal.SIGHUP)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)


class Scene:
    """One proposal in every state, and a file that is none of them."""

    def __init__(self, folder):
        self.box = Sandbox.make(folder)
        (self.box.workspace / "letter.json").write_text("{}\n")
        hostile = support.create("hostile", body="x\n")
        hostile["rationale"] = "a $(touch pwned) `touch pwned` %F{red} \x1b]0;x\x07 'b' \\ end"
        self.hostile = self.box.propose(hostile)
        self.pending = self.box.propose(support.create("pending"))
        self.decided = [self.box.propose(support.create(name)) for name in ("applied", "rejected")]
        self.receipt = self.box.decide("apply", self.decided[0])
        self.box.decide("reject", self.decided[1])

    def environment(self):
        path = f"{support.RELEASE.parent}:{os.environ['PATH']}"
        more = {"PATH": path, "HERMES_HOME": str(self.box.home), "TERM": "xterm", "PS1": "@ "}
        return self.box.environment(**more)

    def script(self, shell, name):
        """Prints the script of a shell into a file."""
        answer = support.execute([str(support.RELEASE), "completions", shell], "", self.environment(), self.box.workspace)
        path = self.box.user / "scripts" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(answer.out)
        return path

    def table(self):
        """A line, what it completes to, and what it does not."""
        pending, both = [self.hostile, self.pending], [*self.decided, self.hostile, self.pending]
        return (
            ("lithermes skill-loop apply ", pending, [*self.decided, "letter.json"]),
            ("lithermes skill-loop reject --reason no ", pending, [*self.decided, "letter.json"]),
            (f"lithermes skill-loop apply {self.pending[:9]}", [self.pending], [self.hostile]),
            (f"lithermes skill-loop apply {self.pending} ", [self.hostile], ["letter.json"]),
            ("lithermes skill-loop show ", both, [self.receipt, "letter.json"]),
            ("lithermes skill-loop rollback ", [self.receipt], [self.pending, "letter.json"]),
            ("lithermes --workspace /nowhere skill-loop apply ", [], [*both, "letter.json"]),
            ("lithermes --hermes-home=/nowhere skill-loop rollback ", [], [self.receipt, "letter.json"]),
            ("lithermes skill-loop roll", ["rollback"], [self.receipt]),
            ("lithermes skill-loop apply --keep", ["--keep-going"], [self.pending]),
            ("lithermes skill-loop list --state rolled", ["rolled-back"], [self.pending]),
            ("lithermes skill-loop propose let", ["letter.json"], [self.pending]),
        )


def judge(tally, scene, name, complete, described):
    """The whole table in one shell."""
    before = support.fingerprint(scene.box.root, ["user"])
    for line, wanted, unwanted in scene.table():
        screen = complete(line, wanted).replace("\n", " ")
        missing = [text for text in wanted if text not in screen]
        there = [text for text in unwanted if text in screen]
        tally.check(not missing and not there, f"{name}: `{line}`", f"missing {missing}, not wanted {there}: {screen!r}")
    screen = complete("lithermes skill-loop apply ", [scene.pending])
    tally.equal("hostile: a touch pwned" in screen, described, f"{name}: the reason is shown where there is room")
    tally.check(not list(scene.box.root.rglob("pwned")), f"{name}: nothing in a reason is run")
    after = support.fingerprint(scene.box.root, ["user"])
    tally.equal(after, before, f"{name}: home and workspace are untouched")


def bash(tally, scene):
    script = scene.script("bash", "lithermes.bash")
    shell = Shell(["bash", "--norc", "-i"], scene.environment(), scene.box.workspace)
    shell.wait(PROMPT)
    shell.run("bind 'set enable-bracketed-paste off'; bind 'set show-all-if-ambiguous on'; ")
    shell.run("bind 'set page-completions off'; bind 'set completion-query-items -1'; ")
    said = shell.run(f"source '{script}'; clear; ").split("clear; ")[-1]
    tally.check("lithermes" not in said, "bash: the script is loaded without a word", said)
    judge(tally, scene, "bash", shell.complete, described=False)
    shell.close()


def zsh(tally, scene):
    """Both ways: found in `fpath` at the first use, and evaluated at the start."""
    script = scene.script("zsh", "_lithermes")
    ways = {"zsh, by fpath": f"fpath=('{script.parent}' $fpath)", "zsh, by eval": ":"}
    for name, find in ways.items():
        shell = Shell(["zsh", "-f", "-i"], scene.environment(), scene.box.workspace)
        shell.wait(PROMPT)
        shell.run("unsetopt list_beep prompt_sp list_ambiguous; unset zle_bracketed_paste; LISTMAX=1000; ")
        shell.run(f"{find}; autoload -U compinit; compinit -u -D; ")
        if find == ":":
            shell.run('eval "$(lithermes completions zsh)"; ')
        judge(tally, scene, name, shell.complete, described=True)
        shell.close()


def fish(tally, scene):
    script = scene.script("fish", "lithermes.fish")
    said = []

    def complete(line, _):
        command = ["fish", "--no-config", "-c", f"source '{script}'; complete -C'{line}'"]
        answer = support.execute(command, "", scene.environment(), scene.box.workspace)
        said.append(answer.err)
        return answer.out

    judge(tally, scene, "fish", complete, described=True)
    tally.equal("".join(said), "", "fish: not a word on standard error")


def elvish(tally, scene):
    """Its `edit:` is there on a terminal only. The script is static: no ids."""
    script = scene.script("elvish", "lithermes.elv")
    shell = Shell(["elvish", "-norc"], scene.environment(), scene.box.workspace)
    shell.wait(b"> ")
    shell.run(f"set edit:prompt = {{ put '@ ' }}; set edit:rprompt = {{ }}; eval (slurp < '{script}'); ")
    for words, wanted in (("skill-loop ap", "apply"), ("skill-loop apply --keep", "--keep-going")):
        screen = shell.run(f"$edit:completion:arg-completer[lithermes] lithermes {words} | each $to-string~ | print (all); ")
        tally.check(wanted in screen, f"elvish: `{words}`", screen)
    shell.close()


def powershell(tally, scene):
    """Only where there is one: no package of the usual distributions has it."""
    if shutil.which("pwsh") is None:
        print("  powershell: not installed, its static script is not tried", flush=True)
        return
    script = scene.script("powershell", "_lithermes.ps1")
    command = ["pwsh", "-NoProfile", "-NonInteractive", "-File", str(script)]
    answer = support.execute(command, "", scene.environment(), scene.box.workspace)
    tally.check(answer.code == 0 and not answer.out + answer.err, "powershell: the script is loaded", answer.brief())


def ask(scene, verb, wrap=()):
    command = [*wrap, str(support.RELEASE), "completions", "fish", "--", "lithermes", "skill-loop", verb, ""]
    return support.execute(command, "", scene.environment(), scene.box.workspace)


def quiet_for_the_kernel(tally, scene):
    """Seen from below: nothing is opened for writing, made, moved or locked, and only stdout is written to."""
    log = scene.box.user / "calls"
    changing = "openat,open,creat,mkdir,mkdirat,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlinkat,"
    changing += "chmod,fchmod,fchmodat,truncate,ftruncate,flock,fcntl,write,pwrite64,connect,socket"
    for verb in ("show", "apply", "reject", "rollback"):
        answer = ask(scene, verb, wrap=["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={changing}"])
        calls = log.read_text().splitlines()
        harmless = re.compile(r"O_RDONLY|write\(1,|F_GETFD|F_GETFL|F_DUPFD|\+\+\+|---|/dev/null|/proc/")
        bad = [call for call in calls if not harmless.search(call)]
        tally.check(answer.code == 0 and calls and not bad, f"`{verb}`: the ids are only read", str(bad))


def in_time(tally, folder):
    """The whole process, among many proposals: all pending, then all applied."""
    scene = Scene(folder)
    skills = [f"skill-{n}" for n in range(10)]
    for skill in skills:
        support.plant(scene.box, skill)
    documents = [support.support_file(skill, f"references/{n}.md", f"{n}\n" * 40) for n in range(MANY // 10) for skill in skills]
    answer = scene.box.loop("propose", "-", stdin=support.json.dumps(documents))
    ids = support.PROPOSAL_ID.findall(answer.out)
    tally.equal(len(ids), MANY, f"{MANY} proposals")

    def measure(verb, when):
        times, lines = [], 0
        for _ in range(21):
            began = time.perf_counter()
            lines = len(ask(scene, verb).out.splitlines())
            times.append(time.perf_counter() - began)
        # The budget is the program's: what else the machine does meanwhile is in the median.
        best, median = min(times), statistics.median(times)
        figure = f"{verb}, {when}: {lines} ids in {best * 1000:.1f} ms (median {median * 1000:.1f} ms)"
        print(f"  {figure}", flush=True)
        tally.check(best < BUDGET and lines > 0, f"an answer within {BUDGET * 1000:.0f} ms", figure)

    measure("apply", f"{MANY} proposals pending")
    measure("show", f"{MANY} proposals pending")
    # A receipt holds the command line: one of a thousand ids in each of a thousand is not what people do.
    codes = {scene.box.loop("apply", *ids[at:at + 10]).code for at in range(0, MANY, 10)}
    tally.equal(codes, {0}, "all are applied")
    measure("show", f"{MANY} proposals applied")
    measure("rollback", f"{MANY} proposals applied")


def main():
    tally = Tally()
    tally.check(support.RELEASE.exists(), f"`{support.RELEASE}` is built")
    for program in ("bash", "zsh", "fish", "elvish", "strace"):
        support.require(tally, program)
    if tally.failed:
        tally.close()
    folder = support.scratch("shells")
    # A thousand decisions, each flushed: in memory where the system has such a place.
    memory = pathlib.Path(tempfile.mkdtemp(prefix="lithermes-shells-", dir=next(filter(os.path.isdir, ("/dev/shm", folder)))))
    try:
        scene = Scene(folder / "scene")
        for shell in (bash, zsh, fish, elvish, powershell):
            try:
                shell(tally, scene)
            except TimeoutError as late:
                tally.check(False, f"{shell.__name__} answers", str(late))
        quiet_for_the_kernel(tally, scene)
        in_time(tally, memory / "many")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(memory, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    main()
