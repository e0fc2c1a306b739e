//! The targets of tests/hostile, for a coverage-guided fuzzer.
//!
//! `fuzz_targets/` contains a program with the name of each target, for cargo-fuzz. tests/hostile defines the
//! targets, their limits and their seeds.

#[path = "../../tests/hostile/corpus.rs"]
mod corpus;
#[path = "../../tests/hostile/measured.rs"]
mod measured;
#[allow(dead_code, reason = "tests/hostile tells boards from the rest")]
#[path = "../../tests/hostile/targets.rs"]
mod targets;

use std::path::Path;

#[doc(hidden)]
pub use libfuzzer_sys;

use targets::TARGETS;

/// Defines the fuzz target with the name of the current program.
#[macro_export]
macro_rules! target {
    () => {
        $crate::libfuzzer_sys::fuzz_target!(|input: &[u8]| $crate::run(env!("CARGO_BIN_NAME"), input));
    };
}

/// Runs a target on an input.
///
/// # Panics
/// Panics if the input exceeds a limit of the target, or if there is no such target.
pub fn run(target: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|known| known.name == target).expect("a target of tests/hostile");
    if let Err(why) = measured::run(target, input) {
        panic!("{}: {why}", target.name);
    }
}

/// Returns the name of each target and its seeds.
pub fn seeds() -> impl Iterator<Item = (&'static str, Vec<Vec<u8>>)> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    TARGETS.iter().map(move |target| (target.name, corpus::seeds(target, &repository)))
}
