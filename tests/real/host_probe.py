"""Runs inside the virtual environment of real Hermes: what the host's own functions say.

Reads one JSON object on stdin, `{"homes": [...], "view": NAME or null}`, and prints one line of
JSON for each home: its skills as the host lists them, and the view of one skill.
"""

import contextlib
import json
import os
import sys
import traceback


def main():
    request = json.load(sys.stdin)
    os.environ["HERMES_HOME"] = request["homes"][0]
    from tools import skills_tool

    for home in request["homes"]:
        os.environ["HERMES_HOME"] = home
        skills_tool._SKILLS_CACHE.clear()
        with contextlib.redirect_stdout(sys.stderr):
            answer = {"skills": skills_tool._find_all_skills()}
            if request.get("everywhere"):  # a skill for another system is not listed here, yet it is read
                answer["unfiltered"] = unfiltered(skills_tool)
            if request.get("view"):
                answer["view"] = json.loads(skills_tool.skill_view(request["view"], preprocess=False))
        print(json.dumps(answer), flush=True)


def unfiltered(skills_tool):
    """The same listing with the filters for platform and environment taken out."""
    kept = skills_tool.skill_matches_platform, skills_tool.skill_matches_environment
    skills_tool.skill_matches_platform = skills_tool.skill_matches_environment = lambda _frontmatter: True
    skills_tool._SKILLS_CACHE.clear()
    try:
        return skills_tool._find_all_skills()
    finally:
        skills_tool.skill_matches_platform, skills_tool.skill_matches_environment = kept


if __name__ == "__main__":
    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(1)
