//! Tests output errors: files that can't be written, full disks, closed pipes and interrupts.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::support::{gordian, stderr, stdout};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};

const BOARD: &str = "instances/rooks/generated-10x10.txt";

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gordian"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

fn full_disk() -> Stdio {
    Stdio::from(File::options().write(true).open("/dev/full").expect("a full disk"))
}

fn text(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// Writes a formula and the results of a benchmark into a directory.
fn prepared(directory: &Path) -> (String, String) {
    let (results, formula) = (text(&directory.join("results.jsonl")), text(&directory.join("formula.cnf")));
    let bench = gordian(&["bench", "instances/rooks/document-3x3.param", "-o", &results], "");
    assert_eq!(bench.status.code(), Some(0), "{}", stderr(&bench));
    let export = gordian(&["export", BOARD, "-o", &formula], "");
    assert_eq!(export.status.code(), Some(0), "{}", stderr(&export));
    (results, formula)
}

/// The test runs every command that prints results.
#[test]
fn standard_output_that_cannot_be_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let (results, formula) = prepared(directory.path());
    let solver_output = text(&directory.path().join("output.txt"));
    fs::write(&solver_output, stdout(&gordian(&["sat", &formula], ""))).expect("a file");
    let weighted = text(&directory.path().join("formula.wcnf"));
    assert!(gordian(&["export", BOARD, "-o", &weighted], "").status.success());
    let solution = text(&directory.path().join("solution.json"));
    fs::write(&solution, stdout(&gordian(&["solve", BOARD, "--json"], ""))).expect("a file");
    for arguments in [
        &["solve", BOARD][..],
        &["solve", BOARD, "--json"],
        &["solve", BOARD, "--all"],
        &["solve", BOARD, "instances/cards", "--jobs", "2"],
        &["backbone", BOARD],
        &["check", BOARD, &solution],
        &["show", BOARD],
        &["export", BOARD],
        &["decode", BOARD, &solver_output],
        &["sat", &formula],
        &["opt", &weighted],
        &["bench", "report", &results],
        &["bench", "report", &results, "--csv"],
        &["puzzle", "rooks"],
        &["list"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["help", "solve"],
        &["--version"],
    ] {
        let full = output(program(arguments).stdout(full_disk()));
        assert!(stderr(&full).contains("No space left on device"), "{arguments:?}: {}", stderr(&full));
        assert_eq!(full.status.code(), Some(2), "{arguments:?}");
        let (read, write) = std::io::pipe().expect("a pipe");
        drop(read);
        let closed = output(program(arguments).stdout(write));
        assert!(!stderr(&closed).contains("gordian:"), "{arguments:?}: {}", stderr(&closed));
        assert_eq!(closed.status.code(), Some(0), "{arguments:?}");
    }
    // The error message can't be written, but the exit code reports the error.
    let unheard = output(program(&["solve", "no-such-file"]).stderr(full_disk()));
    assert_eq!(unheard.status.code(), Some(2));
}

/// The test uses every option that names an output file.
#[test]
fn output_files_that_cannot_be_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let (results, _) = prepared(directory.path());
    for arguments in [
        &["solve", BOARD, "--svg"][..],
        &["backbone", BOARD, "--svg"],
        &["show", BOARD, "--svg"],
        &["export", BOARD, "-o"],
        &["export", BOARD, "--sidecar"],
        &["bench", "report", &results, "-o"],
        &["bench", "instances/rooks/document-3x3.param", "-o"],
    ] {
        for (file, reason) in [
            ("/dev/full", "No space left on device"),
            ("/no-such-directory/file", "No such file or directory"),
            (directory.path().to_str().expect("UTF-8"), ""),
        ] {
            // The destination of a picture may be a directory.
            if arguments.contains(&"--svg") && reason.is_empty() {
                continue;
            }
            let failed = output(&mut program(&[arguments, &[file]].concat()));
            let error = stderr(&failed);
            assert!(error.contains(&format!("gordian: {file}: ")), "{arguments:?} {file}: {error}");
            assert!(error.contains(reason), "{arguments:?} {file}: {error}");
            assert_eq!(failed.status.code(), Some(2), "{arguments:?} {file}: {error}");
        }
    }
    let null = output(&mut program(&["bench", "instances/rooks/document-3x3.param", "-o", "/dev/null"]));
    assert_eq!(null.status.code(), Some(0), "{}", stderr(&null));
    // The solution must be printed even if its picture can't be written.
    let answered = output(&mut program(&["solve", BOARD, "--svg", "/dev/full"]));
    assert_eq!(stdout(&answered), stdout(&gordian(&["solve", BOARD], "")));
    let page = text(&directory.path().join("results.jsonl/man1"));
    let pages = output(&mut program(&["man", &page]));
    assert!(stderr(&pages).starts_with(&format!("gordian: {page}: ")), "{}", stderr(&pages));
}

/// A limit on the file size simulates a disk that fills up during a write.
#[test]
fn a_full_disk_keeps_the_existing_file() {
    let directory = tempfile::tempdir().expect("a directory");
    for name in ["board.cnf", "board.cnf.gz", "board.cnf.xz", "board.cnf.bz2"] {
        let path = directory.path().join(name);
        let export = |script: &str| {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_gordian")).arg(BOARD).arg(&path);
            shell.current_dir(env!("CARGO_MANIFEST_DIR"));
            output(&mut shell)
        };
        // The limit is one block of 512 bytes, which is less than the formula needs. The signal SIGXFSZ is ignored, so
        // the write returns an error.
        let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" export \"$1\" -o \"$2\"";
        let failed = export(limited);
        assert_eq!(failed.status.code(), Some(2), "{}", stderr(&failed));
        assert_eq!(stderr(&failed), format!("gordian: {}: File too large (os error 27)\n", path.display()));
        assert_eq!(names(directory.path()), [""; 0], "{name}: a temporary file was not removed");

        assert!(export("exec \"$0\" export \"$1\" -o \"$2\"").status.success());
        let whole = fs::read(&path).expect("the formula");
        assert_eq!(export(limited).status.code(), Some(2));
        assert_eq!(fs::read(&path).expect("the formula"), whole, "{name}: the existing file was changed");
        assert_eq!(names(directory.path()), [name]);
        fs::remove_file(&path).expect("a file");
    }
}

#[test]
fn files_keep_their_permissions_and_links_their_targets() {
    let directory = tempfile::tempdir().expect("a directory");
    let (path, link) = (directory.path().join("board.cnf"), directory.path().join("link.cnf"));
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let export = |path: &Path| {
        let output = gordian(&["export", BOARD, "-o", &text(path)], "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        fs::read_to_string(path).expect("the formula")
    };
    let formula = export(&path);
    assert!(formula.starts_with("c ") || formula.starts_with("p "));
    let plain = directory.path().join("plain");
    File::create(&plain).expect("a file");
    assert_eq!(mode(&path), mode(&plain), "the file has unusual permissions");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
    fs::write(&path, "before").expect("a file");
    assert_eq!((export(&path), mode(&path)), (formula.clone(), 0o640));
    symlink(&path, &link).expect("a link");
    fs::write(&path, "before").expect("a file");
    assert_eq!(export(&link), formula);
    assert!(link.symlink_metadata().expect("a link").is_symlink());
    assert_eq!(names(directory.path()), ["board.cnf", "link.cnf", "plain"]);
}

#[test]
fn a_proof_that_cannot_be_written_leaves_no_files() {
    for (format, last) in [("veripb", "proof.pbp"), ("clausal", "proof.drat")] {
        let directory = tempfile::tempdir().expect("a directory");
        symlink("/dev/full", directory.path().join(last)).expect("a link");
        let proof = text(directory.path());
        let board = "nurikabe\n. . 2 .\n1 . . .\n. . . .\n. 2 . 1\n";
        let output = gordian(&["solve", "-", "--unique", "--proof", &proof, "--proof-format", format], board);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("No space left on device"), "{}", stderr(&output));
        assert_eq!(names(directory.path()), [last], "no other file is left");
    }
}

#[test]
fn devices_and_pipes_are_written_in_place() {
    let directory = tempfile::tempdir().expect("a directory");
    let formula = stdout(&gordian(&["export", BOARD], ""));
    assert_eq!(stdout(&output(&mut program(&["export", BOARD, "-o", "/dev/stdout"]))), formula);
    let null = output(&mut program(&["export", BOARD, "-o", "/dev/null"]));
    assert_eq!((null.status.code(), stdout(&null).as_str()), (Some(0), ""));
    assert!(!fs::metadata("/dev/null").expect("a device").is_file());

    let pipe = directory.path().join("pipe.cnf");
    mkfifo(&pipe, Mode::S_IRWXU).expect("a pipe");
    let child = program(&["export", BOARD, "-o", &text(&pipe)]).spawn().expect("the program starts");
    let mut read = String::new();
    File::open(&pipe).expect("a pipe").read_to_string(&mut read).expect("text");
    assert!(child.wait_with_output().expect("the program ends").status.success());
    assert_eq!(read, formula);
    // Unlike on standard output, a closed pipe is an error here.
    let big = format!("rooks\n{}", format!("{}\n", ". ".repeat(100)).repeat(100));
    let board = directory.path().join("big.txt");
    fs::write(&board, big).expect("a file");
    let child = program(&["export", &text(&board), "-o", &text(&pipe)]).spawn().expect("the program starts");
    let mut first = [0; 10];
    File::open(&pipe).expect("a pipe").read_exact(&mut first).expect("text");
    let ended = child.wait_with_output().expect("the program ends");
    assert!(stderr(&ended).contains("Broken pipe"), "{}", stderr(&ended));
    assert_eq!(ended.status.code(), Some(2));
    assert_eq!(names(directory.path()), ["big.txt", "pipe.cnf"]);
}

#[test]
fn an_interrupted_export_leaves_no_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let board = directory.path().join("board.txt");
    fs::write(&board, format!("rooks\n{}", format!("{}\n", ". ".repeat(300)).repeat(300))).expect("a file");
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        // The compression takes long enough to be interrupted.
        let path = directory.path().join("board.cnf.xz");
        let child =
            program(&["export", &text(&board), "-o", &text(&path)]).spawn().expect("the program starts");
        while names(directory.path()).len() < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!path.exists(), "the file exists before it is complete");
        kill(Pid::from_raw(child.id() as i32), signal).expect("a process");
        let ended = child.wait_with_output().expect("the program ends");
        assert_eq!(
            (ended.status.code(), stderr(&ended)),
            (Some(3), format!("gordian: stopped: {} was not written\n", path.display()))
        );
        assert_eq!(names(directory.path()), ["board.txt"]);
    }
}

/// Starts an endless search, and sends a signal to it. Returns `true` if the search ended and printed its solution,
/// and `false` if it continued.
fn ends_by(signal: Signal, start: &[&str]) -> bool {
    let mut command = Command::new(start[0]);
    command.args(&start[1..]).args([
        env!("CARGO_BIN_EXE_gordian"),
        "solve",
        "-",
        "--puzzle",
        "rooks",
        "--all",
    ]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the program starts");
    let board = format!("rooks\n{}", format!("{}\n", ". ".repeat(12)).repeat(12));
    child.stdin.take().expect("a pipe").write_all(board.as_bytes()).expect("a board");
    // The first solution shows that the search has started.
    child.stdout.as_mut().expect("a pipe").read_exact(&mut [0; 24]).expect("a solution");
    let process = Pid::from_raw(child.id() as i32);
    kill(process, signal).expect("a process");
    // If the signal was ignored when the program started, all threads of the program block it, and the search
    // continues.
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("threads");
    let goes_on = threads.into_iter().all(|thread| {
        let status = fs::read_to_string(thread.expect("a thread").path().join("status"));
        // The thread may have ended after the directory was read.
        let status = status.unwrap_or_default();
        let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap_or("0");
        u64::from_str_radix(blocked.trim(), 16).expect("a set") >> (signal as i32 - 1) & 1 == 1
    });
    if goes_on {
        kill(process, Signal::SIGTERM).expect("a process");
    }
    let ended = child.wait_with_output().expect("the program ends");
    assert_eq!(ended.status.code(), Some(3), "{signal}: {}", stderr(&ended));
    !goes_on
}

#[test]
fn a_search_under_nohup_survives_its_terminal() {
    let usual = &["env", "--default-signal=HUP"];
    assert!(ends_by(Signal::SIGHUP, usual) && ends_by(Signal::SIGTERM, usual));
    let nohup = &["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""];
    assert!(!ends_by(Signal::SIGHUP, nohup) && ends_by(Signal::SIGTERM, nohup));
}
