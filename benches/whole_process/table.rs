//! Rows that run in turn, their medians, and what they are to be.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Rounds where `LITHERMES_BENCH_ROUNDS` does not say otherwise.
const ROUNDS: usize = 21;

/// What a row's median is to be at most.
pub(crate) enum Limit {
    /// Nothing is promised.
    None,
    /// So many milliseconds.
    Milliseconds(f64),
    /// One of so many parts of `hermes --version`.
    OfHermes(f64),
    /// So many times the median of another row.
    OfRow(String, f64),
}

type Run<'a> = Box<dyn FnMut(usize) -> Duration + 'a>;

struct Row<'a> {
    name: String,
    limit: Limit,
    run: Run<'a>,
    times: Vec<f64>,
}

/// Rows in the order in which they run and are printed.
pub(crate) struct Table<'a> {
    hermes: Option<PathBuf>,
    home: tempfile::TempDir,
    rows: Vec<Row<'a>>,
}

impl<'a> Table<'a> {
    pub(crate) fn new() -> Self {
        let named = std::env::var_os("LITHERMES_BENCH_HERMES").map(PathBuf::from);
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
        let installed = target.map(|target| target.join("real/hermes/bin/hermes"));
        Self {
            hermes: named.or_else(|| installed.filter(|path| path.exists())),
            home: tempfile::tempdir().unwrap(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; `run` is given the number of the round and tells how long it took.
    pub(crate) fn row(
        &mut self,
        name: &str,
        limit: Limit,
        run: impl FnMut(usize) -> Duration + 'a,
    ) {
        self.rows.push(Row {
            name: name.to_owned(),
            limit,
            run: Box::new(run),
            times: Vec::new(),
        });
    }

    /// Runs all rounds and prints the table.
    pub(crate) fn print(mut self) {
        machine();
        if self.hermes.is_none() {
            println!("no hermes to compare with: the ratios are left out");
        }
        let said = std::env::var("LITHERMES_BENCH_ROUNDS").ok();
        let rounds = said
            .and_then(|rounds| rounds.parse().ok())
            .unwrap_or(ROUNDS)
            .max(1);
        println!("{rounds} rounds");
        self.once();
        let mut theirs = Vec::new();
        for round in 0..rounds {
            for row in &mut self.rows {
                let took = (row.run)(round);
                row.times.push(milliseconds(took));
            }
            theirs.extend(self.once().map(milliseconds));
        }
        println!(
            "{:<44}{:>10}{:>9}{:>9}{:>20}  target",
            "", "median ms", "least", "most", "hermes --version /"
        );
        let peer = (!theirs.is_empty()).then(|| {
            let (low, middle, high) = spread(&mut theirs);
            println!(
                "{:<44}{middle:>10.2}{low:>9.2}{high:>9.2}",
                "hermes --version"
            );
            middle
        });
        let medians: Vec<(String, f64)> = self.rows.iter_mut().map(median).collect();
        for row in &mut self.rows {
            print_row(row, peer, &medians);
        }
    }

    fn once(&self) -> Option<Duration> {
        let mut command = Command::new(self.hermes.as_ref()?);
        command
            .arg("--version")
            .env("HOME", self.home.path())
            .env("HERMES_HOME", self.home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        assert!(command.status().unwrap().success());
        Some(start.elapsed())
    }
}

fn median(row: &mut Row<'_>) -> (String, f64) {
    (row.name.clone(), spread(&mut row.times).1)
}

fn print_row(row: &mut Row<'_>, peer: Option<f64>, medians: &[(String, f64)]) {
    let (low, middle, high) = spread(&mut row.times);
    let ratio = peer.map_or_else(String::new, |peer| format!("{:.1}", peer / middle));
    let most = match &row.limit {
        Limit::None => None,
        Limit::Milliseconds(most) => Some((*most, format!("{most} ms"))),
        Limit::OfHermes(part) => peer.map(|peer| (peer / part, format!("hermes / {part}"))),
        Limit::OfRow(name, times) => medians
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, other)| (other * times, format!("{times} times {name}"))),
    };
    let target = most.map_or_else(String::new, |(most, words)| {
        let held = if middle <= most { "held" } else { "MISSED" };
        format!("{words}: {held}")
    });
    let name = &row.name;
    println!("{name:<44}{middle:>10.2}{low:>9.2}{high:>9.2}{ratio:>20}  {target}");
}

/// Least, median and most.
fn spread(times: &mut [f64]) -> (f64, f64, f64) {
    times.sort_unstable_by(f64::total_cmp);
    (times[0], times[times.len() / 2], times[times.len() - 1])
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn machine() {
    let read = |path: &str| fs_err::read_to_string(Path::new(path)).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let temporary = std::env::temp_dir();
    let mounts = read("/proc/mounts");
    // The longest mount point above the temporary directory holds it.
    let holding = mounts
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ').skip(1);
            Some((words.next()?, words.next()?))
        })
        .filter(|(place, _)| temporary.starts_with(place))
        .max_by_key(|(place, _)| place.len());
    println!(
        "{cores} cores, {} {}, {}",
        std::env::consts::OS,
        read("/proc/sys/kernel/osrelease").trim(),
        holding.map_or("an unknown file system", |(_, kind)| kind),
    );
}
