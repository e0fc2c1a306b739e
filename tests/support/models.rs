//! The models of the formulas that state the rules of puzzles.

use std::collections::BTreeSet;

use gordian::backend;
use gordian::rules::opb::{Literal, Opb, OpbRow};
use gordian::search::Session;
use gordian_encodings::constraint::Linear;
use gordian_encodings::{Encodings, Lit, Model, Term};

/// Returns a model with the given rows of the formula, and the literals of its variables.
fn model<'a>(opb: &Opb, rows: impl IntoIterator<Item = &'a OpbRow>) -> (Model, Vec<Lit>) {
    let mut model = Model::new();
    let lits: Vec<Lit> = (0..opb.variables()).map(|_| model.boolean()).collect();
    for row in rows {
        model.post(Linear::at_least(terms(row, &lits), row.bound));
    }
    (model, lits)
}

fn terms(row: &OpbRow, lits: &[Lit]) -> Vec<(i128, Term)> {
    let lit =
        |literal: Literal| if literal.negated { !lits[literal.variable] } else { lits[literal.variable] };
    row.terms.iter().map(|&(weight, literal)| (weight, lit(literal).into())).collect()
}

fn session(model: &Model) -> Session {
    Session::new(model, &Encodings::auto(), backend::SOLVERS[0]).expect("the solver is there")
}

/// Returns all assignments to the given variables that extend to a model of the formula, each as the set of its true
/// variables.
pub(crate) fn models(opb: &Opb, variables: &[usize]) -> BTreeSet<Vec<usize>> {
    let (mut model, lits) = model(opb, opb.rows());
    model.project(variables.iter().map(|&variable| lits[variable]));
    let found = session(&model).into_assignments().map(|assignment| {
        let assignment = assignment.expect("no limit was set");
        variables.iter().copied().filter(|&variable| assignment.lit(lits[variable])).collect()
    });
    found.collect()
}

/// Tells whether the last row of a formula follows from the other rows.
pub(crate) fn last_row_follows(opb: &Opb) -> bool {
    let (last, others) = opb.rows().split_last().expect("a row");
    let (mut model, lits) = model(opb, others);
    model.post(Linear::at_most(terms(last, &lits), last.bound - 1));
    session(&model).into_assignments().next().is_none()
}
