//! Lists the puzzle types.

use gordian_explain::Effort;

use super::answer::{Answer, Stop};
use super::event::{Event, TypeRow};
use crate::format::Source;
use crate::puzzle::{self, Group, Puzzle, PuzzleType};
use crate::read::{self, ReadOptions};
use crate::render::picture_without_style;

impl Answer<'_> {
    /// Lists the puzzle types by group.
    pub(super) fn types(&mut self) -> Result<(), Stop> {
        let row = |puzzle_type: &'static PuzzleType| {
            let (sample, puzzle) = sample(puzzle_type)?;
            Some(TypeRow::new(puzzle_type, sample, &*puzzle))
        };
        let of_group = |group: Group| {
            let mut types: Vec<_> = puzzle::all().filter(|puzzle_type| puzzle_type.group == group).collect();
            types.sort_by_key(|puzzle_type| puzzle_type.name);
            types.into_iter().filter_map(row)
        };
        Ok(self.send(&Event::Types {
            types: Group::ALL.iter().flat_map(|&group| of_group(group)).collect(),
            efforts: Effort::ALL.map(Effort::name),
        })?)
    }

    /// Draws the sample of each puzzle type.
    pub(super) fn pictures(&mut self) -> Result<(), Stop> {
        for puzzle_type in puzzle::all() {
            if let Some((_, puzzle)) = sample(puzzle_type) {
                let name = puzzle_type.name;
                let svg = picture_without_style(name, &puzzle.draw(None));
                self.send(&Event::Picture { name, svg })?;
            }
        }
        Ok(())
    }
}

/// Returns the sample of a puzzle type, as text and as a board.
fn sample(puzzle_type: &'static PuzzleType) -> Option<(&'static str, Box<dyn Puzzle>)> {
    let sample = puzzle_type.readers.first()?.sample();
    let board = read::board(&Source::new("sample", sample), &ReadOptions::of_type(puzzle_type)).ok()?;
    Some((sample, board.puzzle))
}
