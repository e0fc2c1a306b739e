//! Certificates: the formula of a board, and the model whose constraints are its rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gordian_encodings::constraint::{Clause, Connected, Linear};
use gordian_encodings::lit::from_bool;
use gordian_encodings::{FALSE, Graph, Lit, TRUE, Term};

use super::model::{Builder, Var};
use super::{Lists, SheetPuzzle, solution};
use crate::puzzle::Formulation;
use crate::rules::opb::{self, Literal, NoFormula, Opb, OpbRow, RulesFormula, Sum, Truth, literal_name};
use crate::rules::relation::Relation;
use crate::rules::sheet::{BoardFormula, FormulaVariable, Required, Style};
use crate::rules::{Solution, Violation};

impl SheetPuzzle {
    /// Returns the formulation for proofs: each row of the formula is a constraint, and the flow of a connected set is
    /// the constraint that the set is connected.
    pub(super) fn formulation_of_formula(&self, lists: Lists) -> Result<Formulation, String> {
        let formula = self.board.formula(&self.ground).map_err(|reason| reason.to_string())?;
        let BoardFormula { opb: formula, owners, .. } = formula;
        let name = |index: usize| self.ground.name_in_formula(&self.board, index);
        let sheet = super::sheet_of(self.puzzle_type);
        let mut builder = Builder::named(&self.board, sheet, &self.ground, &|index| name(index).into());
        let mut lits: Vec<Option<Lit>> = vec![None; formula.variables()];
        for index in 0..builder.vars.len() {
            match builder.vars[index] {
                Var::Boolean(lit) => {
                    if let Some(literal) = formula.find(&name(index)) {
                        lits[literal.variable] = Some(lit);
                    }
                }
                Var::Number(x) => {
                    for &value in &*self.ground.variables[index].values {
                        if let Some(literal) = formula.find(&literal_name(&name(index), value.into())) {
                            lits[literal.variable] = Some(builder.plain.model.at_most(x, value.into()));
                        }
                    }
                }
            }
        }
        let lits = post(&mut builder, &formula, lits);
        let lit = |owner: Truth| match owner {
            Truth::Constant(owns) => from_bool(owns),
            Truth::Same(owner) => lit_of(&lits, owner),
        };
        let islands = owners.into_iter().map(|(variable, owners)| {
            (variable, owners.into_iter().map(|(size, owner)| (size, lit(owner))).collect())
        });
        builder.islands = islands.collect();
        Ok(self.formulation(builder, lists))
    }

    /// Returns the sizes that the board states for islands in a solution: for each of [`Ground::variables`] that is false in a
    /// component, the size of the component's root.
    ///
    /// [`Ground::variables`]: crate::rules::sheet::Ground::variables
    fn stated_sizes(&self, values: &BTreeMap<usize, i128>) -> BTreeMap<usize, Option<i64>> {
        let mut stated = BTreeMap::new();
        for required in &self.ground.required {
            let Required::Relation(Relation::Components(components), _) = required else { continue };
            let variable = |vertex: usize| self.ground.false_in(components.vertices[vertex]);
            let is_inside =
                |vertex: usize| variable(vertex).is_some_and(|index| values.get(&index) == Some(&0));
            for (vertex, size) in components.sizes(is_inside).into_iter().enumerate() {
                stated.extend(variable(vertex).zip(size));
            }
        }
        stated
    }

    /// Adds the values of islands that no solution has. See [`RulesFormula::unseen`].
    fn unseen_islands(
        &self,
        opb: &Opb,
        family: usize,
        solutions: &[Solution],
        unseen: &mut Sum,
    ) -> Result<(), Violation> {
        let mut seen: BTreeSet<(usize, Option<Option<i64>>)> = BTreeSet::new();
        for solution in solutions {
            let values = self.shown_values(solution)?.into_iter().collect();
            let stated = self.stated_sizes(&values);
            seen.extend(
                values.into_iter().map(|(index, value)| {
                    (index, (value == 0).then(|| stated.get(&index).copied().flatten()))
                }),
            );
        }
        let formula =
            self.board.formula(&self.ground).map_err(|reason| Violation::new(reason.to_string()))?;
        let found = |literal: Literal| opb.find(formula.opb.name(literal));
        for (_, &index) in self.ground.families[family].iter() {
            let FormulaVariable::Boolean(sea) = self.variable(opb, index)? else { continue };
            let owners = formula.owners.get(&index);
            let unknown = owners.is_none().then_some((Some(None), Some(!sea)));
            let owners = owners.into_iter().flatten().map(|&(size, owner)| match owner {
                Truth::Constant(_) => (Some(size), None),
                Truth::Same(owner) => (Some(size), found(owner)),
            });
            let values = [(None, Some(sea))].into_iter().chain(unknown).chain(owners);
            let open = values.filter(|(value, _)| !seen.contains(&(index, *value)));
            unseen.terms.extend(open.filter_map(|(_, literal)| Some((1, literal?))));
        }
        Ok(())
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

/// Returns the literal of the model for a literal of the formula. `lits` are those of the formula's variables.
fn lit_of(lits: &[Lit], literal: Literal) -> Lit {
    if literal.negated { !lits[literal.variable] } else { lits[literal.variable] }
}

/// Posts the rows of a formula, and returns the literals of its variables.
fn post(builder: &mut Builder, formula: &Opb, lits: Vec<Option<Lit>>) -> Vec<Lit> {
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
    let lit = |literal: Literal| lit_of(&lits, literal);
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
    lits
}

impl RulesFormula for SheetPuzzle {
    fn formula(&self) -> Result<Opb, NoFormula> {
        Ok(self.board.formula(&self.ground)?.opb)
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
        let shown = self.board.sheet().shown.iter();
        let islands: Vec<usize> =
            shown.filter(|shown| shown.style == Style::Islands).map(|shown| shown.var).collect();
        for &family in &islands {
            self.unseen_islands(opb, family, solutions, &mut unseen)?;
        }
        let is_island = |index: &usize| islands.contains(&self.ground.variables[*index].family);
        for index in indices.into_iter().filter(|index| !is_island(index)) {
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
