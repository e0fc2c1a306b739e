//! Benchmark: produces the measurements that justify the rules of `auto`. Prints a Markdown table with the formula
//! size and the solver effort for each encoding and problem size. Run `cargo bench -p gordian-encodings --bench
//! choice`, or `.. --bench choice -- linear division` to run only some constraints.
//!
//! If the benchmark runs all constraints, the conflict counts are the same on every machine. Each time is the median
//! of three runs. In the table for `objective`, the sizes exclude the clauses that bound the objective.

use batsat::SolverInterface;
use gordian_encodings::{CONSTRAINTS, Cnf, Encodings, Model, Objective, ObjectiveBounds};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use std::time::{Duration, Instant};

mod problems;

use problems::{
    Random, divisions, equations, latin_square, light_cover, min_max, products, queens_and_pigeons,
    random_tables, shop, squares_of_permutations, vertex_cover,
};

/// The time limit of a run. If an encoding exceeds this limit, larger problems are skipped for this encoding.
const PATIENCE: Duration = Duration::from_secs(5);

/// Returns the number of conflicts that the solver needs to find an optimal solution and prove it optimal. Each solver
/// call requires a solution that is better than the one from the previous call.
fn optimise(model: &Model, objective: &Objective, encodings: &Encodings) -> Option<(u64, bool)> {
    let mut solver = rustsat_batsat::BasicSolver::default();
    let mut encoded = model.encode(encodings, &mut solver);
    let mut bounds = ObjectiveBounds::new(objective, &mut encoded.sink(&mut solver)).ok()?;
    let mut assumptions = Vec::new();
    while solver.solve_assumps(&assumptions).ok()? == SolverResult::Sat {
        let found = encoded.assignment(|lit| {
            solver.lit_val(lit).ok().map(|value| value == rustsat::types::TernaryVal::True)
        });
        let better = objective.value(&found) - 1;
        assumptions = bounds.at_least_as_good_as(better, &mut encoded.sink(&mut solver));
        if assumptions.contains(&gordian_encodings::FALSE) {
            break;
        }
    }
    Some((solver.batsat_ref().num_conflicts(), true))
}

/// Solves the model, and returns the number of conflicts and whether the model is satisfiable.
fn solve(model: &Model, encodings: &Encodings) -> Option<(u64, bool)> {
    if let Some(objective) = model.objective() {
        return optimise(model, objective, encodings);
    }
    let mut solver = rustsat_batsat::BasicSolver::default();
    model.encode(encodings, &mut solver);
    let verdict = solver.solve().ok()?;
    Some((solver.batsat_ref().num_conflicts(), verdict == SolverResult::Sat))
}

/// Prints a row of the table for each encoding and for `auto`.
fn table(meaning: &str, sizes: &[(String, Vec<Model>)]) {
    let row = CONSTRAINTS.iter().find(|row| row.name == meaning).expect("a meaning of the table");
    println!(
        "\n### {meaning}\n\n| problem | encoding | variables | clauses | literals | encode, ms | conflicts | solve, ms |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    let names: Vec<&str> = (row.encodings)().iter().map(|row| row.name).chain(["auto"]).collect();
    let mut tired: Vec<&str> = Vec::new();
    for (problem, models) in sizes {
        for &encoding in names.iter().filter(|name| !tired.contains(name)).collect::<Vec<_>>() {
            let mut encodings = Encodings::auto();
            encodings.choose_named(meaning, encoding).expect("an encoding of the table");
            let (mut variables, mut clauses, mut literals) = (0, 0, 0);
            let mut departed = false;
            let mut encode = Vec::new();
            for _ in 0..3 {
                (variables, clauses, literals) = (0, 0, 0);
                let start = Instant::now();
                for model in models {
                    let mut cnf = Cnf::default();
                    departed |= !model.encode(&encodings, &mut cnf).fallbacks().is_empty();
                    variables += cnf.variables();
                    clauses += cnf.len();
                    literals += cnf.literals();
                }
                encode.push(start.elapsed());
            }
            if departed {
                continue;
            }
            let mut conflicts = 0;
            let mut times = Vec::new();
            for _ in 0..3 {
                let start = Instant::now();
                let found = models.iter().filter_map(|model| solve(model, &encodings));
                conflicts = found.map(|(conflicts, _)| conflicts).sum();
                times.push(start.elapsed());
                if times[0] > PATIENCE {
                    tired.push(encoding);
                    break;
                }
            }
            let median = |times: &mut Vec<Duration>| {
                times.sort_unstable();
                times[times.len() / 2].as_secs_f64() * 1e3
            };
            let (encode, solve) = (median(&mut encode), median(&mut times));
            println!(
                "| {problem} | `{encoding}` | {variables} | {clauses} | {literals} | {encode:.2} | {conflicts} | {solve:.1} |"
            );
        }
    }
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let table = |meaning: &str, problems: &mut dyn FnMut() -> Vec<(String, Vec<Model>)>| {
        if asked.is_empty() || asked.iter().any(|word| word == meaning) {
            table(meaning, &problems());
        }
    };
    let random = &mut Random(7);
    let problems = |name: &str,
                    sizes: &[usize],
                    make: &mut dyn FnMut(usize) -> Vec<Model>|
     -> Vec<(String, Vec<Model>)> {
        sizes.iter().map(|&n| (format!("{name} {n}"), make(n))).collect()
    };
    table("at-most-one", &mut || {
        problems("latin square", &[4, 6, 7, 8, 12, 20, 25], &mut |n| latin_square(n, random))
    });
    table("cardinality", &mut || {
        problems("vertex cover", &[4, 5, 6, 8, 10, 12, 20, 40, 60], &mut |n| vertex_cover(n, random))
    });
    for most in [9, 99, 999] {
        let name = format!("equations, coefficients to {most},");
        table("linear", &mut || problems(&name, &[2, 4, 6, 8], &mut |n| equations(n, most, random)));
    }
    table("all-different", &mut || problems("queens and pigeons", &[5, 8, 10], &mut queens_and_pigeons));
    table("product", &mut || problems("products to", &[9, 30, 99, 300], &mut |n| products(n, random)));
    table("division", &mut || {
        problems("divisions to", &[30, 100, 300, 1_000, 3_000, 10_000], &mut |n| divisions(n, &mut Random(7)))
    });
    for (columns, n, excluded) in [(2, 28, [60, 40, 20, 10]), (3, 12, [80, 60, 30, 10])] {
        let name = format!("{n} integers, tables of {columns} columns, percentage excluded:");
        table("table", &mut || {
            problems(&name, &excluded, &mut |excluded| random_tables(columns, n, excluded, &mut Random(7)))
        });
    }
    table("element", &mut || {
        problems("square of a permutation of", &[4, 6, 8, 10, 15, 20], &mut |n| {
            squares_of_permutations(n, &mut Random(7))
        })
    });
    for constraint in ["minimum", "maximum"] {
        table(constraint, &mut || {
            problems("spread to", &[10, 30, 100, 300, 1_000], &mut |n| min_max(n, &mut Random(7)))
        });
    }
    table("integers", &mut || {
        problems("shop to", &[30, 100, 300, 1_000, 3_000], &mut |n| shop(n, &mut Random(7)))
    });
    table("objective", &mut || {
        problems("cover, weights to", &[1, 5, 20, 40, 80, 200, 1_000], &mut |n| {
            light_cover(n, &mut Random(7))
        })
    });
}
