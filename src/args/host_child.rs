//! The command line between lithermes and itself.
//!
//! Promises: stands in no help, no manual page and no completion; both ends are of one version.

use std::ffi::OsString;

use clap::Parser;

/// `host-child`, which lithermes starts itself: no command of `Args`, so that a child does not wait
/// until all of those are built
#[derive(Debug, Clone, Parser)]
#[command(name = "host-child")]
pub struct HostChildArgs {
    /// How much of what stands in the socket on standard input the child reads
    #[arg(long, value_name = "BYTES")]
    pub stdin_bytes: u64,
    /// End the child after this many milliseconds
    #[arg(long, value_name = "MILLISECONDS")]
    pub time_ms: u64,
    /// Hand over what the child leaves in its folder under this name
    #[arg(long, value_name = "NAME")]
    pub keep: Option<OsString>,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "ARGUMENT")]
    pub argv: Vec<OsString>,
}
