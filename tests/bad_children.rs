//! Children of the host `command` as bad as they come, end to end: each id has one end with a named
//! reason and in time, nothing of any child is left, and what is good beside them counts.

use std::io::BufRead as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::held::{BELIEVES, Held};
use crate::support::place::bearing;

/// Of a child, in seconds.
const TIMEOUT: u64 = 3;

/// Lanes, what their child does, and its end: event and reason.
const LANES: [(&str, &str, &str); 23] = [
    ("at 13", "received", ""),
    ("exec sleep 1000", "timed_out", "timeout"),
    (
        "trap '' TERM; while :; do sleep 1000; done",
        "timed_out",
        "timeout",
    ),
    (
        "setsid sh -c 'trap \"\" TERM HUP; sleep 4; echo late >$CANARY' & at 20",
        "received",
        "",
    ),
    ("exec >&- 2>&-; exec sleep 1000", "timed_out", "timeout"),
    ("exec cat /dev/zero", "failed", "oversized"),
    ("exec cat /dev/zero >&2", "timed_out", "timeout"),
    (
        "echo Here is my answer.; at 20",
        "failed",
        "text_beside_the_document",
    ),
    (
        "echo Here it is.; echo '```json'; at 20; echo; echo '```'",
        "failed",
        "text_beside_the_document",
    ),
    ("at 20; at 20", "failed", "several_documents"),
    ("at NaN", "failed", "not_finite"),
    ("at 1e999", "failed", "not_finite"),
    (
        "at 20 | sed 's/\"uncertainties\":\\[\\]/&,&/'",
        "failed",
        "duplicate_key",
    ),
    ("at 20 | sed 's/r1.N.1/r1.A.1/'", "failed", "other_identity"),
    (
        "one='{\"values\":{\"level\":20}}'; say \",\\\"candidates\\\":[$one,$one,$one,$one,$one]\"",
        "failed",
        "over_allowance",
    ),
    ("say ',\"delegation_allowed\":true'", "failed", "delegation"),
    (
        "say '' '{\"claim\":\"'$(printf 'gh%s_%s' p 0123456789abcdef0123456789abcdef0123)'\",\"evidence\":\"\",\"confidence\":\"low\"}'",
        "failed",
        "secret",
    ),
    ("echo Error: quota exceeded", "failed", "no_identity"),
    ("sleep 5; at 20", "timed_out", "timeout"),
    ("at 20; exit 3", "failed", "exit"),
    ("echo '```json'; at 20; echo; echo '```'", "received", ""),
    ("at 20; kill -KILL $PPID; sleep 1000", "failed", "lost"),
    ("kill -STOP $$; at 20", "timed_out", "timeout"),
];

fn letter(number: usize) -> char {
    (b'A' + u8::try_from(number).unwrap()) as char
}

/// The most memory that a process had, in kilobytes.
fn peak(pid: u32) -> Option<u64> {
    let status = fs_err::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn child() -> String {
    let cases = LANES.iter().enumerate().map(|(number, (does, ..))| {
        let letter = letter(number);
        format!("{letter}) {does} ;;\n")
    });
    let cases: String = cases.collect();
    format!("{BELIEVES}\ncase $lane in\n{cases}esac")
}

fn crowd() -> Held {
    let lanes = LANES.len();
    let held = Held::command_with(&child(), |plan| {
        plan.replace("**Count:** 2", &format!("**Count:** {lanes}"))
            .replace("**Max rounds:** 2", "**Max rounds:** 1")
            .replace("timeout:** 1m", &format!("timeout:** {TIMEOUT}s"))
            + "- **Pass environment:** CANARY, HELD_MARK\n"
    });
    held.approve();
    held
}

#[test]
fn each_bad_child_has_its_one_end_in_time_and_nothing_of_it_is_left() {
    let mut held = crowd();
    let canary = held.sandbox.root().join("canary");
    let mark = canary.to_str().unwrap().to_owned();
    held.sandbox.set("CANARY", &mark);
    held.sandbox.set("HELD_MARK", &mark);
    let begun = Instant::now();
    let (mut run, output) = held.spawned();
    // The peak only grows, so that the last look before the end is the one that counts.
    let pid = run.id();
    let watch = std::thread::spawn(move || {
        let mut most = 0;
        while let Some(now) = peak(pid) {
            most = now.max(most);
            std::thread::yield_now();
        }
        most
    });
    let told: Vec<(Instant, Value)> = output
        .lines()
        .map(|line| {
            (
                Instant::now(),
                serde_json::from_str(&line.unwrap()).unwrap(),
            )
        })
        .collect();
    let took = begun.elapsed();
    // One round only, and that is over.
    assert_eq!(
        run.wait().unwrap().code(),
        Some(8),
        "{}",
        told[told.len() - 1].1
    );
    assert_eq!(told[told.len() - 1].1["stop"]["target_met"], true);
    for (number, (does, end, reason)) in LANES.iter().enumerate() {
        let id = format!("r1.{}.1", letter(number));
        let of_lane = |(_, line): &&(Instant, Value)| {
            let id_of = line["payload"]["dispatch_id"].as_str().unwrap_or_default();
            id_of.ends_with(&id)
        };
        let of: Vec<_> = told.iter().filter(of_lane).collect();
        let is_end = |(_, line): &&&(Instant, Value)| {
            let name = line["event"].as_str().unwrap();
            let ends = ["received", "failed", "timed_out", "cancelled"];
            ends.iter().any(|end| name == format!("dispatch.{end}"))
        };
        let ends: Vec<_> = of.iter().filter(is_end).collect();
        assert_eq!(ends.len(), 1, "{does}: {of:#?}");
        let (at, ended) = ends[0];
        assert_eq!(ended["event"], format!("dispatch.{end}"), "{does}: {of:#?}");
        let said = ended["payload"]["reason"].as_str().unwrap_or_default();
        assert_eq!(said, *reason, "{does}: {of:#?}");
        let issued = of
            .iter()
            .find(|(_, line)| line["event"] == "dispatch.issued");
        let lasted = at.duration_since(issued.unwrap().0);
        assert!(
            lasted < Duration::from_secs(TIMEOUT + 2),
            "{does}: {lasted:?}"
        );
    }
    // Several at a time, each within its time and two seconds.
    let slots = std::thread::available_parallelism().map_or(1, usize::from);
    let turns = LANES.len().div_ceil(slots) + 2;
    assert!(took < Duration::from_secs(TIMEOUT + 2) * u32::try_from(turns).unwrap());
    let mark = format!("HELD_MARK={mark}");
    assert_eq!(bearing(|one| one == mark.as_bytes()), Vec::<i32>::new());
    assert!(!canary.exists(), "somebody wrote later");
    let most = watch.join().unwrap();
    assert!(most < 256 << 10, "{most} kB");
    // A refused packet with a credential is kept, and the credential is not.
    let secret = format!("gh{}_{}", "p", "0123456789abcdef0123456789abcdef0123");
    for entry in fs_err::read_dir(held.path("packets")).unwrap() {
        let text = fs_err::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(!text.contains(&secret), "{text}");
    }
    assert!(!held.text("conference_events.jsonl").contains(&secret));
    let report = held.text("final_report.md");
    assert!(report.contains(&format!("3/{}", LANES.len())), "{report}");
    held.conference(&["check", "--replay"]).ok();
}
