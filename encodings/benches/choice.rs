//! What `auto` was read from: for each technique and size, the formula and how hard a solver finds it, as Markdown.
//! `cargo bench -p gordian-encodings --bench choice`.
//!
//! Conflicts are the same on every machine; times are medians of three.

use batsat::SolverInterface;
use gordian_encodings::constraint::{AllDifferent, AtMostOne, Cardinality, Clause, Linear, Product};
use gordian_encodings::{Cnf, Domain, Encodings, Lit, MEANINGS, Model, Value};
use rustsat::solvers::{Solve, SolverResult};
use std::time::{Duration, Instant};

/// After so long a solver is not waited for again.
const PATIENCE: Duration = Duration::from_secs(5);

/// The same numbers on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // Knuth's MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A latin square of order `n` with two of five cells open; each cell, row and column has each value at most once.
fn latin_square(n: usize, random: &mut Random) -> Vec<Model> {
    let mut model = Model::new();
    let cells: Vec<Vec<Lit>> = (0..n * n).map(|_| (0..n).map(|_| model.boolean()).collect()).collect();
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, random.below(i + 1));
    }
    for (line, value) in (0..n).flat_map(|line| (0..n).map(move |value| (line, value))) {
        model.post(AtMostOne::new((0..n).map(|i| cells[line * n + i][value]).collect::<Vec<_>>()));
        model.post(AtMostOne::new((0..n).map(|i| cells[i * n + line][value]).collect::<Vec<_>>()));
    }
    for (cell, lits) in cells.iter().enumerate() {
        model.post(AtMostOne::new(lits.as_slice()));
        model.post(Clause::new(lits.as_slice()));
        if random.below(5) >= 2 {
            model.post(Clause::new([lits[(order[cell / n] + cell % n) % n]]));
        }
    }
    vec![model]
}

/// Covers of the edges of a random graph by ever fewer of its `n` vertices, down to one too few.
fn vertex_cover(n: usize, random: &mut Random) -> Vec<Model> {
    let edges: Vec<(usize, usize)> = (0..2 * n).map(|_| (random.below(n), random.below(n))).collect();
    let cover = |most: usize| {
        let mut model = Model::new();
        let vertices: Vec<Lit> = (0..n).map(|_| model.boolean()).collect();
        for &(a, b) in &edges {
            model.post(Clause::new([vertices[a], vertices[b]]));
        }
        model.post(Cardinality::at_most(vertices, most));
        model
    };
    let solvable = |most: &usize| !matches!(solve(&cover(*most), &Encodings::auto()), Some((_, false)));
    let least = (0..n).rev().take_while(solvable).last().unwrap_or(n);
    vec![cover(least), cover(least - 1)]
}

/// Three equations of `n` integers from 0 to 9 with coefficients up to `most`, which have a solution.
fn equations(n: usize, most: usize, random: &mut Random) -> Vec<Model> {
    let mut model = Model::new();
    let ints: Vec<_> = (0..n).map(|_| model.integer(Domain::interval(0, 9))).collect();
    let solution: Vec<Value> = ints.iter().map(|_| random.below(10) as Value).collect();
    for _ in 0..3 {
        let weights: Vec<Value> = ints.iter().map(|_| 1 + random.below(most) as Value).collect();
        let bound = weights.iter().zip(&solution).map(|(w, x)| w * x).sum();
        model.post(Linear::equal(weights.into_iter().zip(ints.iter().map(|&x| x.into())), bound));
    }
    vec![model]
}

/// Queens on `n` by `n` squares, and pigeons in one hole too few.
fn queens_and_pigeons(n: usize) -> Vec<Model> {
    let mut queens = Model::new();
    let n_value = n as Value;
    let rows: Vec<_> = (0..n).map(|_| queens.integer(Domain::interval(0, n_value - 1))).collect();
    queens.post(AllDifferent::new(rows.clone()));
    for sign in [1, -1] {
        let diagonals: Vec<_> =
            (0..n_value).map(|_| queens.integer(Domain::interval(-n_value, 2 * n_value))).collect();
        for ((column, &row), &diagonal) in (0..).zip(&rows).zip(&diagonals) {
            queens.post(Linear::equal([(1, diagonal.into()), (-1, row.into())], sign * column));
        }
        queens.post(AllDifferent::new(diagonals));
    }
    let mut pigeons = Model::new();
    let holes: Vec<_> = (0..n).map(|_| pigeons.integer(Domain::interval(2, n_value))).collect();
    pigeons.post(AllDifferent::new(holes));
    vec![queens, pigeons]
}

/// Two numbers up to `n` with a product, a sum and a third factor that leave a few possibilities.
fn products(n: usize, random: &mut Random) -> Vec<Model> {
    let mut model = Model::new();
    let most = n as Value;
    let [x, y, z] = [0; 3].map(|_| model.integer(Domain::interval(1, most)));
    let [a, b, c] = [0; 3].map(|_| 1 + random.below(n) as Value);
    let xy = model.integer(Domain::interval(1, most * most));
    let yz = model.integer(Domain::interval(1, most * most));
    model.post(Product::new([x, y], xy));
    model.post(Product::new([y, z], yz));
    model.post(Linear::equal([(1, xy.into()), (1, yz.into())], a * b + b * c));
    model.post(Linear::equal([(1, x.into()), (-1, z.into())], a - c));
    vec![model]
}

/// Conflicts and verdict.
fn solve(model: &Model, encodings: &Encodings) -> Option<(u64, bool)> {
    let mut cnf = Cnf::default();
    model.encode(encodings, &mut cnf);
    let mut solver = rustsat_batsat::BasicSolver::default();
    for clause in cnf.iter() {
        solver.add_clause_ref(&clause.iter().copied().collect::<rustsat::types::Clause>()).ok()?;
    }
    let verdict = solver.solve().ok()?;
    Some((solver.batsat_ref().num_conflicts(), verdict == SolverResult::Sat))
}

/// A row for each technique, and for `auto`.
fn table(meaning: &str, sizes: &[(String, Vec<Model>)]) {
    let row = MEANINGS.iter().find(|row| row.name == meaning).expect("a meaning of the table");
    println!(
        "\n### {meaning}\n\n| problem | technique | variables | clauses | literals | encode, ms | conflicts | solve, ms |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    let names: Vec<&str> = (row.techniques)().iter().map(|row| row.name).chain(["auto"]).collect();
    let mut tired: Vec<&str> = Vec::new();
    for (problem, models) in sizes {
        for &technique in names.iter().filter(|name| !tired.contains(name)).collect::<Vec<_>>() {
            let mut encodings = Encodings::auto();
            encodings.choose(meaning, technique).expect("a technique of the table");
            let (mut variables, mut clauses, mut literals) = (0, 0, 0);
            let mut departed = false;
            let mut encode = Vec::new();
            for _ in 0..3 {
                (variables, clauses, literals) = (0, 0, 0);
                let start = Instant::now();
                for model in models {
                    let mut cnf = Cnf::default();
                    departed |= !model.encode(&encodings, &mut cnf).departures().is_empty();
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
                    tired.push(technique);
                    break;
                }
            }
            let median = |times: &mut Vec<Duration>| {
                times.sort_unstable();
                times[times.len() / 2].as_secs_f64() * 1e3
            };
            let (encode, solve) = (median(&mut encode), median(&mut times));
            println!(
                "| {problem} | `{technique}` | {variables} | {clauses} | {literals} | {encode:.2} | {conflicts} | {solve:.1} |"
            );
        }
    }
}

fn main() {
    let random = &mut Random(7);
    let problems = |name: &str,
                    sizes: &[usize],
                    make: &mut dyn FnMut(usize) -> Vec<Model>|
     -> Vec<(String, Vec<Model>)> {
        sizes.iter().map(|&n| (format!("{name} {n}"), make(n))).collect()
    };
    table(
        "at-most-one",
        &problems("latin square", &[4, 6, 7, 8, 12, 20, 25], &mut |n| latin_square(n, random)),
    );
    table(
        "cardinality",
        &problems("vertex cover", &[4, 5, 6, 8, 10, 12, 20, 40, 60], &mut |n| vertex_cover(n, random)),
    );
    for most in [9, 99, 999] {
        let name = format!("equations, coefficients to {most},");
        table("linear", &problems(&name, &[2, 4, 6, 8], &mut |n| equations(n, most, random)));
    }
    table("all-different", &problems("queens and pigeons", &[5, 8, 10], &mut queens_and_pigeons));
    table("product", &problems("products to", &[9, 30, 99, 300], &mut |n| products(n, random)));
}
