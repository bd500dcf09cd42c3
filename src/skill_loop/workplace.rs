//! The place that a command works on: one home, one workspace, and what lithermes keeps in them.
//!
//! Promises: reading makes nothing and takes no lock; [`Workplace::lock`] hands out the only way
//! to write, with foreign state refused, a torn ledger line set aside and an interrupted decision
//! recovered first.

use std::time::Duration;

use super::decision::snapshot::{ALTERED, branch};
use super::queue::Queue;
use super::recovery;
use crate::clock;
use crate::disk::{Dir, Lock};
use crate::error::{Code, Error, Result};
use crate::guard::secret;
use crate::hermes::home::{Home, Workspace};
use crate::ledger::{Draft, Ledger, Line};
use crate::store::Store;

/// Our folder below the home.
pub const STATE: &str = "lithermes";
const LOCK: &str = "lock";

/// One home and one workspace.
#[derive(Debug)]
pub struct Workplace {
    /// The home.
    pub home: Home,
    /// The home, held open.
    pub home_dir: Dir,
    /// The workspace.
    pub workspace: Workspace,
    /// What was typed, for receipts.
    pub argv: Vec<String>,
    /// How long to wait for another lithermes.
    pub patience: Duration,
}

/// See [`Workplace::rest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest(Option<String>);

/// A workplace that nobody else writes to at the moment.
#[derive(Debug)]
pub struct Locked<'place> {
    /// The place.
    pub place: &'place Workplace,
    /// The proof.
    pub lock: Lock,
    /// The ledger.
    pub ledger: Ledger,
    /// The store.
    pub store: Store,
    /// What was recovered on the way, one sentence each.
    pub notes: Vec<String>,
}

impl Workplace {
    /// Opens the home. `NOT_FOUND` where it went away.
    pub fn open(
        home: Home,
        workspace: Workspace,
        argv: Vec<String>,
        patience: Duration,
    ) -> Result<Self> {
        let missing = || {
            Error::new(
                Code::NotFound,
                format!("no Hermes home at {}", home.path.display()),
            )
        };
        let home_dir = Dir::open_root(&home.path)?.ok_or_else(missing)?;
        let argv = argv
            .iter()
            .map(|word| secret::redact(word).into_owned())
            .collect();
        Ok(Self {
            home,
            home_dir,
            workspace,
            argv,
            patience,
        })
    }

    /// `H/lithermes/`; `None` where nothing was ever written.
    pub fn state(&self) -> Result<Option<Dir>> {
        self.home_dir.sub(STATE)
    }

    /// The ledger; `None` where nothing was ever written. `FOREIGN_STATE` for another product's.
    pub fn ledger(&self) -> Result<Option<Ledger>> {
        let Some(state) = self.state()? else {
            return Ok(None);
        };
        let ledger = Ledger::new(&state)?;
        ledger.refuse_foreign()?;
        Ok(Some(ledger))
    }

    /// The store; `None` where nothing was ever written.
    pub fn store(&self) -> Result<Option<Store>> {
        match self.state()? {
            Some(state) => Store::open(&state),
            None => Ok(None),
        }
    }

    /// What the ledger ends with; `None` while the next writer has something to settle: a decision
    /// that did not end, or the follow-up of one that did. An answer that was found between two
    /// equal rests holds without the lock.
    pub fn rest(&self) -> Result<Option<Rest>> {
        let (Some(ledger), Some(store)) = (self.ledger()?, self.store()?) else {
            return Ok(Some(Rest(None)));
        };
        if recovery::is_due(&ledger, &store)? {
            return Ok(None);
        }
        Ok(Some(Rest(ledger.last()?.map(|line| line.digest))))
    }

    /// The proposal queue of the workspace.
    pub fn queue(&self) -> Queue {
        Queue::new(&self.workspace.path)
    }

    /// The directory of a skill; `None` where it does not exist.
    pub fn skill_dir(&self, skill: &str) -> Result<Option<Dir>> {
        match self.home_dir.sub("skills")? {
            Some(skills) => skills.sub(skill),
            None => Ok(None),
        }
    }

    /// The home's path as receipts and queue files spell it.
    pub fn home_text(&self) -> String {
        self.home.path.to_string_lossy().into_owned()
    }

    /// Takes the lock and puts right what a killed process left. `waiting` hears who holds the
    /// lock when the wait becomes noticeable.
    pub fn lock(&self, waiting: &mut dyn FnMut(&str)) -> Result<Locked<'_>> {
        let mut locked = self.begin(waiting)?;
        recovery::run(&mut locked)?;
        Ok(locked)
    }

    /// As [`Workplace::lock`], and removes first what only a person may call abandoned: lock files
    /// of other programs in the store. They would stand in the way of the recovery itself.
    pub fn repair(&self, waiting: &mut dyn FnMut(&str)) -> Result<Locked<'_>> {
        let mut locked = self.begin(waiting)?;
        for path in locked.store.remove_lock_files(&locked.lock)? {
            let note = format!("a lock file of another program was removed: {path}");
            locked.notes.push(note);
        }
        // The workspace may be gone or not ours to write: it stops no repair of the home.
        if let Err(error) = self.queue().sweep(&locked.lock) {
            let note = format!("the queue could not be swept: {error}");
            locked.notes.push(note);
        }
        recovery::run(&mut locked)?;
        Ok(locked)
    }

    fn begin(&self, waiting: &mut dyn FnMut(&str)) -> Result<Locked<'_>> {
        self.refuse_foreign()?;
        let (state, _) = self.home_dir.sub_or_create(STATE, 0o700)?;
        let lock = Lock::acquire(
            &state,
            LOCK,
            self.patience,
            &self.holder(&self.argv.join(" ")),
            waiting,
        )?;
        let ledger = Ledger::new(&state)?;
        let mut notes = Vec::new();
        if let Some(name) = ledger.set_torn_aside(&lock)? {
            notes.push(format!(
                "a torn last line of the ledger was set aside as {name}"
            ));
        }
        let store = Store::open_or_create(&state, &lock)?;
        refuse_emptied(&ledger, &store)?;
        Ok(Locked {
            place: self,
            lock,
            ledger,
            store,
            notes,
        })
    }

    /// Before anything is made: folders of an older product are not ours to write to.
    fn refuse_foreign(&self) -> Result<()> {
        if let Some(state) = self.state()? {
            Ledger::new(&state)?.refuse_foreign()?;
            Store::open(&state)?;
        }
        Ok(())
    }

    /// Who holds a lock, for whoever waits for it.
    pub(super) fn holder(&self, command: &str) -> String {
        format!(
            "pid {} {} since {}: {command}",
            std::process::id(),
            clock::actor(),
            clock::now()
        )
    }
}

impl Locked<'_> {
    /// Appends a line of this room's.
    pub fn record(&self, kind: &str, body: &impl serde::Serialize) -> Result<Line> {
        let draft = Draft {
            kind: kind.to_owned(),
            actor: clock::actor(),
            argv: self.place.argv.clone(),
            body: super::receipt::to_body(body),
        };
        self.ledger.append(&self.lock, draft)
    }
}

/// A ledger without a line beside a store with decisions was emptied by something else.
fn refuse_emptied(ledger: &Ledger, store: &Store) -> Result<()> {
    if ledger.backwards()?.next_line()?.is_some() {
        return Ok(());
    }
    let skills = store.branches("skills")?.into_iter().next();
    let altered = store.tip(ALTERED)?.map(|tip| (ALTERED.to_owned(), tip));
    let skills = skills.map(|(name, tip)| (branch(&name), tip));
    let Some((name, tip)) = skills.or(altered) else {
        return Ok(());
    };
    let text = format!(
        "the ledger is empty, but the store holds decisions: {}",
        ledger.path().display()
    );
    Err(Error::new(Code::LedgerDamaged, text)
        .expected(format!("a line that names commit {tip} ({name})"))
        .found("no line")
        .hint("restore the file from a backup; nothing was written"))
}
