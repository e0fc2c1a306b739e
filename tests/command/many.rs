//! Tests `solve` on several boards: files, directories, addresses and lists of addresses. Other tests cover output
//! that can't be written.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{gordian, shell, stderr, stdout};
use serde_json::Value;

const ADDRESS: &str = "puzz.link/p?nurikabe/3/3/1g1i1g1";
const ADDRESS_SOLUTION: &str = "1 0 1\n0 0 0\n1 0 1\n";

/// Creates a temporary directory with the given files.
fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory above")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    directory
}

fn path(directory: &tempfile::TempDir, name: &str) -> String {
    directory.path().join(name).to_str().expect("UTF-8").to_owned()
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

const MIXED: &[(&str, &str)] = &[
    ("a.txt", "rooks\n.\n"),
    ("b.txt", "rooks\n4\n"),
    ("c.txt", "rooks\n. x\n"),
    ("deep/er/d.dzn", "length = 1;\ninit = [|1|];\n"),
    ("deep/list.url", "% two\npuzz.link/p?nurikabe/3/3/1g1i1g1\nhttps://puzz.link/p?akari/3/3/j4i.\n"),
    (".hidden/e.txt", "rooks\n.\n"),
    ("README.md", "# Boards\n\nOf rooks and more.\n"),
    ("typo.txt", "roks\n.\n"),
    ("x.expected.json", "{\"status\": \"solved\"}\n"),
];

#[test]
fn a_directory_with_other_files() {
    let directory = directory(MIXED);
    let output = gordian(&["solve", directory.path().to_str().expect("UTF-8")], "");
    let heading = |name: &str| format!("==> {} <==\n", path(&directory, name));
    let expected = [
        heading("a.txt") + "R\n",
        heading("b.txt") + "no solution: the board is contradictory\n",
        heading("deep/er/d.dzn") + "1\n",
        format!("==> {ADDRESS} <==\n{ADDRESS_SOLUTION}"),
        "==> https://puzz.link/p?akari/3/3/j4i. <==\n. R .\nR 4 R\n. R #\n".to_owned(),
    ];
    assert_eq!(stdout(&output), expected.join("\n"), "{}", stderr(&output));
    let report = stderr(&output);
    assert!(report.contains("c.txt:2:3: expected `.`, `#` or a clue"), "{report}");
    assert!(report.contains("did you mean `rooks`?"), "a typo is no other file: {report}");
    assert!(report.contains(": 4 solved, 1 without a solution, 2 bad\nslowest: "), "{report}");
    let skipped = format!("skipped (not boards): {} and 1 more\n", path(&directory, "README.md"));
    assert!(report.ends_with(&skipped), "expected {skipped}in {report}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn among_several_files_those_that_are_no_boards_are_skipped() {
    let directory = directory(&[
        ("a.expected.json", "{\"status\": \"solved\"}\n"),
        ("a.txt", "rooks\n.\n"),
        ("b.txt", "rooks\n. .\n"),
        ("README.md", "# Boards\n"),
    ]);
    fs::write(path(&directory, "picture"), b"\x89PNG\xff\xfe").expect("a file");
    let solve = |line: &str| {
        let output = shell(line, directory.path());
        (stdout(&output), stderr(&output), output.status.code())
    };
    let (boards, report, code) = solve("gordian solve *");
    assert_eq!(boards, "==> a.txt <==\nR\n\n==> b.txt <==\n. R\n", "{report}");
    assert!(report.contains("2 boards in ") && report.contains(": 2 solved\n"), "{report}");
    assert!(report.ends_with("skipped (not boards): README.md and 2 more\n") && code == Some(0), "{report}");
    // Other errors are reported, and so is a single file that is no board.
    let (_, report, code) = solve("gordian solve missing a.txt");
    assert!(report.contains("missing: ") && report.contains(": 1 solved, 1 bad\n"), "{report}");
    assert_eq!(code, Some(2));
    for name in ["a.expected.json", "README.md", "picture"] {
        let (_, report, code) = solve(&format!("gordian solve {name}"));
        assert!(report.contains(name) && !report.contains("skipped") && code == Some(2), "{report}");
    }
    let (_, report, code) = solve("gordian solve a.expected.json README.md");
    let expected = "gordian: no board found\nskipped (not boards): README.md and 1 more\n";
    assert_eq!((&*report, code), (expected, Some(2)));
}

#[test]
fn json_lines_are_in_order_for_any_number_of_jobs() {
    let directory = directory(MIXED);
    let missing = path(&directory, "missing.txt");
    let arguments = ["solve", directory.path().to_str().expect("UTF-8"), ADDRESS, &missing, "--json", "-j"];
    for jobs in ["1", "4", "0"] {
        let output = gordian(&[&arguments[..], &[jobs]].concat(), "");
        let lines = json(&stdout(&output));
        let status: Vec<_> = lines.iter().map(|line| line["status"].as_str().expect("a status")).collect();
        let expected = ["solved", "none", "error", "solved", "solved", "solved", "error", "solved", "error"];
        assert_eq!(status, expected, "{}", stderr(&output));
        let typo = lines[6]["error"].as_str().expect("a message");
        assert!(typo.ends_with("typo.txt:1:1: expected a puzzle type, found `roks`"), "{typo}");
        assert_eq!(lines[6]["source"], path(&directory, "typo.txt"));
        assert!(lines[8]["error"].as_str().expect("a message").starts_with(&missing), "{}", lines[8]);
        assert_eq!(lines[3]["solution"]["grid"], serde_json::json!([[1]]));
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_list_of_addresses_on_standard_input() {
    let list = format!("\n{ADDRESS}\n  % a comment\npuzz.link/p?nurikabe/3/3/1g\n  nonsense\n{ADDRESS}/\n");
    let output = gordian(&["solve", "-"], &list);
    let expected = format!("==> {ADDRESS} <==\n{ADDRESS_SOLUTION}\n==> {ADDRESS}/ <==\n{ADDRESS_SOLUTION}");
    assert_eq!(stdout(&output), expected);
    let report = stderr(&output);
    let place = "standard input:4:28: expected cells for 7 more squares, found the end of the address";
    assert!(report.contains(place), "the line of the list: {report}");
    assert!(
        report.contains("standard input:5:11: expected `?` and the puzzle type"),
        "the column, too: {report}"
    );
    assert!(report.contains("2 solved, 2 bad"), "{report}");
    assert_eq!(output.status.code(), Some(2));

    let without_host = ADDRESS.split_once('?').expect("a query").1;
    let short = gordian(&["solve", "-"], &format!("{without_host}\n{ADDRESS}\nnurikabbe/3/3/1g1i1g1\n"));
    let expected =
        format!("==> {without_host} <==\n{ADDRESS_SOLUTION}\n==> {ADDRESS} <==\n{ADDRESS_SOLUTION}");
    assert_eq!(stdout(&short), expected);
    let place = "standard input:3:1: expected a puzzle type that is known in addresses, found `nurikabbe`";
    assert!(stderr(&short).contains(place), "{}", stderr(&short));

    let alone = gordian(&["solve", "-"], &format!("% one\n{ADDRESS}\n"));
    assert_eq!((stdout(&alone).as_str(), stderr(&alone).as_str()), (ADDRESS_SOLUTION, ""), "not many");
    let twice = gordian(&["solve", "-", "-"], "rooks\n.\n");
    assert_eq!(stdout(&twice), "==> - <==\nR\n");
    assert!(stderr(&twice).contains("gordian: -: standard input is given twice"), "{}", stderr(&twice));
    assert_eq!(twice.status.code(), Some(2));
}

#[test]
fn queries_and_limits_apply_to_each_board() {
    let directory =
        directory(&[("1.txt", "rooks\n. .\n"), ("2.txt", "rooks\n. . .\n"), ("3.txt", "nurikabe\n1\n")]);
    let all = directory.path().to_str().expect("UTF-8");
    let column = |key: &str, arguments: &[&str]| {
        let output = gordian(&[&["solve", all, "--json"], arguments].concat(), "");
        let values: Vec<_> = json(&stdout(&output)).iter().map(|line| line[key].clone()).collect();
        (Value::from(values), output.status.code())
    };
    assert_eq!(column("count", &["--count"]), (serde_json::json!([2, 3, 1]), Some(0)));
    assert_eq!(column("unique", &["--unique"]), (serde_json::json!([false, false, true]), Some(0)));
    let statuses = column("status", &["--objective", "fewest"]);
    assert_eq!(statuses, (serde_json::json!(["optimal", "optimal", "error"]), Some(2)), "rooks' objective");
    let numbers = serde_json::json!([1, 2, null, 1, 2, 3, null, 1, null]);
    assert_eq!(column("number", &["--all"]), (numbers, Some(0)));
}

#[test]
fn each_board_has_its_own_timeout() {
    let row = ". ".repeat(20) + "\n";
    let directory = directory(&[("1.txt", &format!("rooks\n{}", row.repeat(20))), ("2.txt", "rooks\n. .\n")]);
    let all = directory.path().to_str().expect("UTF-8");
    let output = gordian(&["solve", all, "--count", "--json", "--timeout", "1"], "");
    let lines = json(&stdout(&output));
    assert_eq!(lines[0]["status"], "stopped", "20! solutions are not counted in a second");
    assert_eq!((&lines[1]["status"], &lines[1]["count"]), (&"solved".into(), &2.into()));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn with_a_given_type_other_data_is_not_a_board() {
    let board = "{\"n\": 2, \"m\": 2, \"points\": [[[1, 1], [2, 2]]]}\n";
    let wrong = "{\"n\": 2, \"m\": 2, \"points\": [[[1, 1], [2, 3]]]}\n";
    let less = "{\"n\": 2, \"m\": 2}\n";
    let files = [
        ("a.json", board),
        ("a.expected.json", "{\"status\": \"optimal\", \"objective\": 3}\n"),
        ("b.json", wrong),
        ("c.json", less),
        ("d.json", "[1"),
    ];
    let directory = directory(&files);
    for more in [&[][..], &["--puzzle", "amaze"]] {
        let arguments = [&["solve", directory.path().to_str().expect("UTF-8")], more].concat();
        let output = gordian(&arguments, "");
        let report = stderr(&output);
        assert!(report.contains(": 1 solved, 3 bad\n"), "{report}");
        assert!(report.contains("b.json:1:42: expected a column from 1 to 2, found `3`"), "{report}");
        assert!(report.contains("c.json:2:1: expected `\"points\": ...`"), "{report}");
        let skipped = format!("skipped (not boards): {}\n", path(&directory, "a.expected.json"));
        assert!(report.ends_with(&skipped), "{report}");
        assert!(!report.contains("slowest: ") || !report.contains("expected.json, "), "{report}");
    }
}

#[test]
fn ambiguous_data_uses_the_first_type_and_warns_once() {
    let board = "X = 2;\nY = 2;\nN = 1;\nend_points_start_x = [1];\nend_points_start_y = [1];\n\
                 end_points_end_x = [2];\nend_points_end_y = [2];\n";
    let directory = directory(&[("a.dzn", board), ("b.dzn", board)]);
    let name = path(&directory, "a.dzn");
    let note = format!(
        "gordian: {name}: read as `amaze`; for `numberlink`, which has the same data format, add `--puzzle numberlink`\n"
    );
    let puzzle_type = |arguments: &[&str]| {
        let output = gordian(arguments, "");
        let puzzle_types: Vec<_> =
            json(&stdout(&output)).iter().map(|line| line["puzzle"].to_string()).collect();
        (puzzle_types.join(" "), stderr(&output))
    };
    assert_eq!(puzzle_type(&["solve", &name, "--json"]), ("\"amaze\"".to_owned(), note.clone()));
    assert_eq!(puzzle_type(&["backbone", &name, "--json"]), ("\"amaze\"".to_owned(), note.clone()));
    let numberlink = ("\"numberlink\"".to_owned(), String::new());
    assert_eq!(puzzle_type(&["solve", &name, "--json", "--puzzle", "numberlink"]), numberlink);
    let (puzzle_types, message) =
        puzzle_type(&["solve", directory.path().to_str().expect("UTF-8"), "--json"]);
    assert_eq!(puzzle_types, "\"amaze\" \"amaze\"");
    assert!(message.starts_with(&note) && message.matches("read as").count() == 1, "{message}");
}

#[test]
fn a_directory_without_a_board() {
    let empty = directory(&[]);
    let output = gordian(&["solve", empty.path().to_str().expect("UTF-8")], "");
    assert!(stderr(&output).contains("there are no files in this directory"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    let one = directory(&[("notes.md", "# Notes\n")]);
    let output = gordian(&["solve", one.path().to_str().expect("UTF-8")], "");
    let message = format!("gordian: no board found\nskipped (not boards): {}\n", path(&one, "notes.md"));
    assert_eq!((stderr(&output), output.status.code()), (message, Some(2)));
    let other = directory(&[("notes.txt", "# Notes\n"), ("a.rs", "fn main() {\n    let a = 1;\n}\n")]);
    let output = gordian(&["solve", other.path().to_str().expect("UTF-8")], "");
    assert!(stderr(&output).contains("skipped (not boards): "), "{}", stderr(&output));
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(2)));
}

#[cfg(unix)]
#[test]
fn links_to_parent_directories_are_not_followed() {
    let directory = directory(&[("a.txt", "rooks\n.\n"), ("b.txt", "rooks\n.\n")]);
    std::os::unix::fs::symlink(directory.path(), directory.path().join("circle")).expect("a link");
    let output = gordian(&["solve", directory.path().to_str().expect("UTF-8"), "--json"], "");
    assert_eq!((stdout(&output).lines().count(), output.status.code()), (2, Some(0)), "{}", stderr(&output));
}

/// Starts the program with its standard output redirected to `out`.
fn gordian_to(arguments: &[&str], out: Stdio) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_gordian"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Returns command lines that print results, at least one for each command.
fn printing(directory: &tempfile::TempDir) -> Vec<Vec<String>> {
    let board = "instances/rooks/empty-5x5.param";
    let file = |name: &str, text: &[u8]| {
        fs::write(directory.path().join(name), text).expect("a file");
        path(directory, name)
    };
    let solution = file("solution", gordian(&["solve", board], "").stdout.as_slice());
    let cnf = file("board.cnf", gordian(&["export", board], "").stdout.as_slice());
    let values = file("values", gordian(&["sat", &cnf], "").stdout.as_slice());
    let wcnf = file("board.wcnf", b"h 1 2 0\n1 -1 0\n1 -2 0\n");
    let lines = [
        format!("solve {board}"),
        format!("solve {board} --all"),
        format!("solve {board} --all --json"),
        format!("solve {board} --json"),
        "solve instances/rooks --limit 1 --jobs 2".to_owned(),
        "solve missing.txt --json".to_owned(),
        format!("check {board} {solution}"),
        format!("export {board}"),
        format!("decode {board} {values}"),
        format!("decode {board} {values} --json"),
        format!("sat {cnf}"),
        format!("opt {wcnf}"),
        "list".to_owned(),
        "puzzle rooks".to_owned(),
        "completions bash".to_owned(),
        "man".to_owned(),
        "help".to_owned(),
        "help solve".to_owned(),
        "solve --help".to_owned(),
        "--version".to_owned(),
    ];
    lines.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let directory = directory(&[]);
    for arguments in printing(&directory) {
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let full = fs::File::options().write(true).open("/dev/full").expect("a device");
        let output = gordian_to(&arguments, full.into()).wait_with_output().expect("the program ends");
        let report = stderr(&output);
        assert!(report.contains("gordian: standard output: No space left"), "{arguments:?}: {report}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    let directory = directory(&[]);
    for arguments in printing(&directory) {
        if arguments.contains(&"missing.txt".to_owned()) {
            continue;
        }
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = gordian_to(&arguments, writer.into()).wait_with_output().expect("the program ends");
        assert_eq!((stderr(&output).as_str(), output.status.code()), ("", Some(0)), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_the_active_boards_and_starts_no_other() {
    use std::io::{BufRead, BufReader};
    let directory = directory(&[("1.txt", "rooks\n.\n"), ("3.txt", "rooks\n.\n")]);
    let row = ". ".repeat(9) + "\n";
    fs::write(Path::new(&path(&directory, "2.txt")), format!("rooks\n{}", row.repeat(9))).expect("a file");
    let arguments = ["solve", directory.path().to_str().expect("UTF-8"), "--all", "--json"];
    let mut child = gordian_to(&arguments, Stdio::piped());
    // The test reads the two lines of the first board, and one of the 362880 solutions of the second board.
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first: Vec<_> = lines.by_ref().take(3).map(|line| line.expect("a line")).collect();
    assert!(first[2].contains("2.txt"), "{first:?}");
    let id = nix::unistd::Pid::from_raw(child.id().cast_signed());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).expect("a signal");
    let last = lines.last().expect("more lines").expect("a line");
    assert!(last.contains("2.txt") && last.contains("\"status\":\"stopped\""), "{last}");
    let output = child.wait_with_output().expect("the program ends");
    assert!(stderr(&output).contains("1 solved, 1 stopped, 1 not started"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(3));
}
