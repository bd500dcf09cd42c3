"""Real Hermes Agent, from the virtual environment that `.ci/run` made."""

import json
import os
import pathlib

import support

PYTHON = support.HERMES / "bin/python"
COMMAND = support.HERMES / "bin/hermes"
PROBE = pathlib.Path(__file__).with_name("host_probe.py")
VERSION = "0.19.0"


def environment(box, home):
    """What a person's shell would give Hermes, and nothing else."""
    more = {"HERMES_HOME": str(home), "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
    return box.environment(PYTHONDONTWRITEBYTECODE="1", **more)


def hermes(box, home, *args):
    """Runs the real command line of Hermes."""
    return support.execute([str(COMMAND), *args], "", environment(box, home), box.workspace, timeout=180)


def ask(box, homes, view=None, everywhere=False):
    """What the host's own functions say about each home."""
    request = json.dumps({"homes": [str(home) for home in homes], "view": view, "everywhere": everywhere})
    command = [str(PYTHON), str(PROBE)]
    answer = support.execute(command, request, environment(box, homes[0]), box.workspace, timeout=600)
    if answer.code != 0:
        raise OSError(answer.brief())
    return [json.loads(line) for line in answer.out.splitlines()]


def listed(box, home):
    """Name to description, as the host lists them."""
    return {skill["name"]: skill["description"] for skill in ask(box, [home])[0]["skills"]}


def present(tally):
    """Counts whether the virtual environment holds the version that the suite is about."""
    there = tally.check(COMMAND.exists(), f"`{COMMAND}` is installed")
    command = [str(PYTHON), "-c", "from importlib import metadata; print(metadata.version('hermes-agent'))"]
    if there:
        answer = support.execute(command, "", dict(os.environ), support.PROJECT)
        there = tally.equal(answer.out.strip(), VERSION, "version of Hermes Agent")
    return there
