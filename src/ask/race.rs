//! One question asked by different means on several threads: the first to know the solution ends the race.
//!
//! The first thread goes by the means that were chosen, the others by the rows of [`PORTFOLIO`]. Each makes the model and
//! the formula for itself. Those who look for the best solution share what they have found and proven. Where one thread is
//! enough, or all that is left, nothing of this runs, and the same question gets the same solution each time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use gordian_encodings::{Encodings, Fallback};

use super::{AskError, Watch};
use crate::backend::portfolio::PORTFOLIO;
use crate::puzzle::{ObjectiveRow, Puzzle};
use crate::search::{Config, Gap, SharedBounds, strategy};

/// How often the one who waits looks whether all must stop.
const PATIENCE: Duration = Duration::from_millis(10);
/// As much stack as the first thread of a process commonly has.
const STACK: usize = 8 << 20;

/// What a thread tells.
enum News<T> {
    Symmetries(Vec<String>),
    Fallback(Fallback),
    Moved(&'static ObjectiveRow, Gap),
    Over(Result<T, AskError>),
}

/// Passes on what is to be told by way of the thread that waits.
struct Reporter<T>(Sender<News<T>>);

impl<T> Watch for Reporter<T> {
    fn symmetries(&mut self, names: &[String]) {
        // Nobody listens any more once the race is over.
        let _ = self.0.send(News::Symmetries(names.to_vec()));
    }

    fn fallback(&mut self, fallback: Fallback) {
        let _ = self.0.send(News::Fallback(fallback));
    }

    fn moved(&mut self, _: &dyn Puzzle, row: &'static ObjectiveRow, gap: Gap) -> io::Result<()> {
        let _ = self.0.send(News::Moved(row, gap));
        Ok(())
    }
}

/// Asks by several means at once. The first result that is `conclusive` is taken, or, where none is, one than which no
/// other is `better`.
///
/// # Errors
/// The first failure, if no thread has a result; and at once if a solution is wrong.
pub(super) fn race<T: Send>(
    puzzle: &dyn Puzzle,
    config: &Config,
    watch: &mut dyn Watch,
    ask: impl Fn(&Config, &mut dyn Watch) -> Result<T, AskError> + Sync,
    conclusive: impl Fn(&T) -> bool,
    better: impl Fn(&T, &T) -> bool,
) -> Result<T, AskError> {
    let told = || config.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
    let stop = Arc::new(AtomicBool::new(told()));
    let others = runners(config, &stop);
    let (sender, news) = channel();
    thread::scope(|scope| {
        let mut running = 0;
        for config in &others {
            let (ask, sender) = (&ask, sender.clone());
            let run = move || {
                let result = ask(config, &mut Reporter(sender.clone()));
                let _ = sender.send(News::Over(result));
            };
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            running += usize::from(thread.is_ok());
        }
        drop(sender);
        let mut progress = Progress { symmetries: false, fallbacks: Vec::new(), gap: None };
        let (mut best, mut failure): (Option<T>, Option<AskError>) = (None, None);
        while running > 0 {
            if told() {
                stop.store(true, Ordering::Relaxed);
            }
            let next = match news.recv_timeout(PATIENCE) {
                Ok(next) => next,
                Err(RecvTimeoutError::Timeout) => continue,
                // A thread that panicked has told nothing; the scope passes the panic on.
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match next {
                News::Over(Ok(result)) => {
                    running -= 1;
                    if conclusive(&result) {
                        stop.store(true, Ordering::Relaxed);
                        return Ok(result);
                    }
                    if best.as_ref().is_none_or(|best| better(&result, best)) {
                        best = Some(result);
                    }
                }
                News::Over(Err(error)) => {
                    running -= 1;
                    if matches!(error, AskError::WrongSolution(_)) {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                    failure = failure.or(Some(error));
                }
                News::Symmetries(names) => {
                    if !std::mem::replace(&mut progress.symmetries, true) {
                        watch.symmetries(&names);
                    }
                }
                News::Fallback(fallback) => {
                    if !progress.fallbacks.contains(&fallback) {
                        watch.fallback(fallback);
                        progress.fallbacks.push(fallback);
                    }
                }
                News::Moved(row, gap) => {
                    if progress.narrows(row, gap) {
                        // That it can't be told does not end the search.
                        let _ = watch.moved(puzzle, row, gap);
                    }
                }
            }
        }
        match (best, failure) {
            (Some(best), _) => Ok(best),
            (None, Some(failure)) => Err(failure),
            (None, None) => Err(AskError::NoThread),
        }
    })
}

/// What was told already.
struct Progress {
    symmetries: bool,
    fallbacks: Vec<Fallback>,
    gap: Option<Gap>,
}

impl Progress {
    /// Whether a gap is narrower than what was told before, at one end or both, and wider at none.
    fn narrows(&mut self, row: &ObjectiveRow, gap: Gap) -> bool {
        let Some(told) = self.gap else {
            self.gap = Some(gap);
            return true;
        };
        let better = |new: Option<i128>, old: Option<i128>| match (new, old) {
            (Some(new), Some(old)) => row.sense.is_better(new, old),
            (new, _) => new.is_some(),
        };
        let worse_best = better(told.best, gap.best);
        let worse_bound = row.sense.is_better(gap.bound, told.bound);
        let narrows = better(gap.best, told.best) || row.sense.is_better(told.bound, gap.bound);
        if worse_best || worse_bound || !narrows {
            return false;
        }
        self.gap = Some(gap);
        true
    }
}

/// The means of each thread.
fn runners(config: &Config, stop: &Arc<AtomicBool>) -> Vec<Config> {
    let shared = Some(Arc::new(SharedBounds::default()));
    // The time of all begins now, with that of whoever waits.
    let first = Config { stop: Some(Arc::clone(stop)), shared, threads: 1, ..config.clone() };
    let others = PORTFOLIO.iter().filter(|entry| (entry.solver.make)().is_ok()).filter_map(|entry| {
        let mut encodings = first.encodings.clone();
        if encodings == Encodings::auto() {
            for choice in entry.encode {
                encodings.choose_from(choice).ok()?;
            }
        }
        let strategy = entry.strategy.and_then(|name| strategy(name).ok()).unwrap_or(first.strategy);
        // A solver that can't be limited as is asked is no help.
        let limited = first.conflicts.is_none() || entry.solver.name == first.solver.name;
        limited.then(|| Config { solver: entry.solver, encodings, strategy, ..first.clone() })
    });
    // On some kinds the encodings of two rows make the same formula: each makes other choices in it.
    let seeded = |(number, config): (usize, Config)| Config {
        seed: config.seed.wrapping_add(number as u32),
        ..config
    };
    std::iter::once(first.clone()).chain(others).take(config.threads.max(1)).enumerate().map(seeded).collect()
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
        let stop = Arc::new(AtomicBool::new(false));
        for threads in 1..9 {
            let config = runners(&Config { threads, ..Config::default() }, &stop);
            assert!(config.len() <= threads && !config.is_empty());
            assert_eq!(config[0].encodings, Encodings::auto());
            assert!(config.iter().zip(0..).all(|(config, number)| config.seed == number));
        }
        // Where the encodings are the user's, only the seeds are different.
        let mut encodings = Encodings::auto();
        encodings.choose_from("connectivity=cuts").unwrap();
        let config = runners(&Config { threads: 3, encodings, seed: 7, ..Config::default() }, &stop);
        assert_eq!(config.iter().map(|config| config.seed).collect::<Vec<_>>(), [7, 8, 9]);
        assert!(config.iter().all(|other| other.solver.name == config[0].solver.name));
    }
}
