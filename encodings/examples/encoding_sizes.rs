//! Prints the numbers of variables and clauses of each encoding of at-most-one, cardinality and pseudo-Boolean
//! constraints over 50, 200 and 1000 literals, and of forests in grids, as tables in Markdown. Run `cargo run --release -p gordian-encodings
//! --example encoding_sizes`.

use gordian_encodings::constraint::{Acyclic, AtMostOne, Cardinality, Linear};
use gordian_encodings::{CONSTRAINTS, Collect, Constraint, Encodings, Lit, Model, Strength, Value};

const SIZES: [usize; 3] = [50, 200, 1000];

/// A receiver that counts clauses without storing them.
#[derive(Default)]
struct Counter {
    clauses: u64,
}

impl Collect for Counter {
    fn clause(&mut self, _: &[Lit]) {
        self.clauses += 1;
    }

    fn reserve(&mut self, _: u32) {}
}

/// Creates a column with a constraint over `n` literals.
fn column<C: Constraint + 'static>(
    n: usize,
    title: String,
    make: impl FnOnce(Vec<Lit>) -> C,
) -> (String, Model) {
    let mut model = Model::new();
    let lits = (0..n).map(|_| model.boolean()).collect();
    model.post(make(lits));
    (title, model)
}

/// Prints a table with a row for each encoding and a column for each model. If an encoding does not apply, its cell is
/// empty.
fn table(name: &str, columns: &[(String, Model)]) {
    let row = CONSTRAINTS.iter().find(|row| row.name == name).expect("a name from the list");
    println!("\n| {name} | {} |", columns.iter().map(|column| &*column.0).collect::<Vec<_>>().join(" | "));
    println!("| --- |{}", " ---: |".repeat(columns.len()));
    let eager = (row.encodings)().into_iter().filter(|row| row.strength != Strength::Lazy);
    for encoding in eager.map(|row| row.name).chain(["auto"]) {
        let mut encodings = Encodings::auto();
        encodings.choose_named(name, encoding).expect("an encoding from the list");
        let size = |(_, model): &(String, Model)| {
            let mut counter = Counter::default();
            let encoded = model.encode(&encodings, &mut counter);
            let auxiliary = encoded.sizes().total().variables - u64::from(model.variables());
            let is_replaced = !encoded.fallbacks().is_empty();
            if is_replaced { String::new() } else { format!("{auxiliary} / {}", counter.clauses) }
        };
        println!("| `{encoding}` | {} |", columns.iter().map(size).collect::<Vec<_>>().join(" | "));
    }
}

/// Returns the edges of a square grid.
fn grid(side: usize) -> impl Iterator<Item = (usize, usize)> {
    let at = move |row: usize, column: usize| row * side + column;
    (0..side * side).flat_map(move |cell| {
        let (row, column) = (cell / side, cell % side);
        let right = (column + 1 < side).then(|| (cell, at(row, column + 1)));
        let below = (row + 1 < side).then(|| (cell, at(row + 1, column)));
        [right, below].into_iter().flatten()
    })
}

/// Returns n weights from 1 to `most`, which look random but are always the same.
fn weights(n: usize, most: u64) -> impl Iterator<Item = Value> {
    let next = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    let numbers = std::iter::successors(Some(1_u64), next);
    numbers.skip(1).take(n).map(move |number| Value::from((number >> 33) % most + 1))
}

fn main() {
    println!("Each cell contains the numbers of auxiliary variables and of clauses.");
    let at_most_ones: Vec<_> = SIZES.iter().map(|&n| column(n, format!("n={n}"), AtMostOne::new)).collect();
    table("at-most-one", &at_most_ones);
    for n in SIZES {
        let columns: Vec<_> = [1, 2, n / 4, n / 2]
            .iter()
            .map(|&k| column(n, format!("n={n}, k={k}"), |lits| Cardinality::at_most(lits, k)))
            .collect();
        table("cardinality", &columns);
    }
    for most in [20, 100] {
        let sums: Vec<_> = SIZES
            .iter()
            .map(|&n| {
                let half = weights(n, most).sum::<Value>() / 2;
                column(n, format!("n={n}, weights to {most}, half of their sum"), |lits| {
                    Linear::at_most(weights(n, most).zip(lits.into_iter().map(Into::into)), half)
                })
            })
            .collect();
        table("linear", &sums);
    }
    let forests: Vec<_> = [5, 10, 20]
        .iter()
        .map(|&side| {
            let edges: Vec<_> = grid(side).collect();
            column(edges.len(), format!("{side} x {side} vertices"), |lits| {
                let edges = edges.iter().zip(lits).map(|(&(a, b), lit)| (a, b, lit));
                Acyclic::new(side * side, edges.collect::<Vec<_>>())
            })
        })
        .collect();
    table("acyclic", &forests);
}
