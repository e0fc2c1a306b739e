//! Natural numbers of any size as lists of digit variables, for puzzles about digits.
//!
//! Arithmetic works as on paper: column by column with a carry, starting from the lowest digit. Each column is a
//! linear equation over digits, products of two digits, and carries. All of these variables have small domains. A
//! single equation for the whole number would have powers of the base as coefficients, and unit propagation could not
//! derive a low digit from the other low digits.

use gordian_encodings::constraint::{Clause, Linear, Product, Term};
use gordian_encodings::{Assignment, Domain, IntVar, Lit, Model, Name, Objective, Sense, TRUE, Value};
use num_bigint::BigUint;

/// A natural number in a model, represented by its digits. Leading zeros are allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numeral {
    base: u32,
    /// The digits of the number, starting with the lowest.
    digits: Vec<IntVar>,
}

/// Returns the number of digits of `number` in `base`. The number 0 has one digit.
pub(super) fn length(number: &BigUint, base: u32) -> usize {
    number.to_radix_le(base).len()
}

/// Returns the smallest number with `exponent + 1` digits in `base`.
pub(super) fn power(base: u32, exponent: usize) -> BigUint {
    (0..exponent).fold(BigUint::from(1_u32), |power, _| power * base)
}

impl Numeral {
    /// Creates a number with a variable for each digit. `length` is the number of digits, including leading zeros.
    pub(super) fn new(model: &mut Model, base: u32, length: usize) -> Self {
        let digit = Domain::interval(0, Value::from(base) - 1);
        Self::of(base, (0..length).map(|_| model.integer(digit.clone())).collect())
    }

    /// Creates a number from its digits, starting with the lowest.
    pub(super) fn of(base: u32, digits: Vec<IntVar>) -> Self {
        Self { base, digits }
    }

    /// Returns the digits of the number, starting with the lowest.
    pub(super) fn digits(&self) -> &[IntVar] {
        &self.digits
    }

    /// Posts the constraint that the number is at most `bound`.
    pub(super) fn at_most(&self, model: &mut Model, bound: &BigUint) {
        // A digit may exceed the corresponding digit of the bound only if a higher digit is less than its
        // counterpart.
        let bound = bound.to_radix_le(self.base);
        if bound.len() > self.digits.len() {
            return;
        }
        let mut undercut = Vec::new();
        for (position, &digit) in self.digits.iter().enumerate().rev() {
            let limit = bound.get(position).map_or(0, |&limit| Value::from(limit));
            let within = model.at_most(digit, limit);
            model.post(Clause::new([&undercut[..], &[within]].concat()));
            undercut.push(model.at_most(digit, limit - 1));
        }
    }

    /// Posts the constraint that the number is at least `bound`.
    pub(super) fn at_least(&self, model: &mut Model, bound: &BigUint) {
        let bound = bound.to_radix_le(self.base);
        if bound.len() > self.digits.len() {
            model.post(Clause::new([]));
            return;
        }
        let mut exceeded = Vec::new();
        for (position, &digit) in self.digits.iter().enumerate().rev() {
            let limit = bound.get(position).map_or(0, |&limit| Value::from(limit));
            let reached = !model.at_most(digit, limit - 1);
            model.post(Clause::new([&exceeded[..], &[reached]].concat()));
            exceeded.push(!model.at_most(digit, limit));
        }
    }

    /// Posts the constraint that the number equals `other`, which must have the same number of digits.
    pub(super) fn equals(&self, model: &mut Model, other: &Self) {
        for (&digit, &same) in self.digits.iter().zip(&other.digits) {
            model.post(Linear::equal([(1, digit.into()), (-1, same.into())], 0));
        }
    }

    /// Returns, for each position from the lowest, the literal that is true if the digit is written (not a leading
    /// zero). A digit is written unless it and all higher digits are 0; a single digit is always written. A new literal
    /// has the name `name` with the position as a further coordinate.
    fn written(&self, model: &mut Model, name: &Name) -> Vec<Lit> {
        let mut written = vec![TRUE; self.digits.len()];
        let mut above: Option<Lit> = None;
        for (position, &digit) in self.digits.iter().enumerate().skip(1).rev() {
            let zero = model.at_most(digit, 0);
            written[position] = match above {
                None => !zero,
                Some(above) => {
                    let here = model.boolean();
                    model.name(here, name.clone().at(position));
                    model.post(Clause::new([!above, here]));
                    model.post(Clause::new([zero, here]));
                    model.post(Clause::new([!here, above, !zero]));
                    here
                }
            };
            above = Some(written[position]);
        }
        written
    }

    /// Returns, for each position, the literal that is true if `digit` is written at the position. New literals have
    /// the names `written` and `zero`, each with the coordinates `of` and the position.
    pub(super) fn count(&self, model: &mut Model, digit: Value, of: usize) -> Vec<Lit> {
        let is: Vec<Lit> = self.digits.iter().map(|&x| model.equals(x, digit)).collect();
        if digit != 0 {
            return is;
        }
        let written = self.written(model, &("written", of).into());
        is.into_iter()
            .zip(written)
            .enumerate()
            .map(|(position, (zero, written))| {
                if written == TRUE {
                    return zero;
                }
                let both = model.boolean();
                model.name(both, ("zero", of, position));
                model.post(Clause::new([!both, zero]));
                model.post(Clause::new([!both, written]));
                model.post(Clause::new([both, !zero, !written]));
                both
            })
            .collect()
    }

    /// Returns the number multiplied by a constant. Posts the constraint that the product has at most `length`
    /// digits. The carries have the name `carry` with the coordinates `of` and the position.
    pub(super) fn times(&self, model: &mut Model, factor: &BigUint, length: usize, of: usize) -> Self {
        let result = Self::new(model, self.base, length);
        let factor = factor.to_radix_le(self.base);
        let mut columns = result.minus(length.max(self.digits.len() + factor.len() - 1));
        for (i, &digit) in self.digits.iter().enumerate() {
            for (j, &times) in factor.iter().enumerate().filter(|&(_, &times)| times > 0) {
                columns[i + j].terms.push((times.into(), digit));
            }
        }
        post_columns(model, of, self.base, columns);
        result
    }

    /// Returns the product of two numbers. Posts the constraint that the product has at most `length` digits. The
    /// carries are named as in [`Self::times`]. If `for_proof` is true, clauses define the products of digits. The
    /// product of the digits at the positions I and J has the name `product(of,I,J)`.
    pub(super) fn product(
        &self,
        model: &mut Model,
        other: &Self,
        length: usize,
        of: usize,
        for_proof: bool,
    ) -> Self {
        let result = Self::new(model, self.base, length);
        let square = self == other;
        let mut columns = result.minus(length);
        for (i, &x) in self.digits.iter().enumerate() {
            for (j, &y) in other.digits.iter().enumerate() {
                if i + j >= length {
                    let (x, y) = (model.at_most(x, 0), model.at_most(y, 0));
                    model.post(Clause::new([x, y]));
                } else if !square || i <= j {
                    let times = if square && i < j { 2 } else { 1 };
                    let product = digit_product(model, x, y, for_proof);
                    model.name_integer(product, ("product", of, i, j));
                    columns[i + j].terms.push((times, product));
                }
            }
        }
        post_columns(model, of, self.base, columns);
        result
    }

    /// Returns the columns of the negated number. If the number has fewer digits than `columns`, empty columns are
    /// appended.
    pub(super) fn minus(&self, columns: usize) -> Vec<Column> {
        let mut minus = vec![Column::default(); columns.max(self.digits.len())];
        for (column, &digit) in minus.iter_mut().zip(&self.digits) {
            column.terms.push((-1, digit));
        }
        minus
    }

    fn weights(&self) -> impl Iterator<Item = Value> + use<> {
        let base = self.base;
        (0..).map(move |position| Value::from(base).checked_pow(position).expect("a number within 128 bits"))
    }

    /// Returns literals that determine the number: `digit > v` for each digit, starting with the highest, and each
    /// value v except the largest.
    pub(super) fn lits(&self, model: &mut Model) -> Vec<Lit> {
        let digits = self.digits.iter().rev();
        digits.flat_map(|&digit| digit_lits(model, digit)).collect()
    }

    /// Sets the names of the digits in exported formulas: `name` with the position as a further coordinate. The lowest
    /// digit of a number with the name `number` is called `number(0)`.
    pub(super) fn name(&self, model: &mut Model, name: impl Into<Name>) {
        let name = name.into();
        for (position, &digit) in self.digits.iter().enumerate() {
            model.name_integer(digit, name.clone().at(position));
        }
    }

    /// Returns the objective whose value is the number.
    ///
    /// # Panics
    /// Panics if the weight of the highest digit does not fit in an `i128`.
    pub(super) fn objective(&self, sense: Sense) -> Objective {
        Objective::new(
            sense,
            self.digits.iter().copied().zip(self.weights()).map(|(digit, weight)| (weight, digit)),
        )
    }

    /// Returns the value of the number under an assignment.
    pub(super) fn value(&self, assignment: &Assignment) -> BigUint {
        let digits = self.digits.iter().rev();
        digits.fold(BigUint::ZERO, |value, &digit| {
            value * self.base + BigUint::try_from(assignment.int(digit)).expect("digits are not negative")
        })
    }
}

/// A column of a calculation: a linear expression over variables with small domains, such as digits.
#[derive(Debug, Clone, Default)]
pub(super) struct Column {
    /// The terms of the column, each with a coefficient and a variable.
    pub(super) terms: Vec<(Value, IntVar)>,
    /// The constant term of the column.
    pub(super) constant: Value,
}

/// Posts the constraint that the weighted sum of the columns is 0. Column k, counted from 0, has the weight base^k. The
/// carry from column k to column k + 1 has the name `carry(of,k)`.
pub(super) fn post_columns(model: &mut Model, of: usize, base: u32, columns: Vec<Column>) {
    let base = Value::from(base);
    let last = columns.len().saturating_sub(1);
    let mut carry: Option<IntVar> = None;
    for (position, Column { mut terms, constant }) in columns.into_iter().enumerate() {
        terms.extend(carry.map(|carry| (1, carry)));
        let (mut least, mut greatest) = (constant, constant);
        for &(factor, x) in &terms {
            let (low, high) = (model.domain(x).min() * factor, model.domain(x).max() * factor);
            least += low.min(high);
            greatest += low.max(high);
        }
        // The sum of a column must be a multiple of the base, and the quotient is the carry to the next column. The
        // last column has no carry.
        let (low, high) = (-(-least).div_euclid(base), greatest.div_euclid(base));
        carry = (position < last && low <= high && (low, high) != (0, 0))
            .then(|| model.integer(Domain::interval(low, high)));
        if let Some(carry) = carry {
            model.name_integer(carry, ("carry", of, position));
        }
        terms.extend(carry.map(|carry| (-base, carry)));
        let terms = terms.into_iter().map(|(factor, x)| (factor, Term::Int(x)));
        model.post(Linear::equal(terms, -constant));
    }
}

/// Returns literals that determine a variable with a small domain: `x > v` for each value v except the largest.
pub(super) fn digit_lits(model: &mut Model, x: IntVar) -> Vec<Lit> {
    let mut values: Vec<Value> = model.domain(x).values().collect();
    values.pop();
    values.into_iter().map(|value| !model.at_most(x, value)).collect()
}

/// Returns a variable for the product of two digits. If `for_proof` is true, clauses define the product, because the
/// formula of a proof has no products.
fn digit_product(model: &mut Model, x: IntVar, y: IntVar, for_proof: bool) -> IntVar {
    let values = |x| model.domain(x).values().collect::<Vec<_>>();
    let (xs, ys) = (values(x), values(y));
    let pairs: Vec<(Value, Value)> = if x == y {
        xs.iter().map(|&x| (x, x)).collect()
    } else {
        xs.iter().flat_map(|&x| ys.iter().map(move |&y| (x, y))).collect()
    };
    let product = model.integer(Domain::from_values(pairs.iter().map(|(x, y)| x * y).collect::<Vec<_>>()));
    if !for_proof {
        model.post(Product::new([x, y], product));
        return product;
    }
    for (v, w) in pairs {
        // If x >= v and y >= w, the product is at least v w. If x <= v and y <= w, it is at most v w.
        let least = [model.at_most(x, v - 1), model.at_most(y, w - 1), !model.at_most(product, v * w - 1)];
        let most = [!model.at_most(x, v), !model.at_most(y, w), model.at_most(product, v * w)];
        let factors = usize::from(x == y);
        model.post(Clause::new(&least[factors..]));
        model.post(Clause::new(&most[factors..]));
    }
    product
}
