//! The pseudo-Boolean formula of rook placement. The variable `rook_R_C` is true if a rook stands on the square in row
//! R and column C, both counted from 1. Only empty squares have a variable.

use std::collections::HashSet;

use super::{Rooks, Square};
use crate::opb::{Literal, NoFormula, Opb, RulesFormula, Sum, cell_name};
use crate::{Grid, Place, Solution, Violation};

impl Rooks {
    /// Returns the empty squares that a rook on `from` attacks in one direction.
    fn attacked(&self, from: usize, (down, right): (isize, isize)) -> impl Iterator<Item = usize> {
        let squares = &self.squares;
        let next = move |place: &Place| {
            let row = place.row.checked_add_signed(down).filter(|&row| row < squares.rows())?;
            let column =
                place.column.checked_add_signed(right).filter(|&column| column < squares.columns())?;
            Some(Place { row, column })
        };
        std::iter::successors(next(&squares.place(from)), next)
            .map(|place| squares.index(place.row, place.column))
            .take_while(|&cell| squares[cell] == Square::Empty)
    }

    /// Returns the variable of each empty square.
    fn rooks(&self, variable: impl Fn(Place) -> Option<Literal>) -> Grid<Option<Literal>> {
        self.squares.map_places(|place, &square| if square == Square::Empty { variable(place) } else { None })
    }
}

impl RulesFormula for Rooks {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let rooks = self.squares.map_places(|place, &square| {
            (square == Square::Empty).then(|| opb.variable(format_args!("rook_{}", cell_name(place))))
        });
        let empty = |cell: &usize| self.squares[*cell] == Square::Empty;
        for (what, direction) in [("row", (0, 1)), ("column", (1, 0))] {
            opb.comment(format_args!("no two rooks attack each other along a {what}"));
            for first in (0..rooks.len()).filter(empty) {
                // A maximal run of empty squares gets one inequality, which is added at the run's first square.
                let (down, right) = direction;
                if self.attacked(first, (-down, -right)).next().is_none() {
                    let segment = [first].into_iter().chain(self.attacked(first, direction));
                    opb.at_most(segment.filter_map(|cell| Some((1, rooks[cell]?))), 1);
                }
            }
        }
        opb.comment("each empty square has a rook or is attacked by one");
        for cell in (0..rooks.len()).filter(empty) {
            let directions = [(0, 1), (0, -1), (1, 0), (-1, 0)];
            let seen = directions.into_iter().flat_map(|direction| self.attacked(cell, direction));
            opb.clause([cell].into_iter().chain(seen).filter_map(|cell| rooks[cell]));
        }
        opb.comment("the number of rooks beside each clue");
        for cell in 0..rooks.len() {
            if let Square::Clue(clue) = self.squares[cell] {
                opb.exactly(rooks.neighbours(cell).filter_map(|near| rooks[near]), clue.into());
            }
        }
        Ok(opb)
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let grid = solution.grid(self.squares.rows(), self.squares.columns())?;
        let rooks = self.rooks(|place| opb.find(&format!("rook_{}", cell_name(place))));
        let literals = (0..rooks.len()).filter_map(|cell| rooks[cell].map(|rook| (cell, rook)));
        Ok(literals.map(|(cell, rook)| if grid[cell] == 1 { rook } else { !rook }).collect())
    }

    /// Returns the number of squares that have a rook but have none in the solutions, or the other way round.
    fn unseen(&self, opb: &Opb, solutions: &[Solution]) -> Result<Sum, Violation> {
        let mut seen = HashSet::new();
        for solution in solutions {
            seen.extend(self.literals(opb, solution)?);
        }
        let mut unseen: Vec<Literal> =
            seen.iter().map(|&seen| !seen).filter(|other| !seen.contains(other)).collect();
        unseen.sort_unstable();
        Ok(unseen.into_iter().collect())
    }

    /// The objectives `fewest` and `most` minimise and maximise the number of rooks.
    fn cost(&self, opb: &Opb, objective: &str) -> Option<Vec<(i128, Literal)>> {
        let weight = match objective {
            "fewest" => 1,
            "most" => -1,
            _ => return None,
        };
        let rooks = self.rooks(|place| opb.find(&format!("rook_{}", cell_name(place))));
        Some(rooks.cells().iter().copied().flatten().map(|rook| (weight, rook)).collect())
    }
}
