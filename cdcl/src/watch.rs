//! The entries of watch lists. The watch list of a literal contains the clauses that watch it.

use crate::arena::ClauseRef;
use crate::lit::Lit;
use crate::proof::ClauseId;

/// The bit of [`Watch::data`] that is set if the clause is binary.
const BINARY: u32 = 1 << 31;

/// An entry of a watch list: a clause that watches a literal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch {
    /// The blocking literal: a literal of the clause other than the watched one. If it is true, the clause need not be
    /// read. In a binary clause, it is the only other literal.
    pub(crate) blocker: Lit,
    data: u32,
}

impl Watch {
    /// Creates an entry for the binary clause that has the number `id` in the proof.
    pub(crate) fn binary(other: Lit, id: ClauseId) -> Self {
        Self { blocker: other, data: BINARY | id }
    }

    pub(crate) fn long(blocker: Lit, clause: ClauseRef) -> Self {
        Self { blocker, data: clause.0 }
    }

    /// Returns the clause, or `None` if it is binary.
    pub(crate) fn clause(self) -> Option<ClauseRef> {
        (self.data & BINARY == 0).then_some(ClauseRef(self.data))
    }

    /// Returns the number of a binary clause in the proof.
    pub(crate) fn id(self) -> ClauseId {
        self.data & !BINARY
    }

    /// Updates the reference to a clause that has moved.
    pub(crate) fn relocate(&mut self, moved: impl Fn(ClauseRef) -> ClauseRef) {
        if let Some(clause) = self.clause() {
            self.data = moved(clause).0;
        }
    }
}
