//! Time to encode, per clause, for growing n, into a receiver that counts and into a `Cnf` that keeps (`NAME-kept`); sizes
//! are printed once. `cargo bench -p gordian-encodings --bench encode`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gordian_encodings::constraint::{AllDifferent, AtMostOne, Cardinality, Linear, Product};
use gordian_encodings::{Cnf, Collect, Constraint, Domain, Encodings, Lit, MEANINGS, Model};

/// Counts clauses and literals, and keeps nothing: what is measured is the making.
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

/// Each technique of a meaning, for each size.
fn each<C: Constraint + 'static>(
    criterion: &mut Criterion,
    meaning: &str,
    sizes: &[usize],
    make: impl Fn(&mut Model, usize) -> C,
) {
    let row = MEANINGS.iter().find(|row| row.name == meaning).expect("a meaning of the table");
    let mut group = criterion.benchmark_group(meaning);
    for technique in (row.techniques)().iter().map(|row| row.name).chain(["auto"]) {
        for &n in sizes {
            let mut model = Model::new();
            let constraint = make(&mut model, n);
            model.post(constraint);
            let mut encodings = Encodings::auto();
            encodings.choose(meaning, technique).expect("a technique of the table");
            let mut counter = Counter::default();
            let encoded = model.encode(&encodings, &mut counter);
            if !encoded.departures().is_empty() {
                // Another technique would be measured under this name.
                continue;
            }
            let variables = encoded.sizes().total().variables;
            println!("{meaning}={technique}/{n}: {variables} variables, {} clauses", counter.clauses);
            group.throughput(Throughput::Elements(counter.clauses));
            group.bench_function(BenchmarkId::new(technique, n), |bencher| {
                bencher.iter(|| {
                    let mut counter = Counter::default();
                    model.encode(&encodings, &mut counter);
                    counter.literals
                });
            });
            group.bench_function(BenchmarkId::new(format!("{technique}-kept"), n), |bencher| {
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

fn encode(criterion: &mut Criterion) {
    each(criterion, "at-most-one", &[10, 100, 1_000], |model, n| AtMostOne::new(lits(model, n)));
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
