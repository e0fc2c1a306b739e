//! Runs programs and enforces limits on them.
//!
//! The program leads its own process group and is killed together with its descendants. The output of the program
//! goes to temporary files. Since files are used instead of pipes, no thread has to read a pipe while the program
//! runs, and a surviving descendant can't keep a pipe open. Each program has its own temporary directory
//! (`TMPDIR`). The directory is removed when the program ends, because a killed program can't remove its files. Limits
//! are checked every few milliseconds, so a program may briefly exceed a limit. The memory limit works only on Linux.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::cleanup::{Registration, TemporaryDirectory};
use super::tree::{Usage, kill_tree};

/// The limits of a child process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProcessLimits<'a> {
    /// A flag that another thread sets to stop the process.
    pub(crate) cancelled: Option<&'a AtomicBool>,
    /// The time at which the process is stopped if it is still running.
    pub(crate) deadline: Option<Instant>,
    /// The maximum processor time of the process and its descendants together.
    pub(crate) cpu: Option<Duration>,
    /// The maximum resident memory of the process and its descendants together, in bytes. Memory and processor time are
    /// measured only if one of them is limited.
    pub(crate) memory: Option<u64>,
    /// The output limit in bytes, which applies separately to standard output, standard error and the output file.
    pub(crate) output: u64,
}

/// The reason why a child process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Termination {
    /// The process exited, or was killed by a signal that this module did not send.
    Exited(ExitStatus),
    /// The process was cancelled.
    Cancelled,
    /// The deadline passed, or the process exceeded its processor time.
    Timeout,
    /// The process exceeded the memory limit.
    MemoryLimit,
    /// The process exceeded the output limit.
    OutputLimit,
}

/// The result of a child process that has ended.
#[derive(Debug)]
#[cfg_attr(not(feature = "tool"), allow(dead_code, reason = "only the bench reads the measurements"))]
pub(crate) struct Finished {
    /// The reason why the process ended.
    pub(crate) termination: Termination,
    /// The bytes that the process wrote to standard output or to the output file, up to the output limit.
    pub(crate) output: Vec<u8>,
    /// The length of standard output each time a poll found new output, with the time of the poll.
    pub(crate) growth: Vec<OutputLength>,
    /// The beginning of the text that the process wrote to standard error.
    pub(crate) errors: String,
    /// The wall-clock time from start to end.
    pub(crate) wall: Duration,
    /// The last measurement of memory and processor time. The peak memory is the maximum over all measurements.
    pub(crate) usage: Usage,
}

/// The length of standard output at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "tool"), allow(dead_code, reason = "only the bench reads the measurements"))]
pub(crate) struct OutputLength {
    /// The length in bytes.
    pub(crate) bytes: u64,
    /// The wall-clock time since the start of the process.
    pub(crate) wall: Duration,
    /// The last measurement of the processor time at this moment.
    pub(crate) cpu: Duration,
}

#[cfg(feature = "tool")]
impl Finished {
    /// Returns the wall-clock time and the processor time after which the process had written `bytes` bytes to standard
    /// output. The wall-clock time exceeds the true one by at most the interval between two polls.
    pub(crate) fn time_of(&self, bytes: u64) -> (Duration, Duration) {
        let at = self.growth.partition_point(|length| length.bytes < bytes);
        self.growth.get(at).map_or((self.wall, self.usage.cpu), |length| (length.wall, length.cpu))
    }
}

/// The minimum interval between two measurements of memory and processor time.
const MEASURE_INTERVAL: Duration = Duration::from_millis(5);
/// The minimum and the maximum interval between two polls of a process. The interval is a hundredth of the elapsed
/// time, clamped to these two bounds.
const POLL_INTERVALS: [Duration; 2] = [Duration::from_micros(100), Duration::from_millis(5)];
/// The maximum number of bytes returned from standard error.
const ERRORS: u64 = 1 << 16;

/// Runs a program without input until it exits or reaches a limit. If `output_file` is given, the output is read from
/// that file.
///
/// # Errors
/// Returns an error if the program can't be started or a temporary file can't be created, read or written.
pub(crate) fn run(
    mut command: Command,
    output_file: Option<&Path>,
    limits: &ProcessLimits<'_>,
) -> io::Result<Finished> {
    let output = tempfile::tempfile()?;
    let errors = tempfile::tempfile()?;
    let temporary = TemporaryDirectory::new()?;
    command.env("TMPDIR", temporary.path());
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(errors.try_clone()?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let start = Instant::now();
    let mut running = Running::new(command.spawn()?);
    let lengths = || {
        let length = |metadata: io::Result<std::fs::Metadata>| metadata.map_or(0, |file| file.len());
        let file = output_file.map_or(0, |path| length(path.metadata()));
        [length(output.metadata()), length(errors.metadata()).max(file)]
    };
    let mut growth = Vec::new();
    let (termination, usage) = running.wait(start, limits, lengths, &mut growth)?;
    let wall = start.elapsed();
    let output = match output_file {
        Some(path) => File::open(path)?,
        None => output,
    };
    Ok(Finished {
        termination,
        output: beginning(&output, limits.output)?,
        growth,
        errors: String::from_utf8_lossy(&beginning(&errors, ERRORS)?).into_owned(),
        wall,
        usage,
    })
}

/// Reads at most the given number of bytes from the beginning of a file.
fn beginning(mut file: &File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A child process that is killed when the value is dropped.
struct Running {
    child: Child,
    _registration: Registration,
}

impl Running {
    fn new(child: Child) -> Self {
        let registration = Registration::process(child.id());
        Self { child, _registration: registration }
    }

    /// Waits until the process exits or reaches a limit. `lengths` returns the length of standard output, and the
    /// maximum length of all other output, in bytes.
    fn wait(
        &mut self,
        start: Instant,
        limits: &ProcessLimits<'_>,
        lengths: impl Fn() -> [u64; 2],
        growth: &mut Vec<OutputLength>,
    ) -> io::Result<(Termination, Usage)> {
        let mut usage = Usage::default();
        let mut measure_at = MEASURE_INTERVAL;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok((Termination::Exited(status), usage));
            }
            let elapsed = start.elapsed();
            if (limits.memory.is_some() || limits.cpu.is_some()) && elapsed >= measure_at {
                let measured = Usage::of_tree(self.child.id());
                usage = Usage { peak: usage.peak.max(measured.peak).max(measured.resident), ..measured };
                measure_at = start.elapsed() + MEASURE_INTERVAL;
            }
            let [bytes, others] = lengths();
            if growth.last().map_or(0, |length| length.bytes) < bytes {
                growth.push(OutputLength { bytes, wall: start.elapsed(), cpu: usage.cpu });
            }
            let termination = if limits.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                Termination::Cancelled
            } else if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
                || limits.cpu.is_some_and(|most| usage.cpu > most)
            {
                Termination::Timeout
            } else if limits.memory.is_some_and(|most| usage.resident > most) {
                Termination::MemoryLimit
            } else if bytes.max(others) > limits.output {
                Termination::OutputLimit
            } else {
                let [shortest, longest] = POLL_INTERVALS;
                std::thread::sleep((elapsed / 100).clamp(shortest, longest));
                continue;
            };
            self.kill()?;
            return Ok((termination, usage));
        }
    }

    fn kill(&mut self) -> io::Result<()> {
        kill_tree(self.child.id());
        self.child.kill()?;
        self.child.wait().map(|_| ())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            // Killing the process fails only if it has already ended.
            let _ = self.kill();
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
