//! Integers in formulas, and calculations with them column by column.
//!
//! An integer with the name `n` and the values v1 < ... < vk has a variable `n_le_V` for each value V except vk. The
//! variable is true if the integer is at most V. In a sum, the integer is `v1 + (v2 - v1) ~n_le_v1 + (v3 - v2) ~n_le_v2 +
//! ...`. The sum `n_le_V + ~n_le_U - 1`, where U is the value before V, is 1 if the integer is V, and 0 otherwise.

use std::fmt;

use num_bigint::BigUint;

use super::{Literal, Opb, Truth};
use crate::Violation;

/// An integer of a formula.
#[derive(Debug, Clone)]
pub struct Integer {
    /// The values in ascending order.
    values: Vec<i128>,
    /// For each value except the last one, the literal that is true if the integer is at most the value.
    at_most: Vec<Literal>,
}

impl Integer {
    /// Adds an integer with the given values, which must be in ascending order.
    pub(crate) fn new(
        opb: &mut Opb,
        name: impl fmt::Display,
        values: impl IntoIterator<Item = i128>,
    ) -> Self {
        let integer = Self::of(values, |value| Some(opb.variable(literal_name(&name, value))));
        integer.state_order(opb);
        integer
    }

    /// Returns an integer that the formula already has.
    pub(crate) fn find(opb: &Opb, name: impl fmt::Display, values: impl IntoIterator<Item = i128>) -> Self {
        Self::of(values, |value| opb.find(&literal_name(&name, value)))
    }

    /// Returns an integer with the given values, which must be in ascending order. For each value except the largest
    /// one, `literal` returns the literal that is true if the integer is at most the value.
    pub fn of(values: impl IntoIterator<Item = i128>, literal: impl FnMut(i128) -> Option<Literal>) -> Self {
        let values: Vec<i128> = values.into_iter().collect();
        let all_but_last = values.iter().copied().take(values.len().saturating_sub(1));
        let at_most = all_but_last.filter_map(literal).collect();
        Self { values, at_most }
    }

    /// Adds rows which state that the integer is at most a value if it is at most the value before.
    pub fn state_order(&self, opb: &mut Opb) {
        for pair in self.at_most.windows(2) {
            opb.clause([!pair[0], pair[1]]);
        }
    }

    /// Returns the integer `1 - x`, where x is this integer.
    #[must_use]
    pub fn complement(&self) -> Self {
        let values = self.values.iter().rev().map(|value| 1 - value).collect();
        Self { values, at_most: self.at_most.iter().rev().map(|&at_most| !at_most).collect() }
    }

    /// Returns the integer `x + offset`, where x is this integer.
    pub(crate) fn plus(&self, offset: i128) -> Self {
        Self {
            values: self.values.iter().map(|value| value + offset).collect(),
            at_most: self.at_most.clone(),
        }
    }

    /// Returns whether the integer is at most the given value.
    pub(crate) fn is_at_most(&self, value: i128) -> Truth {
        match self.at_most(value) {
            Sum { terms, .. } if !terms.is_empty() => Truth::Same(terms[0].1),
            Sum { constant, .. } => Truth::Constant(constant == 1),
        }
    }

    /// Returns the values in ascending order.
    #[must_use]
    pub fn values(&self) -> &[i128] {
        &self.values
    }

    /// Returns, for each value except the largest one, the literal that is true if the integer is at most the value.
    #[must_use]
    pub fn at_most_literals(&self) -> &[Literal] {
        &self.at_most
    }

    /// Returns the literal that is true if the integer has its smallest value.
    ///
    /// # Panics
    /// Panics if the integer has a single value.
    fn is_smallest(&self) -> Literal {
        self.at_most[0]
    }

    /// Returns the smallest and the largest value, or zeros if the integer has no value.
    #[must_use]
    pub fn range(&self) -> (i128, i128) {
        (self.values.first().copied().unwrap_or(0), self.values.last().copied().unwrap_or(0))
    }

    /// Returns a sum that is 1 if the integer has the given value, and 0 otherwise.
    #[must_use]
    pub fn is(&self, value: i128) -> Sum {
        let Ok(index) = self.values.binary_search(&value) else { return Sum::default() };
        let at_most = self.at_most.get(index).copied();
        let above = index.checked_sub(1).map(|below| !self.at_most[below]);
        let terms: Vec<_> = at_most.into_iter().chain(above).map(|literal| (1, literal)).collect();
        // If the integer has another value, all of these literals but one are true.
        Sum { constant: 1 - terms.len() as i128, terms }
    }

    /// Returns a sum that is 1 if the integer is at most the given value, and 0 otherwise.
    #[must_use]
    pub fn at_most(&self, value: i128) -> Sum {
        let Some(index) = self.values.partition_point(|&other| other <= value).checked_sub(1) else {
            return Sum::default();
        };
        match self.at_most.get(index) {
            Some(&literal) => [literal].into_iter().collect(),
            None => Sum { terms: Vec::new(), constant: 1 },
        }
    }

    /// Adds a row which states that the integer does not have the given value.
    pub(crate) fn differs_from(&self, opb: &mut Opb, value: i128) {
        let mut sum = Sum::default();
        sum.add(-1, &self.is(value));
        sum.at_least(opb, 0);
    }

    /// Returns literals that are all true if and only if the integer has the given value.
    ///
    /// # Errors
    /// Returns an error if the integer can't have the value.
    pub fn literals(&self, value: i128) -> Result<Vec<Literal>, Violation> {
        if self.values.binary_search(&value).is_err() {
            return Err(Violation::new(format!("the value {value} is not possible")));
        }
        let literal = |(&at_most, &other): (&Literal, &i128)| if value <= other { at_most } else { !at_most };
        Ok(self.at_most.iter().zip(&self.values).map(literal).collect())
    }
}

/// Returns the name of the variable that is true if an integer is at most a value.
pub fn literal_name(name: &impl fmt::Display, value: i128) -> String {
    format!("{name}_le_{}{}", if value < 0 { "m" } else { "" }, value.unsigned_abs())
}

/// A sum of literals and a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sum {
    /// Coefficients and literals.
    pub terms: Vec<(i128, Literal)>,
    /// The constant.
    pub constant: i128,
}

impl FromIterator<Literal> for Sum {
    /// Returns the number of true literals.
    fn from_iter<I: IntoIterator<Item = Literal>>(literals: I) -> Self {
        Self { terms: literals.into_iter().map(|literal| (1, literal)).collect(), constant: 0 }
    }
}

impl Sum {
    /// Adds another sum, multiplied by `factor`.
    pub fn add(&mut self, factor: i128, other: &Self) {
        self.terms.extend(other.terms.iter().map(|&(coefficient, literal)| (factor * coefficient, literal)));
        self.constant += factor * other.constant;
    }

    /// Adds an integer, multiplied by `factor`.
    pub fn add_integer(&mut self, factor: i128, integer: &Integer) {
        self.constant += factor * integer.range().0;
        for (pair, &at_most) in integer.values.windows(2).zip(&integer.at_most) {
            self.terms.push((factor * (pair[1] - pair[0]), !at_most));
        }
    }

    /// Returns the sum of several integers, each multiplied by its factor.
    pub fn of_integers<'a>(integers: impl IntoIterator<Item = (i128, &'a Integer)>) -> Self {
        let mut sum = Self::default();
        for (factor, integer) in integers {
            sum.add_integer(factor, integer);
        }
        sum
    }

    /// Returns the number of truth values that are true.
    pub(crate) fn of_truths(truths: &[Truth]) -> Self {
        let mut sum = Self::default();
        for &truth in truths {
            match truth {
                Truth::Constant(holds) => sum.constant += i128::from(holds),
                Truth::Same(literal) => sum.terms.push((1, literal)),
            }
        }
        sum
    }

    /// Returns the least and the greatest value if all literals can have any value.
    pub(crate) fn range(&self) -> (i128, i128) {
        let (low, high): (Vec<i128>, Vec<i128>) =
            self.terms.iter().map(|&(weight, _)| (weight.min(0), weight.max(0))).unzip();
        (self.constant + low.iter().sum::<i128>(), self.constant + high.iter().sum::<i128>())
    }

    /// Returns this sum times -1.
    pub(crate) fn negative(&self) -> Self {
        let mut negative = Self::default();
        negative.add(-1, self);
        negative
    }

    /// Returns 1 minus this sum.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut complement = Self { terms: Vec::new(), constant: 1 };
        complement.add(-1, self);
        complement
    }

    /// Adds two rows which state that the sum is `value`.
    pub(crate) fn equals(self, opb: &mut Opb, value: i128) {
        self.clone().at_least(opb, value);
        opb.at_most(self.terms, value - self.constant);
    }

    /// Adds a row which states that the sum is at least `value`, unless every assignment satisfies it.
    ///
    /// # Panics
    /// Panics if a number overflows.
    pub fn at_least(self, opb: &mut Opb, value: i128) {
        opb.at_least(self.terms, value - self.constant);
    }
}

/// Adds the digits of a number with the given name. The digit at position P, counted from 0 for the lowest digit, is the
/// integer `NAME_P`.
pub(crate) fn digits(opb: &mut Opb, name: impl fmt::Display, length: usize, values: &[i128]) -> Vec<Integer> {
    let digit = |position| Integer::new(opb, format_args!("{name}_{position}"), values.iter().copied());
    (0..length).map(digit).collect()
}

/// Returns the digits of a number that the formula already has.
pub(crate) fn find_digits(opb: &Opb, name: &str, length: usize, values: &[i128]) -> Vec<Integer> {
    let digit = |position| Integer::find(opb, format_args!("{name}_{position}"), values.iter().copied());
    (0..length).map(digit).collect()
}

/// Returns literals that are all true if and only if the digits are those of `number` in the given base.
pub(crate) fn digit_literals(
    digits: &[Integer],
    base: u32,
    number: &BigUint,
) -> Result<Vec<Literal>, Violation> {
    let values = number.to_radix_le(base);
    if values.len() > digits.len() {
        return Err(Violation::new(format!("{number} has more than {} digits", digits.len())));
    }
    let mut literals = Vec::new();
    for (digit, value) in digits.iter().zip(values.into_iter().chain(std::iter::repeat(0))) {
        literals.extend(digit.literals(value.into())?);
    }
    Ok(literals)
}

/// Adds rows which state that no two integers have the same value: for each value, at most one integer has it.
pub(crate) fn all_different(opb: &mut Opb, integers: &[Integer]) {
    let mut values: Vec<i128> = integers.iter().flat_map(|integer| integer.values.iter().copied()).collect();
    values.sort_unstable();
    values.dedup();
    for value in values {
        let mut sum = Sum::default();
        for integer in integers {
            sum.add(-1, &integer.is(value));
        }
        sum.at_least(opb, -1);
    }
}

/// Returns the number of zeros among the digits, without leading zeros. The variable `written_OF_P` is true if the digit
/// at position P or a higher digit is not 0, and `zero_OF_P` is true if the digit is 0 and written. The highest and the
/// lowest digit need fewer variables: the highest digit is written if it is not 0, and the lowest is always written.
pub(crate) fn zeros(opb: &mut Opb, of: usize, digits: &[Integer]) -> Sum {
    let mut zeros = Vec::new();
    let mut above: Option<Literal> = None;
    for (position, digit) in digits.iter().enumerate().rev() {
        let zero = digit.is_smallest();
        if position == 0 {
            zeros.push(zero);
            break;
        }
        let written = match above {
            None => !zero,
            Some(above) => {
                let written = opb.variable(format_args!("written_{of}_{position}"));
                opb.clause([!above, written]);
                opb.clause([zero, written]);
                opb.clause([!written, above, !zero]);
                written
            }
        };
        let both = opb.variable(format_args!("zero_{of}_{position}"));
        opb.clause([!both, zero]);
        opb.clause([!both, written]);
        opb.clause([both, !zero, !written]);
        zeros.push(both);
        above = Some(written);
    }
    zeros.into_iter().collect()
}

/// Adds the product of a number and a constant, as a number with the given name and length. The carries have the names
/// `carry_OF_P`. Returns the digits of the product.
pub(crate) fn multiple(
    opb: &mut Opb,
    number: &[Integer],
    factor: &BigUint,
    base: u32,
    (name, length): (&str, usize),
    of: usize,
) -> Vec<Integer> {
    let product = digits(opb, name, length, &(0..base.into()).collect::<Vec<_>>());
    let factor = factor.to_radix_le(base);
    let mut sum = vec![Column::default(); length.max(number.len() + factor.len() - 1)];
    for (column, digit) in sum.iter_mut().zip(&product) {
        column.terms.push((-1, digit.clone()));
    }
    for (i, digit) in number.iter().enumerate() {
        for (j, &times) in factor.iter().enumerate().filter(|&(_, &times)| times > 0) {
            sum[i + j].terms.push((times.into(), digit.clone()));
        }
    }
    columns(opb, of, base.into(), sum);
    product
}

/// A column of a calculation: integers with their factors, and a constant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Column {
    pub(crate) terms: Vec<(i128, Integer)>,
    pub(crate) constant: i128,
}

/// Adds rows which state that the columns add up to 0, where column k, counted from 0, has the weight base^k. Each
/// column and the carry into it add up to the base times the carry out of it. The carry out of column k has the name
/// `carry_OF_k` and all values that the ranges of the integers allow. If the only value is 0, or if no value is
/// possible, there is no carry. The last column has no carry, either.
pub(crate) fn columns(opb: &mut Opb, of: usize, base: i128, columns: Vec<Column>) {
    let last = columns.len().saturating_sub(1);
    let mut carry: Option<Integer> = None;
    for (position, Column { mut terms, constant }) in columns.into_iter().enumerate() {
        terms.extend(carry.take().map(|carry| (1, carry)));
        let range = |(factor, integer): &(i128, Integer)| {
            let (low, high) = integer.range();
            ((factor * low).min(factor * high), (factor * low).max(factor * high))
        };
        let least = constant + terms.iter().map(|term| range(term).0).sum::<i128>();
        let greatest = constant + terms.iter().map(|term| range(term).1).sum::<i128>();
        let quotients = (-(-least).div_euclid(base), greatest.div_euclid(base));
        if position < last && quotients.0 <= quotients.1 && quotients != (0, 0) {
            carry = Some(Integer::new(opb, format_args!("carry_{of}_{position}"), quotients.0..=quotients.1));
        }
        let mut sum = Sum::of_integers(terms.iter().map(|(factor, integer)| (*factor, integer)));
        if let Some(carry) = &carry {
            sum.add_integer(-base, carry);
        }
        sum.equals(opb, -constant);
    }
}
