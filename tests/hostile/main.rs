//! Input that tries to break the readers: whatever it is, there is a board, an answer or an error, soon, and in memory
//! that is a small multiple of the input's size.
//!
//! Inputs are made from the seeds in `seeds/` and from the boards in `instances/` by random changes ([`mutate`]). A short
//! run with a fixed seed is an ordinary test. The long one:
//!
//! ```sh
//! HOSTILE_RUNS=100000 cargo test --release --test hostile -- --nocapture --test-threads 1
//! ```
//!
//! `HOSTILE_SEED` is another number to start from, `HOSTILE_TARGET` the only target to run. What fails is printed, and
//! should become a seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

mod cases;
mod corpus;
mod mutate;
mod targets;

use targets::{TARGETS, Target};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Lets one test run at a time: memory is that of the process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What any run may take, as a board's first cell does not come for free.
const BYTES_AT_LEAST: usize = 1 << 20;
/// What each byte of input may take beyond that: a token of a character becomes a string with its place, and growing
/// lists are copied.
const BYTES_EACH: usize = 512;
/// Longer than any run takes, on however busy a machine.
const SOON: Duration = Duration::from_secs(20);

/// The most memory that `run` has at any time beyond what is there before.
fn memory_of(run: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    run();
    MEMORY.peak_usage().saturating_sub(before)
}

/// Why an input fails, if it does; the memory it took.
fn failure(target: &Target, input: &[u8]) -> Result<usize, String> {
    let (start, mut result) = (Instant::now(), Ok(()));
    let memory = memory_of(|| {
        result = catch_unwind(AssertUnwindSafe(|| (target.run)(input))).map_err(|_| "a panic".to_owned());
    });
    result?;
    if start.elapsed() > SOON {
        return Err(format!("{:?}", start.elapsed()));
    }
    let most = target.declared + BYTES_AT_LEAST + BYTES_EACH * input.len();
    if memory > most { Err(format!("{memory} bytes, more than {most}")) } else { Ok(memory) }
}

/// A shorter input that fails as well: pieces are left out as long as it does.
fn shrunk(target: &Target, mut input: Vec<u8>) -> Vec<u8> {
    let mut piece = input.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < input.len() {
            let mut shorter = input.clone();
            shorter.drain(at..(at + piece).min(input.len()));
            if failure(target, &shorter).is_err() { input = shorter } else { at += piece }
        }
        piece /= 2;
    }
    input
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")))
}

fn attack(target: &Target) {
    let _alone = alone();
    if std::env::var("HOSTILE_TARGET").is_ok_and(|only| only != target.name) {
        return;
    }
    let (runs, seed) = (number("HOSTILE_RUNS").unwrap_or(300), number("HOSTILE_SEED").unwrap_or(1));
    let seeds = corpus::seeds(target);
    assert!(!seeds.is_empty(), "no seeds for {}", target.name);
    let mut random = fastrand::Rng::with_seed(seed);
    let start = Instant::now();
    let (mut most, mut largest, mut slowest, mut length) = (0, 0, Duration::ZERO, 0);
    for run in 0..runs {
        // The seeds themselves come first.
        let input = match seeds.get(run as usize) {
            Some(seed) => seed.clone(),
            None => mutate::mutated(&seeds, &mut random),
        };
        let began = Instant::now();
        match failure(target, &input) {
            Ok(memory) => {
                largest = largest.max(memory);
                if memory > BYTES_AT_LEAST {
                    most = most.max((memory - BYTES_AT_LEAST) / input.len().max(1));
                }
            }
            Err(why) => {
                let input = shrunk(target, input);
                panic!(
                    "{} fails in run {run} from seed {seed}: {why}\n{}",
                    target.name,
                    input.escape_ascii()
                );
            }
        }
        slowest = slowest.max(began.elapsed());
        length = length.max(input.len());
    }
    let each = if target.declared > 0 {
        String::new()
    } else {
        format!(", {most} for each byte beyond the first MiB")
    };
    println!(
        "{}: {runs} runs in {:.1?}, the slowest {slowest:.1?}; inputs of up to {length} bytes, memory of up to {largest}{each}",
        target.name,
        start.elapsed()
    );
}

#[test]
fn boards() {
    TARGETS.iter().filter(|target| target.of_boards).for_each(attack);
}

#[test]
fn answers_solutions_and_formulas() {
    TARGETS.iter().filter(|target| !target.of_boards).for_each(attack);
}
