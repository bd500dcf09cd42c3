mod cuts;
mod laws;
mod secrets;
mod templates;

use super::compose;
use super::{ANSWER, Body, CONTRACT, Listing, Material, Noted, Packet, Session, SkillFile, Turn};

/// A packet that nothing has to be cut from.
const AMPLE: usize = 4 << 20;

fn packet(material: &Material, max_bytes: usize) -> Packet {
    compose(material, max_bytes).unwrap()
}

fn least(material: &Material) -> usize {
    let error = compose(material, 0).unwrap_err();
    let least = error.expectation().unwrap().strip_prefix("at least ");
    least.unwrap().parse().unwrap()
}

fn listing(name: &str, description: &str) -> Listing {
    Listing {
        name: name.to_owned(),
        description: description.to_owned(),
        ineligible: None,
        sha256: Some(crate::digest::sha256_hex(name.as_bytes())),
    }
}

fn foreign(name: &str, description: &str) -> Listing {
    Listing {
        ineligible: Some("pinned in .usage.json".to_owned()),
        ..listing(name, description)
    }
}

fn file(skill: &str, path: &str, text: &str) -> SkillFile {
    SkillFile {
        skill: skill.to_owned(),
        path: path.to_owned(),
        bytes: text.len(),
        sha256: Some(crate::digest::sha256_hex(text.as_bytes())),
        body: Body::Text(text.to_owned()),
        named_by: None,
    }
}

fn noted(number: usize, skill: Option<&str>, observed: &str, proposal: &str) -> Noted {
    Noted {
        id: format!("o-{number:012x}"),
        at: "2026-11-30T10:15:00Z".to_owned(),
        signal: "correction".to_owned(),
        skill: skill.map(str::to_owned),
        observed: observed.to_owned(),
        proposal: proposal.to_owned(),
        times: 1,
        pending: Vec::new(),
    }
}

fn turn(id: i64, role: &str, text: &str) -> Turn {
    Turn {
        id,
        role: role.to_owned(),
        tool: None,
        at: None,
        text: text.to_owned(),
        calls: Vec::new(),
    }
}

fn session(turns: Vec<Turn>) -> Option<Session> {
    Some(Session {
        id: "20261130_101500_ab12cd".to_owned(),
        messages: turns.len(),
        turns,
    })
}

/// What a strict reader sees: the quotations, and the lines around them.
#[derive(Default)]
struct Read {
    /// Each with the heading of its part.
    quotations: Vec<(String, String)>,
    around: String,
}

impl Read {
    fn of(packet: &Packet) -> Self {
        let tag = packet.text.lines().nth(2).unwrap();
        let tag = tag.split(' ').nth(2).unwrap();
        let (open, close) = (format!("<quoted-{tag}>"), format!("</quoted-{tag}>"));
        let mut read = Self::default();
        let (mut part, mut inside) = ("", None::<String>);
        for line in packet.text.lines() {
            match &mut inside {
                Some(body) if line == close => {
                    let body = std::mem::take(body);
                    read.quotations.push((part.to_owned(), body));
                    inside = None;
                }
                Some(body) => {
                    assert!(!line.contains(tag), "a tag within a quotation: {line}");
                    *body += &format!("{line}\n");
                }
                None if line == open => inside = Some(String::new()),
                None => {
                    part = line.strip_prefix("## ").unwrap_or(part);
                    read.around += &format!("{line}\n");
                }
            }
        }
        assert!(inside.is_none(), "a quotation is not closed");
        read
    }

    fn bodies(&self) -> Vec<&str> {
        self.quotations
            .iter()
            .map(|(_, body)| body.as_str())
            .collect()
    }

    /// Lines of skill text that a patch may be copied from.
    fn patchable(&self) -> impl Iterator<Item = &str> {
        let texts = self
            .quotations
            .iter()
            .filter(|(part, _)| part == "Text of skills");
        let lines = texts.flat_map(|(_, body)| body.lines());
        lines.filter(|line| !line.contains(NOT_PATCHABLE))
    }
}

const NOT_PATCHABLE: &str = " <<< NOT PATCHABLE: ";
