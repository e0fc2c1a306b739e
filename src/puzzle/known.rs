//! Reads known facts about the solution of a board: a list of facts, a solution, or a partly filled board.

use std::collections::HashMap;

use gordian_encodings::Lit;

use super::plain::part_name;
use super::{Fact, FactWords, Plain, Puzzle, find};
use crate::format::{InputError, Source, Spanned, counted, json, text};
use crate::rules::{Field, GRID, Grid, Solution, Violation};
use crate::solution;

/// Known facts about the solution of a board.
#[derive(Debug, Clone)]
pub struct Known {
    /// The literals of the facts.
    pub lits: Vec<Lit>,
    /// If the facts were read from a complete solution that violates the rules, the violated rule. The facts may be
    /// possible nevertheless, because they do not contain everything that a solution contains.
    pub violation: Option<Violation>,
}

impl Plain {
    /// Reads facts about the solution of `puzzle`, the board that this formulation describes. `%` starts a comment. The
    /// source contains one of the following:
    ///
    /// * facts such as `r3c4=sea`, separated by blanks or commas;
    /// * a solution, as text or as JSON, see [`Puzzle::read_solution`] and [`solution::from_record`];
    /// * a partly filled board, see [`Puzzle::read_partial`].
    ///
    /// A text that starts with the name of the puzzle type is a board, on which `.` is an unknown cell.
    ///
    /// # Errors
    /// Returns an error if the source has none of these forms, or does not fit the board.
    pub fn read_known(&self, puzzle: &dyn Puzzle, source: &Source) -> Result<Known, InputError> {
        if source.text().trim_start().starts_with('{') {
            return self.facts_in(puzzle, source, &solution::from_record(&json::read(source)?)?);
        }
        let puzzle_type = puzzle.puzzle_type();
        let source = &without_header(source, puzzle)?;
        let rows = text::rows(source);
        let is_fact = |token: &Spanned<String>| token.value.contains('=') && token.value != "=";
        if rows.iter().flat_map(|row| &row.cells).any(is_fact) {
            let lits = self.listed(source, rows.iter().flat_map(|row| &row.cells))?;
            return Ok(Known { lits, violation: None });
        }
        if rows.is_empty() {
            return Ok(Known { lits: Vec::new(), violation: None });
        }
        let source = &solution::without_objective(source, puzzle_type.objective_names());
        let Some(grid) = puzzle.read_partial(source) else {
            let name = puzzle_type.name;
            let example =
                self.facts.first().map_or(String::new(), |fact| format!(", such as `{}`", fact.text(true)));
            let solution = puzzle.read_solution(source).map_err(|error| {
                error.with_help(format!(
                    "`{name}` has no text for partly filled boards: list the known facts{example}"
                ))
            })?;
            return self.facts_in(puzzle, source, &solution);
        };
        let grid = grid?;
        // If no cell is unknown, the text may also be a solution.
        let complete = grid.cells().iter().all(Option::is_some).then(|| puzzle.read_solution(source).ok());
        let violation = complete.flatten().and_then(|solution| puzzle.check(&solution).err());
        let is_known = |fact: &&Fact| fact.cells.iter().all(|&cell| grid[cell].is_some());
        let solution = Solution::from_grid(grid.map(|value| value.unwrap_or_default()));
        Ok(Known { lits: stated(puzzle, &solution, self.facts.iter().filter(is_known)), violation })
    }

    /// Parses a list of facts.
    fn listed<'t>(
        &self,
        source: &Source,
        tokens: impl Iterator<Item = &'t Spanned<String>>,
    ) -> Result<Vec<Lit>, InputError> {
        let mut lits = Vec::new();
        for token in tokens {
            for (start, word) in split(&token.value).into_iter().filter(|(_, word)| !word.is_empty()) {
                let start = token.span.start + start;
                let given = Spanned::new(word.to_owned(), (start..start + word.len()).into());
                let lit = self.parse(word).map_err(|expected| InputError::at(source, &given, expected))?;
                if lits.contains(&!lit) {
                    return Err(InputError::at(source, &given, "no opposite of an earlier fact"));
                }
                if !lits.contains(&lit) {
                    lits.push(lit);
                }
            }
        }
        Ok(lits)
    }

    /// Returns all facts in a solution.
    fn facts_in(
        &self,
        puzzle: &dyn Puzzle,
        source: &Source,
        solution: &Solution,
    ) -> Result<Known, InputError> {
        let size = |(rows, columns)| format!("{} and {}", counted(rows, "row"), counted(columns, "column"));
        let expected = puzzle.draw(None).size();
        if let (Some(expected), Some(Field::Grid(grid))) = (expected, solution.get(GRID)) {
            let found = (grid.rows(), grid.columns());
            if found != expected {
                let expected = format!("a solution with {}", size(expected));
                return Err(InputError::new(source, source.start(), expected, size(found)));
            }
        }
        let lits = stated(puzzle, solution, self.facts.iter());
        if lits.is_empty() && !self.facts.is_empty() {
            let name = puzzle.puzzle_type().name;
            let expected = format!("a solution of `{name}`");
            return Err(InputError::new(source, source.start(), expected, "no field of such a solution"));
        }
        Ok(Known { lits, violation: puzzle.check(solution).err() })
    }
}

/// Splits a list of facts at its commas, except those between the row and the column of a place, as in `2,3=sea`. Returns
/// the facts with their offsets.
fn split(list: &str) -> Vec<(usize, &str)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut facts = Vec::new();
    let mut start = 0;
    for (at, _) in list.match_indices(',') {
        let (before, after) = (&list[start..at], &list[at + 1..]);
        if before.contains('=') || !before.ends_with(is_digit) || !after.starts_with(is_digit) {
            facts.push((start, before));
            start = at + 1;
        }
    }
    facts.push((start, &list[start..]));
    facts
}

/// Returns those of the given facts that the solution states, or their negations.
fn stated<'p>(puzzle: &dyn Puzzle, solution: &Solution, facts: impl Iterator<Item = &'p Fact>) -> Vec<Lit> {
    let values = words(puzzle, solution);
    let holds = |fact: &Fact| {
        let word = values.get(&fact.place)?;
        let [otherwise, then] = &fact.words;
        match () {
            () if word == then => Some(true),
            () if word == otherwise || *otherwise == format!("not-{then}") => Some(false),
            () => None,
        }
    };
    facts
        .filter_map(|fact| {
            let holds = puzzle.states(solution, &fact.place).or_else(|| holds(fact))?;
            Some(if holds { fact.lit } else { !fact.lit })
        })
        .collect()
}

/// Returns the word for the value of each part of a solution, by the name of the part.
fn words(puzzle: &dyn Puzzle, solution: &Solution) -> HashMap<String, String> {
    let rows = puzzle.puzzle_type().fields;
    let mut words = HashMap::new();
    for (name, field) in solution.fields() {
        let fact_words = rows.iter().find(|row| row.name == name).and_then(|row| row.words);
        let values: Vec<String> = match field {
            Field::Number(number) => vec![number.to_string()],
            Field::Natural(number) => vec![number.to_string()],
            Field::Numbers(numbers) => numbers.iter().map(ToString::to_string).collect(),
            Field::Naturals(numbers) => numbers.iter().map(ToString::to_string).collect(),
            Field::Grid(grid) => grid.cells().iter().map(ToString::to_string).collect(),
            Field::Pairs(_) => continue,
        };
        let columns = if let Field::Grid(grid) = field { Some(Grid::columns(grid)) } else { None };
        for (index, value) in values.into_iter().enumerate() {
            let word = match fact_words {
                Some(FactWords { zero, other }) => if value == "0" { zero } else { other }.to_owned(),
                None => value,
            };
            words.insert(part_name(name, index, columns, false), word);
        }
    }
    words
}

/// Converts the text of a board to the text of a partly filled board, if the first row starts with the name of the puzzle
/// type: removes the rows of the [header](super::Editor::header), such as `r = 2`, and replaces `.` by `?`. The positions
/// of the other tokens stay the same.
///
/// # Errors
/// Returns an error if the first row starts with the name of another puzzle type.
fn without_header(source: &Source, puzzle: &dyn Puzzle) -> Result<Source, InputError> {
    let puzzle_type = puzzle.puzzle_type();
    let rows = text::rows(source);
    let Some((first, rest)) = rows.split_first() else { return Ok(source.clone()) };
    match find(&first.cells[0].value) {
        None => return Ok(source.clone()),
        Some(other) if other.name != puzzle_type.name => {
            let expected = format!("a board of the type `{}`", puzzle_type.name);
            return Err(InputError::at(source, &first.cells[0], expected));
        }
        Some(_) => {}
    }
    let header = puzzle.editor().map(|editor| editor.header).unwrap_or_default();
    let settings: Vec<&str> =
        header.lines().skip(1).filter_map(|line| Some(line.split_once('=')?.0.trim())).collect();
    let is_setting = |row: &&text::Row| settings.contains(&&*row.cells[0].value);
    let mut text = source.text().replace('.', "?");
    for row in [first].into_iter().chain(rest.iter().filter(is_setting)) {
        let blank = " ".repeat(row.span.end - row.span.start);
        text.replace_range(row.span.start..row.span.end, &blank);
    }
    Ok(Source::new(source.name(), text))
}
