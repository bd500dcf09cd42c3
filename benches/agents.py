#!/usr/bin/env python3
"""Figures of children that are real Hermes processes: `benches/agents.py [REPETITIONS]`.

Wants the release binary and the virtual environment that `.ci/run` makes (`HERMES_VENV`). In turn a
conference sends its lanes out together, and as many bare `hermes -z` start together on the very prompts
that the host was given, in the same home and against the same scripted model on loopback. A lane's time
goes from its charter to its durable receipt. Prints medians, their quartiles and the ratio: eight lanes
(at most 1.15), and one lane, whose excess is what a child costs beside Hermes itself.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/real"))

import conference  # noqa: E402
import host  # noqa: E402
import support  # noqa: E402
from scripted_model import Model, text_of  # noqa: E402

LANES = "ABCDEFGH"
NO_TOOLS = "context_engine"


def environment(story):
    """The same for both."""
    path = f"{support.HERMES / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}"
    return story.box.environment(PATH=path, TMPDIR=str(story.box.temporary), HERMES_HOME=str(story.box.home))


def held(story, name, lanes):
    """Holds one round; seconds from the first researcher's charter to the last one's receipt."""
    story.play(lambda charter, request: None)
    root = conference.Conference(story.box, name, lanes)
    digest = root.verb("check").json["approval_digest"]
    command = story.box.argv("conference", "run", root.root, "--approve", digest, "--slots", str(len(lanes)))
    first = last = None
    received = 0
    with subprocess.Popen(command, env=environment(story), cwd=story.box.workspace, stdout=subprocess.PIPE) as run:
        for line in run.stdout:
            event = json.loads(line)
            call = (event.get("payload") or {}).get("dispatch_id", "").split(".", 1)[-1]
            if event.get("event") == "dispatch.issued" and call.startswith("r1.") and "reviewer" not in call:
                first = first or time.perf_counter()
            if event.get("event") == "dispatch.received" and call.startswith("r1.") and "reviewer" not in call:
                last, received = time.perf_counter(), received + 1
    if received != len(lanes):
        raise SystemExit(f"{received} of {len(lanes)} lanes were received: the figures would say nothing")
    return last - first


def bare(story, prompts):
    """Starts as many `hermes -z` together; seconds until the last one has ended."""
    folders = [story.box.root / f"bare-{number}" for number in range(len(prompts))]
    for folder in folders:
        folder.mkdir(exist_ok=True)
    start = time.perf_counter()
    running = [
        subprocess.Popen([str(host.COMMAND), "-z", prompt, "-t", NO_TOOLS, "--usage-file", "usage.json"],
                         cwd=folder, env=environment(story), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
        for prompt, folder in zip(prompts, folders)
    ]
    answers = [process.communicate()[0] for process in running]
    elapsed = time.perf_counter() - start
    if any(process.returncode for process in running) or not all(answers):
        raise SystemExit("a bare `hermes -z` failed: the figures would say nothing")
    return elapsed


def prompts_of(story):
    """What the host was given, researchers only."""
    users = [next(text_of(message) for message in request["messages"] if message["role"] == "user")
             for request in story.model.requests]
    return [user for user in users if '"role":"researcher"' in user]


def compare(story, lanes, repetitions):
    """Both in turn, the first pair thrown away."""
    ours, theirs = [], []
    for number in range(repetitions + 1):
        ours.append(held(story, f"held-{len(lanes)}-{number}", lanes))
        prompts = prompts_of(story)
        if len(prompts) != len(lanes):
            raise SystemExit(f"{len(prompts)} prompts of {len(lanes)} lanes")
        theirs.append(bare(story, prompts))
    ours, theirs = ours[1:], theirs[1:]
    ratios = [mine / other for mine, other in zip(ours, theirs)]
    print(f"{len(lanes)} at once  lanes {spread(ours)}  bare {spread(theirs)}  ratio of pairs {spread(ratios)}  "
          f"excess {(statistics.median(ours) - statistics.median(theirs)) * 1000:+.0f} ms", flush=True)


def spread(values):
    """Median and quartiles."""
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def main():
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    tally = support.Tally()
    if not support.RELEASE.exists() or not host.present(tally):
        raise SystemExit("build the release binary, and name the virtual environment in HERMES_VENV")
    folder = support.scratch("bench")
    try:
        with Model() as model:
            story = conference.Story(tally, folder, model)
            print(f"{os.cpu_count()} cores; seconds, {repetitions} pairs, median (quartiles)")
            compare(story, "A", 2 * repetitions)
            compare(story, LANES, repetitions)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
