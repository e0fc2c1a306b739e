//! Answers requests to generate a board or to find superfluous clues.

use gordian_explain::Effort;

use super::answer::{Answer, BoardText, NewBoard, Stop, puzzle_type, read_board};
use super::event::{Event, Problem};
use crate::clues::{Additions, Clues, CluesError, Superfluous, clues};
use crate::format::Source;
use crate::make::{MakeError, MakeOptions, MakeProgress, Outcome, Pattern, Symmetry, make};

impl From<MakeError> for Stop {
    fn from(error: MakeError) -> Self {
        Self::Problem(Problem::new(error.to_string()))
    }
}

impl From<CluesError> for Stop {
    fn from(error: CluesError) -> Self {
        Self::Problem(Problem::new(error.to_string()))
    }
}

impl Answer<'_> {
    /// Generates a board and sends it. If the search was stopped, sends the best draft instead.
    pub(super) fn make(&mut self, board: &NewBoard) -> Result<(), Stop> {
        let NewBoard { puzzle, rows, columns, seed, symmetry, pattern, effort } = board;
        let unknown =
            |what: &str, name: &str| Stop::Problem(Problem::new(format!("unknown {what} `{name}`")));
        let effort_of = |name: &String| Effort::find(name).ok_or_else(|| unknown("effort", name));
        let pattern_of = |text: &String| {
            let source = Source::new("the cells with clues", text);
            Pattern::read(&source).map_err(|error| Stop::Problem(Problem::from(&error)))
        };
        let options = MakeOptions {
            pattern: pattern.as_ref().map(pattern_of).transpose()?,
            symmetry: Symmetry::find(symmetry).ok_or_else(|| unknown("symmetry", symmetry))?,
            difficulty: effort.as_ref().map(effort_of).transpose()?,
            ..MakeOptions::default()
        };
        let (puzzle_type, size) = (puzzle_type(puzzle)?, (*rows, *columns));
        let (config, limits) = (self.config.clone(), self.config.limits());
        let mut sent = Ok(());
        let mut progress = |progress| {
            if let MakeProgress::Draft(cells) = progress
                && sent.is_ok()
            {
                sent = self.send(&Event::Draft { cells });
            }
        };
        let made = make(puzzle_type, size, *seed, &options, &config, &limits, &mut progress)?;
        sent?;
        let text = match made {
            Outcome::Made(made) => {
                self.stopped = made.stopped;
                Some(made.text)
            }
            Outcome::Stopped { best, .. } => {
                self.stopped = true;
                best.map(|best| best.text)
            }
        };
        Ok(text.map_or(Ok(()), |text| self.send(&Event::Made { text }))?)
    }

    /// Sends the superfluous clues of a board with one solution. For a board with several solutions, sends additional
    /// clues. Adding any one of them would make the solution unique.
    pub(super) fn clues(&mut self, board: &BoardText) -> Result<(), Stop> {
        let puzzle = read_board(board)?.puzzle;
        match clues(&*puzzle, &self.config, &self.config.limits())? {
            Clues::NoSolution => Ok(self.send(&Event::None)?),
            Clues::Stopped => {
                self.stopped = true;
                Ok(())
            }
            Clues::Unique(Superfluous { clues, alone, together, largest, board, stopped }) => {
                self.stopped = stopped;
                Ok(self.send(&Event::Superfluous { clues, alone, together, largest, board })?)
            }
            Clues::Several(Additions { clues, stopped }) => {
                self.stopped = stopped;
                let named = clues.into_iter().map(|clue| clue.name);
                Ok(self.send(&Event::Additions { clues: named.collect() })?)
            }
        }
    }
}
