//! Checks the formula of a certificate in clausal form.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use gordian_lemmas::{Formula, Graph};

use crate::cli::certificate::{CNF, GRAPHS};
use crate::cli::report::Failure;
use crate::rules::opb::{Clauses, Opb, OpbRow};

/// Checks that the clauses and the graphs follow from the rules and the negated claim, and that the lemmas follow from
/// the graphs. Returns the reason if a check fails. Otherwise, writes the clauses and the lemmas to the file `checked`.
/// The proof checker reads this file instead of the certificate's formula: it might treat lines as comments that this
/// function has read as clauses, or vice versa.
pub(super) fn refusal(
    rules: &Opb,
    opposite: &[OpbRow],
    directory: &Path,
    checked: &Path,
) -> Result<Option<String>, Failure> {
    let read = |name: &str| {
        let path = directory.join(name);
        fs::read_to_string(&path).map_err(Failure::file(&path))
    };
    let formula: Formula = match read(CNF)?.parse() {
        Ok(formula) => formula,
        Err(error) => return Ok(Some(format!("formula.cnf, {error}"))),
    };
    let graphs = match gordian_lemmas::graphs(&read(GRAPHS)?) {
        Ok(graphs) => graphs,
        Err(error) => return Ok(Some(format!("graphs, {error}"))),
    };
    let mut clauses = Clauses::new(rules, opposite);
    if let Err(reason) = compare(&mut clauses, &formula, &graphs) {
        return Ok(Some(reason));
    }
    if let Some(reason) = gordian_lemmas::refusal(&graphs, &formula) {
        return Ok(Some(reason));
    }
    let all: Vec<_> = formula.clauses.iter().chain(formula.lemmas.iter().map(|(_, lemma)| lemma)).collect();
    let mut text = format!("p cnf {} {}\n", formula.variables, all.len());
    for clause in all {
        for lit in &clause.lits {
            // Writing to a string can't fail.
            let _ = write!(text, "{lit} ");
        }
        text.push_str("0\n");
    }
    fs::write(checked, text).map_err(Failure::file(checked))?;
    Ok(None)
}

/// Compares the clauses and the graphs with the rules and the negated claim. This function does not check the lemmas.
fn compare(clauses: &mut Clauses<'_>, formula: &Formula, graphs: &[Graph]) -> Result<(), String> {
    let at = |line: usize| move |reason: String| format!("formula.cnf, line {line}: {reason}");
    for (line, variable, name) in &formula.names {
        clauses.name(*variable, name).map_err(at(*line))?;
    }
    for definition in &formula.definitions {
        let terms = definition.terms.iter().map(|&(coefficient, lit)| (coefficient.into(), lit)).collect();
        clauses.define(definition.lit, terms, definition.bound.into()).map_err(at(definition.line))?;
    }
    if let Some(clause) = formula.clauses.iter().find(|clause| !clauses.follows(&clause.lits)) {
        return Err(at(clause.line)("expected a clause that follows from one row of the rules".to_owned()));
    }
    for graph in graphs {
        let vertices: Vec<_> = graph.vertices.iter().map(|vertex| (vertex.number, vertex.lit)).collect();
        let mut edges = BTreeSet::new();
        for vertex in &graph.vertices {
            let near = vertex.near.iter().map(|&near| graph.vertices[near].number);
            edges.extend(near.map(|near| (vertex.number.min(near), vertex.number.max(near))));
        }
        clauses.compare_graph(graph.number, &vertices, &edges, (graph.least, graph.most))?;
    }
    Ok(())
}
