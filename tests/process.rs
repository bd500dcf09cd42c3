//! Children as they come: each is accounted for with a named reason, in time, and nothing of it is
//! left: no process, no zombie, no folder.

mod cancel;
mod crowd;
mod ends;
mod escapes;
mod floods;
mod root;
