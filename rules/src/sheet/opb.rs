//! The pseudo-Boolean formula of a board: the ground rules as linear inequalities, as plainly as possible.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `NAME_rRcC`, `NAME_atK` | a Boolean variable of the sheet at a cell, or at the K-th place of its set, counted from 1 |
//! | `NAME_rRcC_le_V`, `NAME_atK_le_V` | a number of the sheet is at most V |
//! | `auxK` | a formula that is part of a larger one, or a number of a relation |
//!
//! Rules that are only implied are left out. The relations state their rows in their own files.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::ground::{Comparison, Formula, Ground, Required, Sum, Term};
use super::{SheetBoard, Spot, Value};
use crate::opb::{self, Integer, Literal, NoFormula, Opb, Truth};
use crate::relation::{
    Acyclic, Components, Connected, Different, Linked, OneLoop, Owner, Paths, Relation, Runs, Sized,
};

/// A product of sums is written as a sum of at most this many terms, and a number of a relation has at most this many
/// values.
const MOST_TERMS: usize = 100_000;

/// The greatest coefficient of a product, so that sums of products fit in 128 bits.
const MOST_WEIGHT: u128 = 1 << 40;

/// The names with which variables of [`Opb::connected`] begin. Variables of sheets get another name.
const RESERVED: [&str; 2] = ["flow", "root"];

impl Ground {
    /// Returns the name of a variable in the formula of the board. For a number, it is the beginning of the names of its
    /// literals.
    ///
    /// # Panics
    /// Panics if there is no variable with this index.
    #[must_use]
    pub fn name_in_formula(&self, board: &SheetBoard, index: usize) -> String {
        let variable = &self.variables[index];
        let name = &board.sheet().vars[variable.family].name;
        let prefix = if RESERVED.contains(&name.as_str()) { "var_" } else { "" };
        if let Value::Place(Spot::Cell(cell)) = variable.place {
            return format!("{prefix}{name}_{cell}");
        }
        let first = self.variables.iter().position(|other| other.family == variable.family);
        format!("{prefix}{name}_at{}", index - first.unwrap_or(index) + 1)
    }
}

impl Ground {
    /// Returns a variable of the sheet in the formula of the board, or `None` if the formula lacks it.
    #[must_use]
    pub fn find_in_formula(&self, board: &SheetBoard, index: usize, opb: &Opb) -> Option<FormulaVariable> {
        let (name, variable) = (self.name_in_formula(board, index), self.variables.get(index)?);
        if board.sheet().vars[variable.family].is_boolean() {
            return opb.find(&name).map(FormulaVariable::Boolean);
        }
        let values = variable.values.iter().copied().map(i128::from);
        Some(FormulaVariable::Number(Integer::find(opb, name, values)))
    }
}

/// The formula of a board.
#[derive(Debug)]
pub struct BoardFormula {
    /// The formula.
    pub opb: Opb,
    /// The variables of the sheet in it, one for each of [`Ground::variables`].
    pub variables: Vec<FormulaVariable>,
    /// For each of [`Ground::variables`] that is false exactly in the components of a relation, the components that can own
    /// the place.
    pub owners: HashMap<usize, Vec<Owner>>,
}

/// A variable of the sheet in a formula.
#[derive(Debug, Clone)]
pub enum FormulaVariable {
    /// A Boolean variable.
    Boolean(Literal),
    /// A number.
    Number(Integer),
}

impl SheetBoard {
    /// Returns the formula of the board.
    ///
    /// # Errors
    /// Returns the reason if a rule has no formula: a product with too many terms, or a relation that only has to hold
    /// under a condition and can't be written for this.
    pub fn formula(&self, ground: &Ground) -> Result<BoardFormula, NoFormula> {
        let mut opb = Opb::new();
        opb.comment("the variables");
        let mut variables = Vec::with_capacity(ground.variables.len());
        for (index, variable) in ground.variables.iter().enumerate() {
            let name = ground.name_in_formula(self, index);
            variables.push(if self.sheet().vars[variable.family].is_boolean() {
                FormulaVariable::Boolean(opb.variable(name))
            } else {
                if variable.values.is_empty() {
                    opb.clause([]);
                }
                FormulaVariable::Number(Integer::new(
                    &mut opb,
                    name,
                    variable.values.iter().copied().map(i128::from),
                ))
            });
        }
        let truths = vec![None; ground.required.len()];
        let mut writer = Writer { ground, opb, variables, truths, owners: HashMap::new() };
        for instance in &ground.instances {
            let rule = &self.sheet().rules[instance.rule];
            if rule.implied || instance.formula == Formula::TRUE {
                continue;
            }
            let at: Vec<String> = instance.at.iter().map(ToString::to_string).collect();
            writer.opb.comment(format_args!("{} {}", rule.name, at.join(", ")));
            writer.require(instance.formula)?;
        }
        let Writer { opb, variables, owners, .. } = writer;
        Ok(BoardFormula { opb, variables, owners })
    }
}

struct Writer<'a> {
    ground: &'a Ground,
    opb: Opb,
    variables: Vec<FormulaVariable>,
    /// Truth values that are equivalent to the nodes of formulas; those of relations only imply the relation.
    truths: Vec<Option<Truth>>,
    /// See [`BoardFormula::owners`].
    owners: HashMap<usize, Vec<Owner>>,
}

impl Writer<'_> {
    /// Requires a formula.
    fn require(&mut self, formula: Formula) -> Result<(), NoFormula> {
        let ground = self.ground;
        match (&ground.required[formula.index()], formula.is_negated()) {
            (Required::All(all), false) => all.iter().try_for_each(|&part| self.require(part))?,
            (Required::All(all), true) => {
                let parts: Vec<Truth> =
                    all.iter().map(|&part| self.truth(!part)).collect::<Result<_, _>>()?;
                self.opb.clause_of(parts);
            }
            (Required::Compare(sum, comparison), negated) => {
                let sum = self.sum(sum)?;
                match (comparison, negated) {
                    (Comparison::AtMostZero, false) => self.opb.at_most_zero(&sum, []),
                    (Comparison::AtMostZero, true) => self.opb.at_most_zero(&sum.complement(), []),
                    (Comparison::Zero, false) => sum.equals(&mut self.opb, 0),
                    (Comparison::Zero, true) => self.opb.not_zero(&sum, []),
                }
            }
            (&Required::Equivalent(a, b), negated) => {
                let (a, b) = (self.truth(a)?, self.truth(if negated { !b } else { b })?);
                self.opb.clause_of([!a, b]);
                self.opb.clause_of([a, !b]);
            }
            (Required::Relation(relation, _), false) => self.relation(relation, None)?,
            _ => {
                let truth = self.truth(formula)?;
                self.opb.clause_of([truth]);
            }
        }
        Ok(())
    }

    /// Returns the truth value of a formula.
    fn truth(&mut self, formula: Formula) -> Result<Truth, NoFormula> {
        let node = formula.index();
        let truth = match self.truths[node] {
            Some(truth) => truth,
            None => self.define(node)?,
        };
        self.truths[node] = Some(truth);
        Ok(if formula.is_negated() { !truth } else { truth })
    }

    fn define(&mut self, node: usize) -> Result<Truth, NoFormula> {
        let ground = self.ground;
        Ok(match &ground.required[node] {
            Required::True => Truth::Constant(true),
            &Required::Variable(index) => match &self.variables[index] {
                FormulaVariable::Boolean(literal) => Truth::Same(*literal),
                FormulaVariable::Number(_) => unreachable!("formulas contain Boolean variables"),
            },
            Required::All(all) => {
                let parts: Vec<Truth> = self.all(all)?;
                self.opb.all_of(&parts)
            }
            &Required::Equivalent(a, b) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                let both = Truth::Same(self.opb.auxiliary());
                for clause in [[!both, !a, b], [!both, a, !b], [both, a, b], [both, !a, !b]] {
                    self.opb.clause_of(clause);
                }
                both
            }
            Required::Compare(sum, comparison) => {
                if let Some(truth) = self.atom(sum, *comparison) {
                    return Ok(truth);
                }
                let sum = self.sum(sum)?;
                let holds = self.opb.auxiliary();
                match comparison {
                    Comparison::AtMostZero => {
                        self.opb.at_most_zero(&sum, [!holds]);
                        self.opb.at_most_zero(&sum.complement(), [holds]);
                    }
                    Comparison::Zero => {
                        self.opb.at_most_zero(&sum, [!holds]);
                        self.opb.at_most_zero(&sum.negative(), [!holds]);
                        self.opb.not_zero(&sum, [holds]);
                    }
                }
                Truth::Same(holds)
            }
            Required::Relation(relation, _) => {
                let holds = self.opb.auxiliary();
                self.relation(relation, Some(holds))?;
                Truth::Same(holds)
            }
        })
    }

    /// Returns the truth value of a comparison of one number with a constant, if the sum has that form.
    fn atom(&mut self, sum: &Sum, comparison: Comparison) -> Option<Truth> {
        let [(coefficient @ (1 | -1), Term::Variable(index))] = sum.terms[..] else { return None };
        let FormulaVariable::Number(number) = &self.variables[index] else { return None };
        let value = -i128::from(sum.constant) * i128::from(coefficient);
        Some(match comparison {
            Comparison::Zero => {
                let at_least = !number.is_at_most(value - 1);
                let both = [number.is_at_most(value), at_least];
                self.opb.all_of(&both)
            }
            Comparison::AtMostZero if coefficient == 1 => number.is_at_most(value),
            Comparison::AtMostZero => !number.is_at_most(value - 1),
        })
    }

    fn all(&mut self, formulas: &[Formula]) -> Result<Vec<Truth>, NoFormula> {
        formulas.iter().map(|&formula| self.truth(formula)).collect()
    }

    /// Returns a sum over the variables of the formula.
    fn sum(&mut self, sum: &Sum) -> Result<opb::Sum, NoFormula> {
        let mut result = opb::Sum { terms: Vec::new(), constant: sum.constant.into() };
        for (coefficient, term) in &sum.terms {
            let coefficient = i128::from(*coefficient);
            match term {
                Term::Variable(index) => match &self.variables[*index] {
                    FormulaVariable::Boolean(literal) => result.terms.push((coefficient, *literal)),
                    FormulaVariable::Number(number) => result.add_integer(coefficient, number),
                },
                Term::Formula(formula) => match self.truth(*formula)? {
                    Truth::Constant(holds) => result.constant += coefficient * i128::from(holds),
                    Truth::Same(literal) => result.terms.push((coefficient, literal)),
                },
                Term::Product(factors) => {
                    let product = self.product(factors)?;
                    result.add(coefficient, &product);
                }
            }
        }
        Ok(result)
    }

    /// Returns a product as a sum: the terms of the factors are multiplied out, and each product of literals becomes a
    /// variable.
    fn product(&mut self, factors: &[Sum]) -> Result<opb::Sum, NoFormula> {
        let too_large = || NoFormula("a product has too many terms for a formula".to_owned());
        let mut product: BTreeMap<BTreeSet<Literal>, i128> = BTreeMap::from([(BTreeSet::new(), 1)]);
        for factor in factors {
            let factor = self.sum(factor)?;
            let terms = factor.terms.iter().map(|&(coefficient, literal)| (coefficient, Some(literal)));
            let terms: Vec<_> = terms.chain([(factor.constant, None)]).collect();
            let mut next: BTreeMap<BTreeSet<Literal>, i128> = BTreeMap::new();
            for (literals, weight) in &product {
                for &(coefficient, literal) in &terms {
                    if literal.is_some_and(|literal| literals.contains(&!literal)) {
                        continue;
                    }
                    let mut literals = literals.clone();
                    literals.extend(literal);
                    let more = weight.checked_mul(coefficient).ok_or_else(too_large)?;
                    let total = next.entry(literals).or_default();
                    *total = total.checked_add(more).ok_or_else(too_large)?;
                }
            }
            next.retain(|_, weight| *weight != 0);
            if next.len() > MOST_TERMS || next.values().any(|weight| weight.unsigned_abs() > MOST_WEIGHT) {
                return Err(too_large());
            }
            product = next;
        }
        let mut sum = opb::Sum::default();
        for (literals, weight) in product {
            let truths: Vec<Truth> = literals.into_iter().map(Truth::Same).collect();
            match self.opb.all_of(&truths) {
                Truth::Constant(holds) => sum.constant += weight * i128::from(holds),
                Truth::Same(literal) => sum.terms.push((weight, literal)),
            }
        }
        Ok(sum)
    }

    /// Returns a sum as an integer.
    fn integer(&mut self, sum: &Sum) -> Result<Integer, NoFormula> {
        if let [(1, Term::Variable(index))] = sum.terms[..]
            && let FormulaVariable::Number(number) = &self.variables[index]
        {
            return Ok(number.plus(sum.constant.into()));
        }
        let sum = self.sum(sum)?;
        let (least, greatest) = sum.range();
        if greatest.checked_sub(least).is_none_or(|span| span >= MOST_TERMS as i128) {
            return Err(NoFormula("a number has too many values for a formula".to_owned()));
        }
        let number = self.opb.auxiliary_integer(least..=greatest);
        let mut difference = sum;
        difference.add_integer(-1, &number);
        difference.equals(&mut self.opb, 0);
        Ok(number)
    }

    fn integers(&mut self, sums: &[Sum]) -> Result<Vec<Integer>, NoFormula> {
        sums.iter().map(|sum| self.integer(sum)).collect()
    }

    /// States a relation, under a condition if there is one.
    fn relation(
        &mut self,
        relation: &Relation<Formula, Sum>,
        condition: Option<Literal>,
    ) -> Result<(), NoFormula> {
        let relation = match relation {
            Relation::Different(Different { numbers }) => {
                Relation::Different(Different { numbers: self.integers(numbers)? })
            }
            Relation::Connected(Connected { neighbours, vertices }) => {
                let vertices = self.all(vertices)?;
                Relation::Connected(Connected { neighbours: neighbours.clone(), vertices })
            }
            Relation::Linked(Linked { vertices, edges }) => {
                Relation::Linked(Linked { vertices: self.all(vertices)?, edges: self.edges(edges)? })
            }
            Relation::OneLoop(OneLoop { vertices, edges }) => {
                Relation::OneLoop(OneLoop { vertices: *vertices, edges: self.edges(edges)? })
            }
            Relation::Acyclic(Acyclic { vertices, edges }) => {
                Relation::Acyclic(Acyclic { vertices: *vertices, edges: self.edges(edges)? })
            }
            Relation::Components(Components { neighbours, vertices: formulas, roots }) => {
                let vertices = self.all(formulas)?;
                let (neighbours, roots) = (neighbours.clone(), roots.clone());
                let components = Components { neighbours, vertices, roots };
                if condition.is_none() {
                    for (formula, owners) in formulas.iter().zip(components.state(&mut self.opb)) {
                        if let Some(variable) = self.ground.false_in(*formula) {
                            self.owners.entry(variable).or_insert(owners);
                        }
                    }
                    return Ok(());
                }
                Relation::Components(components)
            }
            Relation::Sized(Sized { neighbours, numbers }) => {
                Relation::Sized(Sized { neighbours: neighbours.clone(), numbers: self.integers(numbers)? })
            }
            Relation::Paths(Paths { vertices, ends, edges }) => {
                let (ends, edges) = (ends.clone(), self.edges(edges)?);
                Relation::Paths(Paths { vertices: *vertices, ends, edges })
            }
            Relation::Runs(Runs { entries, lengths }) => {
                Relation::Runs(Runs { entries: self.all(entries)?, lengths: lengths.clone() })
            }
        };
        relation.state(&mut self.opb, condition)
    }

    fn edges(&mut self, edges: &[(usize, usize, Formula)]) -> Result<Vec<(usize, usize, Truth)>, NoFormula> {
        edges.iter().map(|&(a, b, chosen)| Ok((a, b, self.truth(chosen)?))).collect()
    }
}
