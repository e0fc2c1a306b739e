//! Constraints whose clauses can be derived in a proof.

use std::fmt;
use std::sync::Arc;

use rustsat::types::Lit;

use crate::define::{Definitions, Derived};
use crate::error::ProofError;
use crate::formula::Formula;
use crate::veripb::{Id, Writer};

/// A graph, and the constraint that a set of its vertices is connected. A vertex is in the set if its literal is true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedGraph {
    /// The number of the graph. The names of the graph's variables contain this number.
    pub number: u32,
    /// The minimum and the maximum number of vertices in the set.
    pub size: (usize, usize),
    /// The numbers and literals of the vertices that can be in the set. The literal is `None` for a vertex that is
    /// always in the set.
    pub vertices: Vec<(usize, Option<Lit>)>,
    /// The edges between these vertices.
    pub edges: Vec<(usize, usize)>,
}

/// A constraint of the problem, with a function that derives its clauses in a proof.
pub trait Derive: fmt::Debug + Send {
    /// Derives an inequality that takes the place of a clause, from rows of the formula and from definitions. Returns
    /// `None` if the clause can't be derived.
    ///
    /// # Errors
    /// Returns an error if writing fails or a number overflows.
    fn derive(
        &self,
        clause: &[Lit],
        formula: &Formula,
        definitions: &Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError>;

    /// Returns the rows of the formula that state the constraint together, or no rows if others are necessary, too.
    fn rows(&self) -> &[Id] {
        &[]
    }

    /// Returns clauses that the derivation uses and that follow from the connectivity of a graph. The proof derives them
    /// first, and [keeps](Writer::keep) them.
    fn lemmas(&self) -> Vec<Vec<Lit>> {
        Vec::new()
    }

    /// If the constraint is the connectivity of a graph, returns the graph. The clauses of the constraint are then
    /// lemmas in a certificate in clausal form.
    fn graph(&self) -> Option<ConnectedGraph> {
        None
    }
}

/// A constraint whose clauses are derived by adding up rows of the formula and definitions of auxiliary variables.
#[derive(Debug, Clone, Default)]
pub struct Rows(pub Vec<Id>);

impl Derive for Rows {
    fn derive(
        &self,
        clause: &[Lit],
        formula: &Formula,
        definitions: &Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError> {
        definitions.derive(clause, &self.0, 0, formula, proof)
    }

    fn rows(&self) -> &[Id] {
        &self.0
    }
}

/// A constraint whose clauses follow from the definitions of the auxiliary variables from the given index on. Auxiliary
/// variables with smaller indices are inputs, so their definitions are not used.
#[derive(Debug, Clone, Copy)]
pub struct DefinedFrom(pub u32);

impl Derive for DefinedFrom {
    fn derive(
        &self,
        clause: &[Lit],
        formula: &Formula,
        definitions: &Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError> {
        definitions.derive(clause, &[], self.0, formula, proof)
    }
}

impl<D: Derive + Sync + ?Sized> Derive for Arc<D> {
    fn derive(
        &self,
        clause: &[Lit],
        formula: &Formula,
        definitions: &Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError> {
        (**self).derive(clause, formula, definitions, proof)
    }

    fn lemmas(&self) -> Vec<Vec<Lit>> {
        (**self).lemmas()
    }

    fn rows(&self) -> &[Id] {
        (**self).rows()
    }

    fn graph(&self) -> Option<ConnectedGraph> {
        (**self).graph()
    }
}
