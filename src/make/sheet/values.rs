//! The data that follow from a solution.

use gordian_counting::Random;

use super::super::Symmetry;
use super::roles::{Roles, Shape, with_entry};
use crate::puzzle::sheet::clues::{self, UNKNOWN};
use crate::puzzle::sheet::partial;
use crate::rules::sheet::{Assignment, Cell, DataValues, EvalError, PlaceMap, SheetBoard, Size, Spot, Value};

/// The number of random values of which the one that restricts the solutions most is taken.
const TRIED: usize = 4;

/// Completes a board for a solution: first the values of data on which variables depend, then roots and other data that
/// restrict the solution, then all clues, which are symmetric. `old` is an earlier board, whose values are kept where they are right.
/// Returns `None` if the rules accept no such data.
pub(super) fn completed(
    roles: &Roles,
    symmetry: Symmetry,
    mut board: SheetBoard,
    mut assignment: Assignment,
    old: Option<&SheetBoard>,
    random: &mut Random,
) -> Result<Option<(SheetBoard, Assignment)>, EvalError> {
    for shape in roles.shapes.iter().filter(|shape| shape.is_derived) {
        let mut keys = shape.keys(&board);
        random.shuffle(&mut keys);
        for key in keys {
            let Some(next) = with_shape(shape, &board, &assignment, &key, random)? else { return Ok(None) };
            (board, assignment) = next;
        }
    }
    for &data in &roles.roots {
        board = with_roots(&board, data, &assignment, old, random)?;
    }
    for &(data, is_full) in &roles.fields {
        let Some(repaired) = repaired(&board, data, &assignment, random)? else { return Ok(None) };
        board = repaired;
        if is_full {
            let Some(filled) = filled(&board, data, &assignment, old, random)? else { return Ok(None) };
            board = filled;
        }
    }
    for &data in &roles.clues {
        let mut map = PlaceMap::new(board.size());
        for key in clues::keys(&board, data) {
            if let Some(value) = accepted(&board, data, &key, &assignment, random)? {
                map.insert(key, value);
            }
        }
        let found = map.clone();
        map.retain(|key| images(symmetry, board.size(), key).iter().all(|image| found.get(image).is_some()));
        board = board.with_data(data, DataValues::Map(map));
    }
    Ok((board.check(&assignment)?.is_none()).then_some((board, assignment)))
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

/// Returns the board with values of a block for a key that the rules accept for the solution.
fn with_shape(
    shape: &Shape,
    board: &SheetBoard,
    assignment: &Assignment,
    key: &Value,
    random: &mut Random,
) -> Result<Option<(SheetBoard, Assignment)>, EvalError> {
    let solution = partial::solution(board, assignment);
    let mut choices = vec![Vec::new()];
    for &data in &shape.data[1..] {
        let mut values = board.possible(data)?.map_or(Vec::new(), |values| values.items().to_vec());
        random.shuffle(&mut values);
        choices = values
            .iter()
            .flat_map(|value| {
                choices.iter().map(|choice| [&choice[..], std::slice::from_ref(value)].concat())
            })
            .collect();
    }
    for choice in choices {
        let with_first = |first: Value| {
            let values: Vec<Value> = [first].into_iter().chain(choice.iter().cloned()).collect();
            shape.with_values(board, key, &values)
        };
        let unknown = with_first(board.lookup(shape.data[0], key));
        for value in candidates(&unknown, shape.data[0], key, assignment)? {
            let next = with_first(value);
            let Ok(assignment) = partial::transferred(&next, &solution, assignment) else { continue };
            if is_accepted(&next, &shape.data, &assignment)? {
                return Ok(Some((next, assignment)));
            }
        }
    }
    Ok(None)
}

/// Returns the values that a key may have: those to which the rules compare it, followed by all possible ones except
/// clues without a number.
fn candidates(
    board: &SheetBoard,
    data: usize,
    key: &Value,
    assignment: &Assignment,
) -> Result<Vec<Value>, EvalError> {
    let possible = board.possible(data)?;
    let mut values = board.compared(data, key, assignment)?;
    values.retain(|value| *value != Value::None);
    if let Some(Value::Set(possible)) = &possible {
        let is_list = |value: &Value| matches!(value, Value::Set(_));
        values.retain(|value| is_list(value) || possible.contains(value));
        let others = possible.items().iter().filter(|value| !values.contains(value));
        let others: Vec<Value> = others.cloned().collect();
        values.extend(others);
    }
    values.retain(|value| *value != Value::symbol(UNKNOWN));
    Ok(values)
}

/// Returns whether the rules that use some data accept a solution.
fn is_accepted(board: &SheetBoard, data: &[usize], assignment: &Assignment) -> Result<bool, EvalError> {
    let sheet = board.sheet();
    let uses = |rule: usize| data.iter().any(|&data| sheet.uses(rule, data));
    Ok(board.check_rules(assignment, uses)?.is_none())
}

/// Returns the value of a clue that the rules accept for the solution, if there is one.
fn accepted(
    board: &SheetBoard,
    data: usize,
    key: &Value,
    assignment: &Assignment,
    random: &mut Random,
) -> Result<Option<Value>, EvalError> {
    let with = |value: Value| {
        let mut map = PlaceMap::new(board.size());
        map.insert(key.clone(), value);
        board.with_data(data, DataValues::Map(map))
    };
    let mut candidates = candidates(&with(Value::symbol("")), data, key, assignment)?;
    if candidates.iter().all(|value| value.number().is_none()) {
        random.shuffle(&mut candidates);
    }
    for value in candidates {
        if is_accepted(&with(value.clone()), &[data], assignment)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Adds values where the rules do not accept the solution, until they do.
fn repaired(
    board: &SheetBoard,
    data: usize,
    assignment: &Assignment,
    random: &mut Random,
) -> Result<Option<SheetBoard>, EvalError> {
    let mut board = board.clone();
    let possible = board.possible(data)?.map_or(Vec::new(), |values| values.items().to_vec());
    'rules: while let Some(breach) = board.check(assignment)? {
        let mut cells = breach.cells.clone();
        random.shuffle(&mut cells);
        for cell in cells {
            for value in &possible {
                let next = with_entry(&board, data, &Spot::Cell(cell).into(), value.clone());
                if next.keys(data).items().len() > board.keys(data).items().len()
                    && next.check(assignment)?.as_ref() != Some(&breach)
                {
                    board = next;
                    continue 'rules;
                }
            }
        }
        return Ok(None);
    }
    Ok(Some(board))
}

/// Gives each key a value that the rules accept. Of a few such values, the one with the most instances of rules is taken.
fn filled(
    board: &SheetBoard,
    data: usize,
    assignment: &Assignment,
    old: Option<&SheetBoard>,
    random: &mut Random,
) -> Result<Option<SheetBoard>, EvalError> {
    let sheet = board.sheet();
    let uses: Vec<bool> = (0..sheet.rules.len()).map(|rule| sheet.uses(rule, data)).collect();
    let mut board = match old {
        Some(old) => board.with_data(data, old.data()[data].clone()),
        None => board.clone(),
    };
    while let Some(breach) = board.check_rules(assignment, |rule| uses[rule])? {
        let before = board.keys(data).items().len();
        for cell in breach.cells {
            board = with_entry(&board, data, &Spot::Cell(cell).into(), Value::None);
        }
        if board.keys(data).items().len() == before {
            return Ok(None);
        }
    }
    let mut keys = partial::keys(&board, data);
    keys.retain(|key| board.lookup(data, key) == Value::None);
    random.shuffle(&mut keys);
    let possible = board.possible(data)?.map_or(Vec::new(), |values| values.items().to_vec());
    // Numbers up to the length of a line occur more often, so that rules compare equal ones.
    let side = i64::from(board.size().rows.max(board.size().columns));
    for key in keys {
        let mut values = possible.clone();
        random.shuffle(&mut values);
        values.sort_by_key(|value| value.number().is_none_or(|number| number > side));
        let mut best: Option<(usize, SheetBoard)> = None;
        let mut tried = 0;
        for value in values {
            let next = with_entry(&board, data, &key, value);
            if next.check_rules(assignment, |rule| uses[rule])?.is_some() {
                continue;
            }
            let instances = next.instances_of(|rule| uses[rule])?;
            if best.as_ref().is_none_or(|(most, _)| instances > *most) {
                best = Some((instances, next));
            }
            tried += 1;
            if tried == TRIED {
                break;
            }
        }
        let Some((_, next)) = best else { return Ok(None) };
        board = next;
    }
    Ok(Some(board))
}
