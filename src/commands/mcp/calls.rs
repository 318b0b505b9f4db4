//! The calls that are not answered yet, so that each can be cancelled.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::process::{Child, Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::Value;

/// By the ids of their requests, as JSON writes them: the process of a call, once there is one.
#[derive(Default)]
pub(super) struct Calls(Mutex<BTreeMap<String, Option<Child>>>);

impl Calls {
    /// A call that waits for its turn.
    pub fn begin(&self, id: &Value) {
        self.all().insert(id.to_string(), None);
    }

    /// A call that has no process any more.
    pub fn end(&self, id: &Value) {
        self.all().remove(&id.to_string());
    }

    /// Ends a call. One that is answered by now is not touched.
    pub fn cancel(&self, id: &Value) {
        if let Some(Some(mut child)) = self.all().remove(&id.to_string()) {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Runs the process of a call to its end, with `input` as its standard input; `None` if the call is cancelled.
    ///
    /// # Errors
    /// If the process cannot be started or read.
    pub fn run(&self, id: &Value, command: &mut Command, input: &[u8]) -> io::Result<Option<Output>> {
        let (stdin, stdout, stderr);
        {
            let mut all = self.all();
            let Some(call) = all.get_mut(&id.to_string()) else { return Ok(None) };
            let mut child = command.spawn()?;
            (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            *call = Some(child);
        }
        let (stdout, stderr) = thread::scope(|scope| {
            // A command that needs no input ends without it.
            scope.spawn(move || stdin.map(|mut stdin| io::Write::write_all(&mut stdin, input)));
            let errors = scope.spawn(move || whole(stderr));
            (whole(stdout), errors.join().unwrap_or_else(|_| Ok(Vec::new())))
        });
        let child = self.all().remove(&id.to_string()).flatten();
        let Some(mut child) = child else { return Ok(None) };
        Ok(Some(Output { status: child.wait()?, stdout: stdout?, stderr: stderr? }))
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Option<Child>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn whole(stream: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.map_or(Ok(0), |mut stream| stream.read_to_end(&mut bytes))?;
    Ok(bytes)
}
