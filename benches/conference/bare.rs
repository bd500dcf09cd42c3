//! The same work without a conference: the worker gets each charter and its answer is thrown away.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::held::Held;

/// A pool as somebody would write it.
const POOL: &str = "
import concurrent.futures, subprocess, sys
def work(charter):
    with open(charter) as text:
        subprocess.run(sys.argv[2:4], stdin=text, stdout=subprocess.PIPE, check=True)
with concurrent.futures.ThreadPoolExecutor(int(sys.argv[1])) as pool:
    list(pool.map(work, sys.argv[4:]))
";

/// So many at a time.
pub(crate) fn spawned(held: &Held, crowd: usize) -> Duration {
    let charters = Mutex::new(held.charters());
    let [program, word] = Held::worker();
    let next = || charters.lock().unwrap().pop();
    let work = || {
        while let Some(charter) = next() {
            let mut command = Command::new(&program);
            command.arg(&word);
            command.stdin(fs_err::File::open(charter).unwrap().into_parts().0);
            assert!(command.output().unwrap().status.success());
        }
    };
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..crowd {
            scope.spawn(work);
        }
    });
    start.elapsed()
}

/// `None` where there is no Python.
pub(crate) fn python(held: &Held, crowd: usize) -> Option<Duration> {
    let charters: Vec<PathBuf> = held.charters();
    let mut command = Command::new("python3");
    command
        .args(["-c", POOL, &crowd.to_string()])
        .args(Held::worker())
        .args(charters);
    command.current_dir(held.root()).stdin(Stdio::null());
    let start = Instant::now();
    command.status().ok().filter(|status| status.success())?;
    Some(start.elapsed())
}
