#!/usr/bin/env python3
"""A skill that the user corrected, from the turn of a real Hermes to the turn that knows better.

A scripted model on loopback drives a real headless Hermes: it consults a skill of ours, the user
corrects it, `review` reads the session out of the host's database (also while another Hermes writes
to it, and leaves no file behind), the model answers that very packet, the answer is proposed and
applied, and the next request of Hermes holds the new text. Then the answers that models give, each
said by a real turn, are taken or refused as they are to be.
"""

import json
import re
import shutil
import subprocess
import threading

import host
import support
from scripted_model import Model, call, text_of
from support import Sandbox, Tally

SKILL = "release-notes"
BODY = "# Release notes\n\n## Order\n\n1. Fixes come first.\n2. Breaking changes come last.\n\n## Tone\n\nShort sentences.\n"
WRONG = "2. Breaking changes come last.\n"
RIGHT = "2. Breaking changes stand before everything else.\n"
CORRECTION = "No. Breaking changes have to stand at the top, as in every release before."
# In the form of a real one, which no file of this repository holds.
SECRET = "".join(["gh", "p_", "16C7e42F292c6912E7", "710c838347Ae178B4a"])
ANSWERS = support.PROJECT / "tests/answers.json"
SESSION = re.compile(r"session_id: (\S+)")


class Story:
    """One home, one model, and what is checked on the way."""

    def __init__(self, tally, folder, model):
        self.tally = tally
        self.model = model
        self.box = Sandbox.make(folder / "story")
        (self.box.home / "config.yaml").write_text(model.config())
        self.session = None

    def command(self, prompt, toolset, resume=None):
        """The command line of one headless turn."""
        more = ["--resume", resume] if resume else []
        limits = ["--ignore-rules", "--max-turns", "40"]
        return ["chat", *more, "-q", prompt, "-Q", "-t", toolset, *limits]

    def turn(self, what, prompt, *steps, toolset="skills", resume=None):
        """A real turn in which the model plays these steps; returns what Hermes printed."""
        self.model.play(*steps)
        answer = host.hermes(self.box, self.box.home, *self.command(prompt, toolset, resume))
        self.tally.check(answer.code == 0 and not self.model.steps, f"{what}: Hermes took its turn", answer.brief())
        self.model.steps.clear()
        found = SESSION.search(answer.err)
        self.tally.check(found, f"{what}: Hermes names its session", answer.brief())
        self.session = found[1] if found else "none"
        return answer.out

    def review(self, what, *args):
        """Prints a packet; nothing in home and workspace changes, and no file comes or goes."""
        before = traces(self.box.root)
        answer = self.box.loop("review", *args)
        after = traces(self.box.root)
        self.tally.check(answer.code == 0 and not answer.err, f"{what}: review", answer.brief())
        changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        self.tally.equal(changed, [], f"{what}: review leaves everything as it was")
        return answer.json.get("packet", "")

    def tell(self):
        created = self.box.propose(support.create(SKILL, body=BODY))
        self.box.decide("apply", created)
        self.turn("consult", "Write the release notes for 2.0.", call("skill_view", name=SKILL),
                  "Fixes first, breaking changes last.")
        first = self.session
        self.turn("correct", f"{CORRECTION} The token is {SECRET}, home {self.box.user}/notes.", "Understood.", resume=first)
        self.tally.equal(self.session, first, "the correction belongs to the same session")
        packet = self.review("after the session", "--session", "latest")
        self.holds(packet)
        self.beside_a_waiting_hermes(packet)
        self.beside_a_writing_hermes()
        self.learn(packet)

    def holds(self, packet):
        """The packet holds the session and the skill that it consulted, and no secret."""
        for text in (CORRECTION, f"### {SKILL}, file SKILL.md", WRONG, f"session:{self.session}#NUMBER",
                     "call skill_view", f"eligible | {SKILL} | ", "~/notes"):
            self.tally.check(text in packet, f"the packet holds {text!r}", packet[-3000:])
        for text in (SECRET, SECRET[:12], SECRET[-12:], str(self.box.user)):
            self.tally.check(text not in packet, f"the packet does not hold {text!r}")
        self.tally.check(len(packet.encode()) <= 65536, "the packet is as short as it has to be")

    def beside_a_waiting_hermes(self, packet):
        """Another Hermes holds the database open, its log beside it, and waits for the model."""
        asked, go_on = threading.Event(), threading.Event()

        def wait(_):
            asked.set()
            go_on.wait(60)
            return "Done."

        self.model.play(wait)
        running = self.start("Something else.", "context_engine")
        self.tally.check(asked.wait(60), "another Hermes has begun its turn")
        self.tally.check((self.box.home / "state.db-wal").exists(), "its log is beside the database")
        again = self.review("beside a waiting Hermes", "--session", self.session)
        self.tally.equal(again, packet, "beside a waiting Hermes: the same packet")
        go_on.set()
        self.ended(running, "the waiting Hermes")

    def beside_a_writing_hermes(self):
        """Another Hermes writes message after message while its session is read."""
        rounds = 12
        self.model.play(*[call("skill_view", name=SKILL)] * rounds, "Done.")
        before = names(self.box.home)
        running = self.start("Look at it again and again.", "skills")
        read = 0
        while running.poll() is None:
            answer = self.box.loop("review", "--session", "latest")
            self.tally.check(answer.code == 0, "beside a writing Hermes: review", answer.brief())
            read += 1
        self.ended(running, "the writing Hermes")
        self.tally.check(read > 1, f"beside a writing Hermes: read more than once ({read})")
        packet = self.review("after the writing Hermes", "--session", "latest")
        self.tally.equal(packet.count("call skill_view\n"), rounds, "every call of the other Hermes is in its session")
        new = sorted(name for name in names(self.box.home) - before if "state" in name)
        self.tally.equal(new, [], "beside a writing Hermes: no file is left beside the database")

    def start(self, prompt, toolset):
        command = [str(host.COMMAND), *self.command(prompt, toolset)]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=host.environment(self.box, self.box.home), cwd=self.box.workspace, **streams)

    def ended(self, running, what):
        out, err = running.communicate(timeout=120)
        self.tally.check(running.returncode == 0, f"{what} ended well", f"{out[-300:]} {err[-300:]}")
        self.model.steps.clear()

    def learn(self, packet):
        """The model answers the packet that it was given, a person applies it, Hermes knows it."""
        answer = self.turn("review", packet, lambda request: answered(request, packet, self.tally), toolset="context_engine")
        imported = self.box.loop("propose", "-", stdin=answer)
        identity = imported.find(support.PROPOSAL_ID)
        if not self.tally.check(imported.code == 0 and identity, "the answer is proposed", imported.brief()):
            return
        self.tally.check(WRONG in self.view("proposed"), "proposed: Hermes still sees the old text")
        self.box.decide("apply", identity)
        shown = self.view("applied")
        self.tally.check(RIGHT in shown and WRONG not in shown, "applied: the next request holds the new text", shown[-600:])
        self.box.sound(self.tally, "in the end")

    def view(self, what):
        """The skill's text in the request with which the next real turn goes on."""
        self.turn(what, "Show me the skill.", call("skill_view", name=SKILL), "Done.")
        results = [message for message in self.model.requests[-1]["messages"] if message["role"] == "tool"]
        return json.loads(text_of(results[-1])).get("content", "") if results else ""


def answered(request, packet, tally):
    """What a good model makes of a packet: a patch whose `oldString` is copied out of it."""
    given = text_of(request["messages"][-1])
    tally.equal(given.strip(), packet.strip(), "the request holds the packet, byte for byte")
    tag = re.search(r"^TAG is (\w+) in this packet\.$", given, re.M)[1]
    text = re.search(rf"### {SKILL}, file SKILL\.md\n.*?<quoted-{tag}>\n(.*?)</quoted-{tag}>\n", given, re.S)[1]
    wrong = next(line for line in text.splitlines(keepends=True) if "Breaking changes" in line)
    number = re.search(rf"^#(\d+) user [^\n]*\n> {re.escape(CORRECTION)}", given, re.M)[1]
    session = re.search(r"session:(\S+)#NUMBER", given)[1]
    document = support.patch(SKILL, (wrong, RIGHT))
    document["rationale"] = "The user put breaking changes at the top."
    document["evidenceRefs"] = [f"session:{session}#{number}"]
    return f"```json\n{json.dumps(document, indent=2)}\n```"


def traces(folder):
    """As a fingerprint, but for what all readers of a database share in memory while they read."""
    shared = "home/state.db-shm"
    return {path: known if path != shared else "there" for path, known in support.fingerprint(folder).items()}


def names(folder):
    """Paths of everything below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


# Answers in the shapes that models give ------------------------------------------------------


def spelled(answer, name):
    """The proposal in the place of its mark, whole or spoiled; as `tests/answers.rs` does it."""
    document = support.patch("plain", ("First line.", "Line one."))
    document["rationale"] = f"The user said so ({name})."
    whole = json.dumps(document)
    spoiled = {
        "@TRAILING-COMMA@": whole[:-1] + ",}",
        "@SINGLE-QUOTES@": whole.replace('"', "'"),
        "@CURLY-QUOTES@": whole.replace('"skill"', "\u201cskill\u201d"),
        "@NAN@": whole[:-1] + ', "confidence": NaN}',
        "@TWICE@": whole[:-1] + ', "skill": "plain"}',
        "@CUT-OFF@": whole[:len(whole) // 2],
        "@APPROVED@": whole[:-1] + ', "status": "approved"}',
        "@RECEIPT@": whole[:-1] + ', "ledgerEntryId": "l-0123456789ab"}',
        "@SNAKE-CASE@": whole.replace("oldString", "old_string"),
    }
    return spoiled.get(answer) or answer.replace("@PROPOSAL@", whole)


def answers(story):
    """Each is said by a real turn, and what Hermes prints goes to `propose`."""
    tally, box = story.tally, story.box
    support.plant(box, "plain", support.skill_text("plain"))
    for case in json.loads(ANSWERS.read_text()):
        name, outcome = case["name"], case["outcome"]
        said = story.turn(name, "What do you propose?", spelled(case["answer"], name), toolset="context_engine")
        before = support.fingerprint(box.root)
        answer = box.loop("propose", "-", stdin=said)
        refused = outcome == "refused"
        tally.equal(answer.code, 3 if refused else 0, f"answer {name!r}: exit code of propose ({answer.brief()})")
        if refused:
            tally.equal(answer.json.get("code"), "INVALID_PROPOSAL", f"answer {name!r}: code")
            tally.equal(support.fingerprint(box.root), before, f"answer {name!r}: nothing is written")
        else:
            outcomes = [item["outcome"] for item in answer.json.get("proposals", [])]
            tally.equal(outcomes, ["imported"] * (outcome == "imported"), f"answer {name!r}: what became of it")


def main():
    tally = Tally()
    tally.check(support.RELEASE.exists(), f"`{support.RELEASE}` is built")
    if not host.present(tally) or tally.failed:
        tally.close()
    folder = support.scratch("review")
    try:
        with Model() as model:
            story = Story(tally, folder, model)
            story.tell()
            print(f"  from correction to knowledge: {tally.passed} checks against Hermes {host.VERSION}", flush=True)
            answers(story)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    main()
