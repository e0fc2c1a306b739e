//! The terms of the sums that define auxiliary variables.

use std::ops::Deref;
use std::sync::Arc;

use rustsat::types::Lit;

use crate::row::{Overflow, Row};

/// The first literals of a list that several definitions share.
#[derive(Debug, Clone)]
pub struct Prefix {
    lits: Arc<[Lit]>,
    len: usize,
}

impl Prefix {
    /// Returns the first `len` literals of a list.
    #[must_use]
    pub fn new(lits: Arc<[Lit]>, len: usize) -> Self {
        Self { lits, len }
    }
}

impl Deref for Prefix {
    type Target = [Lit];

    fn deref(&self) -> &[Lit] {
        &self.lits[..self.len]
    }
}

impl<L: Into<Arc<[Lit]>>> From<L> for Prefix {
    /// Returns the whole list.
    fn from(lits: L) -> Self {
        let lits = lits.into();
        Self { len: lits.len(), lits }
    }
}

/// The terms of a sum.
#[derive(Debug, Clone)]
pub(crate) enum Terms {
    /// Literals, all with the coefficient 1.
    Lits(Prefix),
    /// Literals with their coefficients.
    Weighted(Arc<[(i128, Lit)]>),
}

impl Terms {
    pub(crate) fn lits(&self) -> Vec<Lit> {
        match self {
            Self::Lits(lits) => lits.to_vec(),
            Self::Weighted(terms) => terms.iter().map(|&(_, lit)| lit).collect(),
        }
    }

    pub(crate) fn at_least(&self, bound: i128) -> Result<Row, Overflow> {
        match self {
            Self::Lits(lits) => Row::at_least(lits.iter().map(|&lit| (1, lit)), bound),
            Self::Weighted(terms) => Row::at_least(terms.iter().copied(), bound),
        }
    }
}
