//! What comes from outside, checked before anything believes it: names, secrets, JSON, and text
//! that must not move a terminal. Pure functions of bytes; no file, no clock.

pub mod json;
pub mod name;
pub mod secret;
pub mod text;
