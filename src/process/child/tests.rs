use super::*;

const UNLIMITED: ProcessLimits<'_> =
    ProcessLimits { cancelled: None, deadline: None, cpu: None, memory: Some(u64::MAX), output: u64::MAX };

fn within(milliseconds: u64) -> ProcessLimits<'static> {
    ProcessLimits { deadline: Some(Instant::now() + Duration::from_millis(milliseconds)), ..UNLIMITED }
}

fn shell(script: &str, limits: &ProcessLimits<'_>) -> Finished {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    run(command, None, limits).unwrap()
}

#[test]
fn output_and_exit_code_are_returned() {
    let finished = shell("echo out; echo err >&2; exit 7", &UNLIMITED);
    let Termination::Exited(status) = finished.termination else { panic!("{:?}", finished.termination) };
    let streams = (&finished.output[..], &finished.errors[..]);
    assert_eq!((status.code(), streams), (Some(7), (&b"out\n"[..], "err\n")));
}

/// Returns whether there is a process with the given id that is not a zombie.
fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

#[test]
fn a_timeout_kills_all_descendants() {
    // The second `sleep` of the script leads its own process group, as some external solvers do.
    let script = "trap '' TERM INT HUP; sleep 1000 & echo $!; setsid sleep 1000 & echo $!; wait; wait";
    let start = Instant::now();
    let finished = shell(script, &within(300));
    assert_eq!(finished.termination, Termination::Timeout);
    assert!(start.elapsed() >= Duration::from_millis(300));
    let output = String::from_utf8(finished.output).unwrap();
    let started: Vec<&str> = output.lines().collect();
    assert_eq!(started.len(), 2);
    // A killed process remains a zombie until its new parent reaps it.
    let end = Instant::now() + Duration::from_secs(20);
    while started.iter().any(|pid| lives(pid)) {
        assert!(Instant::now() < end, "{started:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_temporary_files_of_a_killed_program_are_removed() {
    let finished = shell("mktemp; kill -9 $$", &UNLIMITED);
    assert!(matches!(finished.termination, Termination::Exited(status) if !status.success()));
    let path = String::from_utf8(finished.output).unwrap();
    let file = Path::new(path.trim_end());
    let directory = file.parent().unwrap();
    assert_eq!(directory.parent(), Some(std::env::temp_dir().as_path()), "{path}");
    assert!(!directory.exists(), "{path}");
}

#[test]
fn the_memory_limit_includes_grandchildren() {
    let most = 64 << 20;
    let limits = ProcessLimits { memory: Some(most), ..UNLIMITED };
    let finished = shell("setsid tail /dev/zero; echo too late", &limits);
    assert_eq!(finished.termination, Termination::MemoryLimit, "{}", finished.errors);
    assert!(finished.usage.peak > most);
    assert_eq!(finished.output, b"");
    assert!(matches!(shell("echo in time", &limits).termination, Termination::Exited(_)));
}

#[test]
fn the_limit_of_the_processor_time_excludes_sleep() {
    let limits = ProcessLimits { cpu: Some(Duration::from_millis(200)), ..UNLIMITED };
    let finished = shell("while true; do true; done", &limits);
    assert_eq!(finished.termination, Termination::Timeout);
    assert!(finished.usage.cpu > Duration::from_millis(200), "{:?}", finished.usage);
    assert!(matches!(shell("sleep 0.5", &limits).termination, Termination::Exited(_)));
}

#[test]
fn cancellation_stops_the_process() {
    let cancelled = AtomicBool::new(true);
    let limits = ProcessLimits { cancelled: Some(&cancelled), ..UNLIMITED };
    assert_eq!(shell("sleep 1000", &limits).termination, Termination::Cancelled);
}

#[test]
fn endless_output_is_stopped() {
    const MOST: u64 = 1 << 16;
    for script in ["cat /dev/zero", "cat /dev/zero >&2"] {
        let finished = shell(script, &ProcessLimits { output: MOST, ..UNLIMITED });
        assert_eq!(finished.termination, Termination::OutputLimit, "{script}");
        assert!(finished.output.len() as u64 <= MOST);
    }
}

#[test]
fn processor_time_is_measured() {
    let finished = shell("while :; do :; done", &within(500));
    assert!(finished.usage.cpu > Duration::from_millis(20), "{:?}", finished.usage);
    assert!(finished.usage.cpu < Duration::from_secs(2), "{:?}", finished.usage);
}
