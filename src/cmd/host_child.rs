//! `host-child`: stands above one child of a conference (conference.md A2). Nobody types this.

use std::time::Duration;

use crate::args::HostChildArgs;
use crate::error::Result;
use crate::process::shim::{Order, watch};

pub(super) fn run(args: &HostChildArgs) -> Result<u8> {
    watch(&Order {
        argv: &args.argv,
        stdin_bytes: args.stdin_bytes,
        time: Duration::from_millis(args.time_ms),
    })?;
    Ok(0)
}
