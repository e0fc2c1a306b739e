//! Boards of f-puzzles.com, which SudokuPad reads, too: JSON with a list for each kind of constraint.
//!
//! There is no specification. The names and their meanings are those of the editor on f-puzzles.com. A constraint
//! without a counterpart in the sheet is an error; what only decorates the board is ignored.

use std::collections::HashMap;

use super::Extension;
use crate::format::{DataValue, InputError, NamedValue, Record, Span, Spanned, Syntax};
use crate::puzzle::sheet::block::{self, Filling, Rows, letters};
use crate::puzzle::sheet::{SheetPuzzle, sheet_of, size};
use crate::puzzle::{Options, PuzzleType, Read, Reader, Sample};
use crate::rules::sheet::{Geometry, Scheme, Sheet, Value};

/// The extension.
pub(super) static EXTENSION: Extension = Extension {
    name: "fpuzzles",
    readers: &[Reader::Record {
        syntax: Syntax::Json,
        names: &["size", "grid"],
        sample: Sample::Text(
            "{\"size\": 4, \"antiking\": true, \"grid\": [\
            [{\"value\": 1, \"given\": true}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}]], \
            \"killercage\": [{\"cells\": [\"R1C2\", \"R1C3\"], \"value\": \"5\"}], \
            \"thermometer\": [{\"lines\": [[\"R4C1\", \"R3C2\"]]}]}",
        ),
        read,
    }],
    options: &[],
};

/// Names of entries that say nothing about the rules.
const IGNORED: [&str; 19] = [
    "author",
    "cage",
    "circle",
    "disabledlogic",
    "foglight",
    "fogofwar",
    "highlightConflicts",
    "line",
    "metadata",
    "msgcorrect",
    "rectangle",
    "rules",
    "ruleset",
    "solution",
    "successMessage",
    "text",
    "title",
    "triggereffect",
    "truecandidatesoptions",
];

/// Entries that switch a rule on: the name, and the option of the sheet for this rule.
const SWITCHES: [(&str, &str); 6] = [
    ("diagonal-", "falling_diagonal"),
    ("diagonal+", "rising_diagonal"),
    ("antiknight", "antiknight"),
    ("antiking", "antiking"),
    ("nonconsecutive", "nonconsecutive"),
    ("disjointgroups", "disjoint"),
];

/// Names in the list `negative`: the name, and the option of the sheet for "all marks of this kind are given". The rule
/// for differences is the one of `nonconsecutive`, as in the solver that the editor calls.
const NEGATIVE: [(&str, &str); 3] =
    [("difference", "nonconsecutive"), ("ratio", "all_ratios"), ("xv", "all_sums")];

/// Lists of marked cells: the name of the list, the block that holds such marks, and the symbol of the mark.
const MARKS: [(&str, &str, &str); 4] = [
    ("even", "parity", "e"),
    ("odd", "parity", "o"),
    ("minimum", "extreme", "min"),
    ("maximum", "extreme", "max"),
];

/// Lists of lines: the name of the list, and the block of chains for these lines.
const LINES: [(&str, &str); 5] = [
    ("thermometer", "thermo"),
    ("palindrome", "palindrome"),
    ("renban", "renban"),
    ("whispers", "whisper"),
    ("betweenline", "between"),
];

/// Lists of pairs of neighbours: the name of the list, which is also the block, and the value of a pair that states
/// none.
const PAIRS: [(&str, i64); 2] = [("difference", 1), ("ratio", 2)];

/// Lists of numbers outside of the board: the name of the list, and the blocks for columns and rows, or one block of
/// views.
const OUTSIDE: [(&str, &[&str]); 3] = [
    ("sandwichsum", &["column_sandwich", "row_sandwich"]),
    ("skyscraper", &["skyscraper"]),
    ("xsum", &["xsum"]),
];

/// The greatest number of rows.
const LARGEST: i128 = 100;

fn read(record: &Record, puzzle_type: &'static PuzzleType, options: &Options) -> Read {
    let side = record.integer_in("size", "a number of rows", 1..=LARGEST)?;
    let side = usize::try_from(side).expect("at most 100");
    let size = size::checked(side, side).expect("at most 10000 cells");
    let sheet = sheet_of(puzzle_type);
    let mut import = Import { record, sheet, side, blocks: HashMap::new(), chains: HashMap::new() };
    let mut filling = Filling::new(sheet, &record.source, size, options);
    for NamedValue { name, value } in &record.entries {
        let known = name.value.as_str();
        if let Some((_, option)) = SWITCHES.iter().find(|(switch, _)| *switch == known) {
            let DataValue::Boolean(is_chosen) = value.value else {
                return Err(import.unfit(value, "true or false"));
            };
            filling.option(import.data(option), is_chosen);
        } else if known == "negative" {
            for item in import.items(value)? {
                let text = import.text_of(item)?;
                let Some((_, option)) = NEGATIVE.iter().find(|(negative, _)| *negative == text) else {
                    return Err(import.unfit(item, "`difference`, `ratio` or `xv`"));
                };
                filling.option(import.data(option), true);
            }
        } else {
            import.constraint(name, value)?;
        }
    }
    let Import { blocks, .. } = import;
    for block in sheet.blocks.iter().filter(|block| block.scheme.has_rows()) {
        if let Some(rows) = blocks.get(sheet.data[block.fields[0]].name.as_str()) {
            filling.field(block, 0, rows)?;
        }
    }
    SheetPuzzle::boxed(puzzle_type, filling.finish()?, &record.source)
}

/// A board during its import.
struct Import<'a> {
    record: &'a Record,
    sheet: &'a Sheet,
    side: usize,
    /// The rows of the blocks with data.
    blocks: HashMap<&'a str, Rows<Spanned<Value>>>,
    /// The number of chains, or of areas, in each block.
    chains: HashMap<&'a str, usize>,
}

/// A row and a column, counted from 0 for the place outside before the first one.
type Place = (usize, usize);

impl Import<'_> {
    fn unfit(&self, found: &Spanned<DataValue>, expected: &str) -> InputError {
        InputError::new(&self.record.source, found.span, expected, found.value.description())
    }

    /// Returns the index of data of the sheet.
    fn data(&self, name: &str) -> usize {
        self.sheet.data.iter().position(|data| data.name == name).expect("data of the sheet")
    }

    fn items<'v>(&self, value: &'v Spanned<DataValue>) -> Result<&'v [Spanned<DataValue>], InputError> {
        match &value.value {
            DataValue::Array(items) => Ok(items),
            DataValue::Null => Ok(&[]),
            _ => Err(self.unfit(value, "a list")),
        }
    }

    fn text_of<'v>(&self, value: &'v Spanned<DataValue>) -> Result<&'v str, InputError> {
        match &value.value {
            DataValue::Text(text) => Ok(text),
            _ => Err(self.unfit(value, "a text")),
        }
    }

    /// Returns a named value of an object.
    fn part<'v>(
        &self,
        object: &'v Spanned<DataValue>,
        name: &str,
    ) -> Result<Option<&'v Spanned<DataValue>>, InputError> {
        let DataValue::Object(entries) = &object.value else { return Err(self.unfit(object, "an object")) };
        let entry = entries.iter().find(|entry| entry.name.value == name);
        Ok(entry.map(|entry| &entry.value).filter(|value| value.value != DataValue::Null))
    }

    fn required<'v>(
        &self,
        object: &'v Spanned<DataValue>,
        name: &str,
    ) -> Result<&'v Spanned<DataValue>, InputError> {
        let missing =
            || InputError::new(&self.record.source, object.span, format!("`{name}`"), "an object without it");
        self.part(object, name)?.ok_or_else(missing)
    }

    /// Returns the number in the entry `value` of a constraint. An empty text is no number.
    fn number(&self, object: &Spanned<DataValue>) -> Result<Option<Spanned<Value>>, InputError> {
        let Some(value) = self.part(object, "value")? else { return Ok(None) };
        let number = match &value.value {
            DataValue::Integer(number) => i64::try_from(*number).ok(),
            DataValue::Text(text) if text.is_empty() => return Ok(None),
            DataValue::Text(text) => text.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.unfit(value, "a number"))?;
        Ok(Some(Spanned::new(Value::Number(number), value.span)))
    }

    /// Returns the sum in the entry `value`. As in the solver that the editor calls, 0 stands for no sum.
    fn total(&self, object: &Spanned<DataValue>) -> Result<Option<Spanned<Value>>, InputError> {
        Ok(self.number(object)?.filter(|total| total.value != Value::Number(0)))
    }

    /// Reads a place such as `R1C9`, which can be outside of the board.
    fn place(&self, value: &Spanned<DataValue>) -> Result<Place, InputError> {
        let text = self.text_of(value)?;
        let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number <= self.side + 1);
        let place = text.strip_prefix('R').and_then(|rest| rest.split_once('C'));
        let place = place.and_then(|(row, column)| Some((number(row)?, number(column)?)));
        place.ok_or_else(|| {
            let found = crate::format::quote(text);
            InputError::new(&self.record.source, value.span, "a cell such as `R1C9`", found)
        })
    }

    /// Reads a cell of the board. Its row and its column count from 0.
    fn cell(&self, value: &Spanned<DataValue>) -> Result<Place, InputError> {
        let (row, column) = self.place(value)?;
        let is_on_board = [row, column].iter().all(|side| (1..=self.side).contains(side));
        if is_on_board { Ok((row - 1, column - 1)) } else { Err(self.unfit(value, "a cell of the board")) }
    }

    fn cells(&self, list: &Spanned<DataValue>) -> Result<Vec<Place>, InputError> {
        self.items(list)?.iter().map(|cell| self.cell(cell)).collect()
    }

    /// Sets a value of a block.
    fn set(
        &mut self,
        block: &'static str,
        (row, column): Place,
        value: Spanned<Value>,
    ) -> Result<(), InputError> {
        let Spanned { value, span } = value;
        let at = self.data(block);
        let scheme = self.sheet.blocks.iter().find(|block| block.fields[0] == at).expect("a block").scheme;
        let size = size::checked(self.side, self.side).expect("at most 10000 cells");
        let rows = self.blocks.entry(block).or_insert_with(|| {
            let none = Spanned::new(Value::None, span);
            block::lengths(scheme, size).into_iter().map(|length| vec![none.clone(); length]).collect()
        });
        let old = &mut rows[row][column];
        let merged = match (scheme, &old.value, value) {
            // A cell of several chains has the positions in all of them.
            (Scheme::Chains, Value::Symbol(old), Value::Symbol(new)) => Value::symbol(&format!("{old}{new}")),
            (_, Value::None, new) => new,
            (_, old, new) if *old == new => new,
            (_, old, _) => {
                let expected = format!("only one entry of this kind at a place, which has {old}");
                return Err(InputError::new(&self.record.source, span, expected, "another one"));
            }
        };
        *old = Spanned::new(merged, span);
        Ok(())
    }

    /// Adds a chain to a block of chains.
    fn chain(&mut self, block: &'static str, cells: &[Place], span: Span) -> Result<(), InputError> {
        let number = self.chains.entry(block).or_default();
        *number += 1;
        let letters = letters(*number - 1);
        for (position, &cell) in (1..).zip(cells) {
            self.set(block, cell, Spanned::new(Value::symbol(&format!("{letters}{position}")), span))?;
        }
        Ok(())
    }

    /// Adds an area to a block of areas.
    fn area(&mut self, block: &'static str, cells: &[Place], span: Span) -> Result<(), InputError> {
        let number = self.chains.entry(block).or_default();
        *number += 1;
        let label = Value::symbol(&letters(*number - 1));
        cells.iter().try_for_each(|&cell| self.set(block, cell, Spanned::new(label.clone(), span)))
    }

    /// Adds a number for a pair of neighbours.
    fn pair(
        &mut self,
        block: &'static str,
        pair: &Spanned<DataValue>,
        value: Value,
    ) -> Result<(), InputError> {
        let list = self.required(pair, "cells")?;
        let mut cells = self.cells(list)?;
        cells.sort_unstable();
        let place = match cells[..] {
            [(row, column), (other, next)] if row == other && column + 1 == next => (row, column),
            [(row, column), (other, next)] if row + 1 == other && column == next => (self.side + row, column),
            _ => return Err(self.unfit(list, "two cells that share a side")),
        };
        self.set(block, place, Spanned::new(value, list.span))
    }

    /// Adds the constraints of one name.
    fn constraint(&mut self, name: &Spanned<String>, value: &Spanned<DataValue>) -> Result<(), InputError> {
        let known = name.value.as_str();
        let is_empty = match &value.value {
            DataValue::Array(items) => items.is_empty(),
            DataValue::Null | DataValue::Boolean(false) => true,
            _ => false,
        };
        if is_empty || known == "size" || IGNORED.contains(&known) {
            return Ok(());
        }
        if known == "grid" {
            return self.grid(value);
        }
        for item in self.items(value)? {
            if let Some((_, block, mark)) = MARKS.iter().find(|(name, ..)| *name == known) {
                let cell = self.required(item, "cell")?;
                self.set(block, self.cell(cell)?, Spanned::new(Value::symbol(mark), cell.span))?;
            } else if let Some((_, block)) = LINES.iter().find(|(name, _)| *name == known) {
                let usual = self.side.div_ceil(2);
                if known == "whispers"
                    && let Some(number) =
                        self.number(item)?.filter(|number| number.value.number() != i64::try_from(usual).ok())
                {
                    let found = number.value.to_string();
                    return Err(InputError::new(
                        &self.record.source,
                        number.span,
                        format!("{usual}, the usual difference"),
                        found,
                    ));
                }
                for line in self.items(self.required(item, "lines")?)? {
                    self.chain(block, &self.cells(line)?, line.span)?;
                }
            } else if let Some(&(block, usual)) = PAIRS.iter().find(|(name, _)| *name == known) {
                let number = self.number(item)?.map_or(Value::Number(usual), |number| number.value);
                self.pair(block, item, number)?;
            } else if let Some((_, blocks)) = OUTSIDE.iter().find(|(name, _)| *name == known) {
                self.outside(blocks, item)?;
            } else {
                self.other(name, item)?;
            }
        }
        Ok(())
    }

    fn other(&mut self, name: &Spanned<String>, item: &Spanned<DataValue>) -> Result<(), InputError> {
        match name.value.as_str() {
            "killercage" => {
                let mut cells = self.cells(self.required(item, "cells")?)?;
                self.area("cage", &cells, item.span)?;
                cells.sort_unstable();
                if let (Some(total), Some(&first)) = (self.total(item)?, cells.first()) {
                    self.set("total", first, total)?;
                }
                Ok(())
            }
            "extraregion" => self.area("extra", &self.cells(self.required(item, "cells")?)?, item.span),
            "arrow" => {
                let circle = self.required(item, "cells")?;
                let [middle] = self.cells(circle)?[..] else {
                    return Err(self.unfit(circle, "one cell: numbers of several digits are not known"));
                };
                for line in self.items(self.required(item, "lines")?)? {
                    let mut cells = self.cells(line)?;
                    cells.retain(|&cell| cell != middle);
                    cells.insert(0, middle);
                    self.chain("arrow", &cells, line.span)?;
                }
                Ok(())
            }
            "xv" => {
                let value = self.required(item, "value")?;
                let letter = self.text_of(value)?.to_lowercase();
                self.pair("sums", item, Value::symbol(&letter))
            }
            "clone" => {
                let cells = self.cells(self.required(item, "cells")?)?;
                let clones = self.cells(self.required(item, "cloneCells")?)?;
                // Two equal cells are a line that is the same from either end.
                let mut pairs = cells.into_iter().zip(clones);
                pairs.try_for_each(|(cell, clone)| self.chain("palindrome", &[cell, clone], item.span))
            }
            "littlekillersum" => self.little_killer(item),
            _ => Err(InputError::at(&self.record.source, name, "a constraint that the sheet knows")
                .with_help("`gordian puzzle mixedsudoku` lists what it knows".to_owned())),
        }
    }

    /// Reads the given numbers, and the regions if they are not the boxes.
    fn grid(&mut self, value: &Spanned<DataValue>) -> Result<(), InputError> {
        let size = size::checked(self.side, self.side).expect("at most 10000 cells");
        let boxes = Geometry::new(size).boxes();
        let mut own = HashMap::new();
        for (number, area) in boxes.items().iter().enumerate() {
            for cell in area.items() {
                own.insert(cell.clone(), number);
            }
        }
        let of_box = |row: usize, column: usize| own.get(&block::cell(row, column)).copied();
        let rows = self.items(value)?;
        if rows.len() != self.side {
            return Err(self.unfit(value, &format!("{} rows", self.side)));
        }
        let mut regions = Vec::new();
        let mut is_irregular = false;
        for (row, entries) in rows.iter().enumerate() {
            let cells = self.items(entries)?;
            if cells.len() != self.side {
                return Err(self.unfit(entries, &format!("{} cells", self.side)));
            }
            for (column, cell) in cells.iter().enumerate() {
                let is_given =
                    self.part(cell, "given")?.is_some_and(|given| given.value == DataValue::Boolean(true));
                if is_given && let Some(number) = self.number(cell)? {
                    self.set("given", (row, column), number)?;
                }
                let region = match self.part(cell, "region")? {
                    Some(Spanned { value: DataValue::Integer(region), .. }) => usize::try_from(*region).ok(),
                    Some(other) => return Err(self.unfit(other, "the number of a region")),
                    None => of_box(row, column),
                };
                is_irregular |= region != of_box(row, column);
                regions.push(((row, column), region, cell.span));
            }
        }
        if is_irregular {
            for (cell, region, span) in regions {
                let Some(region) = region else { continue };
                self.set("region", cell, Spanned::new(Value::symbol(&letters(region)), span))?;
            }
        }
        Ok(())
    }

    /// Adds the sum of a diagonal, which belongs to its leftmost cell.
    fn little_killer(&mut self, item: &Spanned<DataValue>) -> Result<(), InputError> {
        let outside = self.required(item, "cell")?;
        let (row, column) = self.place(outside)?;
        let direction = self.required(item, "direction")?;
        let text = self.text_of(direction)?;
        let Some(total) = self.total(item)? else { return Ok(()) };
        let next = |side: usize, grows: bool| if grows { Some(side + 1) } else { side.checked_sub(1) };
        let (down, right) = (text.starts_with('D'), text.ends_with('R'));
        if !["DR", "DL", "UR", "UL"].contains(&text) {
            return Err(self.unfit(direction, "`DR`, `DL`, `UR` or `UL`"));
        }
        let on_board = |side: usize| (1..=self.side).contains(&side);
        let (mut row, mut column) = match (next(row, down), next(column, right)) {
            (Some(row), Some(column)) if on_board(row) && on_board(column) => (row, column),
            _ => return Err(self.unfit(outside, "a place from which the diagonal leads onto the board")),
        };
        let falls = down == right;
        while let (Some(above), Some(left)) = (next(row, !falls), next(column, false)) {
            if !on_board(above) || !on_board(left) {
                break;
            }
            (row, column) = (above, left);
        }
        self.set(if falls { "falling" } else { "rising" }, (row - 1, column - 1), total)
    }

    /// Adds a number outside of the board.
    fn outside(&mut self, blocks: &[&'static str], item: &Spanned<DataValue>) -> Result<(), InputError> {
        let cell = self.required(item, "cell")?;
        let Some(number) = self.number(item)? else { return Ok(()) };
        let on_board = |side: usize| (1..=self.side).contains(&side);
        let (row, column) = self.place(cell)?;
        let (is_column, line, is_far) = match (on_board(row), on_board(column)) {
            (false, true) => (true, column - 1, row > 0),
            (true, false) => (false, row - 1, column > 0),
            _ => return Err(self.unfit(cell, "a place outside of a row or a column")),
        };
        if let [columns, rows] = *blocks {
            return self.set(if is_column { columns } else { rows }, (0, line), number);
        }
        let view = 2 * usize::from(!is_column) + usize::from(is_far);
        self.set(blocks[0], (view, line), number)
    }
}

#[cfg(test)]
mod tests;
