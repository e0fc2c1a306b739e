//! What an input may cost a target: memory, which is counted here, and time.

use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

use super::targets::Target;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What any run may take, as a board's first cell does not come for free.
pub(super) const BYTES_AT_LEAST: usize = 1 << 20;
/// What each byte of input may take beyond that: a token of a character becomes a string with its place, and growing
/// lists are copied.
const BYTES_EACH: usize = 512;
/// Longer than any run takes, on however busy a machine.
const SOON: Duration = Duration::from_secs(20);

/// The most memory that `run` has at any time beyond what is there before.
pub(super) fn memory_of(run: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    run();
    MEMORY.peak_usage().saturating_sub(before)
}

/// Gives an input to a target: the memory it took, or why that or the time was too much.
pub(super) fn run(target: &Target, input: &[u8]) -> Result<usize, String> {
    let start = Instant::now();
    let memory = memory_of(|| (target.run)(input));
    if start.elapsed() > SOON {
        return Err(format!("{:?}", start.elapsed()));
    }
    let most = target.declared + BYTES_AT_LEAST + BYTES_EACH * input.len();
    if memory > most { Err(format!("{memory} bytes, more than {most}")) } else { Ok(memory) }
}
