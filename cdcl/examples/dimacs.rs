//! Solves a formula in DIMACS format: `cargo run --release -p gordian-cdcl --example dimacs -- FILE [SECONDS]`.

use std::time::{Duration, Instant};

use gordian_cdcl::{Lit, Monitor, Solver};

struct Deadline(Instant);

impl Monitor for Deadline {
    fn stops(&mut self) -> bool {
        Instant::now() >= self.0
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected the name of a file")?;
    let seconds = arguments.next().map_or(Ok(60), |word| word.parse())?;
    let mut solver = Solver::default();
    let mut clause = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        if line.starts_with(['c', 'p', '%']) {
            continue;
        }
        for word in line.split_ascii_whitespace() {
            let number: i32 = word.parse()?;
            if number == 0 {
                solver.add(&clause);
                clause.clear();
            } else {
                clause.push(Lit::new(number.unsigned_abs() - 1, number > 0));
            }
        }
    }
    let mut deadline = Deadline(Instant::now() + Duration::from_secs(seconds));
    let verdict = match solver.solve(&[], &mut (), &mut deadline) {
        Some(true) => "SATISFIABLE",
        Some(false) => "UNSATISFIABLE",
        None => "UNKNOWN",
    };
    println!("s {verdict}");
    println!("c {:?}", solver.statistics());
    Ok(())
}
