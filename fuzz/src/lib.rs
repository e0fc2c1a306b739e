//! The targets of tests/hostile for a fuzzer that knows which code an input reaches.
//!
//! Each has a program of its name in `fuzz_targets/`: that is how cargo-fuzz finds it. What a target does, what it may
//! take and where its seeds are is said in tests/hostile.

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

/// Makes the program that it stands in the target of the same name.
#[macro_export]
macro_rules! target {
    () => {
        $crate::libfuzzer_sys::fuzz_target!(|input: &[u8]| $crate::run(env!("CARGO_BIN_NAME"), input));
    };
}

/// Gives an input to a target.
///
/// # Panics
/// If the input is more than the target can take, or if there is no such target.
pub fn run(target: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|known| known.name == target).expect("a target of tests/hostile");
    if let Err(why) = measured::run(target, input) {
        panic!("{}: {why}", target.name);
    }
}

/// The names of the targets, each with its seeds.
pub fn seeds() -> impl Iterator<Item = (&'static str, Vec<Vec<u8>>)> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    TARGETS.iter().map(move |target| (target.name, corpus::seeds(target, &repository)))
}
