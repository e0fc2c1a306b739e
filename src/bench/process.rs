//! A run of a program within limits that are kept from outside: what it does about them itself plays no part.
//!
//! Memory is what the program and all that it has started have resident, looked at every few milliseconds, so a run may
//! have a little more for a moment. It is known on Linux only.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
#[path = "process/tree.rs"]
mod tree;
#[cfg(not(target_os = "linux"))]
#[path = "process/tree_unknown.rs"]
mod tree;

/// What a run may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Time by the clock.
    pub time: Duration,
    /// Bytes.
    pub memory: Option<u64>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Itself(ExitStatus),
    /// Its time was over.
    Time,
    /// Its memory was used up.
    Memory,
    /// We were told to stop.
    Stopped,
}

/// A run that is over.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub end: End,
    /// What it printed to standard output.
    pub output: String,
    /// The beginning of what it printed to standard error.
    pub errors: String,
    /// From its start to its end.
    pub wall: Duration,
    /// What was used when it was last looked at.
    pub usage: Usage,
}

/// What processes use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Bytes resident now.
    pub resident: u64,
    /// The most bytes that were resident.
    pub peak: u64,
    /// Processor time.
    pub cpu: Duration,
}

/// Memory is looked at so often, if looking is that quick.
const LOOK: Duration = Duration::from_millis(5);
/// The end of a run is noticed after the hundredth part of its time, within these bounds.
const PAUSES: [Duration; 2] = [Duration::from_micros(100), Duration::from_millis(2)];
/// So much output is kept.
const OUTPUT: u64 = 1 << 28;
const ERRORS: u64 = 1 << 16;

/// Runs a program to its end or to a limit, without input.
///
/// # Errors
/// If it can't be started or a temporary file can't be had.
pub fn run(mut command: Command, limits: Limits, stop: &AtomicBool) -> std::io::Result<Ended> {
    let output = tempfile::tempfile()?;
    let errors = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(errors.try_clone()?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let (end, usage) = wait(&mut child, start, limits, stop)?;
    Ok(Ended {
        end,
        wall: start.elapsed(),
        output: text(output, OUTPUT)?,
        errors: text(errors, ERRORS)?,
        usage,
    })
}

fn wait(
    child: &mut Child,
    start: Instant,
    limits: Limits,
    stop: &AtomicBool,
) -> std::io::Result<(End, Usage)> {
    let mut usage = Usage::default();
    let mut look = LOOK;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((End::Itself(status), usage));
        }
        let elapsed = start.elapsed();
        if elapsed >= look {
            let seen = tree::usage(child.id());
            usage = Usage { peak: usage.peak.max(seen.peak).max(seen.resident), ..seen };
            look = start.elapsed() + LOOK;
        }
        let end = if stop.load(Ordering::Relaxed) {
            Some(End::Stopped)
        } else if elapsed >= limits.time {
            Some(End::Time)
        } else if limits.memory.is_some_and(|most| usage.resident > most) {
            Some(End::Memory)
        } else {
            None
        };
        if let Some(end) = end {
            tree::kill(child)?;
            child.wait()?;
            return Ok((end, usage));
        }
        std::thread::sleep((elapsed / 100).clamp(PAUSES[0], PAUSES[1]));
    }
}

fn text(mut file: File, most: u64) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, limits, &AtomicBool::new(false)).unwrap()
    }

    const PATIENT: Limits = Limits { time: Duration::from_secs(60), memory: None };

    #[test]
    fn output_and_exit_code() {
        let ended = shell("echo out; echo err >&2; exit 7", PATIENT);
        let End::Itself(status) = ended.end else { panic!("{:?}", ended.end) };
        assert_eq!((status.code(), &ended.output[..], &ended.errors[..]), (Some(7), "out\n", "err\n"));
    }

    /// Whether a process of this number is there and no zombie.
    fn lives(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
    }

    #[test]
    fn a_hanging_program_is_ended_with_all_it_has_started() {
        // The second sleep has a group of its own, as external solvers have.
        let script = "trap '' TERM INT HUP; sleep 1000 & echo $!; setsid sleep 1000 & echo $!; wait; wait";
        let ended = shell(script, Limits { time: Duration::from_millis(300), memory: None });
        assert_eq!(ended.end, End::Time);
        assert!(ended.wall >= Duration::from_millis(300));
        let started: Vec<&str> = ended.output.lines().collect();
        assert_eq!(started.len(), 2);
        // Those who were ended are gone once whoever inherits them has looked.
        let end = Instant::now() + Duration::from_secs(20);
        while started.iter().any(|pid| lives(pid)) {
            assert!(Instant::now() < end, "{started:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn memory_of_a_grandchild_counts() {
        let most = 64 << 20;
        let limits = Limits { memory: Some(most), ..PATIENT };
        let ended = shell("setsid tail /dev/zero; echo too late", limits);
        assert_eq!(ended.end, End::Memory, "{}", ended.errors);
        assert!(ended.usage.peak > most);
        assert_eq!(ended.output, "");
        assert!(matches!(shell("echo in time", limits).end, End::Itself(_)));
    }

    #[test]
    fn a_stop_ends_it() {
        let mut command = Command::new("sleep");
        command.arg("1000");
        let ended = run(command, PATIENT, &AtomicBool::new(true)).unwrap();
        assert_eq!(ended.end, End::Stopped);
    }

    #[test]
    fn processor_time_is_seen() {
        let limits = Limits { time: Duration::from_millis(500), memory: None };
        let ended = shell("while :; do :; done", limits);
        assert!(ended.usage.cpu > Duration::from_millis(20), "{:?}", ended.usage);
        assert!(ended.usage.cpu < Duration::from_secs(2), "{:?}", ended.usage);
    }
}
