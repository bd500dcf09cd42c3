//! The values of fields: text to typed value, or a sentence that says why not. Pure; each parser
//! takes the whole value.

pub(super) mod argv;
pub(super) mod cost;
pub(super) mod duration;
pub(super) mod number;
pub(super) mod parameter;
pub(super) mod placeholder;
pub(super) mod target;
pub(super) mod word;
