//! Boards of puzzle types that are stated by a rule sheet.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::Sheet;
use super::builtin::BUILTINS;
use super::eval::{Env, Eval, EvalError};
use super::geometry::Geometry;
use super::place::{Cell, Size, Spot};
use super::scheme::DataSort;
use super::value::Value;

/// A map from places, or sets of places, to entries.
#[derive(Debug, Clone)]
pub struct PlaceMap<T> {
    size: Size,
    /// The keys, in the order of insertion.
    keys: Vec<Value>,
    places: Vec<Option<T>>,
    others: HashMap<Value, T>,
}

impl<T> PlaceMap<T> {
    /// Creates an empty map for a board of the given size.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { size, keys: Vec::new(), places: Vec::new(), others: HashMap::new() }
    }

    /// Sets the entry of a key, and returns the previous one.
    ///
    /// # Panics
    /// Panics if the key is a place outside of the board.
    pub fn insert(&mut self, key: Value, entry: T) -> Option<T> {
        let old = match &key {
            Value::Place(place) => {
                if self.places.is_empty() {
                    self.places.resize_with(self.size.places(), || None);
                }
                self.places[self.size.number(*place)].replace(entry)
            }
            _ => self.others.insert(key.clone(), entry),
        };
        if old.is_none() {
            self.keys.push(key);
        }
        old
    }

    /// Removes the entries whose keys do not satisfy a condition.
    pub fn retain(&mut self, mut keeps: impl FnMut(&Value) -> bool) {
        let removed: Vec<Value> = self.keys.extract_if(.., |key| !keeps(key)).collect();
        for key in removed {
            match &key {
                Value::Place(place) => self.places[self.size.number(*place)] = None,
                _ => drop(self.others.remove(&key)),
            }
        }
    }

    /// Returns the entry of a key.
    #[must_use]
    pub fn get(&self, key: &Value) -> Option<&T> {
        match key {
            Value::Place(place) => self.places.get(self.size.number(*place))?.as_ref(),
            _ => self.others.get(key),
        }
    }

    /// Returns the keys in the order of insertion.
    #[must_use]
    pub fn keys(&self) -> &[Value] {
        &self.keys
    }

    /// Iterates over the keys with their entries, in the order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (&Value, &T)> {
        self.keys.iter().filter_map(|key| Some((key, self.get(key)?)))
    }
}

/// The values of all variables: for each family, a map from places to numbers. Boolean variables are 0 or 1.
pub type Assignment = Vec<PlaceMap<i64>>;

/// The data of a board under one name.
#[derive(Debug, Clone)]
pub enum DataValues {
    /// A value for some of the keys.
    Map(PlaceMap<Value>),
    /// Disjoint areas: each a set of cells, and the area of each cell.
    Areas(Value, PlaceMap<Value>),
    /// A number, a set of chains, or none.
    Plain(Value),
}

impl DataValues {
    /// Returns data without entries.
    #[must_use]
    pub fn empty(sort: &DataSort, size: Size) -> Self {
        match sort {
            DataSort::Map { .. } => Self::Map(PlaceMap::new(size)),
            DataSort::Areas => Self::areas(size, []),
            DataSort::Number => Self::Plain(Value::None),
            DataSort::Sets => Self::Plain(Value::set([])),
        }
    }

    /// Creates areas from their cells.
    #[must_use]
    pub fn areas(size: Size, areas: impl IntoIterator<Item = Vec<Cell>>) -> Self {
        let areas: Vec<Value> = areas
            .into_iter()
            .map(|cells| Value::set(cells.into_iter().map(|cell| Spot::Cell(cell).into())))
            .collect();
        let mut of = PlaceMap::new(size);
        for area in &areas {
            for cell in area.items() {
                of.insert(cell.clone(), area.clone());
            }
        }
        Self::Areas(Value::set(areas), of)
    }
}

/// A board of a puzzle type that is stated by a rule sheet.
#[derive(Debug, Clone)]
pub struct SheetBoard {
    sheet: Arc<Sheet>,
    geometry: Geometry,
    data: Vec<DataValues>,
    /// The values of built-in sets, of the names of data, and of definitions without parameters, once computed.
    constants: Vec<OnceLock<Value>>,
    keys: Vec<OnceLock<Value>>,
    pub(super) definitions: Vec<OnceLock<Value>>,
}

impl SheetBoard {
    /// Creates a board from its data: an entry for each of [`Sheet::data`].
    ///
    /// # Panics
    /// Panics if there is not one entry for each of [`Sheet::data`].
    #[must_use]
    pub fn new(sheet: Arc<Sheet>, size: Size, data: Vec<DataValues>) -> Self {
        assert_eq!(data.len(), sheet.data.len(), "one entry for each name of data");
        let locks = |count| (0..count).map(|_| OnceLock::new()).collect();
        Self {
            geometry: Geometry::new(size),
            constants: locks(BUILTINS.len()),
            keys: locks(data.len()),
            definitions: locks(sheet.definitions.len()),
            sheet,
            data,
        }
    }

    /// Returns the same board with other data under one name.
    #[must_use]
    pub fn with_data(&self, index: usize, values: DataValues) -> Self {
        let mut data = self.data.clone();
        data[index] = values;
        Self::new(Arc::clone(&self.sheet), self.size(), data)
    }

    /// Returns the sheet.
    #[must_use]
    pub fn sheet(&self) -> &Arc<Sheet> {
        &self.sheet
    }

    /// Returns the numbers of rows and columns.
    #[must_use]
    pub fn size(&self) -> Size {
        self.geometry.size
    }

    /// Returns the data: an entry for each of [`Sheet::data`].
    #[must_use]
    pub fn data(&self) -> &[DataValues] {
        &self.data
    }

    pub(super) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Returns the value of a row of [`BUILTINS`] without parameters.
    pub(super) fn constant(&self, index: usize) -> Value {
        self.constants[index].get_or_init(|| (BUILTINS[index].value)(&self.geometry, &[])).clone()
    }

    /// Returns what the name of data stands for without an argument: the places with data, the areas, or the number.
    /// `index` is an index of [`Sheet::data`].
    #[must_use]
    pub fn keys(&self, index: usize) -> Value {
        let keys = || match &self.data[index] {
            DataValues::Map(map) => {
                let mut keys = map.keys().to_vec();
                if keys.iter().all(|key| matches!(key, Value::Place(_))) {
                    keys.sort();
                }
                Value::set(keys)
            }
            DataValues::Areas(areas, _) => areas.clone(),
            DataValues::Plain(value) => value.clone(),
        };
        self.keys[index].get_or_init(keys).clone()
    }

    /// Returns the data of a key, [`Value::None`] if it has none. `index` is an index of [`Sheet::data`].
    #[must_use]
    pub fn lookup(&self, index: usize, key: &Value) -> Value {
        match &self.data[index] {
            DataValues::Map(map) | DataValues::Areas(_, map) => map.get(key).cloned().unwrap_or(Value::None),
            DataValues::Plain(_) => Value::None,
        }
    }

    /// Returns the places of each family of variables, each with the values of its variable in ascending order. Boolean
    /// variables have the values 0 and 1.
    ///
    /// # Errors
    /// Returns an error if a set can't be computed.
    pub fn variables(&self) -> Result<Vec<PlaceMap<Vec<i64>>>, EvalError> {
        self.variables_polled(&|| false)
    }

    /// Works like [`SheetBoard::variables`], but stops with an error soon after `poll` returns true.
    ///
    /// # Errors
    /// Returns an error if the places or values can't be computed, or if `poll` returns true.
    pub(super) fn variables_polled(
        &self,
        poll: &dyn Fn() -> bool,
    ) -> Result<Vec<PlaceMap<Vec<i64>>>, EvalError> {
        let eval = Eval::new(self, None).polled(poll);
        let mut families = Vec::new();
        for family in &self.sheet.vars {
            let mut places = PlaceMap::new(self.size());
            for place in eval.node(&family.on, &mut Env::default())?.items() {
                let values = match &family.domain {
                    None => vec![0, 1],
                    Some(domain) => {
                        let domain = eval.node(domain, &mut Env::with(place.clone()))?;
                        let mut values: Vec<i64> = domain.items().iter().filter_map(Value::number).collect();
                        values.sort_unstable();
                        values.dedup();
                        values
                    }
                };
                places.insert(place.clone(), values);
            }
            families.push(places);
        }
        Ok(families)
    }

    /// Returns whether data may have a value.
    ///
    /// # Errors
    /// Returns an error if the possible values can't be computed.
    pub fn is_possible(&self, data: usize, value: &Value) -> Result<bool, EvalError> {
        let Some(values) = &self.sheet.data[data].values else { return Ok(true) };
        Eval::new(self, None).contains(values, value, &mut Env::default())
    }

    /// Returns the values that data may have, or `None` if the sheet does not say it.
    ///
    /// # Errors
    /// Returns an error if the set can't be computed.
    pub fn possible(&self, data: usize) -> Result<Option<Value>, EvalError> {
        let values = &self.sheet.data[data].values;
        values.as_ref().map(|node| Eval::new(self, None).node(node, &mut Env::default())).transpose()
    }
}
