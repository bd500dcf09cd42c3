//! Generated credentials of every class, for tests. None of them is anybody's.

/// A small generator, so that a failure can be repeated.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % bound
    }

    /// `least` to `least + 24` characters of the alphabet; the first is a digit, so that the value
    /// is random in the sense of the specification.
    pub(crate) fn body(&mut self, alphabet: &str, least: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        let length = least + self.below(25);
        std::iter::once('7')
            .chain((1..length).map(|_| alphabet[self.below(alphabet.len())]))
            .collect()
    }

    pub(crate) fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const ALNUM: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const URL64: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// A credential as it is written, and the part of it that nobody may read.
pub(crate) type Sample = (String, String);

fn token(prefix: &str, body: String) -> Sample {
    let whole = [prefix, &body].concat();
    (whole.clone(), whole)
}

/// The classes of conference.md §8, by number.
pub(crate) const CLASSES: std::ops::RangeInclusive<usize> = 1..=18;

/// One value of each class of conference.md §8, by number.
pub(crate) fn sample(class: usize, dice: &mut Dice) -> Sample {
    match class {
        1 => {
            let name = dice.pick(&["Authorization", "authorization", "Proxy-Authorization"]);
            let value = dice.body(ALNUM, 8);
            (format!("{name}: {value}"), value)
        }
        2 => {
            let scheme = dice.pick(&["Bearer", "bearer", "Basic", "BASIC"]);
            let value = dice.body(URL64, 8);
            (format!("{scheme} {value}"), value)
        }
        3 => {
            let kind = dice.pick(&["", "RSA ", "OPENSSH ", "ENCRYPTED "]);
            let dashes = "-".repeat(5);
            let body = dice.body(ALNUM, 64);
            let label = format!("{kind}PRIVATE KEY");
            let whole =
                format!("{dashes}BEGIN {label}{dashes}\\n{body}\\n{dashes}END {label}{dashes}");
            (whole, body)
        }
        4 => token("sk-", dice.body(URL64, 8)),
        5 => {
            let prefix = dice.pick(&["ghp_", "gho_", "ghu_", "ghs_", "ghr_"]);
            token(prefix, dice.body(ALNUM, 8))
        }
        6 => token("github_pat_", dice.body(ALNUM, 16)),
        7 => {
            let prefix = dice.pick(&["AKIA", "ASIA", "AIDA"]);
            token(prefix, dice.body(UPPER, 12))
        }
        8 => {
            let prefix = dice.pick(&["xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xapp-"]);
            token(prefix, dice.body(URL64, 8))
        }
        9 => token("npm_", dice.body(ALNUM, 8)),
        10 => token("whsec_", dice.body(ALNUM, 16)),
        11 => {
            let scheme = dice.pick(&["https", "postgres", "redis", "git+ssh", "amqp"]);
            let value = dice.body(URL64, 1);
            (format!("{scheme}://user:{value}@host.example/path"), value)
        }
        12 => token("AIza", dice.body(URL64, 20)),
        13 => token("hf_", dice.body(ALNUM, 20)),
        14 => {
            let second = dice.body(URL64, 16);
            token("SG.", format!("{}.{second}", dice.body(URL64, 16)))
        }
        15 => token("glpat-", dice.body(URL64, 8)),
        16 => {
            let rest = format!("{}.{}", dice.body(URL64, 8), dice.body(URL64, 8));
            token("eyJ", format!("{}.{rest}", dice.body(URL64, 8)))
        }
        17 => {
            let key = dice.pick(&[
                "api_key",
                "API-KEY",
                "apiKey",
                "access_token",
                "AWS_SECRET_ACCESS_KEY",
                "privateKey",
                "database_url",
                "authorization",
                "DB_PASSWORD",
                "token",
                "client_secret",
                "api key",
            ]);
            let delimiter = dice.pick(&["=", " = ", "=\"", ": '", " := ", " => "]);
            // A letter in it: a number is none.
            let value = format!("{}q_Q", dice.body(ALNUM, 8));
            (format!("{key}{delimiter}{value}"), value)
        }
        _ => {
            let value = dice.body(URL64, 8);
            (
                format!("{}//{value}@host.example", dice.pick(&["", "ssh:", "git:"])),
                value,
            )
        }
    }
}
