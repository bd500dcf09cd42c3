"""Seeds for the fuzz targets, made of the published packages that the real suites fetch.

`python3 fuzz/seeds.py` fills `fuzz/corpus/`, which is never committed. It needs a release build.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests/real"))

import packages  # noqa: E402
import support  # noqa: E402

LARGEST = 16_384
COMMON = {
    "schema": "lithermes/proposal/v1",
    "signal": "technique",
    "rationale": "Because.",
    "evidenceRefs": ["note:seed"],
}


def keep(target, text):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(text).hexdigest()[:16]).write_bytes(text)


def main():
    for package in packages.listed():
        for _, text in package.skills():
            if len(text) > LARGEST:
                continue
            keep("frontmatter", text)
            keep("redaction", text)
            decoded = text.decode("utf-8", "replace")
            body = {"create": {"files": [{"path": "SKILL.md", "content": decoded}]}}
            patch = {"patch": {"file": "SKILL.md", "oldString": decoded[:80], "newString": "new"}}
            for change in (body, patch):
                document = COMMON | {"skill": "demo"} | change
                keep("proposal", json.dumps(document, ensure_ascii=False).encode())
    ledgers()
    records()


def ledgers():
    """Ledgers of growing length, as decisions write them."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        home, work = folder / "home", folder / "work"
        home.mkdir()
        work.mkdir()
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "HERMES_HOME": str(home)}

        def run(*words, given=""):
            command = [support.RELEASE, "skill-loop", *words]
            ran = subprocess.run(
                command, cwd=work, env=environment, input=given, text=True, capture_output=True, check=True
            )
            return ran.stdout

        for number in range(4):
            text = f"---\nname: seed-{number}\ndescription: A seed.\n---\n\nText.\n"
            change = {"skill": f"seed-{number}", "create": {"files": [{"path": "SKILL.md", "content": text}]}}
            proposed = run("propose", "-", given=json.dumps(COMMON | change))
            applied = run("apply", support.PROPOSAL_ID.search(proposed).group())
            if number % 2:
                run("rollback", support.LEDGER_ID.search(applied).group())
            keep("ledger", (home / "lithermes/skill-loop-ledger.jsonl").read_bytes())


def records():
    """Observations as `observe` takes them, and as older versions wrote them to the log."""
    record = {"signal": "correction", "skill_id": "demo", "observed": "It said so.", "proposal": "Say it.", "applied": False}
    line = record | {"schema": "lithermes/observation/v1", "id": "o-0123456789ab", "at": "2026-01-01T00:00:00Z"}
    for text in (record, line):
        keep("observation", json.dumps(text).encode() + b"\n")


if __name__ == "__main__":
    main()
