//! Cards: a deck of red and black cards, split into a left and a right part.

use crate::error::{Invalid, Violation, ensure, within};
use crate::{Rules, Solution};

mod opb;

/// The names of the four unknown counts: red and black cards in the left part, then red and black cards in the right
/// part. The fields of a solution have the same names as the counts.
pub const COUNTS: [&str; 4] =
    ["n_red_left_split", "n_black_left_split", "n_red_right_split", "n_black_right_split"];

/// A deck of red and black cards, split into a left and a right part.
///
/// The names of the four fields of a solution are listed in [`COUNTS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cards {
    size: i128,
    red: i128,
    left: i128,
    given: [Option<i128>; 4],
}

impl Cards {
    /// The maximum size of a deck. For decks up to this size, sums of counts can't overflow.
    pub const GREATEST: i128 = 10_i128.pow(30);

    /// Creates a board. `size` is the number of cards in the deck, `red` is the number of red cards, and `left` is the
    /// number of cards in the left part. `given` contains the value of each count if it is known, in the order of
    /// [`COUNTS`].
    ///
    /// # Errors
    /// Returns an error if a count is negative or exceeds the deck size, or if the deck is larger than
    /// [`Self::GREATEST`].
    pub fn new(size: i128, red: i128, left: i128, given: [Option<i128>; 4]) -> Result<Self, Invalid> {
        let size = within("n_cards", "a number of cards", size, &(0..=Self::GREATEST))?;
        let red = within("n_red", "a number of red cards", red, &(0..=size))?;
        let left = within("left_split", "a number of cards on the left", left, &(0..=size))?;
        for (name, count) in COUNTS.into_iter().zip(given) {
            within::<i128>(name, "a number of cards", count.unwrap_or(0), &(0..=size))?;
        }
        Ok(Self { size, red, left, given })
    }

    /// Returns the number of cards in the deck.
    #[must_use]
    pub fn size(&self) -> i128 {
        self.size
    }

    /// Returns the number of red cards in the deck.
    #[must_use]
    pub fn red(&self) -> i128 {
        self.red
    }

    /// Returns the number of cards in the left part.
    #[must_use]
    pub fn left(&self) -> i128 {
        self.left
    }

    /// Returns the value of each count in the order of [`COUNTS`], or `None` for an unknown count.
    #[must_use]
    pub fn given(&self) -> [Option<i128>; 4] {
        self.given
    }
}

impl Rules for Cards {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let &Self { size, red, left, given } = self;
        let mut counts = [0; 4];
        for ((count, name), given) in counts.iter_mut().zip(COUNTS).zip(given) {
            *count = solution.number(name)?;
            ensure!((0..=size).contains(count), "{name} is {count}, with {size} cards in all");
            let given = given.unwrap_or(*count);
            ensure!(*count == given, "{name} is {count}, but {given} is given");
        }
        let [red_left, black_left, red_right, black_right] = counts;
        for (what, found, expected) in [
            ("red cards", red_left + red_right, red),
            ("black cards", black_left + black_right, size - red),
            ("cards on the left", red_left + black_left, left),
            ("cards on the right", red_right + black_right, size - left),
        ] {
            ensure!(found == expected, "{found} {what} instead of {expected}");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Field;

    #[test]
    fn the_published_deck_has_one_solution() {
        let cards = Cards::new(52, 26, 25, [Some(12), None, None, None]).unwrap();
        let check = |counts: [i128; 4]| {
            let with = |solution: Solution, (name, count)| solution.with(name, Field::Number(count));
            cards.check(&COUNTS.into_iter().zip(counts).fold(Solution::new(), with))
        };
        assert_eq!(check([12, 13, 14, 13]), Ok(()));
        for wrong in
            [[13, 12, 13, 14], [12, 14, 14, 12], [12, 13, 13, 14], [12, 13, 14, 12], [12, -1, 14, 27]]
        {
            assert!(check(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn no_part_is_greater_than_the_deck() {
        let refused = |size, red, left, given| Cards::new(size, red, left, given).unwrap_err().name;
        assert_eq!(refused(-1, 0, 0, [None; 4]), "n_cards");
        assert_eq!(refused(5, 6, 0, [None; 4]), "n_red");
        assert_eq!(refused(5, 5, -1, [None; 4]), "left_split");
        assert_eq!(refused(5, 5, 5, [None, None, Some(6), None]), COUNTS[2]);
    }
}
