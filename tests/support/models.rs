//! The models of the formulas that state the rules of puzzles.

use std::collections::BTreeSet;

use gordian::backend;
use gordian::rules::opb::{Literal, Opb};
use gordian::search::Session;
use gordian_encodings::constraint::Linear;
use gordian_encodings::{Encodings, Lit, Model};

/// Returns all assignments to the given variables that extend to a model of the formula, each as the set of its true
/// variables.
pub(crate) fn models(opb: &Opb, variables: &[usize]) -> BTreeSet<Vec<usize>> {
    let mut model = Model::new();
    let lits: Vec<Lit> = (0..opb.variables()).map(|_| model.boolean()).collect();
    let lit =
        |literal: Literal| if literal.negated { !lits[literal.variable] } else { lits[literal.variable] };
    for row in opb.rows() {
        let terms = row.terms.iter().map(|&(weight, literal)| (weight, lit(literal).into()));
        model.post(Linear::at_least(terms, row.bound));
    }
    model.project(variables.iter().map(|&variable| lits[variable]));
    let session = Session::new(&model, &Encodings::auto(), backend::SOLVERS[0]).expect("the solver is there");
    let found = session.into_assignments().map(|assignment| {
        let assignment = assignment.expect("no limit was set");
        variables.iter().copied().filter(|&variable| assignment.lit(lits[variable])).collect()
    });
    found.collect()
}
