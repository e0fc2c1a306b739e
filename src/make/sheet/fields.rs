//! Data whose entries can restrict and permit solutions.

use std::sync::Arc;

use gordian_counting::Random;

use super::super::MakeError;
use super::chains;
use super::roles::{Field, FieldKind};
use super::shapes::with_entries;
use super::values::{Completion, breach, breaches};
use crate::puzzle::sheet::partial;
use crate::rules::sheet::{Assignment, Cell, SheetBoard, Size, Value, cells_of};

/// The number of random values of which the one that restricts the solutions most is taken.
const TRIED: usize = 4;
/// The number of changes that are tried where the rules do not accept the solution.
const REPAIRS: usize = 200;
/// At most about this many values are tried for all keys of data on which variables depend, because each needs other places
/// of variables.
const MOST_VALUES: usize = 300;
/// The limit of [`MOST_VALUES`] after a change of a board. It is lower, because most of the earlier entries are kept.
const MOST_CHANGED: usize = 40;
/// The number of changes after which the search for values that the rules accept gives up.
const SEARCHED: usize = 3000;
/// The greatest length of a chain.
const LONGEST: usize = 6;

impl Completion<'_> {
    /// Returns the board with values that the rules accept for the solution, as many as possible. If there are none, the
    /// rules do not accept the result.
    pub(super) fn with_field(
        &mut self,
        field: &Field,
        mut board: SheetBoard,
        assignment: &Assignment,
    ) -> Result<SheetBoard, MakeError> {
        if field.kind == FieldKind::Chains {
            return chained(field.data[0], &board, assignment, self.random, self.stopped);
        }
        if let Some(old) = self.old {
            for &data in &field.data {
                board = board.with_data(data, old.data()[data].clone());
            }
        }
        board = self.repaired(field, board, assignment)?;
        if field.kind == FieldKind::Full {
            filled(field.data[0], board, assignment, self.random, self.stopped)
        } else {
            self.extended(field, board, assignment)
        }
    }

    /// Returns the keys that may have values, in random order.
    fn keys(&mut self, field: &Field, board: &SheetBoard) -> Vec<Value> {
        let mut keys = partial::keys(board, field.data[0]);
        if field.kind == FieldKind::Companion {
            let blocks = &board.sheet().blocks;
            let own = blocks.iter().filter(|block| block.fields.contains(&field.data[0]));
            let beside: Vec<usize> = own.flat_map(|block| block.fields.clone()).collect();
            keys.retain(|key| {
                beside.iter().any(|&data| board.lookup(data, key) != Value::None)
                    || self.roles.shapes.iter().any(|shape| shape.has(board, key))
            });
        }
        keys.retain(|key| self.may_have_clue(key));
        self.random.shuffle(&mut keys);
        keys
    }

    /// Changes values where the rules do not accept the solution, until they do, or until no change helps.
    fn repaired(
        &mut self,
        field: &Field,
        mut board: SheetBoard,
        assignment: &Assignment,
    ) -> Result<SheetBoard, MakeError> {
        let keys = self.keys(field, &board);
        let size = board.size();
        'breaches: while let Some(found) = breach(&board, &field.data, assignment)? {
            let number = breaches(&board, &field.data, assignment)?;
            let cells = |key: &Value| cells_of(size, [key.clone()]);
            let inside = |key: &Value| cells(key).iter().filter(|cell| found.cells.contains(cell)).count();
            let mut near: Vec<&Value> = keys.iter().filter(|key| inside(key) > 0).collect();
            // The keys that lie in the breach come before those that touch it.
            near.sort_by_key(|key| cells(key).len() - inside(key));
            let mut tried = 0;
            for key in near {
                let choices = if is_set(field, &board, key) {
                    vec![Vec::new()]
                } else {
                    self.choices(&field.data, &board)?
                };
                for values in choices {
                    let next = with_entries(&board, &field.data, key, &values);
                    if breaches(&next, &field.data, assignment)? < number {
                        board = next;
                        continue 'breaches;
                    }
                    tried += 1;
                    if tried == REPAIRS || (self.stopped)() {
                        return Ok(board);
                    }
                }
            }
            return Ok(board);
        }
        Ok(board)
    }

    /// Adds all values that the rules accept, one after the other in random order.
    fn extended(
        &mut self,
        field: &Field,
        mut board: SheetBoard,
        assignment: &Assignment,
    ) -> Result<SheetBoard, MakeError> {
        let keys = self.keys(field, &board);
        let most = breaches(&board, &field.data, assignment)?;
        self.tried = 0;
        let most_tried = if self.old.is_some() { MOST_CHANGED } else { MOST_VALUES };
        for key in keys {
            if self.tried > most_tried {
                break;
            }
            if !is_set(field, &board, &key)
                && let Some((next, _)) =
                    self.with_values(&field.data, &board, assignment, &key, most, false)?
            {
                board = next;
            }
        }
        Ok(board)
    }
}

fn is_set(field: &Field, board: &SheetBoard, key: &Value) -> bool {
    field.data.iter().any(|&data| board.lookup(data, key) != Value::None)
}

/// Gives each key a value that the rules accept. Of a few such values, the one with the most instances of rules is taken.
fn filled(
    data: usize,
    mut board: SheetBoard,
    assignment: &Assignment,
    random: &mut Random,
    stopped: &dyn Fn() -> bool,
) -> Result<SheetBoard, MakeError> {
    let sheet = Arc::clone(board.sheet());
    let mut keys = partial::keys(&board, data);
    keys.retain(|key| board.lookup(data, key) == Value::None);
    random.shuffle(&mut keys);
    let Size { rows, columns } = board.size();
    let possible = match board.possible(data)? {
        Some(values) => values.items().to_vec(),
        None => (0..rows.min(columns).into()).map(Value::Number).collect(),
    };
    // Numbers up to the length of a line occur more often, so that rules compare equal ones.
    let side = i64::from(board.size().rows.max(board.size().columns));
    for key in keys {
        if stopped() {
            break;
        }
        let mut values = possible.clone();
        random.shuffle(&mut values);
        values.sort_by_key(|value| value.number().is_none_or(|number| number > side));
        let mut best: Option<(usize, SheetBoard)> = None;
        let mut tried = 0;
        for value in values {
            let next = with_entries(&board, &[data], &key, &[value]);
            if breach(&next, &[data], assignment)?.is_some() {
                continue;
            }
            let instances = next.instances_of(|rule| sheet.uses(rule, data))?;
            if best.as_ref().is_none_or(|(most, _)| instances > *most) {
                best = Some((instances, next));
            }
            tried += 1;
            if tried == TRIED {
                break;
            }
        }
        let Some((_, next)) = best else {
            return searched(data, board, &possible, assignment, random, stopped);
        };
        board = next;
    }
    Ok(board)
}

/// Gives each key a value, and then changes or exchanges values, as long as the rules accept no fewer of them, until the rules
/// accept all. Some rules only hold once all values are known.
fn searched(
    data: usize,
    mut board: SheetBoard,
    possible: &[Value],
    assignment: &Assignment,
    random: &mut Random,
    stopped: &dyn Fn() -> bool,
) -> Result<SheetBoard, MakeError> {
    let keys = partial::keys(&board, data);
    let mut open: Vec<&Value> = keys.iter().filter(|key| board.lookup(data, key) == Value::None).collect();
    random.shuffle(&mut open);
    // Each value occurs about equally often.
    for (key, value) in open.into_iter().zip(possible.iter().cycle()) {
        board = with_entries(&board, &[data], key, std::slice::from_ref(value));
    }
    let mut number = breaches(&board, &[data], assignment)?;
    for _ in 0..SEARCHED {
        if number == 0 || possible.is_empty() || stopped() {
            break;
        }
        let [one, other] = [0, 1].map(|_| &keys[random.index(keys.len())]);
        let next = if random.index(4) == 0 {
            let value = possible[random.index(possible.len())].clone();
            with_entries(&board, &[data], one, &[value])
        } else {
            let [of_one, of_other] = [one, other].map(|key| board.lookup(data, key));
            let next = with_entries(&board, &[data], one, &[of_other]);
            with_entries(&next, &[data], other, &[of_one])
        };
        let found = breaches(&next, &[data], assignment)?;
        if found <= number {
            (board, number) = (next, found);
        }
    }
    Ok(board)
}

/// Returns the board with random chains that the rules accept, as long as possible. Chains do not share cells, and their
/// cells touch at least at corners.
fn chained(
    data: usize,
    board: &SheetBoard,
    assignment: &Assignment,
    random: &mut Random,
    stopped: &dyn Fn() -> bool,
) -> Result<SheetBoard, MakeError> {
    let size = board.size();
    let mut starts: Vec<Cell> = size.cells().collect();
    random.shuffle(&mut starts);
    let mut chains: Vec<Vec<Cell>> = Vec::new();
    let mut board = board.with_data(data, chains::data(&chains));
    for start in starts {
        if chains.len() == usize::from(size.rows.max(size.columns)) || stopped() {
            break;
        }
        let is_free = |cell: &Cell| !chains.iter().any(|chain| chain.contains(cell));
        if !is_free(&start) {
            continue;
        }
        let next = |cell| around(size, cell).into_iter().filter(is_free).collect();
        let walk = chains::walk(start, LONGEST, next, random);
        for length in (3..=walk.len()).rev() {
            let mut more = chains.clone();
            more.push(walk[..length].to_vec());
            let with = board.with_data(data, chains::data(&more));
            if breach(&with, &[data], assignment)?.is_none() {
                (board, chains) = (with, more);
                break;
            }
        }
    }
    Ok(board)
}

fn around(size: Size, cell: Cell) -> Vec<Cell> {
    let is_near = |one: u16, other: u16| one.abs_diff(other) <= 1;
    let touches =
        |other: &Cell| is_near(cell.row, other.row) && is_near(cell.column, other.column) && *other != cell;
    size.cells().filter(touches).collect()
}
