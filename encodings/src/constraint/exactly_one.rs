//! Exactly one of some literals.

use std::sync::Arc;

use super::{Cardinality, Constraint, Meaning, Scope};
use crate::assignment::Assignment;
use crate::encoding::{Encoding, exactly_one};
use crate::int::Domains;
use crate::lit::Lit;

/// Exactly one of the literals holds. A literal given twice counts twice: it must not hold.
///
/// ```
/// use gordian_encodings::constraint::ExactlyOne;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let [a, b, c] = [0; 3].map(|_| model.boolean());
/// model.post(ExactlyOne::new([a, b, !c]));
/// assert!(model.holds(&Assignment::new(vec![false, true, true], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![true, true, true], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![false, false, true], vec![])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert_eq!(cnf.len(), 4);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactlyOne {
    /// The literals; none of them makes the constraint unsatisfiable.
    pub lits: Vec<Lit>,
}

impl ExactlyOne {
    /// Exactly one of `lits`.
    #[must_use]
    pub fn new(lits: impl Into<Vec<Lit>>) -> Self {
        Self { lits: lits.into() }
    }
}

impl Meaning for ExactlyOne {
    const NAME: &'static str = "exactly-one";
    const SUMMARY: &'static str = "exactly one of the literals holds";

    fn encodings() -> &'static [&'static Encoding<Self>] {
        static ENCODINGS: &[&Encoding<ExactlyOne>] = &[
            &exactly_one::PAIRWISE,
            &exactly_one::LADDER,
            &exactly_one::BITWISE,
            &exactly_one::COMMANDER,
            &exactly_one::BIMANDER,
            &exactly_one::PRODUCT,
        ];
        ENCODINGS
    }

    fn auto(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        exactly_one::auto(self.lits.len())
    }

    fn scope(&self) -> Scope {
        Scope { lits: self.lits.clone(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        assignment.count(&self.lits) == 1
    }

    fn negation(&self, domains: Domains<'_>) -> Arc<dyn Constraint> {
        Meaning::negation(&Cardinality::exactly(self.lits.as_slice(), 1), domains)
    }
}
