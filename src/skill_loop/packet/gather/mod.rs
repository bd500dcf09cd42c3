//! Reads what a packet is made of: catalogue, skills, observations, a session.
//!
//! Promises: writes nothing, takes no lock, follows no link below the home; reads of each thing no
//! more than a packet of this size can hold.

mod files;
mod observed;
mod session;

use std::collections::BTreeSet;

use self::files::{Concerned, Files};
use super::{Listing, Material, Noted};
use crate::count;
use crate::error::{Code, Error, Result};
use crate::guard::{name, text};
use crate::hermes::skills::{Owner, Owners, Surveyed, survey};
use crate::skill_loop::workplace::Workplace;

/// What a caller wants to see.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// A session's id, or `latest`.
    pub session: Option<String>,
    /// Only this skill, and what was observed about it.
    pub skill: Option<String>,
    /// The size of the packet.
    pub max_bytes: usize,
    /// The user's home, as it may be spelled.
    pub user_homes: Vec<String>,
}

/// The material, and what a person should know about it.
#[derive(Debug, Clone)]
pub struct Gathered {
    /// What the packet is made of.
    pub material: Material,
    /// Skills whose text is in it.
    pub skills: Vec<String>,
    /// The session's id.
    pub session: Option<String>,
    /// Newer ones that were passed over, of children of conferences.
    pub passed: usize,
    /// What was found on the way, one sentence each.
    pub warnings: Vec<String>,
}

/// Reads everything. `NOT_FOUND` for a session or a skill that does not exist.
pub fn gather(place: &Workplace, request: &Request) -> Result<Gathered> {
    let surveyed = survey(&place.home_dir, &Owners::load(&place.home_dir)?)?;
    let catalogue = Catalogue(&surveyed);
    let only = match &request.skill {
        Some(name) => Some(catalogue.known(name)?),
        None => None,
    };
    let asked = request.session.as_deref();
    let found = asked.map(|id| session::read(place, id, request.max_bytes));
    let found = found.transpose()?;
    let passed = found.as_ref().map_or(0, |found| found.passed);
    let found = found.map(|found| (found.session, found.consulted));
    let (session, consulted) = found.unzip();
    let noted = observed::read(place, |skill| {
        only.is_none() || skill.and_then(|name| catalogue.find(name)) == only
    })?;
    let concerned = match only {
        Some(skill) => Vec::from_iter(eligible(skill).map(|name| (name.to_owned(), None))),
        None => {
            let consulted = consulted.unwrap_or_default();
            catalogue.concerned(&consulted, &noted.observations)
        }
    };
    let files = Files::read(place, &concerned, request.max_bytes);
    let listed = only.map_or(surveyed.as_slice(), std::slice::from_ref);
    Ok(Gathered {
        skills: concerned.into_iter().map(|(skill, _)| skill).collect(),
        session: session.as_ref().map(|session| session.id.clone()),
        passed,
        warnings: warnings(only, noted.damaged),
        material: Material {
            user_homes: request.user_homes.clone(),
            skills: listed.iter().map(listing).collect(),
            not_asked: surveyed.len() - listed.len(),
            files: files.found,
            unlisted: files.unlisted,
            observations: noted.observations,
            decided: noted.decided,
            damaged: noted.damaged,
            session,
        },
    })
}

fn warnings(only: Option<&Surveyed>, damaged: usize) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(why) = only.and_then(ineligible) {
        let why = text::line(&why);
        warnings.push(format!(
            "the skill is not eligible, its text is left out: {why}"
        ));
    }
    if damaged > 0 {
        let lines = count::of(damaged, "damaged line", "damaged lines");
        warnings.push(format!("left out: {lines} of the observation log"));
    }
    warnings
}

/// The directory of a skill that can be changed.
fn eligible(skill: &Surveyed) -> Option<&str> {
    ineligible(skill).is_none().then_some(&skill.entry.dir_name)
}

/// Why a skill cannot be changed.
fn ineligible(skill: &Surveyed) -> Option<String> {
    match &skill.owner {
        Owner::Other(reason) => Some(reason.clone()),
        Owner::Absent => Some("it went away".to_owned()),
        Owner::Agent => name::check_skill(&skill.entry.dir_name).err(),
    }
}

/// A line of the catalogue, with the name that a proposal would use. What lies behind a link may
/// be any file at all, and says nothing here.
fn listing(skill: &Surveyed) -> Listing {
    let ineligible = ineligible(skill);
    let own = Some(&skill.uncut).filter(|_| !skill.entry.linked);
    let listed = own
        .and_then(|own| own.name.as_ref())
        .filter(|_| ineligible.is_some());
    Listing {
        name: listed.unwrap_or(&skill.entry.dir_name).clone(),
        description: own
            .and_then(|own| own.description.clone())
            .unwrap_or_default(),
        ineligible,
        sha256: skill.sha256.clone(),
    }
}

struct Catalogue<'a>(&'a [Surveyed]);

impl Catalogue<'_> {
    /// The skill under any of the names that the host knows it by.
    fn find(&self, name: &str) -> Option<&Surveyed> {
        let there = self.0.iter().find(|skill| skill.entry.path == name);
        let is = |skill: &&Surveyed| skill.entry.is_called(name);
        there.or_else(|| self.0.iter().find(is))
    }

    fn known(&self, name: &str) -> Result<&Surveyed> {
        self.find(name).ok_or_else(|| {
            let text = format!("there is no skill `{}`", text::line(name));
            Error::new(Code::NotFound, text).hint("hermes skills list")
        })
    }

    /// The eligible skills whose text belongs into the packet, each with the rank of the
    /// observation that is the only reason for it.
    fn concerned(&self, consulted: &[String], observations: &[Noted]) -> Concerned {
        let consulted = consulted.iter().map(|name| (name.as_str(), None));
        let named = observations.iter().enumerate();
        let named = named.filter_map(|(rank, one)| Some((one.skill.as_deref()?, Some(rank))));
        let mut seen = BTreeSet::new();
        let mut concerned = Vec::new();
        for (name, rank) in consulted.chain(named) {
            if let Some(skill) = self.find(name).and_then(eligible)
                && seen.insert(skill)
            {
                concerned.push((skill.to_owned(), rank));
            }
        }
        concerned
    }
}
