//! Compares the queries on random formulas in OPB, WBO, CNF, KNF and WCNF with enumeration, by an evaluator that reads the
//! text independently of the readers.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::support::all_solutions;
use fastrand::Rng;
use gordian::backend;
use gordian::flatzinc::Flat;
use gordian::format::{Source, Syntax};
use gordian::puzzle::{Puzzle, Query};
use gordian::query::{self, Outcome, Silent, Status};
use gordian::read::{self, ReadOptions};
use gordian::rules::{Field, Rules, Solution};
use gordian::search::Config;
use gordian_encodings::Encodings;
use num_bigint::BigUint;

/// The number of random formulas in each format.
const FORMULAS: u64 = 60;

fn read(text: &str, syntax: Syntax) -> Box<dyn Puzzle> {
    let options = ReadOptions { syntax: Some(syntax), ..ReadOptions::default() };
    let board = read::board(&Source::new("formula", text), &options);
    board.unwrap_or_else(|error| panic!("{error}\n{text}")).puzzle
}

fn run(puzzle: &dyn Puzzle, query: Query) -> Outcome {
    query::run(puzzle, query, &Config::default(), &mut Silent).expect("no limit is set")
}

/// Returns the values of the variables with the given names.
fn values(solution: &Solution, names: &[String]) -> Vec<bool> {
    let value = |name: &String| match solution.get(name) {
        Some(Field::Number(value)) => *value == 1,
        field => panic!("{name}: {field:?}"),
    };
    names.iter().map(value).collect()
}

/// The cost of each assignment of the shown variables that satisfies the formula, or no cost without an objective.
type Expected = Vec<(Vec<bool>, Option<i128>)>;

/// Compares all queries with the expected solutions. `sign` is -1 for maximisation.
fn compare(text: &str, syntax: Syntax, names: &[String], expected: &Expected, sign: i128) {
    let puzzle = read(text, syntax);
    let solver = backend::find("cdcl").expect("a solver");
    let found: BTreeSet<Vec<bool>> = all_solutions(&*puzzle, &solver, &Encodings::auto())
        .iter()
        .map(|solution| values(solution, names))
        .collect();
    let wanted: BTreeSet<Vec<bool>> = expected.iter().map(|(values, _)| values.clone()).collect();
    assert_eq!(found, wanted, "{text}");
    let outcome = run(&*puzzle, Query::Count);
    assert_eq!(outcome.count, Some(BigUint::from(wanted.len())), "{text}");
    let outcome = run(&*puzzle, Query::Satisfy);
    assert_eq!(outcome.status == Status::None, wanted.is_empty(), "{text}");
    assert!(outcome.solution.is_none_or(|solution| wanted.contains(&values(&solution, names))), "{text}");
    let optimum = expected.iter().filter_map(|(_, cost)| *cost).min_by_key(|cost| sign * cost);
    let outcome = run(&*puzzle, puzzle.puzzle_type().default_query());
    assert_eq!(outcome.objective.map(|(_, value, _)| value), optimum, "{text}");
    if let Some(solution) = &outcome.solution {
        let cost = expected.iter().find(|(found, _)| *found == values(solution, names));
        assert_eq!(cost.expect("a solution").1, optimum, "{text}");
        // The drawing of a solution can be read again.
        let drawn = puzzle.draw(Some(solution)).text(false);
        let again = puzzle.read_solution(&Source::new("drawn", &*drawn)).expect("a solution");
        assert_eq!(values(&again, names), values(solution, names), "{drawn}");
        puzzle.check(&again).unwrap_or_else(|violation| panic!("{violation}: {drawn}"));
    }
    let has_large_number = text.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > 12);
    let formula = puzzle.rules_formula().expect("models have formulas").formula();
    assert!(formula.is_ok() || has_large_number, "{text}");
}

fn assignments(count: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1_u32 << count).map(move |bits| (0..count).map(|index| bits >> index & 1 == 1).collect())
}

fn names(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("x{number}")).collect()
}

/// Returns the value of a sum such as `2 x1 ~x2 -3 x2`.
fn sum(words: &[&str], values: &[bool]) -> i128 {
    let (mut total, mut factor) = (0, 0);
    let mut product = false;
    for word in words {
        if let Ok(number) = word.parse::<i128>() {
            total += if product { factor } else { 0 };
            (factor, product) = (number, true);
        } else {
            let (name, negated) = word.strip_prefix('~').map_or((*word, false), |name| (name, true));
            let index: usize = name[1..].parse().expect("a number");
            product &= values[index - 1] != negated;
        }
    }
    total + if product { factor } else { 0 }
}

/// An assignment violates a hard constraint.
struct Violated;

/// Evaluates a formula in OPB or WBO. Returns the cost, if the formula has an objective or soft constraints.
fn evaluate(text: &str, values: &[bool]) -> Result<Option<i128>, Violated> {
    let text: String = text.lines().filter(|line| !line.starts_with('*')).collect::<Vec<_>>().join(" ");
    let (mut cost, mut top) = (None, None);
    for statement in text.split(';') {
        let mut words: Vec<&str> = statement.split_whitespace().collect();
        match words.first() {
            None => continue,
            Some(&("min:" | "max:")) => {
                cost = Some(sum(&words[1..], values));
                continue;
            }
            Some(&"soft:") => {
                cost = Some(0);
                top = words.get(1).map(|top| top.parse::<i128>().expect("a number"));
                continue;
            }
            Some(_) => {}
        }
        let weight = words[0].strip_prefix('[').map(|rest| rest.trim_end_matches(']').parse::<i128>());
        let weight = weight.map(|weight| weight.expect("a weight"));
        if weight.is_some() {
            words.remove(0);
        }
        let at = words.iter().position(|word| [">=", "<=", "="].contains(word)).expect("a comparison");
        let (left, right) = (sum(&words[..at], values), words[at + 1].parse::<i128>().expect("a number"));
        let holds = match words[at] {
            ">=" => left >= right,
            "<=" => left <= right,
            _ => left == right,
        };
        match (holds, weight) {
            (true, _) => {}
            (false, Some(weight)) => cost = cost.map(|cost| cost + weight),
            (false, None) => return Err(Violated),
        }
    }
    let is_too_high = top.is_some_and(|top| cost.is_some_and(|cost| cost >= top));
    if is_too_high { Err(Violated) } else { Ok(cost) }
}

/// Returns random terms. The coefficients are small, or so large that sums exceed 64 bits.
fn terms(random: &mut Rng, variables: usize) -> String {
    let mut text = String::new();
    let scale = if random.u8(..8) == 0 { 1_i128 << 70 } else { 1 };
    for _ in 0..random.usize(0..=5) {
        let _ = write!(text, "{:+} ", i128::from(random.i8(-4..=4)) * scale);
        for _ in 0..if random.u8(..4) == 0 { random.usize(2..=3) } else { 1 } {
            let sign = if random.bool() { "~" } else { "" };
            let _ = write!(text, "{sign}x{} ", random.usize(1..=variables));
        }
    }
    text
}

#[test]
fn pseudo_boolean_formulas() {
    for seed in 0..2 * FORMULAS {
        let mut random = Rng::with_seed(seed);
        let variables = random.usize(1..=6);
        let mut text = format!("* #variable= {variables} #constraint= 3\n*\n");
        let goal = random.u8(..4);
        match goal {
            0 => {}
            1 | 2 => {
                let word = ["min", "max"][usize::from(goal) - 1];
                let _ = writeln!(text, "{word}: {};", terms(&mut random, variables));
            }
            _ if random.bool() => text += "soft: ;\n",
            _ => {
                let _ = writeln!(text, "soft: {} ;", random.u8(0..9));
            }
        }
        for _ in 0..random.usize(1..=5) {
            if goal == 3 && random.bool() {
                let _ = write!(text, "[{}] ", random.u8(1..=5));
            }
            let comparison = [">=", ">=", "<=", "="][random.usize(..4)];
            let left = terms(&mut random, variables);
            let _ = writeln!(text, "{left}{comparison} {} ;", random.i8(-3..=3));
        }
        let solutions = assignments(variables);
        let solutions =
            solutions.filter_map(|values| evaluate(&text, &values).ok().map(|cost| (values, cost)));
        let sign = if goal == 2 { -1 } else { 1 };
        compare(&text, Syntax::Opb, &names(variables), &solutions.collect(), sign);
    }
}

/// Returns whether a constraint of CNF or KNF holds. The words are literals, without the 0 at the end.
fn holds(words: &[&str], values: &[bool]) -> bool {
    let (bound, lits) = match words {
        ["k", bound, lits @ ..] => (bound.parse().expect("a bound"), lits),
        lits => (1, lits),
    };
    let numbers = lits.iter().map(|lit| lit.parse::<i32>().expect("a literal"));
    let is_true = |number: &i32| values[number.unsigned_abs() as usize - 1] == (*number > 0);
    numbers.filter(is_true).count() >= bound
}

fn clause(random: &mut Rng, variables: usize, most: usize) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(1..=most) {
        let sign = if random.bool() { "-" } else { "" };
        let _ = write!(text, "{sign}{} ", random.usize(1..=variables));
    }
    text + "0\n"
}

#[test]
fn formulas_of_clauses_and_cardinality_constraints() {
    for seed in 0..FORMULAS {
        let mut random = Rng::with_seed(seed);
        let variables = random.usize(1..=7);
        let constraints = random.usize(0..=8);
        let is_knf = random.bool();
        let shown: Vec<usize> = (1..=variables).filter(|_| random.bool()).collect();
        let is_projected = random.bool();
        let mut text = String::new();
        if is_projected {
            let list: Vec<String> = shown.iter().map(usize::to_string).collect();
            let _ = write!(text, "c t pmc\nc p show {} 0\n", list.join(" "));
        } else if random.bool() {
            text += "c t mc\nc p show 1 0\n";
        }
        let (name, syntax) = if is_knf { ("knf", Syntax::Knf) } else { ("cnf", Syntax::Cnf) };
        let _ = writeln!(text, "p {name} {variables} {constraints}");
        for _ in 0..constraints {
            if is_knf && random.bool() {
                let _ = write!(text, "k {} ", random.u8(0..=4));
                text += &clause(&mut random, variables, 6);
            } else {
                text += &clause(&mut random, variables, 3);
            }
        }
        let is_solution = |values: &Vec<bool>| {
            let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
            lines.map(|line| line.trim_end_matches(" 0")).all(|line| holds(&words(line), values))
        };
        let shown = if is_projected { shown } else { (1..=variables).collect() };
        let project = |values: Vec<bool>| shown.iter().map(|&number| values[number - 1]).collect::<Vec<_>>();
        let solutions: BTreeSet<Vec<bool>> =
            assignments(variables).filter(is_solution).map(project).collect();
        let names: Vec<String> = shown.iter().map(|number| format!("x{number}")).collect();
        let expected = solutions.into_iter().map(|values| (values, None)).collect();
        compare(&text, syntax, &names, &expected, 1);
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn formulas_with_soft_clauses() {
    for seed in 0..FORMULAS {
        let mut random = Rng::with_seed(seed);
        let variables = random.usize(1..=6);
        let clauses = random.usize(1..=8);
        let is_new = random.bool();
        let mut text = String::new();
        if !is_new {
            let _ = writeln!(text, "p wcnf {variables} {clauses} 100");
        }
        let mut costs = Vec::new();
        for _ in 0..clauses {
            let clause = clause(&mut random, variables, 3);
            let weight = random.bool().then(|| random.i128(1..=9));
            let hard = if is_new { "h" } else { "100" };
            let _ = write!(text, "{} {clause}", weight.map_or(hard.to_owned(), |weight| weight.to_string()));
            costs.push((weight, clause.trim_end_matches(" 0\n").to_owned()));
        }
        // Without a header, the largest number is the number of variables.
        let numbers = |clause: &str| {
            words(clause).iter().map(|lit| lit.trim_start_matches('-').parse().unwrap_or(0)).max()
        };
        let greatest: Option<usize> = costs.iter().filter_map(|(_, clause)| numbers(clause)).max();
        let variables = if is_new { greatest.unwrap_or(0) } else { variables };
        let cost = |values: &[bool]| {
            let violated = costs.iter().filter(|(_, clause)| !holds(&words(clause), values));
            violated.map(|(weight, _)| *weight).sum::<Option<i128>>()
        };
        let solutions = assignments(variables).filter_map(|values| {
            let cost = cost(&values)?;
            Some((values, Some(cost)))
        });
        compare(&text, Syntax::Wcnf, &names(variables), &solutions.collect(), 1);
    }
}

#[test]
fn weights_exceed_64_bits() {
    let text = "h 1 2 0\n18446744073709551616 -1 0\n36893488147419103232 -2 0\n";
    let outcome = run(&*read(text, Syntax::Wcnf), read(text, Syntax::Wcnf).puzzle_type().default_query());
    assert_eq!(outcome.objective.map(|(_, value, _)| value), Some(1 << 64));
    let text = "min: 18446744073709551616 x1 36893488147419103232 x2 ;\n1 x1 1 x2 >= 1 ;\n";
    let outcome = run(&*read(text, Syntax::Opb), read(text, Syntax::Opb).puzzle_type().default_query());
    assert_eq!(outcome.objective.map(|(_, value, _)| value), Some(1 << 64));
}

/// The objective of the instance is exact, even for solutions that violate a soft constraint without need.
#[test]
fn the_checker_knows_the_cost_of_soft_constraints() {
    let text = "soft: ;\n[2] 1 x1 1 x2 >= 2 ;\n[3] 1 x1 >= 1 ;\n";
    let instance = gordian_flatzinc::pseudo_boolean::read(text).expect("a formula");
    let flat = Flat::new(Arc::new(instance)).expect("small numbers");
    let solution = Solution::new().with("x1", Field::Number(0)).with("x2", Field::Number(0));
    assert!(flat.check(&solution).is_ok());
    let outcome = run(&flat, flat.puzzle_type().default_query());
    assert_eq!(outcome.objective.map(|(_, value, _)| value), Some(0));
}
