//! Whether an agent started this process (skill-loop.md §5): the honest mistake, not malice.

/// What shows that an agent stands behind this process: `HERMES_SESSION_ID` or
/// `LITHERMES_CHILD` in the environment, or a Hermes process among the ancestors. `None` where
/// nothing does. The text names what was found (`a Hermes process among the parents (pid 41)`).
pub fn agent_behind() -> Option<String> {
    todo!()
}
