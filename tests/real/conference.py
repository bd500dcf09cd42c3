#!/usr/bin/env python3
"""Conferences whose children are real Hermes processes, from the approval to the stop code.

A scripted model on loopback answers each charter that a real headless Hermes hands over. First two
lanes hold two rounds, at the same time; then lanes fail in every way that the host calls success, each
is accounted with its reason, and the others go on; then children with tools, a model that changes, a
profile that is active, and a host that does not answer at all. A person's own session stays the latest.
"""

import contextlib
import json
import os
import shutil
import sqlite3
import threading
import time

import host
import support
from scripted_model import Model, call, cut, refused, text_of
from support import Sandbox, Tally

FORM = """# Conference: Names for a tool

## Goal
Find names that are short and easy to say.

## Mode
qualitative

## Success Criteria
A stranger spells the name right after hearing it once.

## Researchers
- **Count:** {lanes}
- **Iterations per round:** 2
- **Max rounds:** {rounds}

## Pre-Flight Gate
- **Critic:** disabled
- **Final confirmation:** pending

## Search Space Partitioning
- **Strategy:** assigned

{focus}
## Constraints
- **Time budget:** 1h
- **Researcher timeout:** {timeout}

## Host
- **Host:** hermes
{more}"""
HEAVY = "Look at long lists. " + "x" * 60_000


def charter_of(request):
    """The charter in a request, which stands at the end of what the user says."""
    user = next(text_of(message) for message in request["messages"] if message["role"] == "user")
    return json.loads(user.split("The charter:", 1)[1])


def packet(charter, **own):
    common = {"claims": [], "uncertainties": [], "recommended_root_actions": []}
    answers = {"dispatch_id": charter["dispatch_id"], "role": charter["role"], "status": "completed"}
    return json.dumps(answers | common | own)


def good(charter):
    """What a good model answers in each role."""
    role = charter["role"]
    if role == "researcher":
        lane = charter["lane"]
        claim = {"claim": f"{lane}{charter['round']} is easy to say", "evidence": "said aloud", "confidence": "medium"}
        tried = {"statement": "short names are easy", "verdict": "supported", "evidence": "two of two"}
        return packet(charter, claims=[claim], hypotheses=[tried], self_score=7)
    if role == "reviewer":
        verdicts = [{"claim": claim["id"], "verdict": "validated", "reason": "said again", "evidence": "heard",
                     "confidence": "high"} for claim in charter["claims"]]
        lanes = sorted({claim["lane"] for claim in charter["claims"]})
        scores = [{"lane": lane, "score": 5 + charter["round"], "notes": "fine"} for lane in lanes]
        return packet(charter, verdicts=verdicts, scores=scores)
    if role == "synthesis":
        return packet(charter, established=[claim["id"] for claim in charter["claims"]])
    return packet(charter)


class Conference:
    """One conference root, and what its events say."""

    def __init__(self, box, name, lanes, rounds=1, focus=None, timeout="2m", more=""):
        self.box = box
        self.root = box.root / name
        self.root.mkdir()
        parts = {lane: "Short names." for lane in lanes} | (focus or {})
        focus = "".join(f"### Researcher {lane} Focus\n{text}\n\n" for lane, text in parts.items())
        text = FORM.format(lanes=len(lanes), rounds=rounds, focus=focus, timeout=timeout, more=more)
        (self.root / "conference.md").write_text(text)

    def verb(self, verb, *args, env=None):
        path = f"{support.HERMES / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}"
        clean = {"PATH": path, "TMPDIR": str(self.box.temporary)}
        return self.box.run("conference", verb, self.root, *args, env=clean | (env or {}), timeout=600)

    def hold(self, *args, env=None):
        """Approves what `check` shows, and runs it."""
        checked = self.verb("check")
        digest = checked.json.get("approval_digest") or "none"
        self.answer = self.verb("run", "--approve", digest, *args, env=env)
        return self.answer

    @property
    def events(self):
        path = self.root / "conference_events.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def named(self, *names):
        return [event["payload"] for event in self.events if event["event"] in names]

    def ends(self):
        """Call to how it ended."""
        kinds = {"dispatch.received": "received", "dispatch.failed": "failed", "dispatch.timed_out": "timed out",
                 "dispatch.cancelled": "cancelled"}
        return {event["payload"]["dispatch_id"].split(".", 1)[1]: event["payload"].get("reason") or kinds[event["event"]]
                for event in self.events if event["event"] in kinds}

    @property
    def stop(self):
        last = self.named("conference.completed", "conference.blocked", "conference.cancelled")
        return last[-1]["stop_code"] if last else None


class Story:
    """One home, one model, and what is checked on the way."""

    def __init__(self, tally, folder, model):
        self.tally, self.model = tally, model
        self.box = Sandbox.make(folder / "story")
        (self.box.home / "config.yaml").write_text(model.config())
        self.box.temporary = folder / "tmp"
        self.box.temporary.mkdir()
        self.turns = set()

    def play(self, answer):
        """Every request is answered by the function of its charter; counts the turns."""
        self.model.requests.clear()

        def step(request):
            charter = charter_of(request)
            self.turns.add(charter["dispatch_id"])
            said = answer(charter, request)
            return good(charter) if said is None else said

        self.model.always = step

    def latest(self):
        """The session that `review` takes for the latest, and what it says beside."""
        answer = self.box.loop("review", "--session", "latest")
        return answer.json.get("session"), answer.err

    def a_person_begins(self):
        """A session of a person's own, before all children's."""
        self.model.always = "Hello."
        host.hermes(self.box, self.box.home, "-z", "A person says hello.", "-t", "context_engine")
        self.person, said = self.latest()
        self.tally.check(self.person and not said, "a person: the session is the latest", said)

    def children_are_passed_over(self):
        """The host lists children like a person's sessions; only what they were told first tells them apart."""
        query = "SELECT source, count(*) FROM sessions AS s WHERE id <> ? AND EXISTS (SELECT 1 FROM messages " \
                "WHERE session_id = s.id) GROUP BY source"
        with contextlib.closing(sqlite3.connect(self.box.home / "state.db")) as database:
            children = dict(database.execute(query, [self.person]))
        self.tally.equal(sorted(children), ["cli", "tool"], "children: how the host calls them")
        session, said = self.latest()
        self.tally.equal(session, self.person, "children: the latest session is the person's")
        self.tally.check(f"passed over: {sum(children.values())}\n" in said, "children: all were passed over", f"{said} {children}")

    def nothing_left(self, what):
        left = [path.name for path in self.box.temporary.iterdir()]
        self.tally.equal(left, [], f"{what}: no child's folder is left")

    def sound(self, conference, what, code, stop):
        """Exit, stop code, accounts and tools of a conference that was held."""
        tally, answer = self.tally, conference.answer
        tally.equal(answer.code, code, f"{what}: exit ({answer.brief()})")
        tally.equal(conference.stop, stop, f"{what}: stop code")
        issued = {event["dispatch_id"] for event in conference.named("dispatch.issued")}
        settled = [event["dispatch_id"] for event in conference.named("budget.settled")]
        tally.equal(sorted(settled), sorted(issued), f"{what}: every id is settled once")
        receipt = conference.named("cleanup.receipt")
        left = receipt[0]["residual_uncertainty"] if receipt else None
        tally.equal(left, [], f"{what}: nothing of the children lives on")
        self.nothing_left(what)

    def two_lanes(self):
        """Two rounds of two lanes, each waiting for the other: they run at the same time."""
        meeting = threading.Barrier(2)

        def together(charter, _):
            if charter["role"] == "researcher":
                meeting.wait(90)

        self.play(together)
        conference = Conference(self.box, "two-lanes", "AB", rounds=2, focus={"A": HEAVY})
        conference.hold("--slots", "2")
        tally = self.tally
        self.sound(conference, "two lanes", 8, "BUDGET_STOP")
        expected = {"probe.1", "synthesis.1", *(f"r{n}.{who}.1" for n in (1, 2) for who in ("A", "B", "reviewer"))}
        tally.equal(conference.ends(), {call: "received" for call in expected}, "two lanes: all were received")
        tools = {name for request in self.model.requests for name in request.get("tools") or []}
        tally.equal(tools, set(), "two lanes: no request offers a tool")
        reported = conference.named("host.reported")
        tally.equal(len(reported), len(expected), "two lanes: the host reports each child")
        tally.check(all(one["model"] == "scripted-model" and one["provider"] and one["input_tokens"] for one in reported),
                    "two lanes: model, provider and tokens", str(reported[:1]))
        gate = conference.named("gate.confirmed")
        probe = "\n".join(gate[0]["probe"]) if gate else ""
        for text in (f"Hermes Agent v{host.VERSION}", "toolsets: none", "model scripted-model, provider custom"):
            tally.check(text in probe, f"two lanes: the free probe says {text!r}", probe)
        again = conference.verb("status").json
        tally.equal(again.get("state"), "COMPLETE", "two lanes: state")
        knowledge = (self.root_text(conference), "A1 is easy to say")
        tally.check(knowledge[1] in knowledge[0], "two lanes: findings stand in conference.md")

    @staticmethod
    def root_text(conference):
        return (conference.root / "conference.md").read_text()

    def failing_lanes(self):
        """Every way in which a failed turn looks like success, one a lane, beside three good ones."""
        lanes = {
            "A": (None, "received"),
            "B": (lambda c: refused(401, "no such key"), "http_401"),
            "C": (lambda c: "", "empty_reply"),
            "D": (None, "received"),
            "E": (lambda c: f"Here is my packet:\n\n{good(c)}\n\nI hope it helps.",
                  "text_beside_the_document"),
            "F": (lambda c: f"```json\n{good(c)}\n```", "received"),
            "G": (lambda c: cut(good(c)[:40], "length"), "incomplete"),
            "H": (lambda c: cut("I cannot help with that.", "content_filter"), "refused_by_model"),
            "I": (lambda c: refused(400, "This model's maximum context length is 131072 tokens. However, your "
                                         "messages resulted in 200000 tokens."), "context_too_long"),
            "J": (lambda c: "All done, thank you.", "malformed"),
            "L": (lambda c: f"{good(c)}\n\nI hope it helps.", "text_beside_the_document"),
            "K": (lambda c: packet(c | {"dispatch_id": c["dispatch_id"].replace(".K.", ".A.")}), "other_identity"),
        }

        def answer(charter, _):
            step = lanes.get(charter["lane"], (None,))[0]
            return step(charter) if step else None

        self.play(answer)
        conference = Conference(self.box, "failing", "".join(lanes))
        began = time.monotonic()
        conference.hold("--slots", "2")
        print(f"  {len(lanes)} lanes, two at a time: {time.monotonic() - began:.0f} s", flush=True)
        self.sound(conference, "failing lanes", 8, "BUDGET_STOP")
        expected = {f"r1.{lane}.1": reason for lane, (_, reason) in lanes.items()}
        expected |= {call: "received" for call in ("probe.1", "r1.reviewer.1", "synthesis.1")}
        found = conference.ends()
        for which in sorted(expected | found):
            self.tally.equal(found.get(which), expected.get(which), f"failing lanes: end of {which}")
        report = (conference.root / "final_report.md").read_text()
        self.tally.check("Coverage is partial" in report, "failing lanes: the report calls itself partial")

    def tools(self):
        """A lane that may search: only what was granted, a bound on its turns, and what its session says."""
        searches = json.dumps({"query": "names"})

        def answer(charter, request):
            if charter["lane"] == "B" and request.get("tools"):
                return call("web_search", query=searches)
            if charter["lane"] == "C":
                return ""
            if charter["lane"] == "D":
                return refused(401, "no such key")
            return None

        self.play(answer)
        (self.box.home / ".env").write_text("TAVILY_API_KEY=none\n")
        config = self.box.home / "config.yaml"
        # As it is by default, where the host says on standard output that its scanner is missing.
        config.write_text(self.model.config().replace("security:\n  tirith_enabled: false\n", ""))
        conference = Conference(self.box, "tools", "ABCD", more="- **Toolsets:** web, search\n")
        conference.hold("--slots", "2")
        (self.box.home / ".env").unlink()
        config.write_text(self.model.config())
        self.sound(conference, "tools", 8, "BUDGET_STOP")
        expected = {"r1.A.1": "received", "r1.B.1": "iteration_limit", "r1.C.1": "empty_reply", "r1.D.1": "http_401"}
        found = {which: end for which, end in conference.ends().items() if which in expected}
        self.tally.equal(found, expected, "tools: how the lanes ended")
        offered = {tool["function"]["name"] for request in self.model.requests for tool in request.get("tools") or []}
        self.tally.equal(offered, {"web_search", "web_extract"}, "tools: only what was granted is offered")
        reported = {one["dispatch_id"].split(".", 1)[1]: one["model"] for one in conference.named("host.reported")}
        self.tally.equal(reported.get("r1.A.1"), "scripted-model", "tools: the session names the model")

    def changed_model(self):
        """The host's model is another one after the first round."""
        config = self.box.home / "config.yaml"

        def answer(charter, _):
            if charter["role"] == "reviewer":
                config.write_text(self.model.config().replace("default: scripted-model", "default: other-model"))

        self.play(answer)
        conference = Conference(self.box, "changed", "A")
        conference.hold()
        config.write_text(self.model.config())
        self.sound(conference, "changed model", 8, "BUDGET_STOP")
        report = (conference.root / "final_report.md").read_text()
        line = "The host changed its model at synthesis.1: other-model"
        self.tally.check(line in report, "changed model: a line in the report", report[-900:])

    def active_profile(self):
        """The home that was approved is the one that works, whichever profile is active in it."""
        profile = self.box.home / "profiles/other"
        profile.mkdir(parents=True)
        (profile / "config.yaml").write_text("model:\n  default: wrong\n  provider: custom\n  base_url: http://127.0.0.1:9/v1\n")
        (self.box.home / "active_profile").write_text("other\n")
        self.play(lambda *_: None)
        conference = Conference(self.box, "profile", "A")
        conference.hold()
        (self.box.home / "active_profile").unlink()
        shutil.rmtree(profile)
        self.sound(conference, "active profile", 8, "BUDGET_STOP")

    def a_model_that_hangs(self):
        """A lane whose time is up is ended, and the other goes on; a request to stop ends all."""
        asked, go_on = threading.Event(), threading.Event()

        def hang(charter, _):
            if charter["lane"] == "B":
                asked.set()
                go_on.wait(120)

        self.play(hang)
        conference = Conference(self.box, "slow", "AB", timeout="20s")
        conference.hold("--slots", "2")
        self.sound(conference, "a slow lane", 8, "BUDGET_STOP")
        ends = conference.ends()
        self.tally.equal((ends.get("r1.A.1"), ends.get("r1.B.1")), ("received", "timeout"), "a slow lane: ends")
        asked.clear()
        conference = Conference(self.box, "stopped", "AB")
        running = threading.Thread(target=conference.hold, args=("--slots", "2"))
        running.start()
        self.tally.check(asked.wait(60), "stopped: the model is asked")
        answer = conference.verb("cancel")
        began = time.monotonic()
        running.join(60)
        self.tally.check(answer.code == 0 and time.monotonic() - began < 10, "stopped: it ends at once", answer.brief())
        self.sound(conference, "stopped", 130, "CANCELLED")
        self.tally.equal(conference.ends().get("r1.B.1"), "cancelled", "stopped: the child is accounted")
        go_on.set()

    def nobody_answers(self):
        """The paid probe fails: nothing else goes out."""
        self.play(lambda *_: refused(401, "no such key"))
        conference = Conference(self.box, "nobody", "AB")
        conference.hold()
        self.sound(conference, "nobody answers", 6, "BLOCKED_MULTI_AGENT_UNAVAILABLE")
        self.tally.equal(conference.ends(), {"probe.1": "http_401"}, "nobody answers: only the probe went out")

    def a_child_asks(self):
        """Whoever is a child itself holds no conference, and nothing is made."""
        conference = Conference(self.box, "child", "A")
        before = support.fingerprint(conference.root)
        answer = conference.hold(env={"LITHERMES_CHILD": "1"})
        blocked = "BLOCKED_MULTI_AGENT_UNAVAILABLE"
        self.tally.equal((answer.code, answer.json.get("code")), (6, blocked), "a child: refused")
        out = self.box.root / "said.json"
        said = self.asked_by_a_subagent(conference, out)
        self.tally.check(blocked in said and "a child of a Hermes session" in said, "a subagent: refused", said[:900])
        self.tally.equal(support.fingerprint(conference.root), before, "a child: nothing was made")

    def asked_by_a_subagent(self, conference, out):
        """A real session delegates, and its subagent runs lithermes with its terminal."""
        command = " ".join(self.box.argv("conference", "run", conference.root)) + f" >{out} 2>&1"

        def step(request):
            roles = [message["role"] for message in request["messages"]]
            if "tool" in roles:
                return "Done."
            if "run it" in text_of(request["messages"][-1]):
                return call("terminal", command=command)
            return call("delegate_task", tasks=[{"goal": "run it"}])

        self.model.always = step
        host.hermes(self.box, self.box.home, "-z", "Delegate.", "-t", "delegation,terminal")
        return out.read_text() if out.exists() else "it never ran"

    def tell(self):
        for part in (self.a_person_begins, self.two_lanes, self.failing_lanes, self.tools, self.children_are_passed_over,
                     self.changed_model, self.active_profile, self.a_model_that_hangs, self.nobody_answers, self.a_child_asks):
            passed = self.tally.passed
            part()
            print(f"  {part.__name__.replace('_', ' ')}: {self.tally.passed - passed} checks", flush=True)
        self.box.sound(self.tally, "in the end")
        print(f"  {len(self.turns)} turns of real Hermes {host.VERSION} processes reached the model", flush=True)


def main():
    tally = Tally()
    tally.check(support.RELEASE.exists(), f"`{support.RELEASE}` is built")
    if not host.present(tally) or tally.failed:
        tally.close()
    folder = support.scratch("conference")
    try:
        with Model() as model:
            Story(tally, folder, model).tell()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    main()
