//! Relations that become constraints of the model.

use std::collections::BTreeSet;
use std::sync::Arc;

use gordian_encodings::constraint::{
    Absolute, AllDifferent, AtMostOne, Clause, Comparison, Connected, Disjunction, Element, Entry, Extremum,
    Linear, Power, Product, Table, Term, TruncatedDivision,
};
use gordian_encodings::{Domain, Graph, Lit, TRUE, Value};

use super::{Builder, Constraints, GREATEST, Meaning, Overflow};
use crate::constraint::{Ref, Relation};
use crate::instance::Operand;
use crate::presolve::Set;

/// The greatest first index of an array that is padded instead of shifting its index.
const PADDED: Value = 16;
/// Powers with larger constant exponents are not multiplied out.
const MULTIPLIED: usize = 128;
/// Domains with at most this many values in total are listed.
const LISTED: u128 = 1 << 16;

impl Builder<'_> {
    /// Returns the constraints that the relation becomes. They all hold exactly if the relation does.
    pub(super) fn constraints(&mut self, relation: &Relation) -> Result<Constraints, Overflow> {
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
            Relation::Extremum { of, value, greatest } => {
                let (of, value) = (self.ints(of), self.int(*value));
                vec![Box::new(Extremum { of, value, greatest: *greatest })]
            }
            Relation::Element { index, first, array, value } => {
                self.element(*index, *first, array, *value)?
            }
            Relation::AllDifferent(list, except) if except.is_empty() => {
                vec![Box::new(AllDifferent::new(list.iter().map(|&x| self.expr(x)).collect::<Vec<_>>()))]
            }
            Relation::AllDifferent(list, except) => self.all_different_except(list, except)?,
            Relation::Table(columns, rows) => self.table(columns, rows),
            Relation::Count { of, value, comparison, times } => {
                let mut lits = Vec::with_capacity(of.len());
                for &x in of {
                    lits.push(self.literal(&Relation::compare(x, Comparison::Equal, *value, 0))?);
                }
                vec![Box::new(self.counted(lits, *comparison, *times)?)]
            }
            Relation::Among { of, values, times } => {
                let mut lits = Vec::with_capacity(of.len());
                for &x in of {
                    lits.push(self.literal(&Relation::In(x, Arc::clone(values)))?);
                }
                vec![Box::new(self.counted(lits, Comparison::Equal, *times)?)]
            }
            Relation::Inverse { left, right, first } => self.inverse(left, right, *first),
            Relation::Circuit(successors, first) => self.circuit(successors, *first),
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
            Relation::Quotient(operands @ [x, y, _]) | Relation::Remainder(operands @ [x, y, _]) => {
                self.check_division(*x, *y)?;
                let [x, y, z] = operands.map(|x| self.int(x));
                vec![Box::new(match relation {
                    Relation::Quotient(_) => TruncatedDivision::quotient(x, y, z),
                    _ => TruncatedDivision::remainder(x, y, z),
                })]
            }
            Relation::Power([x, y, z]) => {
                if self.magnitude(*z) > GREATEST {
                    return Err(Overflow);
                }
                let exponent = self.store.value(*y).and_then(|y| usize::try_from(y).ok());
                let (base, power) = (self.int(*x), self.int(*z));
                match exponent.filter(|&exponent| {
                    exponent <= MULTIPLIED && self.check_product(&vec![*x; exponent]).is_ok()
                }) {
                    Some(exponent) => vec![Box::new(Product::power(base, exponent, power))],
                    None => vec![Box::new(Power::new(base, self.int(*y), power))],
                }
            }
        })
    }

    /// Returns the greatest absolute value.
    fn magnitude(&self, x: Ref) -> u128 {
        let (first, last) = self.store.range(x);
        first.unsigned_abs().max(last.unsigned_abs())
    }

    /// Checks that the product of the greatest absolute values fits.
    fn check_product(&self, factors: &[Ref]) -> Result<(), Overflow> {
        let product = factors.iter().map(|&x| self.magnitude(x).max(1)).try_fold(1_u128, u128::checked_mul);
        product.filter(|&product| product <= GREATEST).map(drop).ok_or(Overflow)
    }

    /// Checks that the product of the divisor and the quotient fits.
    fn check_division(&self, x: Ref, y: Ref) -> Result<(), Overflow> {
        let (first, last) = self.store.range(y);
        let least = if first > 0 || last < 0 { first.unsigned_abs().min(last.unsigned_abs()) } else { 1 };
        let product = (self.magnitude(x) / least).max(1).checked_mul(self.magnitude(y).max(1));
        product.filter(|&product| product <= GREATEST).map(drop).ok_or(Overflow)
    }

    /// Returns the constraint that the number of literals compares with `times`.
    fn counted(&self, lits: Vec<Lit>, comparison: Comparison, times: Ref) -> Result<Linear, Overflow> {
        let mut terms: Vec<(Value, Term)> = lits.into_iter().map(|lit| (1, lit.into())).collect();
        let bound = match self.meaning(times) {
            Meaning::Constant(value) => value,
            Meaning::Literal(lit) => {
                terms.push((-1, lit.into()));
                0
            }
            Meaning::Integer(x) => {
                terms.push((-1, x.into()));
                0
            }
        };
        let reach = self.magnitude(times).checked_add(terms.len() as u128);
        reach.filter(|&reach| reach <= GREATEST).ok_or(Overflow)?;
        Ok(Linear::new(terms, comparison, bound))
    }

    fn element(
        &mut self,
        index: Ref,
        first: Value,
        array: &[Operand],
        value: Ref,
    ) -> Result<Constraints, Overflow> {
        let possible = self.store.set(index);
        let value = self.term(value);
        let at = |position: Value| {
            let element = usize::try_from(position - first).ok().and_then(|position| array.get(position));
            element.filter(|_| possible.contains(position)).map(Ref::of)
        };
        let last = first.checked_add(array.len() as Value).ok_or(Overflow)?;
        let is_padded =
            (0..=PADDED).contains(&first) && !(0..first).any(|position| possible.contains(position));
        let (from, index) = if is_padded {
            (0, self.int(index))
        } else {
            let domain = possible
                .intervals()
                .iter()
                .map(|&(a, b)| Some((a.checked_sub(first)?, b.checked_sub(first)?)));
            let domain = Domain::from_intervals(domain.collect::<Option<Vec<_>>>().ok_or(Overflow)?);
            let shifted = self.model.integer(domain);
            let index = self.int(index);
            self.model.post(Linear::equal([(1, index.into()), (-1, shifted.into())], first));
            (first, shifted)
        };
        // The index never has the positions that are padded.
        let padding = value;
        let array = (from..last).map(|position| at(position).map_or(padding, |element| self.term(element)));
        Ok(vec![Box::new(Element::new(index, array, value))])
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

    fn inverse(&mut self, left: &[Ref], right: &[Ref], first: [Value; 2]) -> Constraints {
        let mut constraints: Constraints = Vec::new();
        let mut clause = |lits: Vec<Lit>| constraints.push(Box::new(Clause::new(lits)));
        let mut within = |this: &mut Self, list: &[Ref], first: Value, length: usize| {
            for &x in list {
                let values = (first..).take(length);
                clause(values.map(|value| this.equals(x, value)).collect());
            }
        };
        within(self, left, first[1], right.len());
        within(self, right, first[0], left.len());
        for (i, &x) in (first[0]..).zip(left) {
            for (j, &y) in (first[1]..).zip(right) {
                let (a, b) = (self.equals(x, j), self.equals(y, i));
                clause(vec![!a, b]);
                clause(vec![a, !b]);
            }
        }
        constraints
    }

    /// Different successors that connect all nodes form a circuit.
    fn circuit(&mut self, successors: &[Ref], first: Value) -> Constraints {
        let n = successors.len();
        let mut constraints: Constraints = Vec::new();
        let (mut edges, mut members) = (Vec::new(), vec![TRUE; n]);
        for (i, &x) in successors.iter().enumerate() {
            let mut targets = Vec::new();
            for (j, value) in (first..).take(n).enumerate() {
                let lit = self.equals(x, value);
                if lit == !TRUE {
                    continue;
                }
                if i == j && n > 1 {
                    constraints.push(Box::new(Clause::new([!lit])));
                    continue;
                }
                targets.push(lit);
                if i != j {
                    let edge = members.len();
                    members.push(lit);
                    edges.extend([(i, edge), (edge, j)]);
                }
            }
            constraints.push(Box::new(Clause::new(targets)));
        }
        let exprs: Vec<_> = successors.iter().map(|&x| self.expr(x)).collect();
        constraints.push(Box::new(AllDifferent::new(exprs)));
        if n > 1 {
            constraints.push(Box::new(Connected::new(Arc::new(Graph::new(members.len(), edges)), members)));
        }
        constraints
    }
}
