//! The argument vectors of the two kinds of turns (conference.md A2).

use std::ffi::OsString;
use std::path::Path;

use super::Hermes;

/// The usage file, in the child's own folder.
pub(super) const USAGE: &str = "usage.json";
/// The toolset that holds no tool.
const NO_TOOLS: &str = "context_engine";
/// What a turn with tools may do beside its iterations: look around, and answer.
const TURNS_BESIDE: u32 = 8;
/// Tool calls that an iteration may need.
const TURNS_EACH: u32 = 4;
/// The host's own limit.
const MOST_TURNS: u32 = 90;

impl Hermes {
    /// `-z` where a child has no tools: it sends none, and writes a usage file. `chat -q` where it
    /// has some: only there can turns be bounded, and nothing is run without asking.
    pub(super) fn argv(&self, prompt: String, iterations: u32) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![self.program.clone().into()];
        let mut add = |more: &[&str]| words.extend(more.iter().map(OsString::from));
        if is_redirected(&self.home) {
            add(&["-p", "default"]);
        }
        if self.toolsets.is_empty() {
            add(&["-z", &prompt, "-t", NO_TOOLS, "--usage-file", USAGE]);
            return words;
        }
        let turns = iterations.saturating_mul(TURNS_EACH);
        let turns = turns
            .saturating_add(TURNS_BESIDE)
            .min(MOST_TURNS)
            .to_string();
        let toolsets = self.toolsets.join(",");
        add(&["chat", "-q", &prompt, "-Q", "--max-turns", &turns]);
        add(&["--ignore-rules", "--source", "tool", "-t", &toolsets]);
        words
    }
}

/// The host leaves a root for the profile that is active in it, also where `HERMES_HOME` names the
/// root. A profile's own home is trusted.
fn is_redirected(home: &Path) -> bool {
    let parent = home.parent().and_then(Path::file_name);
    parent.is_none_or(|name| name != "profiles") && home.join("active_profile").exists()
}
