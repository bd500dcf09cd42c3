//! `tour`: the whole product on throw-away directories, each real command printed before it runs.

mod stage;

use serde_json::json;

use super::invocation::Invocation;
use crate::error::{Code, Result};

use stage::Stage;

const FILES: [(&str, &str); 4] = [
    (
        "create.json",
        include_str!("../../../templates/tour-create.json"),
    ),
    (
        "patch.json",
        include_str!("../../../templates/tour-patch.json"),
    ),
    (
        "upload/conference.md",
        include_str!("../../../templates/tour-conference.md"),
    ),
    (
        "upload/cost.sh",
        include_str!("../../../templates/tour-cost.sh"),
    ),
];

/// What an agent noticed before the tour begins.
const OBSERVED: &str = "The user dictated the order of the release notes for the third time.";
const SUGGESTED: &str = "A skill that says the order.";

pub(super) fn run(invocation: &Invocation) -> Result<u8> {
    let folder = tempfile::Builder::new()
        .prefix("lithermes-tour-")
        .tempdir()?;
    let mut stage = Stage::new(invocation, folder.path(), &FILES)?;
    stage.say("A throw-away Hermes home and a workspace; nothing of yours is touched.");
    stage.show(&format!(
        "export HERMES_HOME={}; cd {}",
        stage.home().display(),
        stage.work().display()
    ));
    noticed(&mut stage)?;
    let receipt = decided(&mut stage)?;
    taken_back(&mut stage, &receipt)?;
    proved(&mut stage)?;
    researched(&mut stage)?;
    invocation
        .output
        .document(&json!({"schema": "lithermes/tour/v1", "steps": stage.into_steps()}));
    Ok(0)
}

fn noticed(stage: &mut Stage<'_>) -> Result<()> {
    stage.say("An agent noticed something. It is written down, and no skill changes.");
    stage.ours(
        &[
            "skill-loop",
            "observe",
            "--signal",
            "coverage-gap",
            "--observed",
            OBSERVED,
            "--proposal",
            SUGGESTED,
        ],
        0,
    )?;
    stage.say("A model gets the rules, the skills and what was noticed in one document.");
    stage.ours_from(&["skill-loop", "review"], "## Observations")
}

/// Gives the receipt of the correction.
fn decided(stage: &mut Stage<'_>) -> Result<String> {
    stage.say("It answered with a new skill, which waits for a person.");
    stage.ours(&["skill-loop", "propose", "create.json"], 0)?;
    stage.ours(&["skill-loop", "list"], 0)?;
    let created = stage.pending()?;
    stage.ours(&["skill-loop", "show", &created], 0)?;
    stage.say("The person applies it, and then a correction.");
    stage.ours(&["skill-loop", "apply", &created], 0)?;
    stage.ours(&["skill-loop", "propose", "patch.json"], 0)?;
    let patched = stage.pending()?;
    stage.ours(&["skill-loop", "show", &patched], 0)?;
    stage.ours(&["skill-loop", "apply", &patched], 0)?;
    stage.newest_apply()
}

fn taken_back(stage: &mut Stage<'_>, receipt: &str) -> Result<()> {
    let skill = stage.home().join("skills/release-notes/SKILL.md");
    let applied = fs_err::read(&skill)?;
    stage.say("Somebody edits the skill by hand. A rollback would lose that, so it is refused.");
    stage.show("echo '4. Ask for a review.' >> $HERMES_HOME/skills/release-notes/SKILL.md");
    let edited = [applied.as_slice(), b"4. Ask for a review.\n"].concat();
    fs_err::write(&skill, edited)?;
    let refused = Code::RollbackCasMismatch.exit();
    stage.ours(&["skill-loop", "rollback", receipt], refused)?;
    stage.say("The edit undone, the correction is taken back to the byte.");
    stage.show("sed -i '$d' $HERMES_HOME/skills/release-notes/SKILL.md");
    fs_err::write(&skill, &applied)?;
    stage.ours(&["skill-loop", "rollback", receipt], 0)
}

fn proved(stage: &mut Stage<'_>) -> Result<()> {
    stage.say("Every decision has a receipt, and all of it can be proved.");
    stage.ours(&["skill-loop", "log"], 0)?;
    stage.ours(&["skill-loop", "verify"], 0)?;
    stage.git()
}

fn researched(stage: &mut Stage<'_>) -> Result<()> {
    stage.say("Research has its price: a conference says what it may cost before it begins.");
    stage.ours(&["conference", "check", "upload"], 0)?;
    stage.say("The person approves exactly that. Two lanes search, here without a model.");
    let digest = stage.approval("upload")?;
    let run = ["conference", "run", "upload", "--approve", &digest];
    stage.ours_from(&run, "round 1")?;
    stage.say("Its rounds and its approval stand in the same ledger.");
    stage.ours(&["skill-loop", "log", "--limit", "4"], 0)?;
    stage.ours(&["skill-loop", "verify"], 0)
}
