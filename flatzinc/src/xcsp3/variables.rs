//! The names of variables and arrays, and references to variables and elements.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use gordian_encodings::{Value, tick};

use super::error::{Result, error, quoting};
use super::expr::Expr;
use crate::instance::VarId;

/// The maximum number of elements that short forms (such as `x[]` and `1x1000`) and decompositions may produce in
/// total. The limit is a constant plus a multiple of the input length.
const MAX_EXPANSION: (usize, usize) = (8_000_000, 64);

/// An index in an array reference.
#[derive(Debug, Clone, Copy)]
pub(super) enum Index {
    /// `[]`: all indices.
    All,
    /// `[1..3]`.
    Interval(Value, Value),
    /// `[2]`.
    One(Value),
}

/// The names of variables and arrays.
#[derive(Debug)]
pub(super) struct Variables {
    pub(super) names: HashMap<String, Declared>,
    /// The number of elements that further expansions and decompositions may produce.
    left: Cell<usize>,
}

/// A declared name.
#[derive(Debug)]
pub(super) enum Declared {
    One(VarId),
    Array(Array),
}

/// An array of variables.
#[derive(Debug)]
pub(super) struct Array {
    pub(super) sizes: Vec<usize>,
    /// The elements in row-major order; `None` for elements that have no domain.
    pub(super) elements: Vec<Option<VarId>>,
}

impl Variables {
    pub(super) fn new(input_length: usize) -> Self {
        let (constant, factor) = MAX_EXPANSION;
        let left = Cell::new(input_length.saturating_mul(factor).saturating_add(constant));
        Self { names: HashMap::new(), left }
    }

    /// Counts the elements that a short form or a decomposition produces. Returns an error if the total becomes too
    /// large.
    pub(super) fn expand(&self, count: usize, span: Range<usize>) -> Result<()> {
        let left =
            self.left.get().checked_sub(count).ok_or_else(|| {
                error(span, format!("{count} elements in short form"), "a smaller instance")
            })?;
        self.left.set(left);
        tick(count as u64);
        Ok(())
    }

    /// Returns the variable with the given name.
    pub(super) fn single(&self, name: &str, span: Range<usize>) -> Result<VarId> {
        match self.names.get(name) {
            Some(Declared::One(x)) => Ok(*x),
            Some(Declared::Array(_)) => Err(quoting(span, name, "indices after the name of an array")),
            None => Err(quoting(span, name, "the name of a variable")),
        }
    }

    /// Appends the elements at the given indices of an array. Elements without a domain do not exist, so intervals of
    /// indices skip them.
    pub(super) fn elements(
        &self,
        name: &str,
        indices: &[Index],
        span: Range<usize>,
        items: &mut Vec<Expr>,
    ) -> Result<()> {
        let Some(Declared::Array(array)) = self.names.get(name) else {
            return Err(quoting(span, name, "the name of an array"));
        };
        let ranges = ranges(&array.sizes, indices, &span)?;
        let single = indices.iter().all(|index| matches!(index, Index::One(_)));
        if !single {
            self.expand(ranges.iter().map(|range| range.len()).product(), span.clone())?;
        }
        for position in positions(&array.sizes, &ranges) {
            match array.elements[position] {
                Some(x) => items.push(Expr::Var(x)),
                None if single => return Err(quoting(span, name, "an element with a domain")),
                None => {}
            }
        }
        Ok(())
    }

    /// Returns the numbers of rows and columns of a matrix. These are the lengths of the two dimensions that are not
    /// fixed to a single index.
    pub(super) fn shape(&self, name: &str, indices: &[Index]) -> Option<(usize, usize)> {
        let Some(Declared::Array(array)) = self.names.get(name) else { return None };
        let mut lengths = indices.iter().zip(&array.sizes).filter_map(|(index, &size)| match *index {
            Index::All => Some(size),
            Index::Interval(first, last) => usize::try_from(last - first + 1).ok(),
            Index::One(_) => None,
        });
        let shape = (lengths.next()?, lengths.next()?);
        lengths.next().is_none().then_some(shape)
    }
}

/// Returns the selected positions in each dimension of an array.
pub(super) fn ranges(sizes: &[usize], indices: &[Index], span: &Range<usize>) -> Result<Vec<Range<usize>>> {
    if sizes.len() != indices.len() {
        let found = format!("{} indices", indices.len());
        return Err(error(span.clone(), found, format!("{}, one for each dimension", sizes.len())));
    }
    let mut ranges = Vec::with_capacity(sizes.len());
    for (&size, &index) in sizes.iter().zip(indices) {
        let (first, last) = match index {
            Index::All => (0, size as Value - 1),
            Index::Interval(first, last) => (first, last),
            Index::One(index) => (index, index),
        };
        if !matches!(index, Index::All) && (first < 0 || last >= size as Value) {
            let found = format!("the index {}", if first < 0 { first } else { last });
            return Err(error(span.clone(), found, format!("an index from 0, below {size}")));
        }
        ranges.push(first as usize..(last + 1) as usize);
    }
    Ok(ranges)
}

/// Returns the positions of the selected elements in row-major order.
pub(super) fn positions(sizes: &[usize], ranges: &[Range<usize>]) -> impl Iterator<Item = usize> {
    let count: usize = ranges.iter().map(|range| range.len()).product();
    (0..count).map(move |mut rank| {
        let (mut position, mut step) = (0, 1);
        for (size, range) in sizes.iter().zip(ranges).rev() {
            position += (range.start + rank % range.len()) * step;
            rank /= range.len();
            step *= size;
        }
        position
    })
}
