//! The options that say how to answer: solver, techniques, limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;

use super::input;
use super::known::{self, Known};
use super::report::Failure;
use crate::ask;
use crate::backend;

/// How it is answered.
#[derive(Debug, Args)]
pub(super) struct Means {
    /// The SAT solver, as in `gordian list`
    #[arg(long, value_name = "NAME", default_value = backend::SOLVERS[0].name, value_parser = Known(known::solvers),
          hide_possible_values = true)]
    solver: String,
    /// The technique for a meaning, both as in `gordian list` [repeatable]
    #[arg(long, value_name = "MEANING=TECHNIQUE", value_parser = Known(known::techniques),
          hide_possible_values = true)]
    encode: Vec<String>,
    /// Make the solver's choices random, the same ones for the same number; 0 is the solver as it comes
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u32,
    /// Stop after this time, as in `10`, `0.5` or `10s`
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Stop a search after this many conflicts
    #[arg(long, value_name = "NUMBER")]
    conflicts: Option<u64>,
}

/// Reads a number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>();
    let time = number.ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| "expected a number of seconds, as in `10` or `0.5`".to_owned())
}

impl Means {
    /// Refuses a choice of techniques where there is nothing to encode.
    pub(super) fn encodings_unused(&self) -> Result<(), Failure> {
        match self.encode.first() {
            None => Ok(()),
            Some(choice) => Err(Failure::Usage(format!("--encode {choice}: there is nothing to encode"))),
        }
    }

    /// The means, with Ctrl-C as the way to stop them where the solver need not know of it beforehand.
    pub(super) fn chosen(&self) -> Result<ask::Means, Failure> {
        let solver = backend::find(&self.solver)?;
        if self.seed > 0 && !solver.seeds {
            eprintln!("gordian: {} takes no seed", solver.name);
        }
        let unlimited = self.timeout.is_none() && self.conflicts.is_none();
        Ok(ask::Means {
            solver,
            encodings: input::encodings(&self.encode)?,
            seed: self.seed,
            time: self.timeout,
            conflicts: self.conflicts,
            stop: if solver.limits_first && unlimited { None } else { stop_on_interrupt() },
        })
    }
}

/// The flag of this process that Ctrl-C sets, once there is one. The second Ctrl-C ends the process.
pub(super) fn stop_on_interrupt() -> Option<Arc<AtomicBool>> {
    static STOP: OnceLock<Option<Arc<AtomicBool>>> = OnceLock::new();
    const KILLED_BY_INTERRUPT: i32 = 130;
    let set_handler = || {
        let stop = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&stop);
        let handler = move || {
            if set.swap(true, Ordering::Relaxed) {
                std::process::exit(KILLED_BY_INTERRUPT);
            }
        };
        // Where no handler can be set, Ctrl-C kills, as without one.
        ctrlc::set_handler(handler).ok().map(|()| stop)
    };
    STOP.get_or_init(set_handler).clone()
}
