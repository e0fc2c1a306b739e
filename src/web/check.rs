//! Checks the marks of the user.

use super::answer::{Answer, BoardText, Stop, read_board};
use super::event::{Event, Problem};
use crate::puzzle::Query;
use crate::puzzle::play::Marks;
use crate::query::{self, Silent};

impl Answer<'_> {
    /// Checks the user's marks. If they are not a solution, also compares them with the only solution.
    pub(super) fn check(&mut self, board: &BoardText, marks: &Marks) -> Result<(), Stop> {
        let puzzle = &*read_board(board)?.puzzle;
        let play = puzzle.play().ok_or_else(no_marks)?;
        let Err(violation) = play.solution(marks).and_then(|solution| puzzle.check(&solution)) else {
            return Ok(self.send(&Event::check(None, None))?);
        };
        let config = self.config.clone();
        let found = query::run(puzzle, Query::Unique, &config, &mut Silent)?;
        let only = found.solution.filter(|_| found.unique == Some(true));
        let wrong = only.and_then(|solution| play.marks(&solution)).map(|only| {
            let layers = marks.iter().zip(&only).enumerate();
            let places = layers.flat_map(|(layer, (marks, only))| {
                marks.iter().zip(only).enumerate().map(move |(place, pair)| ([layer, place], pair))
            });
            let differ = places.filter(|(_, (mark, only))| mark.is_some() && mark != only);
            differ.map(|(at, _)| at).collect()
        });
        Ok(self.send(&Event::check(Some(&violation), wrong))?)
    }
}

/// Returns the error for a puzzle type that does not support marks.
pub(super) fn no_marks() -> Stop {
    Stop::Problem(Problem::new("the solution of this puzzle type can't be marked on the board"))
}
