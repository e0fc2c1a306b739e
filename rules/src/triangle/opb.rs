//! The pseudo-Boolean formula of digit triangles. The digit at position P, counted from 1, is the integer `digit_P`.

use super::Triangle;
use crate::opb::{Integer, Literal, NoFormula, Opb, RulesFormula, Sum, all_different};
use crate::{Field, Solution, Violation};

/// The positions on each side, counted from 0.
const SIDES: [[usize; 4]; 3] = [[0, 1, 2, 3], [3, 4, 5, 6], [6, 7, 8, 0]];

impl Triangle {
    /// Returns the integers of the positions. `integer` returns the integer with the given name and values.
    fn digits(&self, mut integer: impl FnMut(String, Vec<i128>) -> Integer) -> Vec<Integer> {
        let values = |given: Option<u8>| given.map_or((1..=9).collect(), |digit| vec![digit.into()]);
        (1..)
            .zip(self.given)
            .map(|(position, given)| integer(format!("digit_{position}"), values(given)))
            .collect()
    }

    fn known_digits(&self, opb: &Opb) -> Vec<Integer> {
        self.digits(|name, values| Integer::find(opb, name, values))
    }
}

/// Returns the digits of a solution.
fn digits_of(solution: &Solution) -> Result<&[i128], Violation> {
    match solution.get("digits") {
        Some(Field::Numbers(digits)) if digits.len() == 9 => Ok(digits),
        _ => Err(Violation::new("the solution does not have nine digits")),
    }
}

impl RulesFormula for Triangle {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let digits = self.digits(|name, values| Integer::new(&mut opb, name, values));
        opb.comment("all digits are different");
        all_different(&mut opb, &digits);
        if let Some(sum) = self.sum {
            opb.comment("the sum of each side");
            for side in SIDES {
                Sum::of_integers(side.map(|position| (1, &digits[position]))).equals(&mut opb, sum);
            }
        }
        Ok(opb)
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let values = digits_of(solution)?;
        let mut literals = Vec::new();
        for (digit, &value) in self.known_digits(opb).iter().zip(values) {
            literals.extend(digit.literals(value)?);
        }
        Ok(literals)
    }

    fn unseen(&self, opb: &Opb, solutions: &[Solution]) -> Result<Sum, Violation> {
        let solutions = solutions.iter().map(digits_of).collect::<Result<Vec<_>, _>>()?;
        let mut sum = Sum::default();
        for (position, digit) in self.known_digits(opb).iter().enumerate() {
            for value in (1..=9).filter(|value| solutions.iter().all(|digits| digits[position] != *value)) {
                sum.add(1, &digit.is(value));
            }
        }
        Ok(sum)
    }

    /// The objective `sum` maximises the total of the sides. All digits add up to 45, so only the corners, which are on
    /// two sides, matter.
    fn cost(&self, opb: &Opb, objective: &str) -> Option<Vec<(i128, Literal)>> {
        let digits = self.known_digits(opb);
        let corners = [0, 3, 6].map(|position| (-1, &digits[position]));
        (objective == "sum").then(|| Sum::of_integers(corners).terms)
    }
}
