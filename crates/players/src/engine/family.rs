//! The processes of an engine: the one that was started, and those that it started.
//!
//! The key decision: on Unix the first process leads a group of its own, and the group ends as a whole. The first process is
//! not waited for before that, so that no other group can have its number. Rejected: to end the first process alone, because
//! a shell leaves its program behind. A process that leaves the group, as a daemon does, escapes; elsewhere than on Unix only
//! the first process ends.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub(super) struct Family(Mutex<First>);

#[derive(Debug)]
struct First {
    child: Child,
    /// How it ended. Then no process of the family is left.
    ended: Option<ExitStatus>,
}

/// The ends of the pipes to the first process: standard input, output and error.
pub(super) type Pipes = (ChildStdin, ChildStdout, ChildStderr);

impl Family {
    pub(super) fn start(mut starter: Command) -> io::Result<(Self, Pipes)> {
        starter.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for the match, which ends its engines itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut starter, 0);
        let mut child = starter.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let ((input, output), errors) = pipes.expect("they are piped");
        Ok((Self(Mutex::new(First { child, ended: None })), (input, output, errors)))
    }

    /// How the first process ended, if it has. Those that it left behind are ended.
    pub(super) fn ended(&self) -> Option<ExitStatus> {
        let mut first = self.first();
        if first.ended.is_none() && has_ended(&mut first.child) {
            first.end();
        }
        first.ended
    }

    pub(super) fn end(&self) {
        self.first().end();
    }

    fn first(&self) -> std::sync::MutexGuard<'_, First> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl First {
    fn end(&mut self) {
        if self.ended.is_none() {
            // A process that has ended needs no end.
            #[cfg(unix)]
            let _ = rustix::process::kill_process_group(
                rustix::process::Pid::from_child(&self.child),
                rustix::process::Signal::KILL,
            );
            let _ = self.child.kill();
            self.ended = self.child.wait().ok();
        }
    }
}

/// Whether a process has ended. On Unix it is not waited for, so that its number stays its own.
fn has_ended(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(child)), options).is_ok_and(|status| status.is_some())
    }
    #[cfg(not(unix))]
    {
        child.try_wait().is_ok_and(|status| status.is_some())
    }
}
