//! What the shim costs: the same worker started bare and by `process::run`, 1, 8 and 64 at once.
//!
//! `cargo bench --bench children`. Bare and watched take turns, so that whatever else the machine
//! does hits both alike. A child reads a charter of 8 KiB and prints it back.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and one that cannot go on has failed"
)]

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lithermes::process::environment::of_this_process;
use lithermes::process::{Cancel, Ended, Job, Shim, run};

/// Children of each kind and crowd.
const CHILDREN: usize = 1_000;
/// In so many turns.
const TURNS: usize = 10;
const CROWDS: [usize; 3] = [1, 8, 64];
/// Milliseconds of a tick, as Linux counts for its users.
const TICK: u64 = 10;
const WORKER: &str = "/bin/cat";

fn main() {
    // `cargo test --benches` only wants to know whether this builds.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let mut job = Job::new(
        vec![OsString::from(WORKER)],
        of_this_process(&[]),
        Duration::from_secs(60),
    );
    job.stdin = vec![b'x'; 8 << 10];
    job.shim = Shim::at(env!("CARGO_BIN_EXE_lithermes"));
    println!("at once                      bare   watched  overhead  (milliseconds a child)");
    for crowd in CROWDS {
        let (mut bare, mut watched) = (Row::default(), Row::default());
        for _ in 0..TURNS {
            bare.turn(crowd, || start_bare(&job.stdin));
            watched.turn(crowd, || start_watched(&job));
        }
        let line = |what: &str, a: f64, b: f64| {
            println!("{crowd:7}  {what:14}  {a:8.2}  {b:8.2}  {:8.2}", b - a);
        };
        line("median", bare.median(), watched.median());
        line(
            "elapsed / all",
            bare.share(bare.elapsed),
            watched.share(watched.elapsed),
        );
        line(
            "processor",
            bare.share(bare.processor),
            watched.share(watched.processor),
        );
    }
}

/// One kind of start.
#[derive(Default)]
struct Row {
    times: Vec<Duration>,
    elapsed: Duration,
    processor: Duration,
}

impl Row {
    /// `crowd` threads start one child after the other.
    fn turn(&mut self, crowd: usize, start: impl Fn() + Sync) {
        let left = AtomicUsize::new(CHILDREN / TURNS);
        let take = || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        let work = || {
            let mut times = Vec::new();
            while take().is_ok() {
                let begun = Instant::now();
                start();
                times.push(begun.elapsed());
            }
            times
        };
        let (begun, worked) = (Instant::now(), processor_time());
        let times: Vec<Duration> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..crowd).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .flat_map(|one| one.join().unwrap())
                .collect()
        });
        self.elapsed += begun.elapsed();
        self.processor += processor_time() - worked;
        self.times.extend(times);
    }

    fn median(&mut self) -> f64 {
        self.times.sort_unstable();
        milliseconds(self.times[self.times.len() / 2])
    }

    fn share(&self, of: Duration) -> f64 {
        milliseconds(of) / self.times.len() as f64
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// What this process and all that it waited for have used; nothing where there is no `/proc`.
fn processor_time() -> Duration {
    let stat = fs_err::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let four = fields.split_ascii_whitespace().skip(11).take(4);
    let ticks: u64 = four.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * TICK)
}

fn start_bare(stdin: &[u8]) {
    let mut child = Command::new(WORKER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin).unwrap();
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    assert!(child.wait().unwrap().success() && out.len() == stdin.len());
}

fn start_watched(job: &Job) {
    let finished = run(job, &Cancel::new().unwrap());
    assert_eq!(finished.ended, Ended::Exited(0));
    assert_eq!(finished.stdout.len(), job.stdin.len());
}
