//! The same work without a conference: the worker gets each charter and its answer is thrown away.

use std::fs::File;
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
        subprocess.run(['/bin/sh', 'child.sh'], stdin=text, stdout=subprocess.PIPE, check=True)
with concurrent.futures.ThreadPoolExecutor(int(sys.argv[1])) as pool:
    list(pool.map(work, sys.argv[2:]))
";

/// So many at a time.
pub(crate) fn spawned(held: &Held, crowd: usize) -> Duration {
    let charters = Mutex::new(held.charters());
    let root = held.root();
    let next = || charters.lock().unwrap().pop();
    let work = || {
        while let Some(charter) = next() {
            let mut command = Command::new("/bin/sh");
            command.arg("child.sh").current_dir(&root);
            command.stdin(File::open(charter).unwrap());
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
        .args(charters);
    command.current_dir(held.root()).stdin(Stdio::null());
    let start = Instant::now();
    command.status().ok().filter(|status| status.success())?;
    Some(start.elapsed())
}
