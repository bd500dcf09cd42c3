//! The root's side of one child: it reads what the child prints, listens to the shim, and hangs up
//! when it has seen enough.

mod line;
mod prints;

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use self::line::{Answer, Line};
use self::prints::Prints;
use super::finished::{Descendants, Ended, Finished, Status};
use super::message::Cause;
use super::{Cancel, Job, LONGEST, PATIENCE};

pub(super) struct Watch {
    begun: Instant,
    deadline: Instant,
    /// When the shim is waited for no longer.
    until: Instant,
    line: Line,
    prints: Prints,
    stop: Option<Stop>,
}

/// Why the root hung up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    Cancelled,
    TooLarge,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    Stdout,
    Stderr,
    Cancel,
    Shim,
}

impl Watch {
    pub(super) fn start(job: &Job) -> io::Result<Self> {
        let begun = Instant::now();
        let deadline = begun + job.time.min(LONGEST);
        let (line, stdout, stderr) = Line::open(job)?;
        Ok(Self {
            begun,
            deadline,
            until: deadline + PATIENCE,
            line,
            prints: Prints::new(job, stdout, stderr),
            stop: None,
        })
    }

    pub(super) fn finish(mut self, cancel: &Cancel) -> Finished {
        let answer = self.answer(cancel);
        self.line.close();
        let folder_left = match answer {
            Answer::Lost(_) => self.line.rescue(),
            Answer::NotStarted(_) | Answer::Ended(_) => None,
        };
        self.prints.read_the_rest();
        self.report(answer, folder_left)
    }

    fn answer(&mut self, cancel: &Cancel) -> Answer {
        loop {
            let now = Instant::now();
            if now >= self.until {
                return Answer::Lost("the process above it did not answer".to_owned());
            }
            let alarm = match now < self.deadline {
                true => self.until.min(self.deadline),
                false => self.until,
            };
            let ready = match self.ready(cancel, alarm - now) {
                Ok(ready) => ready,
                Err(error) => return Answer::Lost(error.to_string()),
            };
            for source in ready {
                if let Some(answer) = self.hear(source) {
                    return answer;
                }
            }
            if Instant::now() >= self.deadline {
                self.line.wake();
            }
        }
    }

    /// Waits until something can be read, or this time is over.
    fn ready(&self, cancel: &Cancel, time: Duration) -> io::Result<Vec<Source>> {
        let all = [
            (Source::Stdout, self.prints.stdout()),
            (Source::Stderr, self.prints.stderr()),
            (Source::Cancel, self.stop.is_none().then(|| cancel.as_fd())),
            (Source::Shim, Some(self.line.as_fd())),
        ];
        let open = all
            .into_iter()
            .filter_map(|(source, fd)| Some((source, fd?)));
        let (sources, fds): (Vec<Source>, Vec<BorrowedFd<'_>>) = open.unzip();
        let watched = |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN);
        let mut fds: Vec<PollFd<'_>> = fds.into_iter().map(watched).collect();
        let time = Timespec::try_from(time).unwrap_or_default();
        match poll(&mut fds, Some(&time)) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
        let ready = sources
            .into_iter()
            .zip(&fds)
            .filter(|(_, fd)| !fd.revents().is_empty());
        Ok(ready.map(|(source, _)| source).collect())
    }

    fn hear(&mut self, source: Source) -> Option<Answer> {
        match source {
            Source::Stdout => {
                self.prints.read_stdout();
                if self.prints.are_too_large() {
                    self.stop(Stop::TooLarge);
                }
            }
            Source::Stderr => self.prints.read_stderr(),
            Source::Cancel => self.stop(Stop::Cancelled),
            Source::Shim => return self.line.listen(),
        }
        None
    }

    /// Hangs up: the shim ends everybody, and answers.
    fn stop(&mut self, why: Stop) {
        if self.stop.is_none() {
            self.stop = Some(why);
            self.until = self.until.min(Instant::now() + PATIENCE);
            self.line.hang_up();
            self.line.wake();
        }
    }

    fn report(self, answer: Answer, folder_left: Option<String>) -> Finished {
        let ended = self.ended(&answer);
        let (stdout, log) = self.prints.into_parts();
        let blank = Finished {
            stdout,
            log,
            took: self.begun.elapsed(),
            folder_left,
            ..Finished::without_a_start(ended)
        };
        match answer {
            Answer::NotStarted(_) => blank,
            Answer::Lost(why) => Finished {
                descendants: Descendants::NotProvable(why),
                ..blank
            },
            Answer::Ended(receipt) => Finished {
                status: receipt.status,
                outlived: receipt.outlived,
                descendants: match receipt.doubt {
                    None => Descendants::None,
                    Some(why) => Descendants::NotProvable(why),
                },
                kept: receipt.kept,
                folder_left: receipt.folder_left,
                ..blank
            },
        }
    }

    fn ended(&self, answer: &Answer) -> Ended {
        if self.prints.are_too_large() {
            return Ended::TooLarge;
        }
        let lost = |why: &str| Ended::Lost(why.to_owned());
        let is_cancelled = self.stop == Some(Stop::Cancelled);
        match answer {
            Answer::NotStarted(why) => Ended::NotStarted(why.clone()),
            Answer::Ended(receipt) => match (receipt.cause, receipt.status) {
                (Cause::Exit, Some(Status::Exited(code))) => Ended::Exited(code),
                (Cause::Exit, Some(Status::Signalled(signal))) => Ended::Signalled(signal),
                (Cause::Exit, None) => lost("nobody saw how it ended"),
                (Cause::Deadline, _) => Ended::Deadline,
                (Cause::HungUp, _) if is_cancelled => Ended::Cancelled,
                (Cause::HungUp, _) => lost("the process above it was asked to end"),
            },
            Answer::Lost(_) if is_cancelled => Ended::Cancelled,
            Answer::Lost(_) if Instant::now() >= self.deadline => Ended::Deadline,
            Answer::Lost(why) => lost(why),
        }
    }
}
