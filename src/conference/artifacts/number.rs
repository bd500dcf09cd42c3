//! Numbers as artifacts spell them (conference.md A8, B 2.3).
//!
//! Promises: no NaN and no infinity; a decimal reads back to the same value; zero has no sign.

/// What stands where there is no number.
pub const NONE: &str = "-";

/// The shortest decimal that reads back to the same value; [`NONE`] for what is not finite.
pub fn decimal(value: f64) -> String {
    match value.is_finite() {
        true => unsigned_zero(value).to_string(),
        false => NONE.to_owned(),
    }
}

/// The same for a value that may be missing.
pub fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), decimal)
}

/// How much `delta` is of the absolute value of `base`, in percent with one decimal; `None` where
/// the base is 0 or the share is not finite.
pub fn share(delta: f64, base: f64) -> Option<f64> {
    let share = delta / base.abs() * 100.0;
    Some(tenth(share)).filter(|share| share.is_finite())
}

/// A share with its sign of percent; [`NONE`] where there is none.
pub fn percent(share: Option<f64>) -> String {
    match share {
        Some(share) if share.is_finite() => format!("{:.1}%", tenth(share)),
        _ => NONE.to_owned(),
    }
}

/// Rounded to one decimal, as it is printed.
pub fn tenth(value: f64) -> f64 {
    let printed = format!("{value:.1}");
    printed.parse().map_or(f64::NAN, unsigned_zero)
}

fn unsigned_zero(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value }
}
