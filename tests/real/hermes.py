#!/usr/bin/env python3
"""What lithermes decides, real Hermes Agent sees: listed, shown changed, gone again.

Through the host's own command line and its own functions, in three layouts of a home: plain, the
root with a sticky profile, and a profile's own directory. Whatever in the home is not the skill
and not `lithermes/` stays as it was, byte for byte.
"""

import shutil

import host
import support
from support import Sandbox, Tally

SKILL = "release-notes"
FIRST = "Draws up the release notes from merged changes"
SECOND = "Draws up the release notes, breaking changes first"
USERS = "---\nname: by-hand\ndescription: A skill of the user\n---\n\nTheirs.\n"


class Layout:
    """A home as the host knows it: what `HERMES_HOME` says and where the skills then are."""

    def __init__(self, name, folder, told, real):
        self.name = name
        self.box = Sandbox.make(folder / name.replace(" ", "-"))
        self.told = self.box.home / told
        self.home = self.box.home / real
        for home in (self.box.home, self.told, self.home):
            (home / "skills/by-hand").mkdir(parents=True, exist_ok=True)
            (home / "skills/by-hand/SKILL.md").write_text(USERS)

    def run(self, *args, stdin=""):
        """Runs lithermes as somebody would whose shell has HERMES_HOME set: no `--hermes-home`."""
        command = [str(support.RELEASE), "--workspace", str(self.box.workspace), *args, "--json"]
        env = self.box.environment(HERMES_HOME=str(self.told))
        return support.execute(command, stdin, env, self.box.workspace)


def layouts(folder):
    yield Layout("plain", folder, "", "")
    sticky = Layout("sticky profile", folder, "", "profiles/research")
    (sticky.box.home / "active_profile").write_text("research\n")
    yield sticky
    direct = Layout("profile directly", folder, "profiles/research", "profiles/research")
    (direct.box.home / "profiles/other").mkdir()
    (direct.box.home / "active_profile").write_text("other\n")
    yield direct


class Story:
    """One skill from its creation to its end, with the host asked after each decision."""

    def __init__(self, tally, layout):
        self.tally = tally
        self.layout = layout
        # What Hermes makes of a new home is made before anything is compared.
        host.hermes(layout.box, layout.told, "skills", "list")
        host.ask(layout.box, [layout.home])

    def act(self, what, *args, stdin="", pattern=support.LEDGER_ID):
        """Runs lithermes; the command succeeds and touches nothing that is the host's or the user's."""
        prefix = str(self.layout.home.relative_to(self.layout.box.home)).removeprefix(".")
        own = [f"{prefix}/{part}".lstrip("/") for part in (f"skills/{SKILL}", "lithermes")]
        before = support.fingerprint(self.layout.box.home, own)
        answer = self.layout.run("skill-loop", *args, stdin=stdin)
        after = support.fingerprint(self.layout.box.home, own)
        self.tally.check(answer.code == 0, f"{self.layout.name}: {what}", answer.brief())
        changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        self.tally.check(not changed, f"{self.layout.name}: {what}: the rest of the home is untouched", str(changed))
        found = support.receipt_of(answer) if pattern is support.LEDGER_ID else answer.find(pattern)
        self.tally.check(found, f"{self.layout.name}: {what}: an id is given", answer.brief())
        return found or "l-000000000000"

    def propose(self, document):
        text = support.json.dumps(document)
        return self.act("propose", "propose", "-", stdin=text, pattern=support.PROPOSAL_ID)

    def sees(self, what, expected):
        """The host lists the skill with this description (or not at all), both ways."""
        where = f"{self.layout.name}: {what}"
        skills = host.listed(self.layout.box, self.layout.home)
        self.tally.equal(skills.get(SKILL), expected, f"{where}: the host's function lists it")
        self.tally.equal(skills.get("by-hand"), "A skill of the user", f"{where}: the user's skill is still listed")
        answer = host.hermes(self.layout.box, self.layout.told, "skills", "list")
        self.tally.equal(SKILL in answer.out, expected is not None, f"{where}: `hermes skills list`")
        self.tally.check("by-hand" in answer.out, f"{where}: `hermes skills list` works", answer.brief())

    def shows(self, what, *texts):
        """`skill_view` of the host shows the skill with these texts."""
        view = host.ask(self.layout.box, [self.layout.home], view=SKILL)[0]["view"]
        missing = [text for text in texts if text not in view.get("content", "")]
        self.tally.check(view.get("success") and not missing, f"{self.layout.name}: {what}: the host shows it",
                         f"{missing} {str(view)[:300]}")

    def tell(self):
        self.sees("before", None)
        creation = self.propose(support.create(SKILL, ("references/tone.md", "Short.\n"), description=FIRST))
        self.sees("proposed", None)
        created = self.act("apply create", "apply", creation)
        self.sees("created", FIRST)
        self.shows("created", "Second line.", 'lithermesAgentGenerated: "true"')
        edits = ((FIRST, SECOND), ("Second line.", "Breaking changes come first."))
        patched = self.act("apply patch", "apply", self.propose(support.patch(SKILL, *edits)))
        self.sees("patched", SECOND)
        self.shows("patched", "Breaking changes come first.")
        self.act("rollback patch", "rollback", patched)
        self.sees("patch rolled back", FIRST)
        self.shows("patch rolled back", "Second line.")
        self.act("rollback create", "rollback", created)
        self.sees("create rolled back", None)
        self.tally.check(not (self.layout.home / "skills" / SKILL).exists(), f"{self.layout.name}: the directory is gone")
        answer = self.layout.run("skill-loop", "verify")
        self.tally.check(answer.code == 0, f"{self.layout.name}: verify", answer.brief())


def main():
    tally = Tally()
    tally.check(support.RELEASE.exists(), f"`{support.RELEASE}` is built")
    if not host.present(tally) or tally.failed:
        tally.close()
    folder = support.scratch("hermes")
    try:
        for layout in layouts(folder):
            before = tally.passed
            Story(tally, layout).tell()
            print(f"  {layout.name}: {tally.passed - before} checks against Hermes {host.VERSION}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    tally.close()


if __name__ == "__main__":
    main()
