//! The pseudo-Boolean formula of nines. The decimal digits of the number are the integers `number_P`, where P is the
//! position, counted from 0 for the lowest digit. The multiple by the factor with index F, counted from 0, has the digits
//! `multiple_F_P` and the carries `carry_F_P`.
//!
//! The digit 0 must be a written digit, not a leading zero. The variable `written_F_P` is true if the digit at position P
//! or a higher digit is not 0, and the variable `zero_F_P` is true if the digit is a written 0. The highest and the lowest
//! digit need fewer of these variables: the highest digit is written if it is not 0, and the lowest is always written.

use num_bigint::BigUint;

use super::Nines;
use crate::opb::{
    Literal, NoFormula, Opb, RulesFormula, Sum, digit_literals, digits, find_digits, multiple, zeros,
};
use crate::{Solution, Violation};

const DIGITS: [i128; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

impl RulesFormula for Nines {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let number = digits(&mut opb, "number", self.length, &DIGITS);
        opb.comment("no leading zero");
        number[self.length - 1].differs_from(&mut opb, 0);
        let greatest = BigUint::from_radix_be(&vec![9; self.length], 10).unwrap_or_default();
        for (index, &factor) in self.factors.iter().enumerate() {
            opb.comment(format_args!("{} in the multiple by {factor}", self.digit));
            let factor = BigUint::from(factor.unsigned_abs());
            let length = (&greatest * &factor).to_string().len().min(self.longest_multiple);
            let name = format!("multiple_{index}");
            let product = multiple(&mut opb, &number, &factor, 10, (&name, length), index);
            let shown = if self.digit == 0 {
                zeros(&mut opb, index, &product)
            } else {
                let mut shown = Sum::default();
                for digit in &product {
                    shown.add(1, &digit.is(self.digit.into()));
                }
                shown
            };
            shown.at_least(&mut opb, 1);
        }
        Ok(opb)
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let number = find_digits(opb, "number", self.length, &DIGITS);
        digit_literals(&number, 10, &solution.natural("number")?)
    }
}
