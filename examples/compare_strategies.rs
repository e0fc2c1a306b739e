//! Runs every strategy with every objective encoding on the boards of the benchmark `optimise`, and prints the table
//! in docs/optimisation.md.
//!
//! ```text
//! cargo run --release --example compare_strategies -- [SECONDS [SOLVER]]
//! ```
//!
//! Each entry of the table is the total time in seconds for a set of boards. Each board is solved for at most SECONDS
//! (default 10). If this time is too short for some boards, the entry also shows the number of boards solved to
//! optimality.

use std::time::{Duration, Instant};

use gordian::backend::{self, Limits};
use gordian::search::{Config, STRATEGIES};
use gordian_encodings::{CONSTRAINTS, Encodings};

#[path = "../benches/boards/mod.rs"]
mod boards;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let seconds = words.first().map_or(10.0, |word| word.parse().expect("a number of seconds"));
    let solver = words.get(1).map_or("batsat", String::as_str);
    let solver = backend::find(solver).unwrap_or_else(|error| panic!("{error}"));
    let row = CONSTRAINTS.iter().find(|row| row.name == "objective").expect("a row");
    let encodings: Vec<&str> =
        std::iter::once("auto").chain((row.encodings)().iter().map(|encoding| encoding.name)).collect();
    println!("| set | strategy | {} |", encodings.join(" | "));
    println!("| --- | --- |{}", " --- |".repeat(encodings.len()));
    for set in boards::SETS {
        let boards = set.boards();
        for strategy in STRATEGIES {
            let mut cells = Vec::new();
            for &encoding in &encodings {
                // The strategy `core-guided` does not encode the objective, so it runs only once.
                if strategy.name == "core-guided" && encoding != "auto" {
                    cells.push(String::new());
                    continue;
                }
                let mut encodings = Encodings::auto();
                encodings.choose_named("objective", encoding).expect("a name from the table");
                let (mut proven, mut took) = (0, Duration::ZERO);
                for (_, formulation) in &boards {
                    let start = Instant::now();
                    let limits = Limits {
                        deadline: Some(start + Duration::from_secs_f64(seconds)),
                        ..Limits::default()
                    };
                    let config =
                        Config { solver: solver.clone(), encodings: encodings.clone(), ..Config::default() };
                    let mut session =
                        config.session(&formulation.model, limits).expect("a solver that takes limits");
                    let objective = formulation.model.objective().expect("the set has one");
                    let optimum = session.optimise(objective, strategy, |_| ()).expect("small weights");
                    proven += usize::from(optimum.proven);
                    took += start.elapsed();
                }
                let all = if proven == boards.len() {
                    String::new()
                } else {
                    format!(" ({proven}/{})", boards.len())
                };
                cells.push(format!("{:.2}{all}", took.as_secs_f64()));
            }
            println!("| {} | {} | {} |", set.name, strategy.name, cells.join(" | "));
        }
    }
}
