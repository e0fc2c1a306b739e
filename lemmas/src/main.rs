//! Checks the lemmas of a clausal certificate: `gordian-lemmas graphs formula.cnf`.

use std::process::ExitCode;

use gordian_lemmas::{Formula, graphs, refusal};

fn main() -> ExitCode {
    match check(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(count) => {
            println!("s VERIFIED {count} lemmas");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("gordian-lemmas: {error}");
            ExitCode::FAILURE
        }
    }
}

fn check(arguments: &[String]) -> Result<usize, String> {
    let [graphs_file, formula_file] = arguments else {
        return Err("expected two files: gordian-lemmas graphs formula.cnf".to_owned());
    };
    let read = |file: &str| std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    let graphs = graphs(&read(graphs_file)?).map_err(|error| format!("{graphs_file}, {error}"))?;
    let formula: Formula = read(formula_file)?.parse().map_err(|error| format!("{formula_file}, {error}"))?;
    match refusal(&graphs, &formula) {
        None => Ok(formula.lemmas.len()),
        Some(reason) => Err(reason),
    }
}
