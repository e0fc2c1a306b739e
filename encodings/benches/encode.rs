//! Benchmark: measures the encoding time per clause for growing n. Benchmarks called `NAME-kept` store the clauses in
//! a `Cnf`; all others only count the clauses. The size of each formula is printed once. Run `cargo bench -p
//! gordian-encodings --bench encode`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gordian_encodings::constraint::{
    AllDifferent, AtMostOne, Cardinality, Connected, Count, Division, Entry, ExactlyOne, Linear, Maximum,
    Permutation, Product, Table,
};
use gordian_encodings::{
    CONSTRAINTS, Cnf, Collect, Constraint, Domain, Encodings, Graph, IntVar, Lit, Model,
};
use std::sync::Arc;

/// A receiver that counts clauses and literals without storing them. The measured times therefore exclude storing the
/// clauses.
#[derive(Default)]
struct Counter {
    clauses: u64,
    literals: u64,
}

impl Collect for Counter {
    fn clause(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        self.literals += clause.len() as u64;
    }

    fn reserve(&mut self, _: u32) {}
}

/// Measures every encoding of a constraint at every size.
fn each<C: Constraint + 'static>(
    criterion: &mut Criterion,
    meaning: &str,
    sizes: &[usize],
    make: impl Fn(&mut Model, usize) -> C,
) {
    let row = CONSTRAINTS.iter().find(|row| row.name == meaning).expect("a meaning of the table");
    let mut group = criterion.benchmark_group(meaning);
    for encoding in (row.encodings)().iter().map(|row| row.name).chain(["auto"]) {
        for &n in sizes {
            let mut model = Model::new();
            let constraint = make(&mut model, n);
            model.post(constraint);
            let mut encodings = Encodings::auto();
            encodings.choose_named(meaning, encoding).expect("an encoding of the table");
            let mut counter = Counter::default();
            let encoded = model.encode(&encodings, &mut counter);
            if !encoded.fallbacks().is_empty() {
                // If the chosen encoding does not apply, the benchmark would measure its fallback, so skip this size.
                continue;
            }
            let variables = encoded.sizes().total().variables;
            println!("{meaning}={encoding}/{n}: {variables} variables, {} clauses", counter.clauses);
            group.throughput(Throughput::Elements(counter.clauses));
            group.bench_function(BenchmarkId::new(encoding, n), |bencher| {
                bencher.iter(|| {
                    let mut counter = Counter::default();
                    model.encode(&encodings, &mut counter);
                    counter.literals
                });
            });
            group.bench_function(BenchmarkId::new(format!("{encoding}-kept"), n), |bencher| {
                bencher.iter(|| {
                    let mut cnf = Cnf::default();
                    model.encode(&encodings, &mut cnf);
                    cnf.literals()
                });
            });
        }
    }
    group.finish();
}

fn lits(model: &mut Model, n: usize) -> Vec<Lit> {
    (0..n).map(|_| model.boolean()).collect()
}

/// Creates `n` integer variables with the domain 1 to `most`.
fn ints(model: &mut Model, n: usize, most: usize) -> Vec<IntVar> {
    (0..n).map(|_| model.integer(Domain::interval(1, most as i128))).collect()
}

/// Returns the grid graph of `n` by `n` cells.
fn square(n: usize) -> Graph {
    let right = (0..n * n).filter(|cell| cell % n + 1 < n).map(|cell| (cell, cell + 1));
    let below = (0..n * (n - 1)).map(|cell| (cell, cell + n));
    Graph::new(n * n, right.chain(below))
}

fn encode(criterion: &mut Criterion) {
    each(criterion, "at-most-one", &[10, 100, 1_000], |model, n| AtMostOne::new(lits(model, n)));
    each(criterion, "exactly-one", &[10, 100, 1_000], |model, n| ExactlyOne::new(lits(model, n)));
    each(criterion, "cardinality", &[10, 100, 400], |model, n| Cardinality::at_most(lits(model, n), n / 4));
    each(criterion, "all-different", &[9, 30], |model, n| {
        let ints = (0..n).map(|_| model.integer(Domain::interval(1, n as i128)));
        AllDifferent::new(ints.collect::<Vec<_>>())
    });
    each(criterion, "linear", &[4, 8, 16], |model, n| {
        let ints = (0..n).map(|_| model.integer(Domain::interval(0, 9))).collect::<Vec<_>>();
        Linear::at_most(
            ints.into_iter().enumerate().map(|(i, x)| (i as i128 % 7 + 1, x.into())),
            9 * n as i128,
        )
    });
    each(criterion, "product", &[9, 99, 999], |model, n| {
        let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(1, n as i128)));
        let product = model.integer(Domain::interval(720, 720));
        Product::new([x, y], product)
    });
    each(criterion, "division", &[99, 999, 9_999], |model, n| {
        let [dividend, quotient, remainder] =
            [n, n, 7].map(|most| model.integer(Domain::interval(0, most as i128)));
        Division::new(dividend, 7, quotient, remainder)
    });
    each(criterion, "maximum", &[4, 16, 64], |model, n| {
        let of = ints(model, n, 50);
        let greatest = ints(model, 1, 50)[0];
        Maximum::new(of, greatest)
    });
    each(criterion, "permutation", &[4, 9, 30], |model, n| {
        Permutation::new(ints(model, n, n), (1..=n as i128).collect::<Vec<_>>())
    });
    each(criterion, "count", &[10, 100, 400], |model, n| Count::exactly(ints(model, n, 9), 3, n / 9));
    each(criterion, "table", &[10, 100, 1_000], |model, n| {
        // A simple pattern fills the entries of the table. It repeats after 400 rows.
        let row =
            |i: usize| [i % 20, i / 20 % 20, i * i % 20].map(|value| Entry::Is(value as i128 + 1)).to_vec();
        Table::new(ints(model, 3, 20), (0..n).map(row).collect::<Vec<_>>())
    });
    each(criterion, "connectivity", &[5, 10, 15], |model, n| {
        Connected::new(Arc::new(square(n)), lits(model, n * n))
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(100))
        .measurement_time(std::time::Duration::from_millis(300));
    targets = encode
}
criterion_main!(benches);
