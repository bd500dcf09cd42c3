use super::super::scalar::{self, Meaning};

#[test]
fn plain_scalars_mean_what_each_version_says() {
    let zero = Meaning::Number { zero: true };
    let number = Meaning::Number { zero: false };
    let (text, null, broken) = (Meaning::Text, Meaning::Null, Meaning::Broken);
    let (yes, no) = (Meaning::Bool(true), Meaning::Bool(false));
    for (scalar, host, core) in [
        ("", null, null),
        ("~", null, null),
        ("NULL", null, null),
        ("nUll", text, text),
        ("true", yes, yes),
        ("False", no, no),
        ("tRUE", text, text),
        ("yes", yes, text),
        ("Off", no, text),
        ("oFF", text, text),
        ("y", text, text),
        ("N", text, text),
        ("<<", Meaning::Merge, text),
        ("=", broken, text),
        ("0", zero, zero),
        ("-0", zero, zero),
        ("+12", number, number),
        ("0_0", zero, text),
        ("1_000", number, text),
        ("017", number, number),
        ("089", text, number),
        ("0o17", text, number),
        ("0x1F", number, number),
        ("0x0", zero, zero),
        ("0b101", number, text),
        ("0b_", broken, text),
        ("0x_", broken, text),
        ("1:30", number, text),
        ("1:60", text, text),
        ("1:30.5", number, text),
        ("1.", number, number),
        ("0.", zero, zero),
        (".5", number, number),
        ("+.5", text, number),
        (".0", zero, zero),
        ("1e3", text, number),
        ("1.5e3", text, number),
        ("1.5e+3", number, number),
        (".inf", number, number),
        ("-.INF", number, number),
        (".nan", number, number),
        ("+.nan", text, text),
        ("nan", text, text),
        (".", text, text),
        ("-", text, text),
        ("1.2.3", text, text),
        ("2024-01-02", Meaning::Time, text),
        ("2024-1-2", text, text),
        ("2024-1-2 1:00:00", Meaning::Time, text),
        ("2024-01-02T10:00:00Z", Meaning::Time, text),
        ("2024-01-02 10:00:00.5 -05", Meaning::Time, text),
        ("2024-02-29", Meaning::Time, text),
        ("2023-02-29", broken, text),
        ("0000-01-01", broken, text),
        ("2024-01-02T25:00:00Z", broken, text),
        ("2024-01-02 10:00:00 +25:00", broken, text),
        ("n/a", text, text),
        ("on-call", text, text),
    ] {
        assert_eq!(scalar::host(scalar), host, "host {scalar:?}");
        assert_eq!(scalar::core(scalar), core, "core {scalar:?}");
    }
}
