//! The host as it is found on disk (hermes-host.md): home and profile, skills and their owners,
//! frontmatter, sessions, and whether an agent started us. Reads only; asks no host process.

pub mod ancestry;
pub mod frontmatter;
pub mod home;
pub mod session;
pub mod skills;
