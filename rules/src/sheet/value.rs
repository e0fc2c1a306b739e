//! The values of expressions that depend on the board only.

use std::fmt;
use std::hash::{BuildHasher as _, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::place::Spot;

/// A value.
///
/// The evaluator copies values often. Each variant holds at most 8 bytes, so that a result of the evaluator fits in two
/// registers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The absence of a value, such as a clue in a cell without a clue.
    None,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(i64),
    /// A symbol such as `'w'`.
    Symbol(Arc<String>),
    /// A place.
    Place(Spot),
    /// A list of values; the sheets call it a set, because most have no value twice.
    Set(Arc<Set>),
}

/// A list of values, with an index that is built when it is first needed.
#[derive(Default)]
pub struct Set {
    items: Vec<Value>,
    /// The index is stored apart, because most lists have none, and are smaller then.
    index: OnceLock<Box<SetIndex>>,
}

#[derive(Default)]
struct SetIndex {
    /// The first position of each value.
    positions: OnceLock<FxHashMap<Value, usize>>,
    /// The positions of the sets that contain a value.
    containing: OnceLock<FxHashMap<Value, Vec<usize>>>,
    /// The hash of the values, which are hashed once only: lists are keys of definitions that many places share.
    hash: OnceLock<u64>,
}

impl Set {
    /// Lists with fewer values are searched and hashed without an index.
    const INDEXED: usize = 16;

    /// Returns the values in order.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        &self.items
    }

    /// Returns whether the list contains `value`.
    #[must_use]
    pub fn contains(&self, value: &Value) -> bool {
        self.position(value).is_some()
    }

    /// Returns the first position of a value.
    pub(super) fn position(&self, value: &Value) -> Option<usize> {
        if self.items.len() < Self::INDEXED {
            return self.items.iter().position(|item| item == value);
        }
        let positions = self.index().positions.get_or_init(|| {
            let mut positions = FxHashMap::default();
            for (at, item) in self.items.iter().enumerate() {
                positions.entry(item.clone()).or_insert(at);
            }
            positions
        });
        positions.get(value).copied()
    }

    /// Returns the elements that are sets which contain `value`.
    pub(super) fn containing(&self, value: &Value) -> Vec<Value> {
        let index = self.index().containing.get_or_init(|| {
            let mut index: FxHashMap<Value, Vec<usize>> = FxHashMap::default();
            for (at, set) in self.items.iter().enumerate() {
                for item in set.items() {
                    index.entry(item.clone()).or_default().push(at);
                }
            }
            index
        });
        index.get(value).into_iter().flatten().map(|&at| self.items[at].clone()).collect()
    }

    fn index(&self) -> &SetIndex {
        self.index.get_or_init(Box::default)
    }
}

impl Value {
    /// Creates a set from its elements, in this order.
    pub fn set(items: impl IntoIterator<Item = Self>) -> Self {
        Self::Set(Arc::new(Set { items: items.into_iter().collect(), ..Set::default() }))
    }

    /// Creates a symbol.
    #[must_use]
    pub fn symbol(text: &str) -> Self {
        Self::Symbol(Arc::new(text.to_owned()))
    }

    /// Returns the elements of a set; a value that is no set has none.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Set(set) => set.items(),
            _ => &[],
        }
    }

    /// Returns the number, if the value is one.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the places of which the value consists: itself, or the places in a set.
    #[must_use]
    pub fn places(&self) -> Vec<Spot> {
        match self {
            Self::Place(place) => vec![*place],
            Self::Set(set) => set.items.iter().flat_map(Self::places).collect(),
            _ => Vec::new(),
        }
    }
}

impl From<Spot> for Value {
    fn from(place: Spot) -> Self {
        Self::Place(place)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Bool(value) => value.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Symbol(text) => f.write_str(text),
            Self::Place(place) => place.fmt(f),
            Self::Set(set) => match &set.items[..] {
                [] => f.write_str("the empty set"),
                [only] => only.fmt(f),
                [first, last] => write!(f, "{first}, {last}"),
                [first, .., last] => write!(f, "{first} to {last}"),
            },
        }
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.items).finish()
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.items == other.items
    }
}

impl Eq for Set {}

impl Hash for Set {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash = || FxBuildHasher.hash_one(&self.items[..]);
        state.write_u64(if self.items.len() < Self::INDEXED {
            hash()
        } else {
            *self.index().hash.get_or_init(hash)
        });
    }
}

impl PartialOrd for Set {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Set {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.items.cmp(&other.items)
    }
}
