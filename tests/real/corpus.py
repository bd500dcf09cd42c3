#!/usr/bin/env python3
"""SKILL.md files that people published, read as the host reads them, patched, and restored.

Each file goes into a home of its own. Its name and description in lithermes' catalogue must be
those that Hermes' own code gives. Then it is made agent-owned, patched by propose and apply, and
rolled back: every byte must come back. What lithermes refuses is counted by reason and shown.
"""

import collections
import concurrent.futures
import pathlib
import re
import shutil

import host
import packages
import support
from support import Sandbox, Tally

LEAST_FILES = 100
LEAST_PACKAGES = 5
LEAST_ROUNDS = 100
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


def collect(tally):
    """(package, path, bytes) of the distinct files, with the list printed."""
    seen, files, used = set(), [], 0
    print("  package                          version        SKILL.md  distinct")
    for package in packages.listed():
        found = packages.distinct(package, seen)
        print(f"  {package.registry + ' ' + package.name:32} {package.version:14} {len(package.skills()):8} {len(found):9}")
        files += [(package.name, path, data) for path, data in found]
        used += bool(found)
    tally.check(len(files) >= LEAST_FILES, f"at least {LEAST_FILES} distinct files", str(len(files)))
    tally.check(used >= LEAST_PACKAGES, f"from at least {LEAST_PACKAGES} packages", str(used))
    return files


def settle(folder, files):
    """A home for each file, the skill in the directory that it calls itself."""
    homes = []
    for number, (package, path, data) in enumerate(files):
        box = Sandbox.make(folder / f"{number:04}")
        named = re.search(rb"^name:[ \t]*[\"']?([a-z0-9._-]+)[\"']?[ \t]*\r?$", data, re.MULTILINE)
        name = named[1].decode() if named else pathlib.PurePath(path).parent.name
        name = name if NAME.fullmatch(name) else f"skill-{number}"
        (box.skills / name).mkdir()
        (box.skills / name / "SKILL.md").write_bytes(data)
        homes.append((box, name, f"{package}: {path}"))
    return homes


def read_alike(tally, homes):
    """lithermes' catalogue of each home is what the host's own code says."""
    first = homes[0][0]
    answers = host.ask(first, [box.home for box, _, _ in homes], everywhere=True)
    hidden = 0
    for (box, _, what), answer in zip(homes, answers, strict=True):
        hidden += answer["skills"] != answer["unfiltered"]
        theirs = [(skill["name"], skill["description"]) for skill in answer["unfiltered"]]
        ours = box.run("doctor")
        found = [(entry.get("name"), entry.get("description")) for entry in ours.json.get("catalogue", [{}])]
        tally.equal(found, theirs, f"{what}: read as the host reads it")
    print(f"  {len(homes)} catalogued; {hidden} of them the host does not offer on this system")


def one_round(home):
    """Owned, patched, rolled back: what it is, why it was not taken (or ""), what went wrong (or None)."""
    box, name, what = home
    file = box.skills / name / "SKILL.md"
    original = file.read_bytes()
    owned = support.marked(original.decode(errors="surrogateescape"))
    if owned is None:
        return what, "no place for the marker (no frontmatter, or `metadata` is no block map)", None
    file.write_bytes(owned.encode(errors="surrogateescape"))
    before = support.contents(box.skills)
    line = only_line(owned)
    if line is None:
        return what, "no body, or no line of it occurs once", None
    answer = box.loop("propose", "-", stdin=support.json.dumps(support.patch(name, (line, line + " (revised)"))))
    if answer.code != 0:
        fault = None if answer.code == 3 and support.contents(box.skills) == before else answer.brief()
        return what, "refused at propose: " + reason(answer), fault
    identity = answer.find(support.PROPOSAL_ID)
    # A frontmatter that is no YAML is read line by line, as the host does: no marker is seen, and the
    # proposal stays a note.
    if blocked := [text for text in support.strings(answer.json) if text.startswith("blocked: ")]:
        refusal = box.loop("apply", identity)
        clean = refusal.code == 3 and support.contents(box.skills) == before
        return what, "imported as a note: " + plain(blocked[0]), None if clean else refusal.brief()
    return what, "", decided(box, identity, before, file, owned.replace(line, line + " (revised)"))


def decided(box, identity, before, file, expected):
    """Applies and rolls back; what went wrong, or None."""
    try:
        receipt = box.decide("apply", identity)
        if file.read_bytes() != expected.encode(errors="surrogateescape"):
            return "the patched bytes are not the base with the one line changed"
        box.decide("rollback", receipt)
    except support.Refused as refused:
        return str(refused)
    return None if support.contents(box.skills) == before else "the bytes after the rollback differ"


def only_line(text):
    """The longest line of the body that occurs once in the whole file."""
    body = text.split("\n---", 1)[-1]
    lines = sorted({line.strip("\r") for line in body.split("\n")}, key=lambda line: (-len(line), line))
    plain = [line for line in lines if 8 <= len(line) <= 400 and "[REDACTED" not in line]
    return next((line for line in plain if text.count(line) == 1), None)


def reason(answer):
    """The message of a refusal without the values in it."""
    document = answer.json
    return plain(f"{document.get('code', answer.code)} {document.get('message', answer.err[:120])}")


def plain(message):
    """A sentence without the values in it."""
    return re.sub(r"\d+", "N", re.sub(r"`[^`]*`", "`…`", message))[:160]


def rounds(tally, homes):
    """Every file through its round, two at a time; refusals are counted by reason."""
    reasons = collections.Counter()
    whole = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for what, refused, fault in pool.map(one_round, homes):
            reasons[refused] += bool(refused)
            whole += not refused and fault is None
            tally.check(fault is None, f"{what}: patched and restored, or refused cleanly", fault)
    print(f"  {whole} patched and restored byte for byte; not taken:")
    for text, count in reasons.most_common():
        if count:
            print(f"  {count:6}  {text}")
    tally.check(whole >= LEAST_ROUNDS, f"at least {LEAST_ROUNDS} files made the round", str(whole))


def main():
    tally = Tally()
    tally.check(support.RELEASE.exists(), f"`{support.RELEASE}` is built")
    support.require(tally, "npm")
    if not host.present(tally) or tally.failed:
        tally.close()
    files = collect(tally)
    folder = support.scratch("corpus")
    try:
        homes = settle(folder, files)
        read_alike(tally, homes)
        rounds(tally, homes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    main()
