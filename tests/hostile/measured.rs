//! Measures the memory and the time that a target needs for an input, and enforces limits on them.

use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

use super::targets::Target;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The memory limit of a run in bytes, for an empty input.
pub(super) const BYTES_AT_LEAST: usize = 1 << 20;
/// The additional memory limit for each byte of input. The limit is large because a token of one character becomes a
/// string with a span, and because growing vectors are copied.
const BYTES_EACH: usize = 512;
/// The time limit of a run, which suffices even on a busy machine.
const SOON: Duration = Duration::from_secs(20);

/// Returns the peak memory of `run`, minus the memory in use before the run.
pub(super) fn memory_of(run: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    run();
    MEMORY.peak_usage().saturating_sub(before)
}

/// Runs a target on an input. Returns the memory that was used, or an error if a limit was exceeded.
pub(super) fn run(target: &Target, input: &[u8]) -> Result<usize, String> {
    let start = Instant::now();
    let memory = memory_of(|| (target.run)(input));
    if start.elapsed() > SOON {
        return Err(format!("{:?}", start.elapsed()));
    }
    let most = target.declared + BYTES_AT_LEAST + BYTES_EACH * input.len();
    if memory > most { Err(format!("{memory} bytes, more than {most}")) } else { Ok(memory) }
}
