//! The checker: finds the rules that a solution violates by evaluating them.

use super::board::{Assignment, SheetBoard};
use super::eval::{Env, Eval, EvalError};
use super::place::{Axis, Cell, Size, Spot};
use super::syntax::{Operator, Quantifier};
use super::tree::{Node, NodeKind};
use super::value::Value;

/// A violated rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// What is violated: the name of a rule, or a value outside of a variable's domain.
    pub rule: String,
    /// The cells to blame, row by row.
    pub cells: Vec<Cell>,
}

impl SheetBoard {
    /// Returns the first violation of the rules by an assignment, or `None` if it is a solution. Implied rules are not
    /// checked.
    ///
    /// # Errors
    /// Returns an error if a rule can't be evaluated.
    pub fn check(&self, assignment: &Assignment) -> Result<Option<Breach>, EvalError> {
        self.check_where(assignment, |_| true)
    }

    /// Works like [`SheetBoard::check`], but checks only some of the rules, chosen by their indices in
    /// [`Sheet::rules`](super::Sheet::rules).
    ///
    /// # Errors
    /// Returns an error if a rule can't be evaluated.
    pub fn check_where(
        &self,
        assignment: &Assignment,
        chosen: impl Fn(usize) -> bool,
    ) -> Result<Option<Breach>, EvalError> {
        let size = self.size();
        let families = self.variables()?;
        for ((family, places), values) in self.sheet().vars.iter().zip(&*families).zip(assignment) {
            for (place, domain) in places.iter() {
                let Some(value) = values.get(place) else {
                    let rule = format!("a value for each {}", family.name);
                    return Ok(Some(Breach { rule, cells: cells_of(size, [place.clone()]) }));
                };
                if domain.binary_search(value).is_err() {
                    let rule = format!("the values that {} can have", family.name);
                    return Ok(Some(Breach { rule, cells: cells_of(size, [place.clone()]) }));
                }
            }
            if let Some(place) = values.keys().iter().find(|place| places.get(place).is_none()) {
                let rule = format!("the places of {}", family.name);
                return Ok(Some(Breach { rule, cells: cells_of(size, [place.clone()]) }));
            }
        }
        self.check_rules(assignment, chosen)
    }

    /// Works like [`SheetBoard::check_where`], but does not check the values and the places of variables.
    ///
    /// # Errors
    /// Returns an error if a rule can't be evaluated.
    pub fn check_rules(
        &self,
        assignment: &Assignment,
        chosen: impl Fn(usize) -> bool,
    ) -> Result<Option<Breach>, EvalError> {
        let mut first = None;
        self.each_breach(assignment, chosen, &mut |breach| {
            first = Some(breach);
            false
        })?;
        Ok(first)
    }

    /// Returns the number of instances of rules that an assignment violates. Like [`SheetBoard::check_rules`], it does not
    /// check the values and the places of variables.
    ///
    /// # Errors
    /// Returns an error if a rule can't be evaluated.
    pub fn breaches(
        &self,
        assignment: &Assignment,
        chosen: impl Fn(usize) -> bool,
    ) -> Result<usize, EvalError> {
        let mut count = 0;
        self.each_breach(assignment, chosen, &mut |_| {
            count += 1;
            true
        })?;
        Ok(count)
    }

    /// Calls `visit` for each violated instance of the chosen rules, until it returns false.
    fn each_breach(
        &self,
        assignment: &Assignment,
        chosen: impl Fn(usize) -> bool,
        visit: &mut dyn FnMut(Breach) -> bool,
    ) -> Result<(), EvalError> {
        let size = self.size();
        let eval = Eval::new(self, Some(assignment));
        let rules = self.sheet().rules.iter().enumerate();
        for (_, rule) in rules.filter(|&(index, rule)| !rule.implied && chosen(index)) {
            let mut goes_on = true;
            eval.each(&rule.part, &mut Env::default(), &mut |env| {
                let Some(part) = broken_part(&eval, &rule.part.body, env)? else { return Ok(true) };
                let places = if part.is_empty() { env.values.clone() } else { part };
                goes_on = visit(Breach { rule: rule.name.clone(), cells: cells_of(size, places) });
                Ok(goes_on)
            })?;
            if !goes_on {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the places of the broken part of a formula, which may be empty, or `None` if the formula holds.
fn broken_part(eval: &Eval, node: &Node, env: &mut Env) -> Result<Option<Vec<Value>>, EvalError> {
    let places = |part: Vec<usize>, places: &[Value]| part.iter().map(|&at| places[at].clone()).collect();
    match &node.kind {
        NodeKind::Operator(Operator::And, both) => {
            for part in both {
                let broken = broken_part(eval, part, env)?;
                if broken.is_some() {
                    return Ok(broken);
                }
            }
            Ok(None)
        }
        NodeKind::Operator(Operator::Implies, both) if eval.holds(&both[0], env)? => {
            broken_part(eval, &both[1], env)
        }
        NodeKind::Operator(Operator::Equal, both) => {
            let runs = both.iter().find_map(|node| match &node.kind {
                NodeKind::Quantifier(Quantifier::Runs, parts) => Some(parts),
                _ => None,
            });
            let list = both.iter().find(|node| node.is_static);
            if let (Some(parts), Some(list)) = (runs, list) {
                let lengths = eval.node(list, env)?;
                let (runs, entries) = eval.runs(&parts[0], &lengths, env)?;
                return Ok(crate::relation::Relation::<bool, i64>::Runs(runs)
                    .broken()
                    .map(|part| places(part, &entries)));
            }
            Ok((!eval.holds(node, env)?).then(Vec::new))
        }
        NodeKind::Quantifier(Quantifier::All, parts) => {
            let mut broken = None;
            eval.each(&parts[0], env, &mut |env| {
                broken = broken_part(eval, &parts[0].body, env)?;
                Ok(broken.is_none())
            })?;
            Ok(broken)
        }
        NodeKind::Quantifier(quantifier, parts) if quantifier.is_relation() => {
            match eval.relation(*quantifier, parts, env)? {
                Some((relation, entries)) => Ok(relation.broken().map(|part| places(part, &entries))),
                None => Ok(Some(Vec::new())),
            }
        }
        _ => Ok((!eval.holds(node, env)?).then(Vec::new)),
    }
}

/// Returns the cells of places, or beside them, row by row.
#[must_use]
pub fn cells_of(size: Size, places: impl IntoIterator<Item = Value>) -> Vec<Cell> {
    let mut cells = Vec::new();
    for place in places.into_iter().flat_map(|value| value.places()) {
        match place {
            Spot::Cell(cell) => cells.push(cell),
            Spot::Corner(Cell { row, column }) => {
                let (row, column) = (i64::from(row), i64::from(column));
                let at = [(row - 1, column - 1), (row - 1, column), (row, column - 1), (row, column)];
                cells.extend(at.into_iter().filter_map(|(row, column)| size.cell(row, column)));
            }
            Spot::Link(from, axis) => {
                cells.push(from);
                let Cell { row, column } = from;
                cells.push(match axis {
                    Axis::Across => Cell { row, column: column + 1 },
                    Axis::Down => Cell { row: row + 1, column },
                });
            }
            Spot::Side(from, axis) => {
                let beside = size.beside(from, axis).into_iter();
                cells.extend(
                    beside.filter_map(|spot| if let Spot::Cell(cell) = spot { Some(cell) } else { None }),
                );
            }
            Spot::Outside => {}
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}
