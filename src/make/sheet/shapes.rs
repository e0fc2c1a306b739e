//! Drawn data on which variables depend: their keys, and random values.

use gordian_counting::Random;

use super::roles::{Making, Shape};
use crate::puzzle::sheet::clues::UNKNOWN;
use crate::puzzle::sheet::partial;
use crate::rules::sheet::{Cell, DataValues, PlaceMap, Scheme, Sheet, SheetBoard, Value};

/// Random values are among this many smallest ones of the data.
const MANY: usize = 9;

impl Shape {
    /// Returns whether values follow from the solution, unless they are drawn.
    pub(super) fn is_derived(&self) -> bool {
        matches!(self.making, Making::Derived | Making::Either)
    }

    pub(super) fn has_holes(&self) -> bool {
        matches!(self.making, Making::Holes(_))
    }

    /// Returns whether symbols are drawn, although numbers follow from the solution. The entries of a block with several
    /// names belong together, so all of them follow.
    pub(super) fn draws_symbols(&self) -> bool {
        self.is_derived() && self.data.len() == 1
    }

    /// Returns whether a cell has a value on every board.
    pub(super) fn is_margin(&self, cell: Cell) -> bool {
        matches!(self.making, Making::Closed) && (cell.row == 0 || cell.column == 0)
    }

    /// Returns whether a key has a value on which variables depend.
    pub(super) fn has(&self, board: &SheetBoard, key: &Value) -> bool {
        self.data.iter().any(|&data| match (board.lookup(data, key), &self.making) {
            (Value::None, _) => false,
            (value, Making::Holes(holes)) => holes.contains(&value),
            _ => true,
        })
    }

    /// Returns the keys with values on which variables depend.
    pub(super) fn keys(&self, board: &SheetBoard) -> Vec<Value> {
        let mut keys: Vec<Value> =
            self.data.iter().flat_map(|&data| board.keys(data).items().to_vec()).collect();
        keys.retain(|key| self.has(board, key));
        keys.sort();
        keys.dedup();
        keys
    }

    /// Returns the board with values for a cell. They are random, unless the first one follows from the solution and `draws`
    /// is false: then it is [`UNKNOWN`] or [another symbol](Self::draws_symbols), if there is one.
    pub(super) fn with_cell(
        &self,
        board: &SheetBoard,
        cell: Cell,
        draws: bool,
        random: &mut Random,
    ) -> SheetBoard {
        self.with_key(board, &partial::key(cell), draws, random)
    }

    /// Returns the board with values for a key, as [`Self::with_cell`] does.
    pub(super) fn with_key(
        &self,
        board: &SheetBoard,
        key: &Value,
        draws: bool,
        random: &mut Random,
    ) -> SheetBoard {
        let singles = self.singles(board.sheet());
        let is_entries = matches!(self.making, Making::Entries);
        let mut drawn = |values: &[Value]| {
            // Symbols such as holes are as frequent as all numbers together.
            let first_symbol = values.iter().position(|value| value.number().is_none());
            let values = match first_symbol.unwrap_or(0) {
                numbers if numbers > 0 && is_entries && random.index(2) == 0 => &values[numbers..],
                numbers if numbers > 0 && is_entries => &values[..numbers],
                _ => values,
            };
            values[random.index(values.len()).min(random.index(MANY))].clone()
        };
        let mut value = |name: usize, data: usize| {
            let possible = board.possible(data).ok().flatten();
            let mut values = possible.map_or(Vec::new(), |values| values.items().to_vec());
            values.retain(|value| !singles.iter().any(|(_, single)| single == value));
            if name == 0 && self.is_derived() && !draws {
                let unknown = Value::symbol(UNKNOWN);
                values.retain(|value| value.number().is_none() && *value != unknown);
                if values.is_empty() || !self.draws_symbols() {
                    return unknown;
                }
                values.push(unknown);
            }
            if values.is_empty() { Value::None } else { drawn(&values) }
        };
        let values = match &self.making {
            Making::Closed => vec![Value::Bool(true)],
            Making::Holes(holes) => vec![drawn(holes)],
            _ => self.data.iter().enumerate().map(|(name, &data)| value(name, data)).collect(),
        };
        self.with_values(board, key, &values)
    }

    /// Returns whether the values are those of pairs of neighbours.
    pub(super) fn is_on_links(&self, sheet: &Sheet) -> bool {
        let mut blocks = sheet.blocks.iter().filter(|block| block.scheme == Scheme::Links);
        blocks.any(|block| block.fields == self.data)
    }

    /// Returns the symbols that occur once on each board, with their data.
    pub(super) fn singles(&self, sheet: &Sheet) -> Vec<(usize, Value)> {
        let is_drawn = matches!(self.making, Making::Entries | Making::Drawn);
        let data: &[usize] = if is_drawn { &self.data } else { &[] };
        let of_data = |&data: &usize| sheet.singles(data).into_iter().map(move |symbol| (data, symbol));
        data.iter().flat_map(of_data).collect()
    }

    /// Returns the board with one of the symbols that occur once moved to a key, or from this key to another one. Returns
    /// `None` if there are no such symbols, or half of the time if there are other entries and the key has no such symbol.
    pub(super) fn with_single_at(
        &self,
        board: &SheetBoard,
        key: &Value,
        random: &mut Random,
    ) -> Option<SheetBoard> {
        let singles = self.singles(board.sheet());
        if singles.is_empty() {
            return None;
        }
        let at = |value: &Value| {
            let keys = self.keys(board);
            keys.into_iter().find(|key| self.data.iter().any(|&data| board.lookup(data, key) == *value))
        };
        let own = singles.iter().find(|(data, value)| board.lookup(*data, key) == *value);
        let (from, to, value) = match own {
            Some((data, value)) => {
                let mut free = partial::keys(board, *data);
                free.retain(|key| !self.has(board, key));
                (key.clone(), free.get(random.index(free.len().max(1)))?.clone(), (*data, value))
            }
            None if random.index(2) == 0 => {
                let (data, value) = &singles[random.index(singles.len())];
                (at(value)?, key.clone(), (*data, value))
            }
            None => return None,
        };
        let board = self.with_values(board, &from, &[]);
        let board = self.with_values(&board, &to, &[]);
        Some(with_entry(&board, value.0, &to, value.1.clone()))
    }

    /// Returns the board with values for a key. Missing values are removed.
    pub(super) fn with_values(&self, board: &SheetBoard, key: &Value, values: &[Value]) -> SheetBoard {
        with_entries(board, &self.data, key, values)
    }
}

/// Returns the board with other values of a block for a key. Missing values are removed.
pub(super) fn with_entries(board: &SheetBoard, data: &[usize], key: &Value, values: &[Value]) -> SheetBoard {
    let mut board = board.clone();
    for (number, &data) in data.iter().enumerate() {
        let value = values.get(number).cloned().unwrap_or(Value::None);
        board = with_entry(&board, data, key, value);
    }
    board
}

/// Returns the board with another value for a key.
pub(super) fn with_entry(board: &SheetBoard, data: usize, key: &Value, value: Value) -> SheetBoard {
    let DataValues::Map(map) = &board.data()[data] else { return board.clone() };
    let mut map: PlaceMap<Value> = map.clone();
    if value == Value::None {
        map.retain(|other| other != key);
    } else {
        map.insert(key.clone(), value);
    }
    board.with_data(data, DataValues::Map(map))
}
