//! Running a program until it ends or has to.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{programs, read_some};
use crate::backend::Limits;
use crate::backend::memory::resident_with_children;
use crate::leftovers::Listed;

/// How a run of a program ended.
pub(super) struct Ended {
    /// Its exit code; `None` if it was killed.
    pub(super) code: Option<i32>,
    /// How the system puts it.
    status: String,
    /// What it printed, or wrote to the file it was given.
    pub(super) output: Vec<u8>,
    /// The end of its error output.
    errors: String,
    /// Whether we ended it, because of a limit.
    pub(super) stopped: bool,
    /// Whether we ended it, because it printed too much.
    pub(super) babbled: bool,
}

impl Ended {
    /// How it ended, as a part of a sentence.
    pub(super) fn how(&self) -> String {
        match self.code {
            Some(code) => format!("ended with exit code {code}"),
            None => format!("was killed ({})", self.status),
        }
    }

    /// The last line it printed, to standard error if there is one there, as a part of a sentence.
    pub(super) fn last_words(&self) -> String {
        const SHOWN: usize = 200;
        let output = String::from_utf8_lossy(&self.output);
        let last = [&self.errors[..], &output].into_iter().find_map(|text| {
            text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
        });
        last.map(|line| format!(": {}", line.chars().take(SHOWN).collect::<String>())).unwrap_or_default()
    }
}

/// A program under way, which does not outlive us.
struct Running(Child, #[allow(dead_code, reason = "held until the program has ended")] Listed);

impl Running {
    /// Ends it and what it has started.
    fn end(&mut self) {
        #[cfg(unix)]
        {
            use nix::sys::signal::{Signal, killpg};
            // It leads a group of its own. Where it is gone already there is nothing to do.
            let _ = killpg(nix::unistd::Pid::from_raw(self.0.id() as i32), Signal::SIGKILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            self.end();
        }
    }
}

/// So much of the error output is looked at.
const ERRORS: u64 = 1 << 16;

/// Runs the program on a formula. It may print up to `most` bytes. An error says why it could not be run.
pub(super) fn run(
    program: &programs::Command,
    cnf: &Path,
    limits: &Limits,
    seed: u32,
    most: u64,
) -> Result<Ended, String> {
    let temporary = |error: std::io::Error| format!("temporary file: {error}");
    let printed = tempfile::tempfile().map_err(temporary)?;
    let errors = tempfile::tempfile().map_err(temporary)?;
    let written = tempfile::Builder::new().prefix("gordian-").suffix(".out").tempfile().map_err(temporary)?;
    let _listed = Listed::file(written.path());
    let into_file = program.words.iter().any(|word| word.contains("{out}"));
    let mut command = Command::new(&program.words[0]);
    for (number, word) in program.words.iter().enumerate().skip(1) {
        if number == 1 {
            let most =
                program.conflicts.zip(limits.conflicts).map(|(option, most)| format!("{option}{most}"));
            let seed = program.seed.filter(|_| seed > 0).map(|option| format!("{option}{seed}"));
            for option in most.iter().chain(&seed) {
                command.args(option.split(' '));
            }
        }
        let word = word.replace("{cnf}", &cnf.to_string_lossy()).replace("{seed}", &seed.to_string());
        command.arg(word.replace("{out}", &written.path().to_string_lossy()));
    }
    let output = |file: &File| file.try_clone().map(Stdio::from).map_err(temporary);
    command.stdin(Stdio::null()).stdout(output(&printed)?).stderr(output(&errors)?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command.spawn().map_err(|error| format!("it can't be started: {error}"))?;
    let listed = Listed::program(child.id());
    let mut running = Running(child, listed);

    let (mut stopped, mut babbled) = (false, false);
    let too_long = |file: &File| file.metadata().is_ok_and(|file| file.len() > most);
    let mut pause = Duration::from_micros(200);
    let status = loop {
        if let Some(status) = running.0.try_wait().map_err(|error| error.to_string())? {
            break Some(status);
        }
        let swollen = |most| resident_with_children(running.0.id()) > most;
        stopped = limits.expired() || limits.memory.is_some_and(swollen);
        babbled = [&printed, &errors, written.as_file()].into_iter().any(too_long);
        if stopped || babbled {
            running.end();
            break None;
        }
        // Most questions are quick; long ones are looked at now and then.
        std::thread::sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(20));
    };
    let of = if into_file { File::open(written.path()).map_err(temporary)? } else { printed };
    Ok(Ended {
        code: status.and_then(|status| status.code()),
        status: status.map(|status| status.to_string()).unwrap_or_default(),
        output: read_some(&of, most).map_err(temporary)?,
        errors: String::from_utf8_lossy(&read_some(&errors, ERRORS).map_err(temporary)?).into_owned(),
        stopped,
        babbled: babbled && !stopped,
    })
}
