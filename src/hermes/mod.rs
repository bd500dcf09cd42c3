//! The host as it is found on disk (hermes-host.md): home and profile, skills and their owners,
//! frontmatter, sessions, settings, its curator, its program, and whether an agent started us. Reads
//! only; asks no host process.

pub mod ancestry;
pub mod curator;
pub mod frontmatter;
pub mod home;
pub mod program;
pub mod session;
pub mod settings;
pub mod skills;
pub mod work;
