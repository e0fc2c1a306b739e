//! Runs a query on several threads with different configurations, and returns the result of the first thread to
//! finish.
//!
//! The first thread uses the given configuration, and all further threads use the configurations of [`PORTFOLIO`]. When
//! counting, the threads have the same configuration, but use different methods. Each thread builds its own model and
//! formula. During optimisation, the threads share solutions and bounds. Queries on a single thread do not use this
//! module, and their outcome is deterministic.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use gordian_counting::Progress;
use gordian_encodings::{Encodings, Fallback, Value};
use num_bigint::BigUint;

use super::{Improvement, Observer, Outcome, QueryError, Status};
use crate::backend::portfolio::PORTFOLIO;
use crate::puzzle::{ObjectiveRow, Puzzle};
use crate::rules::Solution;
use crate::search::{Config, Gap, SharedBounds, strategy};

/// The calling thread checks at this interval whether the query was cancelled.
const POLL: Duration = Duration::from_millis(10);
/// The stack size of a thread in bytes: the usual size of a main thread's stack.
const STACK: usize = 8 << 20;

/// A message from a solving thread to the calling thread.
enum Message {
    Fallback(Fallback),
    Gap(&'static ObjectiveRow, Gap),
    Counting(Progress),
    Better(&'static ObjectiveRow, Box<Solution>, Value),
    First(Box<Solution>),
    End(Result<Box<Outcome>, QueryError>),
}

/// An observer that sends reports to the calling thread.
struct Reporter {
    sender: Sender<Message>,
    wants_better: bool,
}

impl Observer for Reporter {
    fn fallback(&mut self, fallback: Fallback) {
        // Sending fails only when the race is over and the channel has no receiver.
        let _ = self.sender.send(Message::Fallback(fallback));
    }

    fn wants_better(&self) -> bool {
        self.wants_better
    }

    fn counting(&mut self, progress: &Progress) {
        let _ = self.sender.send(Message::Counting(progress.clone()));
    }

    fn better(&mut self, improvement: Improvement<'_>) -> io::Result<()> {
        let Improvement { objective: row, solution, value, .. } = improvement;
        let _ = self.sender.send(Message::Better(row, Box::new(solution.clone()), value));
        Ok(())
    }

    fn first(&mut self, solution: &Solution) {
        let _ = self.sender.send(Message::First(Box::new(solution.clone())));
    }

    fn gap(&mut self, _: &dyn Puzzle, row: &'static ObjectiveRow, gap: Gap) -> io::Result<()> {
        let _ = self.sender.send(Message::Gap(row, gap));
        Ok(())
    }
}

/// Runs a query in parallel, on one thread for each of `configs`. Setting the flag `config.cancel` stops all threads.
/// Returns the outcome of the first thread that finishes before a limit stops it. If limits stopped all threads,
/// returns the outcome with the most information. The function `run` gets the index of its thread, the configuration of
/// the thread, and the shared bounds.
///
/// # Errors
/// If no thread has an outcome, returns the first error. If a solution violates the rules, the error is returned at
/// once.
pub(super) fn race(
    puzzle: &dyn Puzzle,
    config: &Config,
    mut configs: Vec<Config>,
    observer: &mut dyn Observer,
    run: impl Fn(usize, &Config, Arc<SharedBounds>, &mut dyn Observer) -> Result<Outcome, QueryError> + Sync,
) -> Result<Outcome, QueryError> {
    let is_stopped = || config.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let stop = Arc::new(AtomicBool::new(is_stopped()));
    let shared = Arc::new(SharedBounds::default());
    for config in &mut configs {
        config.cancel = Some(Arc::clone(&stop));
    }
    let (sender, messages) = channel();
    let wants_better = observer.wants_better();
    thread::scope(|scope| {
        let mut running = 0;
        for (index, config) in configs.iter().enumerate() {
            let (run, shared, sender) = (&run, Arc::clone(&shared), sender.clone());
            let work = move || {
                let reporter = &mut Reporter { sender: sender.clone(), wants_better };
                let result = run(index, config, shared, reporter);
                let _ = sender.send(Message::End(result.map(Box::new)));
            };
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            running += usize::from(thread.is_ok());
        }
        drop(sender);
        let mut reported = Reported::default();
        let (mut best, mut failure): (Option<Outcome>, Option<QueryError>) = (None, None);
        while running > 0 {
            if is_stopped() {
                stop.store(true, Ordering::Relaxed);
            }
            let message = match messages.recv_timeout(POLL) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => continue,
                // A thread that panicked sends no message `End`. The thread scope propagates the panic of the thread.
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match message {
                Message::End(Ok(outcome)) => {
                    let outcome = *outcome;
                    running -= 1;
                    if outcome.status != Status::Stopped {
                        stop.store(true, Ordering::Relaxed);
                        return Ok(outcome);
                    }
                    if best.as_ref().is_none_or(|best| outcome.is_more_informative_than(best)) {
                        best = Some(outcome);
                    }
                }
                Message::End(Err(error)) => {
                    running -= 1;
                    if matches!(error, QueryError::WrongSolution(_) | QueryError::WrongCount(_)) {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                    failure = failure.or(Some(error));
                }
                Message::Fallback(fallback) => {
                    if !reported.fallbacks.contains(&fallback) {
                        observer.fallback(fallback);
                        reported.fallbacks.push(fallback);
                    }
                }
                // If one thread finds a better solution, several threads may report it, because they share solutions.
                Message::Better(row, solution, value) => {
                    if reported.value.is_none_or(|last| row.sense.is_better(value, last)) {
                        reported.value = Some(value);
                        let improvement = Improvement { puzzle, objective: row, solution: &solution, value };
                        if let Err(error) = observer.better(improvement) {
                            stop.store(true, Ordering::Relaxed);
                            return Err(error.into());
                        }
                    }
                }
                Message::First(solution) => observer.first(&solution),
                Message::Counting(progress) => {
                    // The threads report different lower bounds, so the maximum is passed on.
                    reported.at_least = reported.at_least.max(progress.at_least);
                    observer.counting(&Progress { at_least: reported.at_least.clone(), ..progress });
                }
                Message::Gap(row, gap) => {
                    if reported.narrows(row, gap) {
                        // The search continues even if the report can't be delivered.
                        let _ = observer.gap(puzzle, row, gap);
                    }
                }
            }
        }
        match (best, failure) {
            (Some(best), _) => Ok(best),
            (None, Some(failure)) => Err(failure),
            (None, None) => Err(QueryError::NoThread),
        }
    })
}

/// The latest reports that were passed to the observer.
#[derive(Default)]
struct Reported {
    fallbacks: Vec<Fallback>,
    gap: Option<Gap>,
    /// The objective value of the best solution reported so far.
    value: Option<Value>,
    /// The best lower bound on the number of solutions.
    at_least: BigUint,
}

impl Reported {
    /// Returns whether `gap` improves on the last reported gap: the value or the bound is better, and neither is
    /// worse. If so, stores `gap` as the last reported gap.
    fn narrows(&mut self, row: &ObjectiveRow, gap: Gap) -> bool {
        let Some(last) = self.gap else {
            self.gap = Some(gap);
            return true;
        };
        let better = |new: Option<i128>, old: Option<i128>| match (new, old) {
            (Some(new), Some(old)) => row.sense.is_better(new, old),
            (new, _) => new.is_some(),
        };
        let worse_best = better(last.best, gap.best);
        let worse_bound = row.sense.is_better(gap.bound, last.bound);
        let narrows = better(gap.best, last.best) || row.sense.is_better(last.bound, gap.bound);
        if worse_best || worse_bound || !narrows {
            return false;
        }
        self.gap = Some(gap);
        true
    }
}

/// Returns the configuration of each thread for queries other than counting.
pub(super) fn portfolio(config: &Config) -> Vec<Config> {
    let first = Config { threads: 1, ..config.clone() };
    let others = PORTFOLIO.iter().filter(|entry| entry.solver.make().is_ok()).filter_map(|entry| {
        let mut encodings = first.encodings.clone();
        if encodings == Encodings::auto() {
            for choice in entry.encode {
                encodings.choose_from(choice).ok()?;
            }
        }
        let strategy = entry.strategy.and_then(|name| strategy(name).ok()).unwrap_or(first.strategy);
        // If conflicts are limited, entries with another solver are skipped, because this solver may not support the
        // limit.
        let limited = first.conflicts.is_none() || entry.solver.name == first.solver.name;
        limited.then(|| Config { solver: entry.solver.clone(), encodings, strategy, ..first.clone() })
    });
    // For some puzzle types, two configurations yield the same formula. Different seeds make the searches differ.
    let seeded =
        |(config, number): (Config, u32)| Config { seed: config.seed.wrapping_add(number), ..config };
    std::iter::once(first.clone()).chain(others).take(config.threads.max(1)).zip(0..).map(seeded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_portfolio_can_be_chosen() {
        for entry in PORTFOLIO {
            let mut encodings = Encodings::auto();
            for choice in entry.encode {
                encodings.choose_from(choice).unwrap_or_else(|error| panic!("{choice}: {error}"));
            }
            assert!(entry.strategy.is_none_or(|name| strategy(name).is_ok()), "{entry:?}");
        }
        for threads in 1..9 {
            let configs = portfolio(&Config { threads, ..Config::default() });
            assert!(configs.len() <= threads && !configs.is_empty());
            assert_eq!(configs[0].encodings, Encodings::auto());
            assert!(configs.iter().zip(0..).all(|(config, number)| config.seed == number));
        }
        // If the user chose encodings, the configurations differ only in their seeds.
        let mut encodings = Encodings::auto();
        encodings.choose_from("connectivity=cuts").unwrap();
        let configs = portfolio(&Config { threads: 3, encodings, seed: 7, ..Config::default() });
        assert_eq!(configs.iter().map(|config| config.seed).collect::<Vec<_>>(), [7, 8, 9]);
        assert!(configs.iter().all(|other| other.solver.name == configs[0].solver.name));
    }
}
