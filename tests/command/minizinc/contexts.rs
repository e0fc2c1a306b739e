//! Each constraint of MiniZinc's library in each context: as a constraint, negated, reified and half-reified. The
//! solutions are compared with naive statements of the constraints, which MiniZinc evaluates on known values.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{TempDir, minizinc, stderr, stdout};

/// The constraints and their meanings.
const ROWS: &str = include_str!("../../minizinc/contexts.txt");

/// The variables of the constraints. The values of `x` determine all others.
const VARIABLES: &str = r#"
include "globals.mzn";
array [1..4] of var -1..2: x;
array [1..4] of var 1..4: y; constraint forall(i in 1..4)(y[i] = x[i] + 2);
array [1..4] of var bool: p; constraint forall(i in 1..4)(p[i] <-> x[i] > 0);
var set of 0..3: s; constraint forall(k in 0..3)(k in s <-> x[k + 1] > 0);
var set of 0..3: u; constraint forall(k in 0..3)(k in u <-> x[k + 1] in {0, 2});
array [1..4] of var opt 0..2: o;
constraint forall(i in 1..4)((occurs(o[i]) <-> x[i] >= 0) /\ (x[i] >= 0 -> deopt(o[i]) = x[i]));
"#;

/// The same as known values.
const VALUES: &str = r#"
function string: line(array [int] of int: x) =
  let {
    array [int] of int: y = [x[i] + 2 | i in 1..4];
    array [int] of bool: p = [x[i] > 0 | i in 1..4];
    set of int: s = {k | k in 0..3 where x[k + 1] > 0};
    set of int: u = {k | k in 0..3 where x[k + 1] in {0, 2}};
  } in concat([show(bool2int(b)) ++ " " | b in all(x, y, p, s, u)]) ++ "\n";
solve satisfy;
output [line([a, b, c, d]) | a, b, c, d in -1..2];
"#;

const ASSIGNMENTS: usize = 256;

/// A row of the table, with its number.
type Row = (usize, &'static str, &'static str);

/// The numbers in a line of the output: the values of `x`, and results.
type Line = Vec<i32>;

/// Returns the lines that a model prints, or an error with the output if the search is not complete.
fn lines(model: &str) -> Result<Vec<Line>, String> {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("model.mzn");
    std::fs::write(&path, model).expect("a file");
    let output = minizinc(&["-a", path.to_str().expect("UTF-8")]);
    let text = stdout(&output);
    let complete = text.contains("==========") || text.contains("=====UNSATISFIABLE=====");
    if !output.status.success() || !complete {
        return Err(format!("{model}\n{text}{}", stderr(&output)));
    }
    let numbers =
        |line: &str| line.split_whitespace().map(|word| word.parse().ok()).collect::<Option<Line>>();
    Ok(text.lines().filter(|line| !line.is_empty()).filter_map(numbers).collect())
}

fn rows() -> Vec<Row> {
    let lines = ROWS.lines().filter(|line| !line.starts_with('%'));
    let pairs = lines.map(|line| line.split_once(" ;; ").expect("a constraint and its meaning"));
    pairs.enumerate().map(|(number, (constraint, meaning))| (number, constraint, meaning)).collect()
}

/// Returns the assignments in which each row holds.
fn meanings(rows: &[Row]) -> Vec<BTreeSet<Line>> {
    let mut model = String::new();
    let parameters =
        "array [int] of int: x, array [int] of int: y, array [int] of bool: p, set of int: s, set of int: u";
    for (number, _, meaning) in rows {
        let _ = writeln!(model, "test row{number}({parameters}) = {meaning};");
    }
    let calls: Vec<String> = rows.iter().map(|row| format!("row{}(x, y, p, s, u)", row.0)).collect();
    let _ =
        write!(model, "function array [int] of bool: all({parameters}) = [{}];{VALUES}", calls.join(", "));
    let lines = lines(&model).expect("values");
    assert_eq!(lines.len(), ASSIGNMENTS);
    let mut meanings = vec![BTreeSet::new(); rows.len()];
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(line.len(), rows.len());
        let x = (0..4).map(|index| (number >> (2 * (3 - index)) & 3) as i32 - 1).collect::<Line>();
        for (holds, meaning) in line.iter().zip(&mut meanings) {
            if *holds == 1 {
                meaning.insert(x.clone());
            }
        }
    }
    meanings
}

const SHOWN: &str = r#"solve satisfy; output ["\(x[1]) \(x[2]) \(x[3]) \(x[4])"#;

/// Returns an error if the solutions of a model are not exactly the expected lines, or if one is repeated.
fn solutions(model: &str, expected: &BTreeSet<Line>) -> Result<(), String> {
    let found = lines(model)?;
    let set: BTreeSet<Line> = found.iter().cloned().collect();
    if found.len() != set.len() {
        return Err(format!("{} of {} solutions are repeated", found.len() - set.len(), found.len()));
    }
    match (expected - &set).first().or((&set - expected).first()) {
        None => Ok(()),
        Some(line) => {
            Err(format!("{line:?} is {}", if set.contains(line) { "no solution" } else { "missing" }))
        }
    }
}

/// Checks rows that are reified, all in one model.
fn reified(rows: &[Row], meanings: &[BTreeSet<Line>]) -> Result<(), String> {
    let mut model = VARIABLES.to_owned();
    let mut output = SHOWN.to_owned();
    for (number, constraint, _) in rows {
        let _ = writeln!(model, "var bool: r{number}; constraint r{number} <-> ({constraint});");
        let _ = write!(output, " \\(bool2int(r{number}))");
    }
    let assignments = (0..ASSIGNMENTS).map(|number| {
        let x = (0..4).map(|index| (number >> (2 * index) & 3) as i32 - 1).collect::<Line>();
        let results = rows.iter().map(|row| i32::from(meanings[row.0].contains(&x)));
        [&x[..], &results.collect::<Line>()].concat()
    });
    solutions(&format!("{model}{output}\\n\"];"), &assignments.collect())
}

/// Checks rows of which a variable selects one, all in one model. The rows are half-reified, or negated if `holds` is
/// false.
fn selected(rows: &[Row], meanings: &[BTreeSet<Line>], holds: bool) -> Result<(), String> {
    let last = rows.last().map_or(0, |row| row.0);
    let mut model = format!("{VARIABLES}var {}..{last}: t;\n", rows[0].0);
    let not = if holds { "" } else { "not " };
    for (number, constraint, _) in rows {
        let _ = writeln!(model, "constraint t = {number} -> {not}({constraint});");
    }
    let expected = rows.iter().flat_map(|row| {
        let of = solutions_of(&meanings[row.0], holds);
        of.into_iter().map(|x| [&x[..], &[row.0 as i32]].concat())
    });
    solutions(&format!("{model}{SHOWN} \\(t)\\n\"];"), &expected.collect())
}

/// Returns the assignments in which a row holds, or in which it does not hold.
fn solutions_of(meaning: &BTreeSet<Line>, holds: bool) -> BTreeSet<Line> {
    let all = (0..ASSIGNMENTS)
        .map(|number| (0..4).map(|index| (number >> (2 * index) & 3) as i32 - 1).collect::<Line>());
    all.filter(|x| meaning.contains(x) == holds).collect()
}

/// A check of one constraint in one context, which returns what is wrong.
type Task<'a> = Box<dyn Fn() -> Result<(), String> + Sync + 'a>;

/// Checks a row, or its negation, as the only constraint.
fn alone(row: &Row, meanings: &[BTreeSet<Line>], holds: bool) -> Result<(), String> {
    let not = if holds { "" } else { "not " };
    let model = format!("{VARIABLES}constraint {not}({});\n{SHOWN}\\n\"];", row.1);
    solutions(&model, &solutions_of(&meanings[row.0], holds))
}

#[test]
#[ignore = "needs minizinc"]
fn constraints_mean_the_same_in_every_context() {
    // More rows in one model find no more faults, but the time for a model grows faster than its number of rows.
    const TOGETHER: usize = 25;
    let rows = rows();
    let meanings = meanings(&rows);
    assert!(rows.len() > 200);
    let mut tasks: Vec<(String, Task<'_>)> = Vec::new();
    let meanings = &meanings[..];
    for some in rows.chunks(TOGETHER) {
        let names = format!("rows {} to {}", some[0].0, some[0].0 + some.len() - 1);
        tasks.push((format!("{names} reified"), Box::new(move || reified(some, meanings))));
        tasks.push((format!("{names} half-reified"), Box::new(move || selected(some, meanings, true))));
        tasks.push((
            format!("{names} negated under a condition"),
            Box::new(move || selected(some, meanings, false)),
        ));
    }
    for row in &rows {
        tasks.push((row.1.to_owned(), Box::new(move || alone(row, meanings, true))));
        tasks.push((format!("not {}", row.1), Box::new(move || alone(row, meanings, false))));
    }
    let (next, tasks) = (AtomicUsize::new(0), &tasks[..]);
    let check = || {
        let mut failures = Vec::new();
        while let Some((name, task)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            failures.extend(task().err().map(|error| format!("{name}: {error}")));
        }
        failures
    };
    let failures: Vec<String> = thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(check)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
