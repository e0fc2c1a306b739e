//! All-different: expressions with pairwise different values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gordian_proofs::{Derive, Formula, Row, Rows};

use super::{Comparison, Constraint, Count, Disjunction, Linear, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, IntVar, Value};
use crate::lit::{Lit, TRUE, constant};
use crate::value_literals::ValueLiterals;

/// No two of the expressions have the same value.
///
/// If the number of possible values equals the number of expressions, the values form a permutation. The constraint
/// is unsatisfiable if an expression occurs twice.
///
/// ```
/// use gordian_encodings::constraint::AllDifferent;
/// use gordian_encodings::{Assignment, Cnf, Domain, Encodings, Model};
///
/// let mut model = Model::new();
/// let row: Vec<_> = (0..4).map(|_| model.integer(Domain::interval(1, 4))).collect();
/// model.post(AllDifferent::new(row));
/// assert!(model.holds(&Assignment::new(vec![], vec![2, 4, 1, 3])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![2, 4, 1, 4])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllDifferent {
    /// The expressions that must have different values.
    pub exprs: Vec<Expr>,
}

impl AllDifferent {
    /// Creates the constraint that the expressions have pairwise different values.
    pub fn new(exprs: impl IntoIterator<Item: Into<Expr>>) -> Self {
        Self { exprs: exprs.into_iter().map(Into::into).collect() }
    }

    /// Returns one disequality for each pair of expressions.
    pub(crate) fn disequalities(&self) -> impl Iterator<Item = Linear> {
        let pairs = self
            .exprs
            .iter()
            .enumerate()
            .flat_map(|(index, x)| self.exprs[..index].iter().map(move |y| (x, y)));
        pairs.map(|(x, y)| x.not_equals(y))
    }

    /// Returns whether the domains are small enough for encodings with one literal for each value of an expression.
    pub(crate) fn is_enumerable(&self, domains: Domains<'_>) -> bool {
        can_enumerate(&self.exprs, domains)
    }

    /// Returns the integer variables if every expression is a single variable, and `None` otherwise.
    fn variables(&self) -> Option<Vec<IntVar>> {
        self.exprs.iter().map(Expr::variable).collect()
    }
}

/// If a domain has more values than this, encodings with one literal for each value do not apply.
const MOST_VALUES: u128 = 1 << 16;

/// Returns whether the domains of all expressions have at most [`MOST_VALUES`] values.
pub(crate) fn can_enumerate(exprs: &[Expr], domains: Domains<'_>) -> bool {
    exprs.iter().all(|expr| domains.of_expr(expr).size() <= MOST_VALUES)
}

impl Constraint for AllDifferent {
    fn scope(&self) -> Scope {
        Scope::of_exprs(&self.exprs)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let values: BTreeSet<Value> = self.exprs.iter().map(|expr| assignment.value(expr)).collect();
        values.len() == self.exprs.len()
    }

    fn valued(&self) -> &[Expr] {
        &self.exprs
    }

    /// For each value, adds the inequality that at most one expression has the value.
    fn formula(&self, formula: &mut Formula, domains: Domains<'_>) -> Option<Box<dyn Derive>> {
        let mut by_value: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for x in self.variables()? {
            for (value, &lit) in domains.of(x).values().zip(domains.direct(x)?) {
                by_value.entry(value).or_default().push(lit);
            }
        }
        let mut ids = Vec::new();
        for mut lits in by_value.into_values() {
            let held = lits.iter().filter(|&&lit| lit == TRUE).count();
            lits.retain(|&lit| constant(lit).is_none());
            let row = Row::at_most(lits.into_iter().map(|lit| (1, lit)), 1 - held as Value).ok()?;
            ids.extend(formula.add(row));
        }
        Some(Box::new(Rows(ids)))
    }

    /// At most one expression has each value, and exactly one if there are as many expressions as values.
    fn implied(&self, literals: &mut ValueLiterals<'_>) -> Vec<Linear> {
        let Some(by_value) = literals.by_value(&self.exprs) else { return Vec::new() };
        let is_permutation = by_value.len() == self.exprs.len();
        let comparison = if is_permutation { Comparison::Equal } else { Comparison::AtMost };
        let of_value =
            |lits: Vec<Lit>| Linear::new(lits.into_iter().map(|lit| (1, lit.into())), comparison, 1);
        by_value.into_values().map(of_value).collect()
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        let repeated: Vec<Arc<dyn Constraint>> = match self.variables() {
            Some(ints) if self.is_enumerable(domains) => {
                let values: BTreeSet<Value> = ints.iter().flat_map(|&x| domains.of(x).values()).collect();
                let twice = |value| Count::between(&ints, value, 2, usize::MAX);
                values.into_iter().map(|value| Arc::new(twice(value)) as Arc<dyn Constraint>).collect()
            }
            _ => self.disequalities().map(|pair| Arc::new(pair.negated()) as Arc<dyn Constraint>).collect(),
        };
        Arc::new(Disjunction::new(repeated))
    }
}
