//! Tables of what functions have returned, by their arguments.

use rustc_hash::FxHashMap;

use super::place::{PlaceTable, Size};
use super::value::Value;

/// For each function, a table from its arguments to what it has returned.
#[derive(Debug)]
pub(super) struct Memo<T> {
    tables: Vec<Returned<T>>,
}

#[derive(Debug)]
struct Returned<T> {
    /// What the function has returned for a single place.
    places: PlaceTable<T>,
    others: FxHashMap<Vec<Value>, T>,
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self { tables: Vec::new() }
    }
}

impl<T> Memo<T> {
    /// Returns what is known about a function for some arguments on a board of the given size.
    pub(super) fn get(&self, size: Size, function: usize, arguments: &[Value]) -> Option<&T> {
        let table = self.tables.get(function)?;
        match arguments {
            [Value::Place(place)] => table.places.get(size, *place),
            _ => table.others.get(arguments),
        }
    }

    pub(super) fn insert(&mut self, size: Size, function: usize, arguments: &[Value], value: T) {
        if self.tables.len() <= function {
            let table = || Returned { places: PlaceTable::default(), others: FxHashMap::default() };
            self.tables.resize_with(function + 1, table);
        }
        let table = &mut self.tables[function];
        match arguments {
            [Value::Place(place)] => drop(table.places.insert(size, *place, value)),
            _ => drop(table.others.insert(arguments.to_vec(), value)),
        }
    }
}
