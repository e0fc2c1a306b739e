//! The translation of relations into constraints of the model.

use std::collections::BTreeSet;
use std::sync::Arc;

use gordian_encodings::constraint::{
    Absolute, AllDifferent, AtMostOne, Automaton, Circuit, Clause, Comparison, Connected, Cumulative, Diffn,
    Disjunction, Disjunctive, Element, Entry, Inverse, Linear, Maximum, Minimum, Power, Product, Table, Task,
    Term, TruncatedDivision, ValuePrecedence,
};
use gordian_encodings::{Domain, Expr, Graph, Lit, TRUE, Value};

use super::{Builder, Constraints, Encodable, GREATEST, Overflow, Representation};
use crate::constraint::{Ref, Relation, Sum};
use crate::instance::Operand;
use crate::presolve::Set;

/// The largest constant exponent for which a power is translated into a product.
const MULTIPLIED: usize = 128;
/// The maximum number of rows in a table that replaces a linear equation.
const MOST_ROWS: u128 = 10_000;
/// Values of variables are enumerated only if their domains have at most this many values in total.
const LISTED: u128 = 1 << 16;

impl Builder<'_> {
    /// Returns constraints whose conjunction is equivalent to the relation.
    pub(super) fn constraints(&mut self, relation: &Relation) -> Result<Constraints, Overflow> {
        self.check_operands(relation)?;
        Ok(match relation {
            Relation::Clause(lits) => vec![Box::new(Clause::new(self.lits(lits)))],
            Relation::And(lits) => {
                self.lits(lits).into_iter().map(|lit| Box::new(Clause::new([lit])) as _).collect()
            }
            Relation::Sum(sum) => vec![Box::new(self.linear(sum)?)],
            Relation::Product([x, y, z]) => {
                self.check_product(&[*x, *y])?;
                vec![Box::new(Product::new(self.ints(&[*x, *y]), self.int(*z)))]
            }
            Relation::Absolute([x, y]) => vec![Box::new(Absolute::new(self.int(*x), self.int(*y)))],
            Relation::MinMax { of, value, greatest } => {
                let (of, value) = (self.ints(of), self.int(*value));
                if *greatest {
                    vec![Box::new(Maximum::new(of, value))]
                } else {
                    vec![Box::new(Minimum::new(of, value))]
                }
            }
            Relation::Element { index, first, array, value } => {
                let possible = self.store.set(*index);
                // Elements that `index` cannot select are replaced by the constant 0.
                let element = |(index, operand): (Value, &Operand)| {
                    if possible.contains(index) { self.expr(Ref::of(operand)) } else { Expr::from(0) }
                };
                let array: Vec<Expr> = (*first..).zip(&**array).map(element).collect();
                vec![Box::new(Element::new(self.shifted(*index, *first)?, array, self.expr(*value)))]
            }
            Relation::AllDifferent(list, except) if except.is_empty() => {
                vec![Box::new(AllDifferent::new(self.exprs(list)))]
            }
            Relation::AllDifferent(list, except) => self.all_different_except(list, except)?,
            Relation::Table(columns, rows) => self.table(columns, rows),
            Relation::Count { of, value, comparison, times } => {
                let mut lits = Vec::with_capacity(of.len());
                for &(weight, x) in of {
                    lits.push((weight, self.literal(&Relation::compare(x, Comparison::Equal, *value, 0))?));
                }
                vec![Box::new(self.counted(lits, *comparison, *times)?)]
            }
            Relation::Among { of, values, times } => {
                let mut lits = Vec::with_capacity(of.len());
                for &x in of {
                    lits.push((1, self.literal(&Relation::In(x, Arc::clone(values)))?));
                }
                vec![Box::new(self.counted(lits, Comparison::Equal, *times)?)]
            }
            Relation::Inverse { left, right, first } => {
                let (left, right) = (self.shifted_all(left, first[1])?, self.shifted_all(right, first[0])?);
                vec![Box::new(Inverse::new(left, right))]
            }
            Relation::Circuit { successors, first, optional } => {
                let successors = self.shifted_all(successors, *first)?;
                vec![Box::new(Circuit { optional: *optional, ..Circuit::hamiltonian(successors) })]
            }
            Relation::Connected { vertices, edges } => {
                let graph = Arc::new(Graph::new(vertices.len(), edges.iter().copied()));
                vec![Box::new(Connected::new(graph, self.lits(vertices)))]
            }
            Relation::ValuePrecedence(list, chain) => {
                vec![Box::new(ValuePrecedence::new(self.exprs(list), chain.to_vec()))]
            }
            Relation::Automaton(list, automaton) => {
                let exprs = self.exprs(list);
                let (transitions, accepting) = (automaton.transitions.clone(), automaton.accepting.clone());
                vec![Box::new(Automaton::new(exprs, automaton.start, transitions, accepting))]
            }
            Relation::Cumulative { tasks, capacity } => {
                self.check_tasks(tasks, *capacity)?;
                let task = |task: &[Ref; 3]| {
                    let [start, duration, demand] = task.map(|x| self.expr(x));
                    Task::new(start, duration, demand)
                };
                let tasks: Vec<Task> = tasks.iter().map(task).collect();
                vec![Box::new(Cumulative::new(tasks, self.expr(*capacity)))]
            }
            Relation::Disjunctive { tasks, precedes, strict } => {
                tasks.iter().try_for_each(|&[start, duration]| self.check_end(start, duration))?;
                let precedes = precedes.iter().map(|&(pair, x)| (pair, self.lit(x))).collect();
                let tasks = tasks.iter().map(|task| task.map(|x| self.expr(x))).collect();
                vec![Box::new(Disjunctive { tasks, precedes, strict: *strict, apart: true })]
            }
            Relation::Diffn { boxes, strict } => vec![Box::new(self.diffn(boxes, *strict)?)],
            Relation::All(relations) => {
                let mut all = Vec::new();
                for relation in relations {
                    all.extend(self.constraints(relation)?);
                }
                all
            }
            Relation::In(..) | Relation::Parity(..) | Relation::Lexicographic { .. } => {
                vec![Box::new(Clause::new([self.literal(relation)?]))]
            }
            Relation::Quotient(operands) => self.quotient(*operands)?,
            Relation::Remainder([x, y, z]) => {
                self.check_division(*x, *y)?;
                vec![Box::new(TruncatedDivision::remainder(self.expr(*x), self.expr(*y), self.expr(*z)))]
            }
            Relation::Power(operands) => vec![self.power(*operands)],
        })
    }

    /// Returns the constraint that boxes do not overlap.
    fn diffn(&self, boxes: &[Vec<[Ref; 2]>], strict: bool) -> Result<Diffn, Overflow> {
        boxes.iter().flatten().try_for_each(|&[origin, size]| self.check_end(origin, size))?;
        let side = |side: &[Ref; 2]| side.map(|x| self.expr(x));
        let boxes = boxes.iter().map(|sides| sides.iter().map(side).collect()).collect();
        Ok(Diffn { boxes, strict, apart: true })
    }

    /// Returns an error if the end of a task or of a box may overflow.
    fn check_end(&self, start: Ref, duration: Ref) -> Result<(), Overflow> {
        let end = self.magnitude(start).checked_add(self.magnitude(duration));
        end.filter(|&end| end <= GREATEST).map(drop).ok_or(Overflow)
    }

    /// Returns the constraint `x ^ y = z`.
    fn power(&mut self, [x, y, z]: [Ref; 3]) -> Box<dyn Encodable> {
        let exponent = self.store.value(y).and_then(|y| usize::try_from(y).ok());
        let (base, power) = (self.expr(x), self.expr(z));
        let is_product =
            |&exponent: &usize| exponent <= MULTIPLIED && self.check_product(&vec![x; exponent]).is_ok();
        match exponent.filter(is_product) {
            Some(exponent) => Box::new(Product::power(base, exponent, power)),
            None => Box::new(Power::new(base, self.expr(y), power)),
        }
    }

    /// Returns the operands as expressions.
    fn exprs(&self, list: &[Ref]) -> Vec<Expr> {
        list.iter().map(|&x| self.expr(x)).collect()
    }

    /// Returns the largest absolute value of an operand.
    fn magnitude(&self, x: Ref) -> u128 {
        let (first, last) = self.store.range(x);
        first.unsigned_abs().max(last.unsigned_abs())
    }

    /// Checks that differences of two operands do not overflow. Set membership compares only with constants, so it
    /// needs no check.
    fn check_operands(&self, relation: &Relation) -> Result<(), Overflow> {
        let mut fits = true;
        if !matches!(relation, Relation::In(..) | Relation::All(_)) {
            relation.operands(&mut |x| fits &= self.magnitude(x) <= GREATEST);
        }
        if fits { Ok(()) } else { Err(Overflow) }
    }

    /// Checks that the product of the largest absolute values of the operands does not overflow.
    fn check_product(&self, factors: &[Ref]) -> Result<(), Overflow> {
        let product = factors.iter().map(|&x| self.magnitude(x).max(1)).try_fold(1_u128, u128::checked_mul);
        product.filter(|&product| product <= GREATEST).map(drop).ok_or(Overflow)
    }

    /// Checks that divisor times quotient does not overflow.
    fn check_division(&self, x: Ref, y: Ref) -> Result<(), Overflow> {
        let (first, last) = self.store.range(y);
        let least = if first > 0 || last < 0 { first.unsigned_abs().min(last.unsigned_abs()) } else { 1 };
        let product = (self.magnitude(x) / least).max(1).checked_mul(self.magnitude(y).max(1));
        product.filter(|&product| product <= GREATEST).map(drop).ok_or(Overflow)
    }

    /// Returns the constraint that `z` is the quotient of `x` and `y`. If the dividend is not negative and the divisor is
    /// a positive constant d, two inequalities suffice: `d z <= x` and `x <= d z + d - 1`.
    fn quotient(&self, [x, y, z]: [Ref; 3]) -> Result<Constraints, Overflow> {
        self.check_division(x, y)?;
        let greatest = self.magnitude(y).checked_mul(self.magnitude(z).saturating_add(1));
        let fits = greatest.is_some_and(|greatest| greatest <= GREATEST);
        let (dividend, quotient) = (self.expr(x), self.expr(z));
        Ok(match self.store.range(y) {
            (divisor, last) if divisor == last && divisor > 0 && self.store.range(x).0 >= 0 && fits => {
                let multiple = divisor * quotient;
                vec![
                    Box::new(dividend.at_least(&multiple)),
                    Box::new(dividend.at_most(multiple + (divisor - 1))),
                ]
            }
            _ => vec![Box::new(TruncatedDivision::quotient(dividend, self.expr(y), quotient))],
        })
    }

    /// Returns the linear constraint that compares the total weight of the true literals with `times`.
    pub(super) fn counted(
        &self,
        lits: Vec<(Value, Lit)>,
        comparison: Comparison,
        times: Ref,
    ) -> Result<Linear, Overflow> {
        let mut weights = lits.iter().map(|(weight, _)| weight.unsigned_abs());
        let reach = weights.try_fold(self.magnitude(times), u128::checked_add);
        reach.filter(|&reach| reach <= GREATEST).ok_or(Overflow)?;
        let mut terms: Vec<(Value, Term)> =
            lits.into_iter().map(|(weight, lit)| (weight, lit.into())).collect();
        let bound = match self.representation(times) {
            Representation::Constant(value) => value,
            Representation::Literal(lit) => {
                terms.push((-1, lit.into()));
                0
            }
            Representation::Integer(x) => {
                terms.push((-1, x.into()));
                0
            }
        };
        Ok(Linear::new(terms, comparison, bound))
    }

    /// Returns the expression `x - first`, or an error on overflow.
    fn shifted(&self, x: Ref, first: Value) -> Result<Expr, Overflow> {
        if first.unsigned_abs() <= GREATEST { Ok(self.expr(x) - first) } else { Err(Overflow) }
    }

    fn shifted_all(&self, list: &[Ref], first: Value) -> Result<Vec<Expr>, Overflow> {
        list.iter().map(|&x| self.shifted(x, first)).collect()
    }

    /// Checks that neither the end of a task nor the sum of all demands overflows.
    fn check_tasks(&self, tasks: &[[Ref; 3]], capacity: Ref) -> Result<(), Overflow> {
        let mut demands = self.magnitude(capacity);
        for &[start, duration, demand] in tasks {
            demands = demands.checked_add(self.magnitude(demand)).ok_or(Overflow)?;
            self.check_end(start, duration)?;
        }
        if demands <= GREATEST { Ok(()) } else { Err(Overflow) }
    }

    fn table(&mut self, columns: &[Ref], rows: &[Operand]) -> Constraints {
        let domains: Vec<Set> = columns.iter().map(|&x| self.store.set(x)).collect();
        let open: Vec<usize> =
            (0..columns.len()).filter(|&column| domains[column].only().is_none()).collect();
        let mut kept = Vec::new();
        for row in rows.chunks(columns.len().max(1)) {
            let entries: Vec<Entry> = row
                .iter()
                .map(|entry| match (entry, Ref::of(entry)) {
                    (Operand::Set(_), _) | (_, Ref::Var(_) | Ref::Not(_)) => Entry::Any,
                    (_, Ref::Const(value)) => Entry::Is(value),
                })
                .collect();
            let fits = |(&entry, domain): (&Entry, &Set)| match entry {
                Entry::Is(value) => domain.contains(value),
                Entry::Any | Entry::Not(_) => true,
            };
            if entries.iter().zip(&domains).all(fits) {
                kept.push(open.iter().map(|&column| entries[column]).collect::<Vec<_>>());
            }
        }
        if open.is_empty() {
            let lits = if kept.is_empty() { vec![] } else { vec![TRUE] };
            return vec![Box::new(Clause::new(lits))];
        }
        let columns: Vec<Term> = open.iter().map(|&column| self.term(columns[column])).collect();
        vec![Box::new(Table::new(columns, kept))]
    }

    /// Returns a table that is equivalent to a linear equation of at least three operands. Returns `None` if the table
    /// is too large, or if no coefficient is 1 or -1. The default encoding of such tables is domain consistent, except for very
    /// small domains. `MiniZinc` requests domain consistency for the equation that computes the position of an element in a two-dimensional
    /// array.
    pub(super) fn table_of_sum(&mut self, relation: &Relation) -> Option<Table> {
        let Relation::Sum(sum) = relation else { return None };
        let Sum { mut terms, comparison, bound } = sum.merged(self.store)?;
        if comparison != Comparison::Equal || terms.len() < 3 {
            return None;
        }
        let result = (0..terms.len())
            .filter(|&position| terms[position].0.unsigned_abs() == 1)
            .max_by_key(|&position| self.store.set(terms[position].1).size())?;
        let (sign, result) = terms.swap_remove(result);
        let domains: Vec<Set> = terms.iter().map(|&(_, x)| self.store.set(x)).collect();
        let rows = domains.iter().map(Set::size).try_fold(1, u128::checked_mul);
        rows.filter(|&rows| rows <= MOST_ROWS)?;
        // Each row combines one value of every operand except `result`. It is stored together with the bound minus the
        // sum of the terms.
        let mut rows: Vec<(Vec<Entry>, Value)> = vec![(Vec::new(), bound)];
        for (&(factor, _), domain) in terms.iter().zip(&domains) {
            let mut longer = Vec::with_capacity(rows.len());
            for (entries, rest) in &rows {
                for value in domain.values() {
                    let rest = rest.checked_sub(factor.checked_mul(value)?)?;
                    longer.push((entries.iter().copied().chain([Entry::Is(value)]).collect(), rest));
                }
            }
            rows = longer;
        }
        let complete = |(mut entries, rest): (Vec<Entry>, Value)| {
            entries.push(Entry::Is(rest.checked_mul(sign)?));
            Some(entries)
        };
        let rows: Option<Vec<Vec<Entry>>> = rows.into_iter().map(complete).collect();
        let columns = terms.iter().map(|&(_, x)| x).chain([result]);
        let columns: Vec<Term> = columns.map(|x| self.term(x)).collect();
        Some(Table::new(columns, rows?))
    }

    fn all_different_except(&mut self, list: &[Ref], except: &Domain) -> Result<Constraints, Overflow> {
        let mut constraints: Constraints = Vec::new();
        let sets: Vec<Set> = list.iter().map(|&x| self.store.set(x)).collect();
        if sets.iter().map(Set::size).fold(0, u128::saturating_add) <= LISTED {
            let values: BTreeSet<Value> = sets.iter().flat_map(Set::values).collect();
            for value in values.into_iter().filter(|&value| !except.contains(value)) {
                let lits: Vec<Lit> = list.iter().map(|&x| self.equals(x, value)).collect();
                constraints.push(Box::new(AtMostOne::new(lits)));
            }
            return Ok(constraints);
        }
        let except = Arc::new(except.clone());
        for (position, &x) in list.iter().enumerate() {
            let excepted = self.literal(&Relation::In(x, Arc::clone(&except)))?;
            for &y in &list[..position] {
                let differs = self.compare(x, Comparison::NotEqual, y, 0)?;
                constraints.push(Box::new(Disjunction::either(differs, Clause::new([excepted]))));
            }
        }
        Ok(constraints)
    }
}
