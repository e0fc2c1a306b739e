//! How many of some literals hold, counted no further than is asked for.

use rustsat::encodings::card::{BoundUpper as _, BoundUpperIncremental as _, Totalizer};

use super::ROW;
use crate::encoding::from_rustsat;
use crate::lit::{Lit, TRUE};
use crate::sink::Sink;

/// The number of literals that hold, with upper bounds that are assumed: a totalizer whose outputs are made when they are
/// first asked for, with what they need of the tree below (Bailleux, Boufkhad: *Efficient CNF encoding of Boolean
/// cardinality constraints*, CP 2003; Martins, Joshi, Manquinho, Lynce: *Incremental cardinality constraints for
/// `MaxSAT`*, CP 2014). The tree is rustsat's.
///
/// ```
/// use gordian_encodings::{Cnf, Encodings, IncrementalTotalizer, Model};
///
/// let mut model = Model::new();
/// let lits: Vec<_> = (0..5).map(|_| model.boolean()).collect();
/// let mut cnf = Cnf::default();
/// let mut encoded = model.encode(&Encodings::auto(), &mut cnf);
/// let mut count = IncrementalTotalizer::new(lits);
/// let at_most_one = count.at_most(1, &mut encoded.sink(&mut cnf));
/// let written = cnf.len();
/// assert_eq!(count.at_most(1, &mut encoded.sink(&mut cnf)), at_most_one);
/// assert_eq!(cnf.len(), written, "a bound is written once");
/// ```
#[derive(Debug)]
pub struct IncrementalTotalizer {
    literals: usize,
    totalizer: Totalizer,
}

impl IncrementalTotalizer {
    /// The count of these literals, of which none is a constant; one that stands twice counts twice. Nothing is written
    /// yet.
    #[must_use]
    pub fn new(lits: Vec<Lit>) -> Self {
        Self { literals: lits.len(), totalizer: Totalizer::from(lits) }
    }

    /// How many literals are counted.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.literals
    }

    /// A literal that, if it is assumed, leaves at most `most` of the counted ones: [`TRUE`] where all may hold.
    ///
    /// Its negation holds whenever more than `most` do, and says nothing otherwise.
    ///
    /// # Panics
    /// If rustsat does not know a bound that it has just encoded.
    pub fn at_most(&mut self, most: usize, sink: &mut Sink<'_>) -> Lit {
        if most >= self.literals {
            return TRUE;
        }
        sink.written_as(ROW.name, |sink| {
            from_rustsat::run(&mut sink.always(), |clauses, numbers| {
                self.totalizer.encode_ub_change(most..=most, clauses, numbers)
            });
        });
        let assumed = self.totalizer.enforce_ub(most).expect("this bound was just encoded");
        assumed[0]
    }
}
