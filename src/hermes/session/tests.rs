//! Against databases with the columns of the real one.

use super::Sessions;

#[test]
fn a_home_without_a_database_has_no_sessions() {
    let home = tempfile::TempDir::new().unwrap();
    assert!(Sessions::open(home.path()).unwrap().is_none());
}
