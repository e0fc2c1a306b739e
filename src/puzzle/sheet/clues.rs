//! The clues of a board: entries of data that the rules use only at their own keys, so each can be left out.

use std::collections::HashMap;
use std::sync::Arc;

use super::model::Builder;
use super::{block, partial, text};
use crate::puzzle::plain::CLUE;
use crate::puzzle::{ClueFormulation, FurtherClue, Plain};
use crate::rules::sheet::{Cell, DataValues, Direction, Ground, Scheme, Sheet, SheetBoard, Spot, Value};

/// A clue: the data, an index of [`Sheet::data`], and the key.
pub(crate) type Clue = (usize, Value);

/// The value of a clue without a number.
pub(crate) const UNKNOWN: &str = "?";

/// Returns the data whose clues can be left out one by one: entries, or numbers instead of which [`UNKNOWN`] can stand.
pub(crate) fn data(sheet: &Sheet) -> Vec<usize> {
    entries(sheet).into_iter().chain(numbers(sheet)).collect()
}

/// Returns the data whose clues are numbers that can be left out.
pub(crate) fn numbers(sheet: &Sheet) -> impl Iterator<Item = usize> {
    (0..sheet.data.len()).filter(|&data| sheet.is_size(data))
}

/// Returns the data whose entries can be left out one by one: each is a clue, no rule depends on two clues, and the text
/// of a board can leave out single entries.
fn entries(sheet: &Sheet) -> Vec<usize> {
    let rules: Vec<_> = (0..sheet.rules.len()).map(|rule| sheet.clues_of(rule)).collect();
    let is_alone =
        |data: usize| rules.iter().all(|clues| clues.len() < 2 || clues.iter().all(|&(of, _)| of != data));
    (0..sheet.data.len())
        .filter(|&data| sheet.is_clue(data) && !partial::has_lists(sheet, data) && is_alone(data))
        .collect()
}

/// Returns the keys that a clue can have on a board. If a clue belongs to an area, its key is the first cell of the area.
/// A sum is in a closed cell before an open one.
pub(crate) fn keys(board: &SheetBoard, data: usize) -> Vec<Value> {
    let (sheet, size) = (board.sheet(), board.size());
    let mut keys = block::keys(sheet, data, size);
    for block in sheet.blocks.iter().filter(|block| block.scheme == Scheme::Sums) {
        let (below, closed) = (block.fields[0], block.fields[2]);
        let direction = if data == below { Direction::South } else { Direction::East };
        let is_closed = |cell: Cell| board.lookup(closed, &Spot::Cell(cell).into()) != Value::None;
        let starts =
            |cell: Cell| is_closed(cell) && size.step(cell, direction).is_some_and(|next| !is_closed(next));
        keys.retain(|key| cell(key).is_some_and(starts));
    }
    let holes = sheet.holes(data).unwrap_or_default();
    keys.retain(|key| !holes.contains(&board.lookup(data, key)));
    if let Some(areas) = board.sheet().areas_of_clue(data) {
        keys.retain(|key| board.lookup(areas, key).items().first() == Some(key));
    }
    keys
}

/// Returns a copy of a board without some clues.
pub(crate) fn without(board: &SheetBoard, left_out: &[Clue]) -> SheetBoard {
    let mut board = board.clone();
    let is_left_out =
        |data: usize, key: &Value| left_out.iter().any(|(of, other)| *of == data && other == key);
    for data in entries(board.sheet()) {
        if let DataValues::Map(map) = &board.data()[data] {
            let mut kept = map.clone();
            kept.retain(|key| !is_left_out(data, key));
            board = board.with_data(data, DataValues::Map(kept));
        }
    }
    for data in numbers(&Arc::clone(board.sheet())) {
        if let DataValues::Map(map) = &board.data()[data] {
            let mut unknown = map.clone();
            for key in map.keys().iter().filter(|key| is_left_out(data, key)) {
                unknown.insert(key.clone(), Value::symbol(UNKNOWN));
            }
            board = board.with_data(data, DataValues::Map(unknown));
        }
    }
    board
}

/// Returns a plain formulation in which each clue is one rule, and the clues in the order of [`Plain::clues`].
pub(crate) fn plain(board: &SheetBoard, sheet: &'static Sheet, ground: &Arc<Ground>) -> (Plain, Vec<Clue>) {
    let mut builder = Builder::plain(board, sheet, ground);
    let removable = entries(sheet);
    let binders: Vec<Option<(usize, usize)>> = (0..sheet.rules.len())
        .map(|rule| sheet.clues_of(rule).into_iter().find(|(data, _)| removable.contains(data)))
        .collect();
    let holes: Vec<Vec<Value>> =
        (0..sheet.data.len()).map(|data| sheet.holes(data).unwrap_or_default()).collect();
    let mut rules: HashMap<Clue, usize> = HashMap::new();
    let mut clues = Vec::new();
    for data in numbers(sheet) {
        for key in board.keys(data).items() {
            let value = board.lookup(data, key);
            if value.number().is_some() {
                let name = name(&sheet.data[data].name, &value, key);
                let rule = builder.plain.rule(CLUE, name, builder.cells(std::slice::from_ref(key)));
                builder.sizes.insert(key.clone(), rule);
                clues.push((data, key.clone()));
            }
        }
    }
    builder.rules_named(
        |rule| !sheet.rules[rule].implied || binders[rule].is_none(),
        |builder, instance| {
            let (data, binder) = binders[instance.rule]?;
            let key = instance.at[binder].clone();
            if holes[data].contains(&board.lookup(data, &key)) {
                return None;
            }
            Some(*rules.entry((data, key.clone())).or_insert_with(|| {
                let name = name(&sheet.data[data].name, &board.lookup(data, &key), &key);
                let rule = builder.plain.rule(CLUE, name, builder.cells(std::slice::from_ref(&key)));
                clues.push((data, key));
                rule
            }))
        },
    );
    let facts = builder.facts(false);
    let sizes: Vec<usize> = builder.sizes.into_values().collect();
    let mut plain = builder.plain;
    plain.facts_of(facts);
    // Other rules than those of clues can have their name, too.
    for (number, rule) in plain.rules.iter_mut().enumerate() {
        if rule.family == CLUE && !sizes.contains(&number) && !rules.values().any(|&known| known == number) {
            rule.family = "";
        }
    }
    (plain, clues)
}

fn name(data: &str, value: &Value, key: &Value) -> String {
    format!("{data} {value} at {key}")
}

/// Returns the clues of a board, or `None` if none of its data can be left out.
pub(super) fn formulate<'a>(
    board: &'a SheetBoard,
    sheet: &'static Sheet,
    ground: &Arc<Ground>,
) -> Option<ClueFormulation<'a>> {
    if data(sheet).is_empty() {
        return None;
    }
    let (plain, clues) = plain(board, sheet, ground);
    Some(ClueFormulation {
        plain,
        without: Box::new(move |left_out| {
            let left_out: Vec<Clue> = left_out.iter().map(|&clue| clues[clue].clone()).collect();
            text::write(&without(board, &left_out))
        }),
        further: Box::new(further(board)),
    })
}

/// Iterates over the clues that a board lacks.
fn further(board: &SheetBoard) -> impl Iterator<Item = FurtherClue> {
    let sheet = board.sheet();
    let of_data = move |data: usize| {
        let possible = board.possible(data).ok().flatten();
        let values = possible.map_or(Vec::new(), |values| values.items().to_vec());
        let is_number = sheet.is_size(data);
        let unknown = Value::symbol(UNKNOWN);
        let missing = if is_number { unknown.clone() } else { Value::None };
        let missing = keys(board, data).into_iter().filter(move |key| board.lookup(data, key) == missing);
        let holes = sheet.holes(data).unwrap_or_default();
        let is_clue = |value: &Value| !holes.contains(value) && (!is_number || *value != unknown);
        let values: Vec<Value> = values.into_iter().filter(is_clue).collect();
        missing.flat_map(move |key| {
            let of_value = move |value: Value| {
                let DataValues::Map(map) = &board.data()[data] else { return None };
                let mut map = map.clone();
                map.insert(key.clone(), value.clone());
                Some(FurtherClue {
                    name: name(&sheet.data[data].name, &value, &key),
                    cell: cell(&key).map(super::place),
                    token: value.to_string(),
                    board: text::write(&board.with_data(data, DataValues::Map(map))),
                })
            };
            values.clone().into_iter().filter_map(of_value)
        })
    };
    data(sheet).into_iter().flat_map(of_data)
}

fn cell(key: &Value) -> Option<Cell> {
    if let Value::Place(Spot::Cell(cell)) = key { Some(*cell) } else { None }
}
