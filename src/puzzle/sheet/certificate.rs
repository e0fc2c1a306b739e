//! Certificates: the formula of a board, and the model whose constraints are its rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use gordian_encodings::constraint::{Clause, Connected, Linear};
use gordian_encodings::{FALSE, Graph, Lit, TRUE, Term};

use super::model::{Builder, Var};
use super::{SheetPuzzle, solution};
use crate::puzzle::Formulation;
use crate::rules::opb::{self, Literal, NoFormula, Opb, OpbRow, RulesFormula, Sum, literal_name};
use crate::rules::sheet::{FormulaVariable, Style};
use crate::rules::{Solution, Violation};

impl SheetPuzzle {
    /// Returns the formulation for proofs: each row of the formula is a constraint, and the flow of a connected set is
    /// the constraint that the set is connected.
    pub(super) fn formulation_of_formula(&self) -> Result<Formulation, String> {
        let (formula, _) = self.board.formula(&self.ground).map_err(|reason| reason.to_string())?;
        let name = |index: usize| self.ground.name_in_formula(&self.board, index);
        let mut builder = Builder::named(&self.board, super::sheet_of(self.puzzle_type), &self.ground, &name);
        let mut lits: Vec<Option<Lit>> = vec![None; formula.variables()];
        for index in 0..builder.vars.len() {
            match builder.vars[index] {
                Var::Boolean(lit) => {
                    if let Some(literal) = formula.find(&name(index)) {
                        lits[literal.variable] = Some(lit);
                    }
                }
                Var::Number(x) => {
                    for &value in &self.ground.variables[index].values {
                        if let Some(literal) = formula.find(&literal_name(&name(index), value.into())) {
                            lits[literal.variable] = Some(builder.plain.model.at_most(x, value.into()));
                        }
                    }
                }
            }
        }
        post(&mut builder, &formula, lits);
        Ok(self.formulation(builder))
    }

    /// Returns the values of the shown variables, each with its index in [`Ground::variables`].
    ///
    /// [`Ground::variables`]: crate::rules::sheet::Ground::variables
    fn shown_values(&self, of: &Solution) -> Result<Vec<(usize, i128)>, Violation> {
        let assignment = solution::assignment(&self.board, of)?;
        let mut values = Vec::new();
        for shown in &self.board.sheet().shown {
            for (place, &index) in self.ground.families[shown.var].iter() {
                let value = assignment[shown.var].get(place);
                let value = value.ok_or_else(|| Violation::new("a value of the solution is missing"))?;
                values.push((index, i128::from(*value)));
            }
        }
        Ok(values)
    }

    fn variable(&self, opb: &Opb, index: usize) -> Result<FormulaVariable, Violation> {
        self.ground
            .find_in_formula(&self.board, index, opb)
            .ok_or_else(|| Violation::new("the formula does not contain a variable"))
    }
}

/// Posts the rows of a formula.
fn post(builder: &mut Builder, formula: &Opb, lits: Vec<Option<Lit>>) {
    let model = &mut builder.plain.model;
    let is_of_flow: BTreeSet<usize> = formula.graphs().iter().flat_map(|graph| graph.rows.clone()).collect();
    let flows: BTreeSet<usize> = formula.graphs().iter().flat_map(|graph| graph.variables.clone()).collect();
    let lits: Vec<Lit> = lits
        .into_iter()
        .enumerate()
        .map(|(variable, lit)| {
            lit.unwrap_or_else(|| {
                // Connectivity constraints create the variables of their flows.
                if flows.contains(&variable) {
                    return FALSE;
                }
                let lit = model.boolean();
                model.name(lit, formula.name(Literal { variable, negated: false }).to_owned());
                lit
            })
        })
        .collect();
    let lit =
        |literal: Literal| if literal.negated { !lits[literal.variable] } else { lits[literal.variable] };
    for (index, OpbRow { terms, bound }) in formula.rows().iter().enumerate() {
        if is_of_flow.contains(&index) {
            continue;
        }
        if *bound == 1 && terms.iter().all(|&(weight, _)| weight == 1) {
            builder
                .plain
                .model
                .post(Clause::new(terms.iter().map(|&(_, literal)| lit(literal)).collect::<Vec<_>>()));
        } else {
            let terms = terms.iter().map(|&(weight, literal)| (weight, Term::Lit(lit(literal))));
            builder.plain.model.post(Linear::at_least(terms, *bound));
        }
    }
    for opb::Graph { vertices, edges, .. } in formula.graphs() {
        let number =
            |vertex: usize| vertices[vertex].name.parse::<usize>().expect("vertices are numbered") - 1;
        let count = (0..vertices.len()).map(number).max().map_or(0, |last| last + 1);
        let mut members = vec![FALSE; count];
        for (index, vertex) in vertices.iter().enumerate() {
            members[number(index)] = vertex.member.map_or(TRUE, lit);
        }
        let graph = Graph::new(count, edges.iter().map(|&(a, b)| (number(a), number(b))));
        builder.plain.model.post(Connected::new(Arc::new(graph), members));
    }
}

impl RulesFormula for SheetPuzzle {
    fn formula(&self) -> Result<Opb, NoFormula> {
        Ok(self.board.formula(&self.ground)?.0)
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let mut literals = Vec::new();
        for (index, value) in self.shown_values(solution)? {
            match self.variable(opb, index)? {
                FormulaVariable::Boolean(literal) => {
                    literals.push(if value == 1 { literal } else { !literal });
                }
                FormulaVariable::Number(number) => literals.extend(number.literals(value)?),
            }
        }
        Ok(literals)
    }

    /// Returns the number of shown variables with a value that they have in none of the solutions. For lines, the parts of
    /// a solution are not the variables but the places where these meet, so there is no such sum.
    fn unseen(&self, opb: &Opb, solutions: &[Solution]) -> Result<Sum, Violation> {
        let are_lines = |style: Style| matches!(style, Style::Path | Style::Border);
        if self.board.sheet().shown.iter().any(|shown| are_lines(shown.style)) {
            return Err(Violation::new("the backbone of lines has no certificate"));
        }
        let mut seen: BTreeSet<(usize, i128)> = BTreeSet::new();
        for solution in solutions {
            seen.extend(self.shown_values(solution)?);
        }
        let indices: BTreeSet<usize> = seen.iter().map(|&(index, _)| index).collect();
        let mut unseen = Sum::default();
        for index in indices {
            match self.variable(opb, index)? {
                FormulaVariable::Boolean(literal) => {
                    for (value, literal) in [(0, !literal), (1, literal)] {
                        if !seen.contains(&(index, value)) {
                            unseen.terms.push((1, literal));
                        }
                    }
                }
                FormulaVariable::Number(number) => {
                    for &value in number.values().iter().filter(|&&value| !seen.contains(&(index, value))) {
                        unseen.add(1, &number.is(value));
                    }
                }
            }
        }
        Ok(unseen)
    }
}
