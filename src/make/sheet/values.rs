//! The data that follow from a solution.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use gordian_counting::Random;

use super::super::{MakeError, MakeOptions, Symmetry};
use super::roles::Roles;
use super::shapes::{with_entries, with_entry};
use crate::puzzle::sheet::clues::{self, UNKNOWN};
use crate::puzzle::sheet::partial;
use crate::rules::sheet::{
    Assignment, Breach, Cell, DataValues, EvalError, PlaceMap, SheetBoard, Size, Spot, Value,
};

/// Of the possible numbers of a name of data, only as many are tried.
const LISTED: usize = 1000;
/// The number of values that are tried for a key.
const TRIED: usize = 100;
/// The number of values for which a solver looks for the values of other variables.
const SOLVED: usize = 12;

/// Finds an assignment that the rules accept and that shows the same solution.
type SameSolution<'a> = &'a dyn Fn(&SheetBoard, &Assignment) -> Result<Option<Assignment>, MakeError>;

/// Completes boards for a solution.
pub(super) struct Completion<'a> {
    pub(super) roles: &'a Roles,
    options: &'a MakeOptions,
    /// An earlier board, whose values are kept where they are right.
    pub(super) old: Option<&'a SheetBoard>,
    pub(super) random: &'a mut Random,
    same_solution: SameSolution<'a>,
    /// Returns whether a limit is reached.
    pub(super) stopped: &'a dyn Fn() -> bool,
    /// The number of values that were tried for the current field, if the variables depend on it.
    pub(super) tried: usize,
    /// The possible values of each name of data, once listed.
    possible: HashMap<usize, Arc<[Value]>>,
}

impl<'a> Completion<'a> {
    pub(super) fn new(
        roles: &'a Roles,
        options: &'a MakeOptions,
        old: Option<&'a SheetBoard>,
        random: &'a mut Random,
        same_solution: SameSolution<'a>,
        stopped: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { roles, options, old, random, same_solution, stopped, tried: 0, possible: HashMap::new() }
    }

    /// Completes a board: first the values of data on which variables depend, then roots and other data that restrict the
    /// solution, then all clues, which are symmetric. Returns `None` if the rules accept no values of data on which variables
    /// depend. The rules may not accept the result.
    pub(super) fn completed(
        mut self,
        mut board: SheetBoard,
        mut assignment: Assignment,
    ) -> Result<Option<(SheetBoard, Assignment)>, MakeError> {
        let has_hidden = partial::has_hidden_variables(board.sheet());
        for shape in self.roles.shapes.iter().filter(|shape| shape.is_derived()) {
            let mut keys = shape.keys(&board);
            keys.retain(|key| board.lookup(shape.data[0], key) == Value::symbol(UNKNOWN));
            self.random.shuffle(&mut keys);
            for key in keys {
                // As long as no number is known, the rules do not hold, unless the sheet permits this.
                let most = breaches(&board, &shape.data, &assignment)?.saturating_sub(1);
                match self.with_values(&shape.data, &board, &assignment, &key, most, has_hidden)? {
                    Some(next) => (board, assignment) = next,
                    // The clue stays without a number.
                    None if board.is_possible(shape.data[0], &Value::symbol(UNKNOWN))? => {}
                    None => return Ok(None),
                }
            }
        }
        for &data in &self.roles.roots {
            board = with_roots(&board, data, &assignment, self.old, self.random)?;
        }
        for field in &self.roles.fields {
            board = self.with_field(field, board, &assignment)?;
        }
        for data in &self.roles.lists {
            board = self.with_lists(data, board, &assignment)?;
        }
        for &data in &self.roles.clues {
            let mut entries = Vec::new();
            let mut keys = clues::keys(&board, data);
            keys.retain(|key| self.may_have_clue(key));
            for key in keys {
                if (self.stopped)() {
                    return Ok(None);
                }
                if let Some(value) = self.clue(&board, data, &key, &assignment)? {
                    entries.push((key, value));
                }
            }
            let keys: HashSet<Value> = entries.iter().map(|(key, _)| key.clone()).collect();
            let has_images = |key: &Value| {
                let images = images(self.options.symmetry, board.size(), key);
                images.iter().all(|image| *image == *key || keys.contains(image))
            };
            entries.retain(|(key, _)| has_images(key));
            let DataValues::Map(map) = &board.data()[data] else { continue };
            let mut map = map.clone();
            for (key, value) in entries {
                map.insert(key, value);
            }
            board = board.with_data(data, DataValues::Map(map));
        }
        Ok(Some((board, assignment)))
    }

    /// Returns whether the pattern lets a key have a clue.
    pub(super) fn may_have_clue(&self, key: &Value) -> bool {
        match (&self.options.pattern, key) {
            (Some(pattern), Value::Place(Spot::Cell(cell))) => {
                pattern.contains(cell.row.into(), cell.column.into())
            }
            _ => true,
        }
    }

    /// Gives a key of a block values with which the solution violates at most `most` instances of the rules about the block.
    /// Returns `None` if there are no such values. If `solves` is true, a solver looks for other values of the variables that
    /// do not belong to the solution.
    pub(super) fn with_values(
        &mut self,
        data: &[usize],
        board: &SheetBoard,
        assignment: &Assignment,
        key: &Value,
        most: usize,
        solves: bool,
    ) -> Result<Option<(SheetBoard, Assignment)>, MakeError> {
        // The solution, if the variables can have other places with another value.
        let shapes_variables = data.iter().any(|&data| board.sheet().shapes_variables(data));
        let solution = shapes_variables.then(|| partial::solution(board, assignment));
        let mut solved = if solves { SOLVED } else { 0 };
        let mut tried = 0;
        for choice in self.choices(&data[1..], board)? {
            let with_first = |first: Value| {
                let values: Vec<Value> = [first].into_iter().chain(choice.iter().cloned()).collect();
                with_entries(board, data, key, &values)
            };
            let unknown = match board.lookup(data[0], key) {
                Value::None => Value::symbol(""),
                value => value,
            };
            for value in self.candidates(&with_first(unknown), data[0], key, assignment)? {
                tried += 1;
                self.tried += usize::from(shapes_variables);
                if tried > TRIED || (self.stopped)() {
                    return Ok(None);
                }
                let next = with_first(value);
                let assignment = match &solution {
                    Some(solution) => match partial::transferred(&next, solution, assignment) {
                        Ok(assignment) => assignment,
                        Err(_) => continue,
                    },
                    None => assignment.clone(),
                };
                let has_values = solution.is_none() || next.check_where(&assignment, |_| false)?.is_none();
                if has_values && breaches(&next, data, &assignment)? <= most {
                    return Ok(Some((next, assignment)));
                }
                if solved > 0 {
                    solved -= 1;
                    if let Some(assignment) = (self.same_solution)(&next, &assignment)? {
                        return Ok(Some((next, assignment)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns all combinations of possible values of data, in random order.
    pub(super) fn choices(
        &mut self,
        data: &[usize],
        board: &SheetBoard,
    ) -> Result<Vec<Vec<Value>>, EvalError> {
        let mut choices = vec![Vec::new()];
        for &data in data {
            let mut values = self.possible(board, data)?.to_vec();
            self.random.shuffle(&mut values);
            let with = |choice: &Vec<Value>, value: &Value| {
                choice.iter().chain([value]).cloned().collect::<Vec<Value>>()
            };
            choices = values
                .iter()
                .flat_map(|value| choices.iter().map(|choice| with(choice, value)).collect::<Vec<_>>())
                .collect();
        }
        Ok(choices)
    }

    /// Returns the values that data may have, except clues without a number, and holes.
    pub(super) fn possible(&mut self, board: &SheetBoard, data: usize) -> Result<Arc<[Value]>, EvalError> {
        if let Some(values) = self.possible.get(&data) {
            return Ok(Arc::clone(values));
        }
        let holes = board.sheet().holes(data).unwrap_or_default();
        let possible = board.possible(data)?;
        let values = possible.iter().flat_map(Value::items);
        let values = values.filter(|value| **value != Value::symbol(UNKNOWN) && !holes.contains(value));
        let (numbers, others): (Vec<&Value>, Vec<&Value>) =
            values.partition(|value| value.number().is_some());
        let values: Arc<[Value]> = numbers.into_iter().take(LISTED).chain(others).cloned().collect();
        self.possible.insert(data, Arc::clone(&values));
        Ok(values)
    }

    /// Returns the values that a key may have: those to which the rules compare it, followed by all possible ones. Half of
    /// the time, symbols come before numbers.
    fn candidates(
        &mut self,
        board: &SheetBoard,
        data: usize,
        key: &Value,
        assignment: &Assignment,
    ) -> Result<Vec<Value>, EvalError> {
        let holes = board.sheet().holes(data).unwrap_or_default();
        let mut values = board.compared(data, key, assignment)?;
        values.retain(|value| *value != Value::symbol(UNKNOWN) && !holes.contains(value));
        let mut at = 0;
        while let Some(value) = values.get(at) {
            if board.is_possible(data, value)? {
                at += 1;
            } else {
                values.remove(at);
            }
        }
        let possible = self.possible(board, data)?;
        let mut others: Vec<Value> =
            possible.iter().filter(|value| !values.contains(value)).cloned().collect();
        if others.iter().all(|value| value.number().is_none()) {
            self.random.shuffle(&mut others);
        }
        values.extend(others);
        if self.random.index(2) == 0 {
            values.sort_by_key(|value| value.number().is_some());
        }
        Ok(values)
    }

    /// Returns the value of a clue that the rules accept for the solution, if there is one.
    fn clue(
        &mut self,
        board: &SheetBoard,
        data: usize,
        key: &Value,
        assignment: &Assignment,
    ) -> Result<Option<Value>, EvalError> {
        let with = |value: Value| with_entry(board, data, key, value);
        let unknown = with(Value::symbol(""));
        let candidates = if partial::has_lists(board.sheet(), data) {
            let mut lists = unknown.compared(data, key, assignment)?;
            lists.retain(|value| matches!(value, Value::Set(_)));
            lists.extend(runs(board, key, assignment));
            // Other variables, which count along the line, may first need other values.
            if partial::has_hidden_variables(board.sheet()) {
                return Ok(lists.pop());
            }
            lists
        } else {
            self.candidates(&unknown, data, key, assignment)?
        };
        for value in candidates {
            if breach(&with(value.clone()), &[data], assignment)?.is_none() {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}

/// Returns the board with a root for each component, if possible one of the old board.
fn with_roots(
    board: &SheetBoard,
    data: usize,
    assignment: &Assignment,
    old: Option<&SheetBoard>,
    random: &mut Random,
) -> Result<SheetBoard, EvalError> {
    let mut roots = PlaceMap::new(board.size());
    for component in board.components(data, assignment)? {
        let is_old = |key: &&Value| old.is_some_and(|old| old.lookup(data, key) != Value::None);
        let mut keys: Vec<&Value> = component.iter().filter(is_old).collect();
        if keys.is_empty() {
            keys.extend(&component);
        }
        let size = i64::try_from(component.len()).unwrap_or(i64::MAX);
        roots.insert(keys[random.index(keys.len())].clone(), Value::Number(size));
    }
    Ok(board.with_data(data, DataValues::Map(roots)))
}

/// Returns the images of a cell or a corner under a symmetry, including itself. Other keys have no other images.
pub(super) fn images(symmetry: Symmetry, size: Size, key: &Value) -> Vec<Value> {
    let (rows, columns) = (usize::from(size.rows), usize::from(size.columns));
    let images = |size, Cell { row, column }: Cell| {
        let images = symmetry.images(size, (row.into(), column.into())).into_iter();
        let side = |side: usize| u16::try_from(side).expect("a place on the board");
        images.map(move |(row, column)| Cell { row: side(row), column: side(column) })
    };
    match *key {
        Value::Place(Spot::Cell(cell)) => {
            images((rows, columns), cell).map(|cell| Spot::Cell(cell).into()).collect()
        }
        Value::Place(Spot::Corner(corner)) => {
            images((rows + 1, columns + 1), corner).map(|corner| Spot::Corner(corner).into()).collect()
        }
        _ => vec![key.clone()],
    }
}

/// Returns the number of instances of the rules about some data that do not hold for a solution.
pub(super) fn breaches(
    board: &SheetBoard,
    data: &[usize],
    assignment: &Assignment,
) -> Result<usize, EvalError> {
    let sheet = board.sheet();
    board.breaches(assignment, |rule| data.iter().any(|&data| sheet.uses(rule, data)))
}

/// Returns where the rules about some data do not hold for a solution.
pub(super) fn breach(
    board: &SheetBoard,
    data: &[usize],
    assignment: &Assignment,
) -> Result<Option<Breach>, EvalError> {
    let sheet = board.sheet();
    board.check_rules(assignment, |rule| data.iter().any(|&data| sheet.uses(rule, data)))
}

/// Returns what lists can say about a line: the lengths of the runs of places with true variables, in ascending order and
/// in the order of the line, or the sums of the runs of positive numbers.
fn runs(board: &SheetBoard, line: &Value, assignment: &Assignment) -> Vec<Value> {
    let Some(shown) = board.sheet().shown.first() else { return Vec::new() };
    let values: Vec<i64> =
        line.items().iter().map(|place| assignment[shown.var].get(place).copied().unwrap_or(0)).collect();
    let runs: Vec<i64> =
        values.split(|&value| value == 0).map(|run| run.iter().sum()).filter(|&sum| sum > 0).collect();
    let list = |runs: &[i64]| Value::set(runs.iter().copied().map(Value::Number));
    let mut sorted = runs.clone();
    sorted.sort_unstable();
    vec![list(&sorted), list(&runs)]
}
