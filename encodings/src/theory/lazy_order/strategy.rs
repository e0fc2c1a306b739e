//! Decision strategies: the search branches on listed variables in a given order.

use super::Id;
use super::bounds::Bounds;
use crate::lit::Lit;
use crate::strategy::{ValueChoice, VariableChoice};
use crate::theory::Findings;

/// The literals of a variable.
#[derive(Debug)]
pub(crate) enum Branching {
    /// An integer of the propagator.
    Lazy(Id),
    /// The values of the domain in ascending order. Each value except the maximum has the literal `x <= value`.
    Order(Vec<(i64, Lit)>, i64),
    /// The values of the domain in ascending order, each with the literal `x = value`.
    Direct(Vec<(i64, Lit)>),
}

/// The values that a variable can have.
struct Range {
    min: i64,
    max: i64,
    /// An upper bound on the number of values.
    size: u64,
}

/// Returns the value of a literal.
type Values<'a> = &'a dyn Fn(Lit) -> Option<bool>;

impl Branching {
    /// Returns the values that the variable can have, or `None` if it has only one value.
    fn range(&self, bounds: &Bounds, values: Values<'_>) -> Option<Range> {
        let (min, max, size) = match self {
            Self::Lazy(id) => {
                let integer = &bounds.integers[*id as usize];
                (integer.min(), integer.max(), integer.max().abs_diff(integer.min()) + 1)
            }
            Self::Order(lits, last) => {
                let (first, end) = open(lits, values);
                let (min, max) = (
                    lits.get(first).map_or(*last, |&(value, _)| value),
                    lits.get(end).map_or(*last, |&(value, _)| value),
                );
                (min, max, (end - first) as u64 + 1)
            }
            Self::Direct(lits) => {
                if lits.iter().any(|&(_, lit)| values(lit) == Some(true)) {
                    return None;
                }
                let mut possible =
                    lits.iter().filter(|&&(_, lit)| values(lit).is_none()).map(|&(value, _)| value);
                let (min, others) = (possible.next()?, possible.by_ref().count());
                let max = lits.iter().rev().find(|&&(_, lit)| values(lit).is_none())?.0;
                (min, max, others as u64 + 1)
            }
        };
        (size > 1).then_some(Range { min, max, size })
    }

    /// Returns the literal to make true.
    fn decision(
        &self,
        choice: ValueChoice,
        Range { min, max, .. }: &Range,
        bounds: &mut Bounds,
        values: Values<'_>,
        findings: &mut Findings,
    ) -> Option<Lit> {
        let (min, max) = (*min, *max);
        // The literal is `x <= at_most`, or its negation.
        let middle = min + (max.abs_diff(min) / 2) as i64;
        let (at_most, is_negated) = match choice {
            ValueChoice::Min => (min, false),
            ValueChoice::Max => (max - 1, true),
            ValueChoice::LowerHalf => (middle, false),
            ValueChoice::UpperHalf => (middle, true),
        };
        let lit = match self {
            Self::Lazy(id) => {
                let at_most = bounds.integers[*id as usize].at_or_below(at_most);
                bounds.literal(*id, at_most, findings)?
            }
            Self::Order(lits, _) => {
                lits[lits.partition_point(|&(value, _)| value <= at_most).checked_sub(1)?].1
            }
            Self::Direct(lits) => {
                let value = if is_negated { max } else { min };
                let (_, lit) = lits[lits.binary_search_by_key(&value, |&(value, _)| value).ok()?];
                return values(lit).is_none().then_some(lit);
            }
        };
        values(lit).is_none().then_some(if is_negated { !lit } else { lit })
    }
}

/// Returns the range of the unassigned literals in an order view.
fn open(lits: &[(i64, Lit)], values: Values<'_>) -> (usize, usize) {
    let first = lits.partition_point(|&(_, lit)| values(lit) == Some(false));
    (first, first + lits[first..].partition_point(|&(_, lit)| values(lit) != Some(true)))
}

/// A strategy compares at most this many variables that can have several values. Comparing all variables before each
/// decision would take quadratic time.
const MOST_COMPARED: usize = 1_000;

/// A decision strategy.
#[derive(Debug)]
pub(crate) struct Strategy {
    variables: Vec<Branching>,
    variable: VariableChoice,
    value: ValueChoice,
    /// The variables in an order in which those with a value come first.
    order: Vec<u32>,
}

impl Strategy {
    pub(crate) fn new(variables: Vec<Branching>, variable: VariableChoice, value: ValueChoice) -> Self {
        Self { order: (0..variables.len() as u32).collect(), variables, variable, value }
    }

    /// Returns an unassigned literal to make true, or `None` if all variables have values. The first `done` variables of
    /// `order` have values. The function may reorder the others, and increases `done`.
    pub(super) fn decide(
        &mut self,
        bounds: &mut Bounds,
        values: Values<'_>,
        done: &mut usize,
        findings: &mut Findings,
    ) -> Option<Lit> {
        let mut best: Option<(i128, u32, Range)> = None;
        let mut compared = 0;
        for at in *done..self.order.len() {
            let index = self.order[at];
            let Some(range) = self.variables[index as usize].range(bounds, values) else {
                // With `InputOrder`, all variables before this one have values, so `done` equals `at`, and the list keeps its
                // order.
                self.order.swap(*done, at);
                *done += 1;
                continue;
            };
            let key = match self.variable {
                VariableChoice::InputOrder => i128::MIN,
                VariableChoice::FewestValues => i128::from(range.size),
                VariableChoice::MostValues => -i128::from(range.size),
                VariableChoice::LowestMin => i128::from(range.min),
                VariableChoice::HighestMax => -i128::from(range.max),
            };
            if best.as_ref().is_none_or(|(least, first, _)| (key, index) < (*least, *first)) {
                best = Some((key, index, range));
            }
            compared += 1;
            if self.variable == VariableChoice::InputOrder || compared == MOST_COMPARED {
                break;
            }
        }
        let (_, index, range) = best?;
        self.variables[index as usize].decision(self.value, &range, bounds, values, findings)
    }
}
