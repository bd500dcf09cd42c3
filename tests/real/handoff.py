#!/usr/bin/env python3
"""A conference that a session of real Hermes holds: its `delegate_task` takes what `next --tasks`
prints, as it stands, and what it answers goes back through `receive`, as it stands.

The model is scripted and on loopback. Its children answer from their charters alone.
"""

import json
import shutil
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
        level = 13 if charter["lane"] == "A" else 20
        packet["candidates"] = [{"values": {"level": level}}]
        packet["claims"] = [{"claim": "this level is good", "evidence": "a guess", "confidence": "low", "rows": [0]}]
    if charter.get("role") == "reviewer":
        packet["verdicts"] = [{"claim": claim["id"], "verdict": "validated", "reason": "it holds", "evidence": "measured",
                               "confidence": "high"} for claim in charter["claims"]]
    return json.dumps(packet)


class Session:
    """One home, one model, one conference."""

    def __init__(self, tally, folder, model, binary):
        self.tally, self.model, self.binary = tally, model, binary
        self.box = Sandbox.make(folder / "session")
        (self.box.home / "config.yaml").write_text(model.config())
        (self.box.workspace / "conference.md").write_text(PLAN)
        (self.box.workspace / "cost.py").write_text(COST)

    def conference(self, *args, stdin=""):
        return self.box.run("conference", *args, stdin=stdin, binary=self.binary)

    def tasks(self):
        """The arguments for `delegate_task`, or nothing once it has ended."""
        document = self.conference("next").json
        self.tally.check(document.get("schema") == "lithermes/conference-next/v1", "next says what goes out", str(document)[:400])
        return document.get("delegate_task", {}).get("tasks", []), document.get("stop_code")

    def delegate(self, tasks):
        """A real turn that calls `delegate_task`; returns what the tool answered."""
        answered = []

        def end(request):
            answered.extend(text_of(message) for message in request["messages"] if message.get("role") == "tool")
            return "Done."

        self.model.play(call("delegate_task", tasks=tasks), *[child] * len(tasks), end)
        turn = host.hermes(self.box, self.box.home, "-z", "Go on with the conference.", "-t", "delegation")
        self.tally.check(turn.code == 0 and not self.model.steps, "Hermes took its turn", turn.brief())
        self.model.steps.clear()
        return answered[-1] if answered else ""

    def hold(self):
        """To the end, or as many turns as a conference of this size can need."""
        digest = self.conference("check").json["approval_digest"]
        approved = self.conference("approve", "--digest", digest)
        self.tally.equal(approved.code, 0, "a person approves")
        for _ in range(8):
            tasks, stop = self.tasks()
            if stop:
                return stop
            answer = self.conference("receive", "-", stdin=self.delegate(tasks))
            results = [packet["result"] for packet in answer.json.get("packets", [])]
            self.tally.equal(results, ["accepted"] * len(tasks), "each packet is accepted as Hermes hands it back")
        return "no end"


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
            tally.equal(status["state"], "COMPLETE", "it is complete")
            tally.equal(status["packets"]["relayed"], status["packets"]["accepted"], "each packet was only relayed")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    sys.exit(main())
