use super::super::{Names, Owner, Owners, catalogue, owner};
use super::{World, marked};

/// The time is told, not judged: `cargo test --lib ten_thousand -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn ten_thousand_skills() {
    let world = World::new();
    for number in 0..10_000 {
        let name = format!("skill-{number:05}");
        let text = marked(&name) + &"A line of the body.\n".repeat(150);
        world.file(&format!("{name}/SKILL.md"), text);
    }
    let home = world.home();
    let start = std::time::Instant::now();
    let names = Names::load(&home).unwrap();
    println!("names {:?}", start.elapsed());
    assert_eq!(names.collisions("skill-09999").len(), 1);
    let start = std::time::Instant::now();
    let listed = catalogue(&home).unwrap();
    println!("catalogue of {} {:?}", listed.len(), start.elapsed());
    let start = std::time::Instant::now();
    assert_eq!(owner(&home, "skill-05000").unwrap(), Owner::Agent);
    println!("owner {:?}", start.elapsed());
    let start = std::time::Instant::now();
    let owners = Owners::load(&home).unwrap();
    for number in 0..10_000 {
        let name = format!("skill-{number:05}");
        assert_eq!(owners.owner(&home, &name).unwrap(), Owner::Agent);
    }
    println!("10,000 owners {:?}", start.elapsed());
}
