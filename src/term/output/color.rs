//! Whether a stream gets colour: decided once, for each stream apart.

use crate::args::ColorChoice;

use std::ffi::OsStr;

/// What the environment says about colour. A variable that is set and empty counts as unset.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Environment {
    no_color: bool,
    force: bool,
    dumb: bool,
}

impl Environment {
    /// Of this process.
    pub(super) fn of_process() -> Self {
        Self::read(|name| std::env::var_os(name))
    }

    fn read<T: AsRef<OsStr>>(variable: impl Fn(&str) -> Option<T>) -> Self {
        let is = |name: &str, test: fn(&OsStr) -> bool| {
            variable(name).is_some_and(|value| test(value.as_ref()))
        };
        Self {
            no_color: is("NO_COLOR", |value| !value.is_empty()),
            force: is("CLICOLOR_FORCE", |value| !value.is_empty() && value != "0"),
            dumb: is("TERM", |value| value == "dumb"),
        }
    }

    /// `--color`, then `NO_COLOR`, then `CLICOLOR_FORCE`, then whether it is a terminal that can.
    pub(super) fn decide(self, choice: ColorChoice, is_terminal: bool) -> bool {
        match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if self.no_color => false,
            ColorChoice::Auto => self.force || (is_terminal && !self.dumb),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ColorChoice, Environment};

    /// Every line of the table: switch × `NO_COLOR` × `CLICOLOR_FORCE` × terminal × `TERM`.
    #[test]
    fn the_first_that_speaks_decides() {
        let choices = [ColorChoice::Auto, ColorChoice::Always, ColorChoice::Never];
        let no_colors = [None, Some(""), Some("1"), Some("0")];
        let forces = [None, Some(""), Some("0"), Some("1")];
        let terms = [None, Some("xterm"), Some("dumb")];
        for choice in choices {
            for no_color in no_colors {
                for force in forces {
                    for term in terms {
                        let environment = Environment::read(|name| match name {
                            "NO_COLOR" => no_color,
                            "CLICOLOR_FORCE" => force,
                            _ => term,
                        });
                        for terminal in [true, false] {
                            let expected = if choice != ColorChoice::Auto {
                                choice == ColorChoice::Always
                            } else if matches!(no_color, Some("1" | "0")) {
                                false
                            } else if force == Some("1") {
                                true
                            } else {
                                terminal && term != Some("dumb")
                            };
                            assert_eq!(
                                environment.decide(choice, terminal),
                                expected,
                                "{choice:?} {no_color:?} {force:?} {term:?} {terminal}"
                            );
                        }
                    }
                }
            }
        }
    }
}
