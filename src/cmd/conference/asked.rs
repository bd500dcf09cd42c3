//! What the command line says about a conference beside its `conference.md`.

use crate::args::{ConditionArgs, HostName, SessionArgs};
use crate::conference::gate::{Asked, Grant};
use crate::conference::plan::{Argv, Host};
use crate::error::{Code, Error, Result};

/// Reads the flags. `USAGE` for a command that cannot be split and a grant that cannot be one.
pub(super) fn read(args: &ConditionArgs) -> Result<Asked> {
    let command = args.host_command.as_deref().map(Argv::parse).transpose();
    let command = command.map_err(|why| usage("--host-command", &why))?;
    let grant = args.grant.as_deref().map(str::parse::<Grant>).transpose();
    let grant = grant.map_err(|why| usage("--grant", &why))?;
    let host = args.host.map(|name| match name {
        HostName::Hermes => Host::Hermes,
        HostName::Command => Host::Command,
        HostName::Local => Host::Local,
        HostName::Recorded => Host::Recorded,
        HostName::Handoff => Host::Handoff,
    });
    let recorded = args.recorded.clone();
    Ok(Asked {
        host,
        command,
        recorded,
        grant,
    })
}

/// What a session says, as the conditions of which it is a part.
pub(super) fn session(args: &SessionArgs) -> ConditionArgs {
    ConditionArgs {
        root: args.root.clone(),
        host: args.host,
        host_command: None,
        recorded: None,
        grant: args.grant.clone(),
    }
}

/// `USAGE` for a flag that the host which is used has no use for: one host never stands in for
/// another (conference.md A2).
pub(super) fn fits(asked: &Asked, host: Host) -> Result<()> {
    let unfit = |flag: &str, wanted: &str| {
        let why = format!(
            "is for the host {wanted}, and the host is {}",
            host.as_str()
        );
        Err(usage(flag, &why).hint(format!("add --host {wanted}")))
    };
    if asked.command.is_some() && host != Host::Command {
        return unfit("--host-command", "command");
    }
    if asked.recorded.is_some() && host != Host::Recorded {
        return unfit("--recorded", "recorded");
    }
    Ok(())
}

fn usage(flag: &str, why: &str) -> Error {
    Error::new(Code::Usage, format!("{flag}: {why}"))
}

/// The words that say the same again.
pub(super) fn words(args: &ConditionArgs, host: Host) -> Vec<String> {
    let mut words = vec![args.root.to_string_lossy().into_owned()];
    let mut flag = |name: &str, value: Option<String>| {
        words.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
    };
    flag("--host", args.host.map(|_| host.as_str().to_owned()));
    flag("--host-command", args.host_command.clone());
    let recorded = args.recorded.as_ref();
    flag(
        "--recorded",
        recorded.map(|dir| dir.to_string_lossy().into_owned()),
    );
    flag("--grant", args.grant.clone());
    words
}
