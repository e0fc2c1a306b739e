//! Counts the solutions in which a part has a given value, for all parts and all their values.

use std::borrow::Cow;

use gordian_encodings::constraint::Clause;
use gordian_encodings::{Assignment, FALSE, Lit, Model, TRUE};
use num_bigint::BigUint;

use super::QueryError;
use super::backbone::value_of;
use crate::puzzle::{Part, PuzzleType, Shape};
use crate::rules::{Content, Field, GRID, Solution, Violation};

/// The counts of each field, with the name of the field.
pub type ValueCounts = Vec<(String, FieldCounts)>;

/// For each part of a field and each of its values, the number of solutions in which the part has this value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldCounts {
    /// The number of columns of the field, if it is a grid.
    pub columns: Option<usize>,
    /// One list for each part, sorted by the index of the part. The list contains the possible values of the part in
    /// ascending order, each with its number of solutions.
    pub parts: Vec<Vec<(Content, BigUint)>>,
}

/// For each part and each of its values, the number of solutions counted so far in which the part has this value.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// One row for each part of the formulations, followed by one row for each number field without parts.
    rows: Vec<PartTally>,
    /// The number of columns of the grid, if the solutions contain a grid.
    columns: Option<usize>,
}

/// For each value of one part, the number of solutions counted so far in which the part has this value.
#[derive(Debug)]
struct PartTally {
    field: Cow<'static, str>,
    index: usize,
    counts: Vec<(Content, BigUint)>,
}

impl PartTally {
    fn add(&mut self, content: Content, count: BigUint) {
        match self.counts.iter_mut().find(|(known, _)| *known == content) {
            Some((_, total)) => *total += count,
            None => self.counts.push((content, count)),
        }
    }
}

impl Tally {
    /// Prepares the tally for the given parts, which must be the same for all formulations.
    fn start(&mut self, parts: &[Part]) {
        if self.rows.is_empty() {
            let row =
                |part: &Part| PartTally { field: part.field.clone(), index: part.index, counts: Vec::new() };
            self.rows = parts.iter().map(row).collect();
        }
    }

    /// Adds a solution. Returns an error if the parts of the formulation contradict the solution.
    pub(super) fn add_solution(
        &mut self,
        parts: &[Part],
        solution: &Solution,
        assignment: &Assignment,
    ) -> Result<(), Violation> {
        self.start(parts);
        for (row, part) in self.rows.iter_mut().zip(parts) {
            row.add(value_of(part, solution, assignment)?, BigUint::from(1_u8));
        }
        for (name, field) in solution.fields() {
            let &Field::Number(number) = field else { continue };
            if parts.iter().any(|part| part.field == name) {
                continue;
            }
            let further = &mut self.rows[parts.len()..];
            let content = Content::Number(number);
            match further.iter_mut().find(|row| row.field == name) {
                Some(row) => row.add(content, BigUint::from(1_u8)),
                None => self.rows.push(PartTally {
                    field: name.to_owned().into(),
                    index: 0,
                    counts: vec![(content, BigUint::from(1_u8))],
                }),
            }
        }
        self.note_columns(solution);
        Ok(())
    }

    /// Records how many columns the grid of the solution has.
    fn note_columns(&mut self, solution: &Solution) {
        if let (None, Some(Field::Grid(grid))) = (self.columns, solution.get(GRID)) {
            self.columns = Some(grid.columns());
        }
    }

    /// Returns an empty tally for solutions of the same board.
    pub(super) fn without_counts(&self) -> Self {
        Self { rows: Vec::new(), columns: self.columns }
    }

    /// Adds the solutions that a model counter has counted for a formulation. For each part of the formulation,
    /// `counts` lists the values of the part and the number of solutions with each value. Returns an error if the
    /// counts for a part do not add up to `total`, the number of solutions. Such an error is a bug in gordian.
    pub(super) fn add_counts(
        &mut self,
        parts: &[Part],
        counts: Vec<Vec<(Content, BigUint)>>,
        total: &BigUint,
    ) -> Result<(), QueryError> {
        self.start(parts);
        for (row, counts) in self.rows.iter_mut().zip(counts) {
            let sum: BigUint = counts.iter().map(|(_, count)| count).sum();
            for (content, count) in counts {
                row.add(content, count);
            }
            if sum != *total {
                let PartTally { field, index, .. } = row;
                return Err(QueryError::WrongCount(format!(
                    "part {index} of `{field}` has a value in {sum} of {total} solutions"
                )));
            }
        }
        Ok(())
    }

    /// Returns the counts of all fields of a puzzle type.
    pub(super) fn into_counts(self, puzzle_type: &PuzzleType) -> ValueCounts {
        let mut fields: ValueCounts = Vec::new();
        for PartTally { field, mut counts, .. } in self.rows {
            counts.retain(|(_, count)| *count != BigUint::ZERO);
            counts.sort_unstable();
            match fields.last_mut() {
                Some((name, of_field)) if *name == field => of_field.parts.push(counts),
                _ => {
                    let is_grid =
                        |row: &&crate::puzzle::FieldRow| row.name == field && row.shape == Shape::Rows;
                    let columns = puzzle_type.fields.iter().find(is_grid).and(self.columns);
                    fields.push((field.into_owned(), FieldCounts { columns, parts: vec![counts] }));
                }
            }
        }
        fields
    }
}

/// Returns the values of each part, each with a literal. The literal is true if and only if the part has the value.
/// If a value has no such literal, adds a variable to the model and to its projection.
pub(super) fn literals(model: &mut Model, parts: &[Part]) -> Vec<Vec<(Content, Lit)>> {
    let of_part = |part: &Part| {
        let mut values: Vec<(Content, Vec<Lit>)> = Vec::new();
        for (content, lits) in &part.values {
            let way = conjunction(model, lits);
            match values.iter_mut().find(|(known, _)| known == content) {
                Some((_, ways)) => ways.push(!way),
                None => values.push((*content, vec![!way])),
            }
        }
        // If a value arises in several ways, its literal is equivalent to the disjunction of the ways.
        values.into_iter().map(|(content, ways)| (content, !conjunction(model, &ways))).collect()
    };
    parts.iter().map(of_part).collect()
}

/// Returns a literal that is equivalent to a conjunction of literals.
fn conjunction(model: &mut Model, lits: &[Lit]) -> Lit {
    match lits {
        [] => TRUE,
        &[lit] => lit,
        lits if lits.contains(&FALSE) => FALSE,
        lits => {
            let all = model.boolean();
            for &lit in lits {
                model.post(Clause::new([!all, lit]));
            }
            let rest = lits.iter().map(|&lit| !lit);
            model.post(Clause::new(rest.chain([all]).collect::<Vec<_>>()));
            model.project([all]);
            all
        }
    }
}
