//! Answers the requests to generate a board, and to find superfluous clues.

use super::answer::{Answer, BoardText, Stop, puzzle_type};
use super::event::{Event, Problem};
use crate::clues::{Additions, Clues, Superfluous, clues};
use crate::make::{MakeError, MakeOptions, Outcome, make};

impl From<MakeError> for Stop {
    fn from(error: MakeError) -> Self {
        Self::Problem(Problem::new(error.to_string()))
    }
}

impl Answer<'_> {
    /// Generates a board and sends it. If the search was stopped, sends the best draft instead.
    pub(super) fn make(&mut self, name: &str, size: (usize, usize), seed: u64) -> Result<(), Stop> {
        let (config, limits) = (self.config.clone(), self.config.limits());
        let mut sent = Ok(());
        let mut progress = |cells| {
            if sent.is_ok() {
                sent = self.send(&Event::Draft { cells });
            }
        };
        let options = MakeOptions::default();
        let made = make(puzzle_type(name)?, size, seed, &options, &config, &limits, &mut progress)?;
        sent?;
        let text = match made {
            Outcome::Made(made) => Some(made.text),
            Outcome::Stopped { best } => {
                self.stopped = true;
                best.map(|(text, _)| text)
            }
        };
        Ok(text.map_or(Ok(()), |text| self.send(&Event::Made { text }))?)
    }

    /// Sends the superfluous clues of a board with one solution. For a board with several solutions, sends clues each
    /// of which would make the solution unique.
    pub(super) fn clues(&mut self, board: &BoardText) -> Result<(), Stop> {
        let puzzle = self.board(board)?;
        match clues(&*puzzle, &self.config, &self.config.limits())? {
            None => {
                let name = puzzle.puzzle_type().name;
                Err(Stop::Problem(Problem::new(format!(
                    "the clues of `{name}` can't be left out one by one"
                ))))
            }
            Some(Clues::NoSolution) => Ok(self.send(&Event::None)?),
            Some(Clues::Stopped) => {
                self.stopped = true;
                Ok(())
            }
            Some(Clues::Unique(Superfluous { clues, alone, together, largest, board, stopped })) => {
                self.stopped = stopped;
                Ok(self.send(&Event::Superfluous { clues, alone, together, largest, board })?)
            }
            Some(Clues::Several(Additions { clues, stopped })) => {
                self.stopped = stopped;
                let columns = puzzle.draw(None).columns().unwrap_or(1).max(1);
                let place = |(cell, clue)| (format!("r{}c{}", cell / columns + 1, cell % columns + 1), clue);
                Ok(self.send(&Event::Additions { clues: clues.into_iter().map(place).collect() })?)
            }
        }
    }
}
