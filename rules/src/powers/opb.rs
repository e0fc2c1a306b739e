//! The pseudo-Boolean formula of powers. The digits of the number n are the integers `n_P`, where P is the position, counted
//! from 0 for the lowest digit. The digits of the power with the exponent E are the integers `power_E_P`.
//!
//! Each power is the product of the power before it and n. The product of the digits at the positions I and J of these
//! two numbers is the integer `product_E_I_J`. For the square, I is at most J. The carries are `carry_E_P`. A zero counts
//! only if it is written, as for [nines](crate::nines).

use num_bigint::BigUint;

use super::{Mode, Powers};
use crate::opb::{
    Column, Integer, Literal, NoFormula, Opb, RulesFormula, Sum, columns, digit_literals, digits,
    find_digits, zeros,
};
use crate::{Solution, Violation};

/// The maximum number of terms in the rows of a formula. A larger formula would take gigabytes of memory.
const MAX_TERMS: usize = 50_000_000;

impl Powers {
    /// Returns a number of digits that n does not exceed. Returns `None` if n has no upper bound.
    fn length(&self) -> Option<usize> {
        let bounded = self.max_n.as_ref().map(|max_n| max_n.to_radix_le(self.base).len());
        // If n has d digits, its power with the exponent e has at least e (d - 1) + 1 digits.
        let sum: usize = self.exponents.iter().map(|&exponent| exponent as usize).sum();
        let most = 1 + (self.base as usize).saturating_sub(self.exponents.len()) / sum;
        let exactly = (self.mode == Mode::Exactly).then_some(most);
        bounded.into_iter().chain(exactly).min()
    }

    /// Returns the approximate number of terms in the rows of the formula. Most of them state the products of two digits,
    /// or the upper bound on n.
    fn terms(&self, length: usize) -> usize {
        let values = self.base as usize;
        let highest = self.exponents.iter().map(|&exponent| exponent as usize).max().unwrap_or(1);
        let digits = length.saturating_mul(length);
        let products = (1..highest).map(|exponent| digits.saturating_mul(exponent));
        // For each pair of values, two rows with three terms each state the product.
        products.fold(0, usize::saturating_add).saturating_mul(6 * values * values).saturating_add(digits)
    }

    fn digit_values(&self) -> Vec<i128> {
        (0..self.base.into()).collect()
    }
}

/// Adds rows which state that the number with the given digits is at most `bound`: a digit exceeds the digit of `bound`
/// only if a higher digit is less than its counterpart.
fn at_most(opb: &mut Opb, digits: &[Integer], bound: &[u8]) {
    let limit = |position: usize| bound.get(position).copied().map_or(0, i128::from);
    for (position, digit) in digits.iter().enumerate().filter(|_| bound.len() <= digits.len()) {
        let mut clause = digit.at_most(limit(position));
        for (higher, digit) in digits.iter().enumerate().skip(position + 1) {
            clause.add(1, &digit.at_most(limit(higher) - 1));
        }
        clause.at_least(opb, 1);
    }
}

/// Adds the product of two digits as an integer with the given name. If `y` is missing, the product is the square of `x`.
fn product(opb: &mut Opb, name: &str, x: &Integer, y: Option<&Integer>) -> Integer {
    let with = |v: i128| {
        let other = y.map_or(vec![v], |y| y.values().to_vec());
        other.into_iter().map(move |w| (v, w))
    };
    let pairs: Vec<(i128, i128)> = x.values().iter().flat_map(|&v| with(v)).collect();
    let mut values: Vec<i128> = pairs.iter().map(|(v, w)| v * w).collect();
    values.sort_unstable();
    values.dedup();
    let product = Integer::new(opb, name, values);
    for (v, w) in pairs {
        // If x is at least v and y is at least w, the product is at least v w.
        let mut clause = product.at_most(v * w - 1).complement();
        clause.add(1, &x.at_most(v - 1));
        clause.add(1, &y.map_or_else(Sum::default, |y| y.at_most(w - 1)));
        clause.at_least(opb, 1);
        // If x is at most v and y is at most w, the product is at most v w.
        let mut clause = product.at_most(v * w);
        clause.add(1, &x.at_most(v).complement());
        clause.add(1, &y.map_or_else(Sum::default, |y| y.at_most(w).complement()));
        clause.at_least(opb, 1);
    }
    product
}

impl RulesFormula for Powers {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let length = self.length();
        let length = length.ok_or_else(|| NoFormula("without `max_n`, n has no upper bound".to_owned()))?;
        let terms = self.terms(length);
        if terms > MAX_TERMS {
            return Err(NoFormula(format!(
                "the formula would have about {terms} terms, and the maximum is {MAX_TERMS}"
            )));
        }
        let values = self.digit_values();
        let mut opb = Opb::new();
        let n = digits(&mut opb, "n", length, &values);
        if let Some(max_n) = &self.max_n {
            opb.comment(format_args!("at most {max_n}"));
            at_most(&mut opb, &n, &max_n.to_radix_le(self.base));
        }
        let mut powers = vec![n.clone()];
        for exponent in 2..=self.exponents.iter().map(|&exponent| exponent as usize).max().unwrap_or(1) {
            opb.comment(format_args!("the power with the exponent {exponent}"));
            let power = digits(&mut opb, format_args!("power_{exponent}"), exponent * length, &values);
            let minus = |digit: &Integer| Column { terms: vec![(-1, digit.clone())], constant: 0 };
            let mut sum: Vec<Column> = power.iter().map(minus).collect();
            for (i, x) in powers[exponent - 2].iter().enumerate() {
                for (j, y) in n.iter().enumerate().filter(|&(j, _)| exponent > 2 || i <= j) {
                    // The square contains the product of the digits at two different positions twice.
                    let times = if exponent == 2 && i < j { 2 } else { 1 };
                    let other = Some(y).filter(|_| exponent > 2 || i < j);
                    let product = product(&mut opb, &format!("product_{exponent}_{i}_{j}"), x, other);
                    sum[i + j].terms.push((times, product));
                }
            }
            columns(&mut opb, exponent, self.base.into(), sum);
            powers.push(power);
        }
        for digit in values {
            opb.comment(format_args!("digit {digit}"));
            let mut shown = Sum::default();
            for &exponent in &self.exponents {
                let power = &powers[exponent as usize - 1];
                if digit == 0 {
                    shown.add(1, &zeros(&mut opb, exponent as usize, power));
                } else {
                    for other in power {
                        shown.add(1, &other.is(digit));
                    }
                }
            }
            match self.mode {
                Mode::Exactly => shown.equals(&mut opb, 1),
                Mode::AtLeast => shown.at_least(&mut opb, 1),
            }
        }
        Ok(opb)
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let n = find_digits(opb, "n", self.length().unwrap_or(0), &self.digit_values());
        digit_literals(&n, self.base, &solution.natural("n")?)
    }

    /// Returns the formula of the board whose upper bound is one less than the number of the solution.
    fn better(&self, objective: &str, solution: &Solution) -> Result<Option<Opb>, NoFormula> {
        if objective != "number" {
            return Ok(None);
        }
        let n = solution.natural("n").map_err(|violation| NoFormula(violation.to_string()))?;
        if n == BigUint::ZERO {
            return Err(NoFormula("n is 0".to_owned()));
        }
        self.with_max_n(n - 1_u32).formula().map(Some)
    }
}
