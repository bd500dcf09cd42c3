//! Any bytes handed to `observe`, and the same bytes as the log of a workspace: a refusal with
//! places, or a record whose line is read back as it was.
#![no_main]

use std::cell::OnceCell;

use libfuzzer_sys::fuzz_target;
use lithermes::skill_loop::observation::{self, Draft, Observation};

thread_local! {
    static WORKSPACE: OnceCell<tempfile::TempDir> = const { OnceCell::new() };
}

fuzz_target!(|bytes: &[u8]| {
    let mut log = bytes.to_vec();
    if let Ok(draft) = Draft::read(bytes) {
        let observation = Observation::new(draft, "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(observation.id, observation.computed_id());
        log = serde_json::to_vec(&observation).unwrap();
        log.push(b'\n');
        assert_eq!(read(&log).observations, [observation]);
    }
    let reading = read(&log);
    let lines = log.iter().filter(|byte| **byte == b'\n').count();
    assert!(reading.observations.len() + reading.damaged <= lines);
});

fn read(log: &[u8]) -> observation::Reading {
    WORKSPACE.with(|workspace| {
        let workspace = workspace.get_or_init(|| {
            let memory = std::path::Path::new("/dev/shm");
            tempfile::tempdir_in(memory)
                .or_else(|_| tempfile::tempdir())
                .unwrap()
        });
        let path = observation::path(workspace.path());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, log).unwrap();
        observation::read(workspace.path()).unwrap()
    })
}
