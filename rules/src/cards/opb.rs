//! The pseudo-Boolean formula of card decks. The decimal digits of the four counts are integers whose names consist of
//! the name of the count and the position, counted from 0 for the lowest digit. The four sums have the carries
//! `carry_S_P`, where S is the number of the sum, counted from 0: red cards, black cards, left part, right part.

use num_bigint::BigUint;

use super::{COUNTS, Cards};
use crate::opb::{
    Column, Integer, Literal, NoFormula, Opb, RulesFormula, columns, digit_literals, digits, find_digits,
};
use crate::{Solution, Violation};

const DIGITS: [i128; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

impl Cards {
    /// Returns the number of decimal digits of the size of the deck.
    fn length(&self) -> usize {
        self.size.to_string().len()
    }
}

/// Returns the digit of a number at a position, counted from 0 for the lowest digit.
fn digit_of(number: i128, position: usize) -> i128 {
    let digits = BigUint::from(number.unsigned_abs()).to_radix_le(10);
    digits.get(position).map_or(0, |&digit| digit.into())
}

impl RulesFormula for Cards {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let counts: [Vec<Integer>; 4] = COUNTS.map(|name| digits(&mut opb, name, self.length(), &DIGITS));
        let [red_left, black_left, red_right, black_right] = &counts;
        let sums = [
            ("red cards", red_left, red_right, self.red),
            ("black cards", black_left, black_right, self.size - self.red),
            ("left part", red_left, black_left, self.left),
            ("right part", red_right, black_right, self.size - self.left),
        ];
        for (number, (what, first, second, sum)) in sums.into_iter().enumerate() {
            opb.comment(what);
            let column = |position: usize| Column {
                terms: [first, second].map(|count| (1, count[position].clone())).to_vec(),
                constant: -digit_of(sum, position),
            };
            columns(&mut opb, number, 10, (0..self.length()).map(column).collect());
        }
        opb.comment("given counts");
        for (count, given) in counts.iter().zip(self.given) {
            let Some(given) = given else { continue };
            for (position, digit) in count.iter().enumerate() {
                digit.is(digit_of(given, position)).at_least(&mut opb, 1);
            }
        }
        Ok(opb)
    }

    /// The first count determines the other three.
    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let count = find_digits(opb, COUNTS[0], self.length(), &DIGITS);
        digit_literals(&count, 10, &solution.natural(COUNTS[0])?)
    }
}
