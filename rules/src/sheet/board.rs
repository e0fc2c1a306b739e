//! Boards of puzzle types that are stated by a rule sheet.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::Sheet;
use super::builtin::BUILTINS;
use super::eval::{Env, Eval, EvalError};
use super::geometry::Geometry;
use super::place::{Cell, PlaceTable, Size, Spot};
use super::scheme::DataSort;
use super::value::Value;

/// A map from places, or sets of places, to entries.
#[derive(Debug, Clone)]
pub struct PlaceMap<T> {
    size: Size,
    /// The keys, in the order of insertion.
    keys: Vec<Value>,
    places: PlaceTable<T>,
    others: FxHashMap<Value, T>,
}

impl<T> PlaceMap<T> {
    /// Creates an empty map for a board of the given size.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { size, keys: Vec::new(), places: PlaceTable::default(), others: FxHashMap::default() }
    }

    /// Sets the entry of a key, and returns the previous one.
    ///
    /// # Panics
    /// Panics if the key is a place outside of the board.
    pub fn insert(&mut self, key: Value, entry: T) -> Option<T> {
        let old = match &key {
            Value::Place(place) => self.places.insert(self.size, *place, entry),
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
                Value::Place(place) => self.places.remove(self.size, *place),
                _ => drop(self.others.remove(&key)),
            }
        }
    }

    /// Returns the entry of a key.
    #[must_use]
    pub fn get(&self, key: &Value) -> Option<&T> {
        match key {
            Value::Place(place) => self.places.get(self.size, *place),
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
    /// A number, a truth value, a set of chains, or none.
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
            DataSort::Option => Self::Plain(Value::Bool(false)),
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
    /// The places and the values of the variables, once computed.
    variables: OnceLock<Arc<[VariablePlaces]>>,
}

/// The places of a family of variables, each with the values of its variable in ascending order.
pub type VariablePlaces = PlaceMap<Arc<[i64]>>;

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
            variables: OnceLock::new(),
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

    /// Iterates over the options that are chosen, as indices of [`Sheet::data`], in ascending order.
    pub fn options(&self) -> impl Iterator<Item = usize> {
        let is_chosen = |values: &DataValues| matches!(values, DataValues::Plain(Value::Bool(true)));
        (0..self.data.len()).filter(move |&data| is_chosen(&self.data[data]))
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
    pub fn variables(&self) -> Result<Arc<[VariablePlaces]>, EvalError> {
        self.variables_by(&Eval::new(self, None))
    }

    /// Works like [`SheetBoard::variables`], with an evaluator of this board that can be stopped.
    pub(super) fn variables_by(&self, eval: &Eval) -> Result<Arc<[VariablePlaces]>, EvalError> {
        if let Some(known) = self.variables.get() {
            return Ok(Arc::clone(known));
        }
        let mut families = Vec::new();
        for family in &self.sheet.vars {
            let mut places = PlaceMap::new(self.size());
            let values = |env: &mut Env| -> Result<Arc<[i64]>, EvalError> {
                let Some(domain) = &family.domain else { return Ok([0, 1].into()) };
                let domain = eval.node(domain, env)?;
                let mut values: Vec<i64> = domain.items().iter().filter_map(Value::number).collect();
                values.sort_unstable();
                values.dedup();
                Ok(values.into())
            };
            // Often all variables have the same values.
            let depends = family.domain.as_ref().is_some_and(|domain| domain.locals() > 0);
            let of_all = if depends { None } else { Some(values(&mut Env::default())?) };
            for place in eval.node(&family.on, &mut Env::default())?.items() {
                let values = match &of_all {
                    Some(values) => Arc::clone(values),
                    None => values(&mut Env::with(place.clone()))?,
                };
                places.insert(place.clone(), values);
            }
            families.push(places);
        }
        Ok(Arc::clone(self.variables.get_or_init(|| families.into())))
    }

    /// Returns whether data may have a value.
    ///
    /// # Errors
    /// Returns an error if the possible values can't be computed.
    pub fn is_possible(&self, data: usize, value: &Value) -> Result<bool, EvalError> {
        let Some(values) = &self.sheet.data[data].values else { return Ok(true) };
        Eval::new(self, None).contains(values, value, &mut Env::default())
    }

    /// Returns the values that data may have, or `None` if the sheet does not say it. Of a range of numbers that is too long
    /// for a set, there are as many as the board has cells.
    ///
    /// # Errors
    /// Returns an error if the set can't be computed.
    pub fn possible(&self, data: usize) -> Result<Option<Value>, EvalError> {
        Ok(self.listed(data)?.map(|(values, _)| values))
    }

    /// Returns the greatest number that data may have, if [`SheetBoard::possible`] does not list all numbers.
    ///
    /// # Errors
    /// Returns an error if the set can't be computed.
    pub fn most_possible(&self, data: usize) -> Result<Option<i64>, EvalError> {
        Ok(self.listed(data)?.and_then(|(_, most)| most))
    }

    fn listed(&self, data: usize) -> Result<Option<(Value, Option<i64>)>, EvalError> {
        let values = &self.sheet.data[data].values;
        values.as_ref().map(|node| Eval::new(self, None).listed(node)).transpose()
    }
}
