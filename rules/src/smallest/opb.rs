//! The pseudo-Boolean formula of smallest multiples. The digits of the number are the integers `number_P`, where P is the
//! position, counted from 0 for the lowest digit. The calculation `multiple = multiplier * quotient` has the digits
//! `multiple_P` and `quotient_P` and the carries `carry_0_P`. The multiple equals the number.

use num_bigint::BigUint;

use super::Smallest;
use crate::opb::{
    Integer, Literal, NoFormula, Opb, RulesFormula, Sum, all_different, digit_literals, digits, find_digits,
    multiple,
};
use crate::{Solution, Violation};

impl Smallest {
    /// Returns the length of the number in the formula. If a number has more digits than there are allowed digits, one
    /// of them occurs twice. One digit too many therefore stands for any larger length.
    fn formula_length(&self) -> usize {
        self.length.min(self.digits.len() + 1)
    }

    fn known_digits(&self, opb: &Opb) -> Vec<Integer> {
        find_digits(opb, "number", self.formula_length(), &self.digits)
    }
}

impl RulesFormula for Smallest {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let length = self.formula_length();
        let number = digits(&mut opb, "number", length, &self.digits);
        opb.comment("no leading zero");
        number[length - 1].differs_from(&mut opb, 0);
        opb.comment("different digits");
        all_different(&mut opb, &number);
        opb.comment("the number is a multiple");
        let all: Vec<i128> = (0..self.base.into()).collect();
        let quotient = digits(&mut opb, "quotient", length, &all);
        let factor = BigUint::from(self.multiplier.unsigned_abs());
        let product = multiple(&mut opb, &quotient, &factor, self.base, ("multiple", length), 0);
        for (digit, same) in number.iter().zip(&product) {
            Sum::of_integers([(1, digit), (-1, same)]).equals(&mut opb, 0);
        }
        Ok(opb)
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        digit_literals(&self.known_digits(opb), self.base, &solution.natural("number")?)
    }

    /// The objective `number` minimises the number. There is no objective if a weight exceeds 128 bits.
    fn cost(&self, opb: &Opb, objective: &str) -> Option<Vec<(i128, Literal)>> {
        let mut sum = Sum::default();
        for (position, digit) in (0..).zip(&self.known_digits(opb)) {
            sum.add_integer(i128::from(self.base).checked_pow(position)?, digit);
        }
        (objective == "number").then_some(sum.terms)
    }
}
