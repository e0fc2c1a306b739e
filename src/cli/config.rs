//! The options that configure queries: solver, encodings, limits, threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use clap::Args;
use gordian_encodings::Encodings;

use super::report::Failure;
use super::suggested::{self, Suggested};
use crate::backend::{self, Limits};
use crate::nearest::did_you_mean;
use crate::process::{self, cleanup, signals};
use crate::search::{Config, STRATEGIES};

/// The options that configure queries.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// The SAT solver, as in `gordian list`
    #[arg(long, value_name = "NAME", default_value = &*backend::SOLVERS[0].name, value_parser = Suggested(suggested::solvers),
          hide_possible_values = true)]
    solver: String,
    /// The encoding for a constraint, with the names that `gordian list encodings` prints [repeatable]
    #[arg(long, value_name = "CONSTRAINT=ENCODING", value_parser = Suggested(suggested::encodings),
          hide_possible_values = true)]
    encode: Vec<String>,
    /// Random seed of the solver, for reproducible runs; 0 uses the solver's default behaviour
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = whole::<u32>)]
    seed: u32,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    /// Stop each call to the solver after this many conflicts
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u64>)]
    conflicts: Option<u64>,
    /// Solve with this many threads in parallel, each with a different configuration, and use the first result. With
    /// several threads, the solution may vary between runs
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = from_one)]
    threads: NonZero<u32>,
}

/// The limits of a command.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct LimitArgs {
    /// Stop after this time, as in `10`, `0.5` or `10s`
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) timeout: Option<Duration>,
    /// Stop when this process or a program that it runs uses this much memory, as in `500M` or `2G`
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(super) memory: Option<u64>,
}

impl LimitArgs {
    /// Returns the limits of a command that starts now.
    pub(super) fn starting_now(&self, cancel: Option<Arc<AtomicBool>>) -> Limits {
        // A deadline beyond the range of the clock is never reached, so it is omitted.
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        Limits { conflicts: None, cancel, deadline, memory: self.memory }
    }
}

/// Parses a whole number without a sign.
pub(super) fn whole<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    let number = text.parse().map_err(|_| "expected a whole number, as in `10`".to_owned())?;
    N::try_from(number).map_err(|_| "expected a smaller number".to_owned())
}

/// Parses a whole number that is at least 1.
pub(super) fn from_one(text: &str) -> Result<NonZero<u32>, String> {
    NonZero::new(whole(text)?).ok_or_else(|| "expected a number from 1".to_owned())
}

/// Parses a number of bytes. The number may be followed by a unit: kibibytes, mebibytes or gibibytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes, as in `2000000000`, `500M` or `2G`".to_owned();
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit: u64 = match text[number.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return Err(expected()),
    };
    let value: f64 = number.parse().map_err(|_| expected())?;
    let bytes = value * unit as f64;
    if !(0.0..=u64::MAX as f64).contains(&bytes) {
        return Err(expected());
    }
    if process::resident().is_none() {
        return Err("memory limits are not supported on this system".to_owned());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
    let bytes = bytes as u64;
    Ok(bytes)
}

/// Parses a number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>();
    let time = number.ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| "expected a number of seconds, as in `10` or `0.5`".to_owned())
}

impl ConfigArgs {
    /// Returns an error if the option `--encode` is given. Commands that encode nothing call this function to reject
    /// the option.
    pub(super) fn encodings_unused(&self) -> Result<(), Failure> {
        match self.encode.first() {
            None => Ok(()),
            Some(choice) => Err(Failure::Usage(format!(
                "--encode {choice}: the formula is already in CNF; there is nothing to encode"
            ))),
        }
    }

    /// Returns the seed.
    pub(super) fn seed(&self) -> u32 {
        self.seed
    }

    /// Returns the config that the options select, with the limits of the command.
    pub(super) fn chosen(&self, limits: &Limits) -> Result<Config, Failure> {
        let solver = backend::find(&self.solver)?;
        if self.seed > 0 && !solver.seeds {
            eprintln!("gordian: {} does not support seeds", solver.name);
        }
        Ok(Config {
            solver,
            encodings: encodings(&self.encode)?,
            seed: self.seed,
            timeout: None,
            deadline: limits.deadline,
            conflicts: self.conflicts,
            memory: limits.memory,
            strategy: STRATEGIES[0],
            cancel: limits.cancel.clone(),
            clausal_proofs: false,
            threads: self.threads.get() as usize,
        })
    }
}

/// Returns the encodings that the option `--encode` selects.
pub(super) fn encodings(choices: &[String]) -> Result<Encodings, Failure> {
    let mut encodings = Encodings::auto();
    for choice in choices {
        encodings.choose_from(choice).map_err(|error| {
            let near = error.names().map(|(found, known)| did_you_mean(found, &known)).unwrap_or_default();
            Failure::Usage(format!("--encode {choice}: {error}{near}"))
        })?;
    }
    Ok(encodings)
}

/// Returns the flag that Ctrl-C and termination signals set. The first call installs the signal handler. A second
/// signal ends the process, but not within a second after the first: `MiniZinc` may send several signals at once.
///
/// Returns `None` if the signal handler can't be installed.
pub(super) fn stop_on_interrupt() -> Option<Arc<AtomicBool>> {
    static STOP: OnceLock<Option<Arc<AtomicBool>>> = OnceLock::new();
    static FIRST: OnceLock<Instant> = OnceLock::new();
    const KILLED_BY_INTERRUPT: i32 = 130;
    const SOON: Duration = Duration::from_secs(1);
    let set_handler = || {
        signals::keep_ignoring_hangup();
        let stop = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&stop);
        let handler = move || {
            let first = FIRST.get_or_init(Instant::now);
            if set.swap(true, Ordering::Relaxed) && first.elapsed() > SOON {
                cleanup::clean_up();
                std::process::exit(KILLED_BY_INTERRUPT);
            }
        };
        // If the signal handler can't be installed, Ctrl-C kills the process.
        ctrlc::set_handler(handler).ok().map(|()| stop)
    };
    STOP.get_or_init(set_handler).clone()
}
