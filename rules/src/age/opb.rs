//! The pseudo-Boolean formula of ages. The digits of the year are the integers `year_P`, where P is the position, counted
//! from 0 for the lowest digit. Their sum is the integer `digit_sum`. The calculation `year = born + fraction * digit_sum`
//! has the carries `carry_0_P`.

use num_bigint::BigUint;

use super::Age;
use crate::opb::{
    Column, Integer, Literal, NoFormula, Opb, RulesFormula, Sum, columns, digit_literals, digits, find_digits,
};
use crate::{Solution, Violation};

const DIGITS: [i128; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

impl RulesFormula for Age {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let year = digits(&mut opb, "year", self.length, &DIGITS);
        let digit_sum = Integer::new(&mut opb, "digit_sum", 1..=9 * self.length as i128);
        opb.comment("the first digit is not 0");
        year[self.length - 1].differs_from(&mut opb, 0);
        opb.comment("digit sum");
        let terms = year.iter().map(|digit| (1, digit)).chain([(-1, &digit_sum)]);
        Sum::of_integers(terms).equals(&mut opb, 0);
        opb.comment("the year is the year of birth plus the fraction times the digit sum");
        let [born, fraction] =
            [self.born, self.fraction].map(|number| BigUint::from(number.unsigned_abs()).to_radix_le(10));
        let column = |position: usize| {
            let digit = year.get(position).map(|digit| (-1, digit.clone()));
            let factor = fraction.get(position).map(|&factor| (factor.into(), digit_sum.clone()));
            Column {
                terms: digit.into_iter().chain(factor).collect(),
                constant: born.get(position).map_or(0, |&digit| digit.into()),
            }
        };
        let length = self.length.max(born.len()).max(fraction.len());
        columns(&mut opb, 0, 10, (0..length).map(column).collect());
        Ok(opb)
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        digit_literals(&find_digits(opb, "year", self.length, &DIGITS), 10, &solution.natural("year")?)
    }
}
