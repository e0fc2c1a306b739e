//! Tests the readers on hostile input. Every input must quickly lead to a board, a solution or an error, and the memory
//! used must be at most a small multiple of the input size.
//!
//! The inputs are random mutations ([`mutate`]) of the seeds in `seeds/` and of the boards in `instances/`. A short
//! run with a fixed seed is part of the test suite. The following command starts a long run:
//!
//! ```sh
//! HOSTILE_RUNS=100000 cargo test --release --test hostile -- --nocapture --test-threads 1
//! ```
//!
//! The directory `fuzz/` contains the same targets for a coverage-guided fuzzer.
//!
//! The environment variable `HOSTILE_SEED` sets the seed of the random numbers, and `HOSTILE_TARGET` selects a single
//! target. The test prints the inputs that fail. Such inputs should be added to the seeds.
#![cfg(feature = "tool")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

mod cases;
mod corpus;
mod measured;
mod mutate;
mod targets;

use measured::{BYTES_AT_LEAST, memory_of};
use targets::{TARGETS, Target};

/// The lock prevents tests from running in parallel, because memory is measured for the whole process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a target on an input. Returns the memory that was used, or the reason why the target failed.
fn failure(target: &Target, input: &[u8]) -> Result<usize, String> {
    catch_unwind(AssertUnwindSafe(|| measured::run(target, input)))
        .unwrap_or_else(|_| Err("a panic".to_owned()))
}

/// Shrinks a failing input by removing parts of it as long as the target still fails.
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
    let seeds = corpus::seeds(target, Path::new(env!("CARGO_MANIFEST_DIR")));
    assert!(!seeds.is_empty(), "no seeds for {}", target.name);
    let mut random = fastrand::Rng::with_seed(seed);
    let start = Instant::now();
    let (mut most, mut largest, mut slowest, mut length) = (0, 0, Duration::ZERO, 0);
    for run in 0..runs {
        // The seeds are also run without mutations.
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

/// cargo-fuzz needs a separate program for each target.
#[test]
fn every_target_has_a_fuzz_program() {
    let manifest = std::fs::read_to_string("fuzz/Cargo.toml").expect("a manifest");
    for target in TARGETS {
        let program = format!("fuzz_targets/{}.rs", target.name);
        assert!(
            manifest.contains(&format!("name = \"{}\"\npath = \"{program}\"", target.name)),
            "{}",
            target.name
        );
        assert!(Path::new("fuzz").join(&program).is_file(), "{program}");
    }
}

#[test]
fn boards() {
    TARGETS.iter().filter(|target| target.of_boards).for_each(attack);
}

#[test]
fn solutions_and_formulas() {
    TARGETS.iter().filter(|target| !target.of_boards).for_each(attack);
}
