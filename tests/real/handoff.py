#!/usr/bin/env python3
"""A conference that sessions of real Hermes hold: their `delegate_task` takes what `next` prints, as
it stands, and what it answers goes back through `receive`, as it stands. Two lanes, two rounds, to
the stop code; one result comes twice, one child invents an id.

The model is scripted and on loopback. Its children answer from their charters alone.
`LITHERMES_TRANSCRIPT=FILE` writes down what was typed, called and answered.
"""

import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import sys

import host
import support
from scripted_model import Model, call, text_of
from support import Sandbox, Tally

PLAN = """# Conference: The best level

## Goal
Find the level with the least cost.

## Mode
metric

## Success Metric
- **Metric:** cost
- **Target:** <= 0
- **Direction:** minimize
- **Evaluator:** python3 cost.py

## Researchers
- **Count:** 2
- **Iterations per round:** 4
- **Max rounds:** 5

## Pre-Flight Gate
- **Critic:** disabled
- **Final confirmation:** pending

## Search Space Partitioning
- **Strategy:** free

## Parameters
- level: 1 .. 40 integer

## Constraints
- **Time budget:** 1h
- **Researcher timeout:** 10m

## Host
- **Host:** handoff
"""
COST = "import json, sys\nlevel = json.loads(sys.stdin.read() or '{}').get('level', 0)\nprint((level - 13) ** 2)\n"
# What each lane tries in each round; 13 costs nothing, which is the target.
LEVELS = {(1, "A"): 20, (1, "B"): 25, (2, "A"): 13, (2, "B"): 14}
# Turns that a conference of this size can need.
TURNS = 8


def charter_of(request):
    """The charter that a child was given, from whatever message holds it."""
    for message in request["messages"]:
        text = text_of(message)
        at = text.find('{"allowed_read_roots"')
        if at >= 0:
            return json.JSONDecoder().raw_decode(text[at:])[0]
    return {}


def child(request):
    """A child's answer: one packet for its charter."""
    charter = charter_of(request)
    packet = {"dispatch_id": charter.get("dispatch_id", "none"), "role": charter.get("role", "none"), "status": "completed",
              "claims": [], "uncertainties": [], "recommended_root_actions": []}
    if charter.get("role") == "researcher":
        level = LEVELS[charter["round"], charter["lane"]]
        packet["candidates"] = [{"values": {"level": level}}]
        packet["claims"] = [{"claim": f"level {level} is good", "evidence": "a guess", "confidence": "low", "rows": [0]}]
    if charter.get("role") == "reviewer":
        packet["verdicts"] = [{"claim": claim["id"], "verdict": "validated", "reason": "it holds", "evidence": "measured",
                               "confidence": "high"} for claim in charter["claims"]]
    return json.dumps(packet)


def inventing(request):
    """The same, but lane B answers for an attempt that nobody sent out."""
    packet = json.loads(child(request))
    packet["dispatch_id"] = packet["dispatch_id"].replace(".B.1", ".B.7")
    return json.dumps(packet)


class Transcript:
    """What was typed, called and answered, for whoever asks for it."""

    MOST = 160
    DEEPEST = 4
    # A charter stands in its task's goal, and is long.
    TWICE = "dispatch"

    def __init__(self, root, path):
        self.root, self.path, self.lines = str(root), path, []
        self.say("# Texts of more than %d characters, and what lies deeper than %d levels, end with [...]."
                 % (self.MOST, self.DEEPEST))

    def say(self, text):
        """Lines as they are, without a path of this machine."""
        self.lines += text.replace(self.root, "SANDBOX").splitlines()

    def shown(self, value, depth=0):
        """A value with its long and deep parts cut."""
        if isinstance(value, (dict, list)) and value and depth == self.DEEPEST:
            return "[...]"
        if isinstance(value, dict):
            return {key: "[...]" if member and key == self.TWICE else self.shown(member, depth + 1) for key, member in value.items()}
        if isinstance(value, list):
            return [self.shown(member, depth + 1) for member in value]
        if isinstance(value, str) and len(value) > self.MOST:
            return value[:self.MOST] + "[...]"
        return value

    def show(self, text):
        """A document, or lines."""
        try:
            self.say(json.dumps(self.shown(json.loads(text)), indent=2, ensure_ascii=False))
        except ValueError:
            self.say("\n".join(self.shown(line) for line in text.splitlines()))

    def command(self, argv, note, answer):
        self.say("\n$ " + " ".join(argv) + (f"   # {note}" if note else ""))
        self.show(answer.out)
        self.say(f"(exit {answer.code})")

    def write(self):
        if self.path:
            pathlib.Path(self.path).write_text("\n".join(self.lines) + "\n")


class Session:
    """One home, one model, one conference."""

    def __init__(self, tally, folder, model, binary):
        self.tally, self.model, self.binary = tally, model, binary
        self.box = Sandbox.make(folder / "session")
        (self.box.home / "config.yaml").write_text(model.config())
        (self.box.workspace / "conference.md").write_text(PLAN)
        (self.box.workspace / "cost.py").write_text(COST)
        self.transcript = Transcript(self.box.root, os.environ.get("LITHERMES_TRANSCRIPT"))
        self.processes = 0
        self.delegated = []
        self.parent = None

    def conference(self, *args, stdin="", env=None, note=""):
        """Runs a verb as somebody would type it in the conference's folder."""
        environment = self.box.environment(HERMES_HOME=str(self.box.home), **(env or {}))
        argv = ["conference", *args, "--json"]
        answer = support.execute([str(self.binary), *argv], stdin, environment, self.box.workspace)
        typed = [f"{name}={value}" for name, value in (env or {}).items()]
        self.transcript.command([*typed, "lithermes", *argv], note, answer)
        return answer

    def next(self, *args):
        """The document of `next`."""
        document = self.conference("next", *args).json
        self.tally.check(document.get("schema") == "lithermes/conference-next/v1", "next says what goes out", str(document)[:400])
        return document

    def delegate(self, tasks, child=child):
        """A real turn that calls `delegate_task`; returns what the tool answered."""
        answered = []

        def end(request):
            answered.extend(text_of(message) for message in request["messages"] if message.get("role") == "tool")
            return "Done."

        self.model.play(call("delegate_task", tasks=tasks), *[child] * len(tasks), end)
        turn = host.hermes(self.box, self.box.home, "-z", "Go on with the conference.", "-t", "delegation")
        self.processes += 1
        self.tally.check(turn.code == 0 and not self.model.steps, "Hermes took its turn", turn.brief())
        self.model.steps.clear()
        self.parent = max((row for row in self.rows() if row[1] == "cli"), key=lambda row: row[5])[0]
        answer = answered[-1] if answered else ""
        results = json.loads(answer or "{}").get("results", [])
        self.delegated += [result.get("summary") for result in results]
        self.transcript.say("\n$ hermes -z 'Go on with the conference.' -t delegation\n> the model calls delegate_task")
        self.transcript.show(json.dumps({"tasks": tasks}))
        self.transcript.say("> and is answered")
        self.transcript.show(answer)
        return answer

    def receive(self, message, expected, code, what, note="what delegate_task answered", held=True):
        """Hands a message in; each of its results has this end, and the parent's own rows hold it or not."""
        answer = self.conference("receive", "-", "--session", self.parent, stdin=message, note=note)
        packets = answer.json.get("packets", [])
        self.tally.equal(([packet["result"] for packet in packets], answer.code), (expected, code), what)
        self.tally.equal([packet["corroborated"] for packet in packets], [held] * len(expected),
                         f"Hermes' own rows {'hold' if held else 'lack'} it: {what}")
        self.tally.equal("by the host's own records" in answer.err, not held, f"a warning where they lack it: {what}")
        return answer.json

    def counted(self):
        """Packets that count, and ids that have their end."""
        text = (self.box.workspace / "conference_events.jsonl").read_text()
        names = [json.loads(line)["event"] for line in text.splitlines()]
        return names.count("packet.accepted"), names.count("budget.settled")

    def approve(self):
        digest = self.conference("check").json["approval_digest"]
        approved = self.conference("approve", "--digest", digest)
        self.tally.equal(approved.code, 0, "a person approves")

    def twice(self, document):
        """The first round's lanes: both results in one message, one of them twice, and all of it again."""
        tasks = document["delegate_task"]["tasks"]
        self.tally.equal(len(tasks), 2, "both lanes go out at once")
        message = self.delegate(tasks)
        answer = json.loads(message)
        answer["results"].append(answer["results"][0])
        self.receive(json.dumps(answer), ["accepted", "accepted", "duplicate"], 0, "two results and one of them twice",
                     "what delegate_task answered, its first result once more at the end")
        self.tally.equal(self.counted(), (2, 2), "what came twice counts once")
        self.receive(message, ["duplicate", "duplicate"], 0, "the same message again", "what delegate_task answered, once more")
        self.tally.equal(self.counted(), (2, 2), "a message that came again changes nothing")

    def invented(self, document):
        """The second round's lanes: one child answers under an id that nobody gave out."""
        awaiting = document["awaiting"]
        answer = self.receive(self.delegate(document["delegate_task"]["tasks"], inventing), ["accepted", "stale"], 4,
                              "an id that nobody gave out is refused beside a packet that counts")
        self.tally.equal(answer["reason"], "unknown id", "and the reason is said")
        document = self.next()
        self.tally.equal(document["awaiting"], [one for one in awaiting if ".B." in one], "the child that was meant is still awaited")
        self.tally.equal(document["delegate_task"]["tasks"], [], "and goes out again only when somebody asks")
        tasks = self.next("--again")["delegate_task"]["tasks"]
        self.receive(self.delegate(tasks), ["accepted"], 0, "asked again, it answers for itself")

    def plainly(self, document):
        """Whatever else goes out."""
        tasks = document["delegate_task"]["tasks"]
        self.receive(self.delegate(tasks), ["accepted"] * len(tasks), 0, "each packet is accepted as Hermes hands it back")

    def rewritten(self, document):
        """The first round's review: the model that relays it changes one word."""
        answer = json.loads(self.delegate(document["delegate_task"]["tasks"]))
        for result in answer["results"]:
            result["summary"] = result["summary"].replace("it holds", "it stands")
        self.receive(json.dumps(answer), ["accepted"], 0, "a packet in which one word is another", "with one word changed", held=False)

    def hold(self):
        """To the end, or as many turns as a conference of this size can need."""
        self.approve()
        for _ in range(TURNS):
            document = self.next()
            if document["stop_code"]:
                return document["stop_code"]
            ways = {".r1.A.1": self.twice, ".r2.A.1": self.invented, ".r1.reviewer.1": self.rewritten}
            way = [way for end, way in ways.items() if any(one.endswith(end) for one in document["awaiting"])]
            (way[0] if way else self.plainly)(document)
        return "no end"

    def rows(self):
        """The host's own rows of its sessions: id, source, parent, first and last text, beginning."""
        text = "(SELECT content FROM messages WHERE session_id = s.id AND role = '%s' ORDER BY id %s LIMIT 1)"
        query = f"SELECT id, source, parent_session_id, {text % ('user', 'ASC')}, {text % ('assistant', 'DESC')}, started_at FROM sessions AS s"
        with contextlib.closing(sqlite3.connect(self.box.home / "state.db")) as database:
            return database.execute(query + " ORDER BY started_at").fetchall()

    def recorded(self):
        """What the host recorded of the children is what it handed back."""
        rows = self.rows()
        own = {row[0] for row in rows if row[1] == "cli"}
        children = [row for row in rows if row[1] == "subagent"]
        self.tally.equal(len(own), self.processes, "a session a turn")
        self.tally.check(all(row[2] in own for row in children), "each child's row names the session that sent it out", str(rows)[:900])
        self.tally.equal(sorted(row[4] for row in children), sorted(self.delegated), "each child's row ends with what was handed back")
        return own, children

    def refused(self, own, children):
        """A session whose row says `subagent` holds no conference; one that has such rows below it does."""
        for verb in (["next"], ["receive", "-"]):
            inside = self.conference(*verb, stdin="none", env={"HERMES_SESSION_ID": children[0][0]})
            self.tally.equal((inside.code, inside.json.get("code")), (6, "BLOCKED_MULTI_AGENT_UNAVAILABLE"), f"no child may {verb[0]}")
        for session, which in ((sorted(own)[0], "the session that sent them out"), ("20260101_000000_000000", "an unknown one")):
            outside = self.conference("next", env={"HERMES_SESSION_ID": session})
            self.tally.equal((outside.code, outside.json.get("stop_code")), (0, "CONVERGED"), f"{which} is no child")


def main():
    tally = Tally()
    binary = support.RELEASE if support.RELEASE.exists() else support.DEBUG
    tally.check(binary.exists(), f"`{binary}` is built")
    if not host.present(tally) or tally.failed:
        tally.close()
    folder = support.scratch("handoff")
    try:
        with Model() as model:
            session = Session(tally, folder, model, binary)
            tally.equal(session.hold(), "CONVERGED", "the conference converges")
            status = session.conference("status").json
            found = status["state"], status["round"], status["stop"]["best"]["value"]
            tally.equal(found, ("COMPLETE", 2, 0.0), "it is complete after two rounds")
            packets = status["packets"]
            tally.equal((packets["accepted"], packets["relayed"]), (7, 7), "each packet was only relayed")
            tally.equal((packets["corroborated"], packets["uncorroborated"]), (6, 1), "Hermes' own rows hold all but the changed one")
            report = (session.box.workspace / "final_report.md").read_text()
            told = "7 of 7 packets; the host's own records hold 6 of them and lack 1"
            tally.check(told in report, "and the report says so", report[:900])
            own, children = session.recorded()
            session.refused(own, children)
            session.transcript.write()
            print(f"  {len(own)} processes of real Hermes, {len(children)} children in them; "
                  f"{len(model.requests)} turns of the model against Hermes {host.VERSION}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    sys.exit(main())
