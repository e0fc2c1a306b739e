//! The notations of Nurikabe boards in MiniZinc data.

use super::Extension;
use crate::format::{InputError, Record, Spanned, Syntax};
use crate::puzzle::sheet::SheetPuzzle;
use crate::puzzle::sheet::block::{Filling, Rows};
use crate::puzzle::sheet::text::whole;
use crate::puzzle::sheet::{sheet_of, size};
use crate::puzzle::{OptionRow, Options, PuzzleType, Read, Reader, Sample};
use crate::rules::sheet::Value;

pub(super) static EXTENSION: Extension = Extension {
    name: "nurikabe",
    readers: &[
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["length", "init"],
            sample: Sample::Text("length = 3;\ninit = [|1, 0, 1|0, 0, 0|1, 0, 1|];\n"),
            read: |record, puzzle_type, options| {
                from_matrix(record, puzzle_type, ["length", "init"], options)
            },
        },
        Reader::Record {
            syntax: Syntax::Dzn,
            names: &["N", "input_grid"],
            sample: Sample::Text("N = 3;\ninput_grid = [|1, 0, 1|0, 0, 0|1, 0, 1|];\n"),
            read: |record, puzzle_type, options| {
                from_matrix(record, puzzle_type, ["N", "input_grid"], options)
            },
        },
    ],
    options: &[OptionRow {
        name: "clues",
        values: &["size", "size-serial"],
        summary: "size-serial: a two-digit clue in dzn data is a size and a serial number, such as 31 and 32 for two \
            islands of size 3",
    }],
};

/// Reads a square board: the number of rows, and a matrix with 0 for a cell without a clue.
fn from_matrix(
    record: &Record,
    puzzle_type: &'static PuzzleType,
    [length, matrix]: [&str; 2],
    options: &Options,
) -> Read {
    record.only(&[length, matrix])?;
    let side = record.integer(length)?;
    let Some(rows) = usize::try_from(side.value).ok().filter(|&rows| rows > 0) else {
        return Err(InputError::at(&record.source, &side, "a number of rows from 1"));
    };
    let serial = options.is("clues", "size-serial");
    let clue = |entry: &Spanned<i128>| match entry.value {
        0 => Ok(Spanned::new(Value::None, entry.span)),
        number if serial && (10..100).contains(&number) => {
            whole(&record.source, &Spanned::new(number / 10, entry.span))
        }
        _ => whole(&record.source, entry),
    };
    let clues = record.matrix_of(matrix, rows, rows)?;
    let clues: Rows<Spanned<Value>> =
        clues.iter().map(|row| row.iter().map(clue).collect()).collect::<Result<_, _>>()?;
    let Some(size) = size::checked(rows, rows) else {
        return Err(InputError::at(&record.source, &side, "a board of at most 1000000 cells"));
    };
    let sheet = sheet_of(puzzle_type);
    let mut filling = Filling::new(sheet, &record.source, size, options);
    filling.field(&sheet.blocks[0], 0, &clues)?;
    SheetPuzzle::boxed(puzzle_type, filling.finish()?, &record.source)
}
