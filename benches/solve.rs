//! Benchmark: measures parsing, building the model, encoding, and all steps together, on one board of each puzzle
//! type.
//!
//! ```text
//! cargo bench -p gordian
//! ```

use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gordian::format::Source;
use gordian::puzzle::{self, PUZZLES, Puzzle};
use gordian::query::{self, Silent};
use gordian::read::{self, ReadOptions};
use gordian::search::Config;
use gordian_encodings::{Cnf, Encodings};

/// The boards of the benchmark, with paths relative to `instances/`.
const BOARDS: &[(&str, &str)] = &[
    ("nurikabe", "generated-12x12.txt"),
    ("rooks", "generated-20x20.txt"),
    ("amaze", "challenge-2012-05-31.dzn"),
    ("labyrinth", "grid-6x6.dzn"),
    ("smallest", "ten-digits.dzn"),
    ("numcross", "document-003-3.dzn"),
    ("magic-triangle", "sum-17.dzn"),
    ("max-triangle", "document-001.txt"),
    ("powers", "document-000.dzn"),
    ("cards", "large.txt"),
    ("nines", "six-digits.dzn"),
    ("age", "document-001.dzn"),
    ("numberlink", "generated-10x10-unique.txt"),
];

fn source(puzzle_type: &str, name: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances").join(puzzle_type).join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Source::new(name, text)
}

fn read(puzzle_type: &str, source: &Source) -> Box<dyn Puzzle> {
    let options = ReadOptions { puzzle_type: puzzle::find(puzzle_type), ..ReadOptions::default() };
    read::board(source, &options).expect("a board of ours").puzzle
}

fn steps(criterion: &mut Criterion) {
    // Every puzzle type needs a board in the benchmark.
    let puzzle_types: Vec<&str> = BOARDS.iter().map(|&(puzzle_type, _)| puzzle_type).collect();
    assert!(
        PUZZLES.iter().all(|puzzle_type| puzzle_types.contains(&puzzle_type.name)),
        "a puzzle without a board"
    );
    for &(puzzle_type, name) in BOARDS {
        let source = source(puzzle_type, name);
        let board = read(puzzle_type, &source);
        let query = board.puzzle_type().default_query();
        let formulation = board.formulate(&query);
        let mut group = criterion.benchmark_group(puzzle_type);
        group.sample_size(10);
        group.bench_function(BenchmarkId::new("parse", name), |bencher| {
            bencher.iter(|| read(puzzle_type, black_box(&source)));
        });
        group.bench_function(BenchmarkId::new("model", name), |bencher| {
            bencher.iter(|| board.formulate(black_box(&query)));
        });
        group.bench_function(BenchmarkId::new("encode", name), |bencher| {
            bencher.iter(|| {
                let mut cnf = Cnf::default();
                formulation.model.encode(&Encodings::auto(), &mut cnf);
                cnf
            });
        });
        group.bench_function(BenchmarkId::new("solve", name), |bencher| {
            bencher.iter(|| {
                let outcome = query::run(&*board, query, &Config::default(), &mut Silent);
                outcome.expect("a solver that does not fail").solution.expect("a board with a solution")
            });
        });
        group.finish();
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
