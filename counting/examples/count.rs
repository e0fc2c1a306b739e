//! Counts the models of a formula in DIMACS format: `cargo run --release --example count FILE`.
//!
//! A line `c p show 1 2 0` projects the models onto variables, as in the Model Counting Competition.

use std::error::Error;
use std::time::Instant;

use gordian_counting::components::{Options, count};
use gordian_encodings::{Cnf, Collect, Lit};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected the name of a file")?;
    let (mut cnf, mut projection) = (Cnf::default(), None);
    let mut clause = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["c", "p", "show", ref shown @ ..] => {
                for word in shown.iter().filter(|&&word| word != "0") {
                    projection.get_or_insert_with(Vec::new).push(Lit::from_ipasir(word.parse()?)?);
                }
            }
            ["c", ..] | [] => {}
            ["p", "cnf", variables, _] => cnf.reserve(variables.parse()?),
            _ => {
                for word in words {
                    if word == "0" {
                        cnf.clause(&std::mem::take(&mut clause));
                    } else {
                        clause.push(Lit::from_ipasir(word.parse()?)?);
                    }
                }
            }
        }
    }
    let start = Instant::now();
    let report = &mut |progress: &gordian_counting::Progress| {
        eprint!("\r{:5.1} %, at least {}", 100.0 * progress.share, progress.at_least);
    };
    if std::env::args().any(|word| word == "--all") {
        projection = None;
    }
    let count = count(&cnf, &Options { projection, ..Options::default() }, report);
    eprintln!();
    println!("{count} in {:.2} s", start.elapsed().as_secs_f64());
    Ok(())
}
