//! Tests the runs, limits, interrupts, contradictions and statistics of `gordian bench`. Shell scripts simulate
//! solvers.
//!
//! This file has over 400 lines because all tests share the boards and the helpers that read results.
#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{gordian, stderr, stdout};
use serde_json::Value;
use tempfile::TempDir;

const BOARDS: &[(&str, &str)] = &[
    ("a.txt", "rooks\n. . . .\n. # . .\n. . 1 .\n. . . .\n"),
    ("b.txt", "rooks\n. . .\n. 2 .\n. . .\n"),
    ("none.txt", "rooks\n4\n"),
    ("nurikabe.txt", "nurikabe\n2 . . .\n. . . .\n. . 3 .\n"),
];

/// Writes several boards, and a file that is not a board, into a directory.
fn boards() -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("a directory");
    let boards = directory.path().join("boards");
    fs::create_dir(&boards).expect("a directory");
    for (name, text) in BOARDS.iter().chain(&[("NOTICE", "Of nobody.\n")]) {
        fs::write(boards.join(name), text).expect("a file");
    }
    let path = boards.display().to_string();
    (directory, path)
}

fn script(directory: &TempDir, name: &str, text: &str) -> String {
    let path = directory.path().join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    path.display().to_string()
}

fn records(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    // An incomplete last line is not a record.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    whole.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn key(record: &Value) -> String {
    format!("{} {}", record["content"], record["settings"])
}

fn keys(records: &[Value]) -> HashSet<String> {
    records.iter().map(key).collect()
}

const CROSS: &[&str] = &[
    "--encode",
    "cardinality=all",
    "--encode",
    "at-most-one=pairwise,auto",
    "--solver",
    "batsat,varisat",
    "--query",
    "satisfy,optimise,unique,count",
    "--timeout",
    "20",
];

fn bench(boards: &str, output: &Path, more: &[&str]) -> std::process::Output {
    let output = output.display().to_string();
    gordian(&[&["bench", boards, "-o", &output], more].concat(), "")
}

#[test]
fn the_cross_product_is_run_once() {
    let (directory, boards) = boards();
    let file = directory.path().join("results.jsonl");
    let done = bench(&boards, &file, CROSS);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(stdout(&done), "");
    assert!(stderr(&done).contains("NOTICE"), "{}", stderr(&done));
    let first = records(&file);
    // All encodings of `cardinality`, and `auto`.
    let encodings = stdout(&gordian(&["list", "encodings", "cardinality", "--json"], "")).lines().count() + 1;
    // Nurikabe has no objective, so only three of the four queries are run.
    assert_eq!(first.len(), (3 * 4 + 3) * encodings * 2 * 2);
    assert_eq!(keys(&first).len(), first.len());
    for record in &first {
        assert_eq!(record["ending"], "answered", "{record}");
        let none = record["instance"].as_str().is_some_and(|name| name.ends_with("none.txt"));
        assert_eq!(record["status"] == "none", none, "{record}");
        for number in ["variables", "clauses", "literals", "memory"] {
            let known = record[number].as_u64().is_some_and(|number| number > 0 || none);
            assert!(known, "{number} in {record}");
        }
        for time in ["parse", "encode", "solve", "total", "wall", "cpu"] {
            assert!(record["ms"][time].as_f64().is_some_and(|time| time >= 0.0), "{time} in {record}");
        }
        let (encode, used) = (&record["settings"]["encode"], &record["encodings"]);
        assert!(encode.is_null() || encode.is_object() && used.is_object(), "{record}");
    }
    let optimal =
        |record: &&Value| record["settings"]["query"] == "optimise:fewest" && record["status"] == "optimal";
    assert!(first.iter().filter(optimal).all(|record| record["bounds"][0] == record["objective"]));
    assert!(first.iter().any(|record| optimal(&record)));

    let before = fs::read(&file).expect("the results");
    let again = bench(&boards, &file, CROSS);
    assert_eq!(again.status.code(), Some(0));
    assert!(stderr(&again).contains("already"), "{}", stderr(&again));
    assert_eq!(fs::read(&file).expect("the results"), before);
    // A new seed or a changed board leads to additional runs, but a renamed board does not.
    fs::rename(Path::new(&boards).join("b.txt"), Path::new(&boards).join("c.txt")).expect("renamed");
    fs::write(Path::new(&boards).join("a.txt"), "rooks\n. .\n").expect("a file");
    let more = bench(&boards, &file, CROSS);
    assert_eq!(more.status.code(), Some(0), "{}", stderr(&more));
    assert_eq!(records(&file).len(), first.len() + 4 * encodings * 2 * 2);
}

#[test]
fn seeds_change_the_search_and_shards_partition_the_runs() {
    let (directory, boards) = boards();
    let settings = ["--solver", "batsat,varisat", "--seeds", "3", "--query", "count"];
    let whole = directory.path().join("whole.jsonl");
    let done = bench(&boards, &whole, &settings);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains("varisat does not support seeds"), "{}", stderr(&done));
    let mut parts = Vec::new();
    for part in ["1/3", "2/3", "3/3"] {
        let path = directory.path().join(format!("part-{}.jsonl", &part[..1]));
        let done = bench(&boards, &path, &[&settings[..], &["--shard", part]].concat());
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert_eq!(records(&path).len(), BOARDS.len() * 2 * 3 / 3);
        parts.push(path.display().to_string());
    }
    // One input file is given twice and is also the output file.
    let merge: Vec<&str> = ["bench", "merge"].into_iter().chain(parts.iter().map(String::as_str)).collect();
    let merged = gordian(&[&merge[..], &[parts[0].as_str(), "-o", parts[0].as_str()]].concat(), "");
    assert_eq!(merged.status.code(), Some(0), "{}", stderr(&merged));
    let (merged, whole) = (records(Path::new(&parts[0])), records(&whole));
    assert_eq!(merged.len(), whole.len());
    assert_eq!(keys(&merged), keys(&whole));
    assert_eq!(gordian(&["bench", "x", "-o", "y", "--shard", "4/3"], "").status.code(), Some(2));
}

#[test]
fn a_run_that_hangs_is_killed_and_recorded() {
    let (directory, boards) = boards();
    let pid = directory.path().join("pid");
    // Both the run and its solver hang until they are killed.
    let hang =
        script(&directory, "hang", &format!("echo $$ > {}; kill -STOP $PPID; sleep 1000", pid.display()));
    let file = directory.path().join("results.jsonl");
    let solver = format!("external:{hang} {{cnf}}");
    let done = bench(&format!("{boards}/a.txt"), &file, &["--solver", &solver, "--timeout", "0.3"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let records = records(&file);
    assert_eq!((records.len(), &records[0]["ending"]), (1, &Value::from("time")));
    let pid = fs::read_to_string(&pid).expect("it ran");
    let state = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z"), "the solver is still running: {state}");
    assert_eq!(
        bench(&format!("{boards}/a.txt"), &file, &["--solver", &solver, "--timeout", "0.3"]).status.code(),
        Some(0)
    );
    assert_eq!(self::records(&file).len(), 1, "a run that exceeded its limit was repeated");
}

#[test]
fn a_run_over_its_memory_limit_is_killed_and_recorded() {
    let (directory, boards) = boards();
    let eat = script(&directory, "eat", "exec tail /dev/zero");
    let file = directory.path().join("results.jsonl");
    let solver = format!("external:{eat} {{cnf}}");
    let settings = ["--solver", &solver, "--timeout", "60", "--memory", "80M"];
    let done = bench(&format!("{boards}/a.txt"), &file, &settings);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let record = &records(&file)[0];
    assert_eq!(record["ending"], "memory", "{record}");
    assert!(record["memory"].as_u64().is_some_and(|memory| memory > 80 << 20), "{record}");
}

#[test]
fn a_failing_solver_is_recorded_with_its_message_and_run_again() {
    let (directory, boards) = boards();
    let fail = script(&directory, "fail", "echo out of luck >&2; exit 3");
    let file = directory.path().join("results.jsonl");
    let settings = ["--timeout", "1", "--solver", &format!("batsat,external:{fail} {{cnf}}")];
    let run = || bench(&format!("{boards}/a.txt"), &file, &settings);
    let done = run();
    assert_eq!(done.status.code(), Some(2), "{}", stderr(&done));
    assert!(stderr(&done).contains("the same command repeats them"), "{}", stderr(&done));
    let records = records(&file);
    assert_eq!(records[0]["ending"], "answered");
    assert_eq!(records[1]["ending"], "failed");
    assert!(
        records[1]["error"].as_str().is_some_and(|error| error.contains("out of luck")),
        "{}",
        records[1]
    );
    script(&directory, "fail", "sleep 1000");
    assert_eq!(run().status.code(), Some(0));
    let done = run();
    assert!(stderr(&done).contains("already has 2 of 2 runs"), "{}", stderr(&done));
    let records = self::records(&file);
    assert_eq!((records.len(), &records[2]["ending"]), (3, &Value::from("time")));
}

#[test]
fn a_wrong_verdict_stops_the_bench_and_writes_reproducers() {
    let (directory, boards) = boards();
    let liar = script(&directory, "liar's own", "echo 's UNSATISFIABLE'; exit 20");
    let file = directory.path().join("results.jsonl");
    let settings = ["--solver", &format!("batsat,external:\"{liar}\" {{cnf}},varisat")];
    // In `--solver`, an external solver comes last, because its command may contain commas.
    let settings = [settings[0], settings[1].trim_end_matches(",varisat")];
    let done = bench(&boards, &file, &settings);
    assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
    assert!(stderr(&done).contains("contradictory results for"), "{}", stderr(&done));
    assert!(!stderr(&done).contains("interrupted"), "{}", stderr(&done));
    assert_eq!(records(&file).len(), 2, "the results do not consist of the two contradictory ones");
    let wrong = directory.path().join("results.jsonl.wrong-1");
    let shown = Command::new("sh").arg(wrong.join("reproduce.sh")).output().expect("a shell");
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    let status: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let status: Vec<_> = status.iter().map(|json| json["status"].clone()).collect();
    assert_eq!(status, ["solved", "none"], "{text}{}", String::from_utf8_lossy(&shown.stderr));
    assert_eq!(records(&wrong.join("results.jsonl")).len(), 2);
    assert_eq!(fs::read_to_string(wrong.join("board.txt")).expect("the board"), BOARDS[0].1);
    // After a restart, the contradiction is reported again unless `--keep-going` is given.
    assert_eq!(bench(&boards, &file, &settings).status.code(), Some(1));
    assert_eq!(records(&file).len(), 2);
    let done = bench(&boards, &file, &[&settings[..], &["--keep-going"]].concat());
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(records(&file).len(), 2 * BOARDS.len());
}

#[test]
fn a_wrong_optimum_is_detected() {
    let (directory, _) = boards();
    // The script reports in its second call that no better solution exists.
    let once = directory.path().join("once");
    let own = env!("CARGO_BIN_EXE_gordian");
    let lazy = format!(
        "if [ -e {once} ]; then echo 's UNSATISFIABLE'; exit 20; fi; touch {once}; exec {own} sat \"$1\"",
        once = once.display()
    );
    let lazy = script(&directory, "lazy", &lazy);
    let board = concat!(env!("CARGO_MANIFEST_DIR"), "/instances/rooks/generated-20x20.txt");
    let file = directory.path().join("results.jsonl");
    let settings = ["--query", "optimise", "--solver", &format!("batsat,external:{lazy} {{cnf}}")];
    let done = bench(board, &file, &settings);
    let records = records(&file);
    assert_eq!(done.status.code(), Some(1), "{}{records:?}", stderr(&done));
    assert!(stderr(&done).contains("the best objective is"), "{}", stderr(&done));
}

/// Kills the benchmark repeatedly, each time a little later, until it completes.
#[test]
fn kills_lose_no_result_and_repeat_none() {
    let (directory, boards) = boards();
    let boards = ["a.txt", "b.txt"].map(|name| format!("{boards}/{name}"));
    let file = directory.path().join("results.jsonl");
    // Each start of the solver is recorded, and the solver runs long enough to be killed.
    let traces = directory.path().join("traces");
    let own = env!("CARGO_BIN_EXE_gordian");
    let slow = script(
        &directory,
        "slow",
        &format!("echo $1 >> {}; sleep 0.02; exec {own} sat $2", traces.display()),
    );
    let output = file.display().to_string();
    let solver = format!("external:{slow} {{seed}} {{cnf}}");
    let settings = ["-o", &output, "--seeds", "16", "--jobs", "2", "--solver", &solver, "--timeout", "20"];
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut known: Vec<Value> = Vec::new();
    let mut kills = 0;
    loop {
        let mut child = Command::new(own)
            .arg("bench")
            .args(&boards)
            .args(settings)
            .env("TMPDIR", directory.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program");
        let until = Instant::now() + Duration::from_millis(random.u64(0..150) + 5 * kills);
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child") {
                break Some(status);
            }
            if Instant::now() >= until {
                child.kill().expect("a kill");
                child.wait().expect("a child");
                break None;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let now = records(&file);
        assert_eq!(now[..known.len()], known, "after {kills} kills");
        assert_eq!(keys(&now).len(), now.len(), "a run was repeated");
        known = now;
        match status {
            Some(status) => {
                assert_eq!(status.code(), Some(0));
                break;
            }
            None => kills += 1,
        }
    }
    assert!(kills >= 3, "only {kills} kills");
    assert_eq!(known.len(), boards.len() * 16);
    // A killed benchmark repeats at most one run per job.
    let traces = fs::read_to_string(&traces).expect("traces");
    let started = traces.lines().count() as u64;
    let finished = known.len() as u64;
    assert!(started <= finished + 2 * kills, "{started} starts, {finished} results, {kills} kills");
    println!("{kills} kills, {started} starts, {finished} results");
}

#[test]
fn runs_end_with_a_bench_that_is_killed() {
    let (directory, boards) = boards();
    let traces: PathBuf = directory.path().join("pid");
    let hang = script(&directory, "hang", &format!("echo $PPID > {}; exec sleep 1000", traces.display()));
    let output = directory.path().join("results.jsonl").display().to_string();
    let mut bench = Command::new(env!("CARGO_BIN_EXE_gordian"))
        .args(["bench", &format!("{boards}/a.txt"), "-o", &output, "--timeout", "1000", "--solver"])
        .arg(format!("external:{hang} {{cnf}}"))
        .env("TMPDIR", directory.path())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let patience = Instant::now() + Duration::from_secs(60);
    let run = loop {
        let run = fs::read_to_string(&traces).unwrap_or_default();
        if run.ends_with('\n') {
            break run.trim().to_owned();
        }
        assert!(Instant::now() < patience, "no run");
        std::thread::sleep(Duration::from_millis(5));
    };
    bench.kill().expect("a kill");
    bench.wait().expect("a child");
    loop {
        let state = fs::read_to_string(format!("/proc/{run}/stat")).unwrap_or_default();
        if state.is_empty() || state.contains(") Z") {
            break;
        }
        assert!(Instant::now() < patience, "the run is still active: {state}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_bad_board_does_not_stop_the_rest() {
    let (directory, boards) = boards();
    let file = directory.path().join("results.jsonl");
    fs::write(directory.path().join("boards/bad.txt"), "rooks\n. x\n").expect("a file");
    let done = bench(&boards, &file, &["no-such-file"]);
    let message = stderr(&done);
    assert_eq!(done.status.code(), Some(2), "{message}");
    assert!(
        message.contains("bad.txt:2:3: expected `.`, `#`") && message.contains("gordian: no-such-file: "),
        "{message}"
    );
    assert!(message.contains("2 bad instances skipped; running the others"), "{message}");
    assert_eq!(records(&file).len(), BOARDS.len(), "{message}");
    // If no board is valid, no result file is created.
    let other = directory.path().join("other.jsonl");
    let done = bench("no-such-file", &other, &[]);
    assert!(
        stderr(&done).contains("no boards or models in no-such-file") && !other.exists(),
        "{}",
        stderr(&done)
    );
    assert_eq!(done.status.code(), Some(2));
}

#[test]
fn invalid_arguments_are_reported_before_any_run() {
    let (directory, boards) = boards();
    let file = directory.path().join("results.jsonl");
    for (settings, said) in [
        (&["--solver", "batsaat"][..], "did you mean `batsat`"),
        (&["--encode", "cardinality=totaliser"], "totalizer"),
        (&["--query", "why"], "unique"),
        (&["--memory", "much"], "2G"),
        (&["--jobs", "x"], "expected a whole number"),
        (&["--jobs", "0"], "expected a number from 1"),
        (&["--seeds", "0"], "expected a number from 1"),
    ] {
        let done = bench(&boards, &file, settings);
        assert_eq!(done.status.code(), Some(2), "{settings:?}");
        assert!(stderr(&done).contains(said), "{settings:?}: {}", stderr(&done));
        assert!(!file.exists(), "{settings:?}");
    }
    let by_hand = BTreeMap::from([("no", "result")]);
    fs::write(&file, format!("{}\n", serde_json::json!(by_hand))).expect("a file");
    let done = bench(&boards, &file, &[]);
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("line 1"), "{}", stderr(&done));
}

/// Returns the cells of the table below a heading of the page, row by row.
fn rows_of_page(page: &str, heading: &str) -> Vec<Vec<String>> {
    let after = page.split(&format!("<h2>{heading}</h2>")).nth(1).expect("the heading");
    let table = after.split("</table>").next().expect("a table");
    let cell = |text: &str| {
        let inner =
            text.split_once('>').map_or("", |(_, inner)| inner).split("</t").next().unwrap_or_default();
        inner.replace("<wbr>", "").replace("&amp;", "&")
    };
    let row = |row: &str| row.split("<t").skip(1).map(cell).collect();
    table.split("<tr>").skip(1).map(row).collect()
}

#[test]
fn the_page_shows_the_figures_of_the_results() {
    let (directory, boards) = boards();
    let file = directory.path().join("results.jsonl");
    let wait = script(&directory, "wait", "sleep 1000");
    let settings = ["--seeds", "2", "--encode", "cardinality=totalizer,auto", "--timeout", "0.2", "--solver"];
    let done = bench(&boards, &file, &[&settings[..], &["batsat,varisat"]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let done = bench(
        &format!("{boards}/a.txt"),
        &file,
        &[&settings[..], &[&format!("external:{wait} {{cnf}}")]].concat(),
    );
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let page = directory.path().join("report.html");
    let (results, output) = (file.display().to_string(), page.display().to_string());
    for time in ["wall", "cpu"] {
        let report = gordian(&["bench", "report", &results, "-o", &output, "--time", time], "");
        assert_eq!(report.status.code(), Some(0), "{}", stderr(&report));
        let page = fs::read_to_string(&page).expect("the page");
        // The times of the runs in seconds, by configuration and board. A run without a result counts as twice its time
        // limit.
        let mut runs: BTreeMap<String, BTreeMap<String, Vec<f64>>> = BTreeMap::new();
        for record in records(&file).iter().filter(|record| record["puzzle"] == "rooks") {
            let settings = &record["settings"];
            let encoding = settings["encode"]["cardinality"].as_str().unwrap_or("auto");
            let solver = settings["solver"].as_str().expect("a name");
            let seconds = if record["ending"] == "answered" {
                record["ms"][time].as_f64().expect("a time") / 1e3
            } else {
                2.0 * settings["timeout"].as_f64().expect("a time")
            };
            let of_board = runs.entry(format!("cardinality={encoding}, {solver}")).or_default();
            of_board.entry(record["content"].to_string()).or_default().push(seconds);
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let rows = rows_of_page(&page, "rooks, satisfy");
        let column = |name: &str| rows[0].iter().position(|head| head == name).expect("a column");
        assert_eq!(rows.len(), 1 + 6 + 1, "{rows:?}");
        for (configuration, boards) in &runs {
            let row = rows.iter().find(|row| row[0] == *configuration).expect("its row");
            let shown: f64 = row[column("PAR2, s")].parse().expect("a number");
            let par2 = mean(&boards.values().map(|runs| mean(runs)).collect::<Vec<_>>());
            // Times have three significant digits and at most four decimal places.
            assert!((shown - par2).abs() <= 0.006 * par2 + 6e-5, "{configuration}: {shown}, not {par2}");
            assert_eq!(row[column("instances")], boards.len().to_string());
            let answered = boards.values().flatten().filter(|&&seconds| seconds < 0.4).count();
            assert_eq!(row[column("answered")], answered.to_string(), "{configuration}");
        }
        let by_board = |board: &str| -> f64 {
            let of_board = runs.values().filter_map(|boards| boards.get(board));
            of_board
                .map(|runs| runs.iter().copied().fold(f64::INFINITY, f64::min))
                .fold(f64::INFINITY, f64::min)
        };
        let names: HashSet<&String> = runs.values().flat_map(|boards| boards.keys()).collect();
        let best = mean(&names.iter().map(|board| by_board(board)).collect::<Vec<_>>());
        let row = rows.last().expect("the virtual best");
        let shown: f64 = row[column("PAR2, s")].parse().expect("a number");
        // With two seeds, the median time of a board is the shorter of the two times.
        assert!((shown - best).abs() <= 0.006 * best + 6e-5, "{shown}, not {best}");
        assert!(page.contains("prefers-color-scheme: dark") && !page.contains("http://www.w3.org/1999"));
        // The page loads no external resources.
        for word in ["src=", "href=\"http", "@import", "url("] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.matches("<svg").count() > 10);
    }
    let markdown = stdout(&gordian(&["bench", "report", &results, "--markdown"], ""));
    assert!(markdown.contains("## rooks, satisfy") && markdown.contains("| virtual best |"), "{markdown}");
    let csv = stdout(&gordian(&["bench", "report", &results, "--runs", "--csv"], ""));
    assert_eq!(csv.lines().count(), 1 + records(&file).len(), "{csv}");
    let text = stdout(&gordian(&["bench", "report", &results], ""));
    assert!(text.starts_with("Best per puzzle\n"), "{text}");
}

#[test]
fn strategies_and_backbone() {
    let (directory, boards) = boards();
    let file = directory.path().join("results.jsonl");
    let settings = [
        "--query",
        "satisfy,optimise,backbone",
        "--strategy",
        "core-guided,binary",
        "--solver",
        "batsat,varisat",
    ];
    let done = bench(&boards, &file, &settings);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let records = records(&file);
    let of = |query: &str| records.iter().filter(|record| record["settings"]["query"] == query).count();
    // The strategy applies only to the query `optimise`, and Nurikabe has no objective.
    assert_eq!([of("satisfy"), of("backbone"), of("optimise:fewest")], [4 * 2, 4 * 2, 3 * 2 * 2]);
    assert!(records.iter().all(|record| record["ending"] == "answered"), "{records:?}");
    let backbone = records.iter().filter(|record| record["settings"]["query"] == "backbone");
    for record in backbone {
        assert_eq!(record["backbone"].is_string(), record["status"] == "solved", "{record}");
    }
    let wrong = bench(&boards, &file, &["--query", "optimise", "--strategy", "guess"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("unknown strategy"), "{}", stderr(&wrong));
}
