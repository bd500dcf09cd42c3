use super::*;
#[test]
fn dump() {
    let Ok(path) = std::env::var("PROBES") else {
        return;
    };
    let probes: Vec<String> = serde_json::from_str(&fs_err::read_to_string(path).unwrap()).unwrap();
    let out: Vec<serde_json::Value> = probes.iter().map(|p| {
        let l = lenient(p);
        let faults: Vec<String> = check(p, "x").into_iter().map(|f| format!("{}: {}", f.line, f.message)).collect();
        let ins = insert_marker(p);
        serde_json::json!({"name": l.name, "description": l.description, "dropped": l.dropped, "marked": l.marked, "faults": faults,
          "long": long_description(p), "ins": ins.as_ref().ok(), "inserr": ins.err().map(|f| f.message)})
    }).collect();
    fs_err::write(
        std::env::var("OUT").unwrap(),
        serde_json::to_string(&out).unwrap(),
    )
    .unwrap();
}
