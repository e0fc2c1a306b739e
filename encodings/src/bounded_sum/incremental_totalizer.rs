//! The incremental totalizer, which counts the true literals of a list.

use rustsat::encodings::card::{BoundUpper as _, BoundUpperIncremental as _, Totalizer};

use gordian_proofs::DefinedFrom;

use super::ROW;
use crate::encoding::totalizer::Outputs;
use crate::lit::{Lit, TRUE};
use crate::sink::Sink;

/// Uses assumptions to bound the number of true literals in a list. The clauses for an output of the totalizer are
/// written when a bound first needs the output (Bailleux, Boufkhad: *Efficient CNF encoding of Boolean cardinality
/// constraints*, CP 2003; Martins, Joshi, Manquinho, Lynce: *Incremental cardinality constraints for `MaxSAT`*, CP
/// 2014). The totalizer is implemented by rustsat.
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
    /// The definitions of the outputs, if a proof is logged.
    outputs: Option<Outputs>,
}

impl IncrementalTotalizer {
    /// Creates a totalizer over the literals, without writing clauses. No literal may be constant. A literal that
    /// occurs twice counts twice.
    #[must_use]
    pub fn new(lits: Vec<Lit>) -> Self {
        Self { literals: lits.len(), totalizer: Totalizer::from(lits), outputs: None }
    }

    /// Returns the number of literals of the totalizer, including repetitions.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.literals
    }

    /// Returns an assumption that limits the number of true literals to `most`. If `most` is at least the number of
    /// literals, the result is [`TRUE`].
    ///
    /// If the number of true literals exceeds `most`, the clauses imply that the returned literal is false. Otherwise,
    /// the returned literal may have any value. In a proof, the literal has a stricter definition: it is true if and
    /// only if the number of true literals does not exceed `most`.
    ///
    /// # Panics
    /// Panics if rustsat fails to encode the bound.
    pub fn at_most(&mut self, most: usize, sink: &mut Sink<'_>) -> Lit {
        if most >= self.literals {
            return TRUE;
        }
        let Self { totalizer, outputs, .. } = self;
        sink.written_as(ROW.name, |sink| {
            let mut sink = sink.always();
            // The variables of this totalizer are numbered from `first`. An input may be an output of another
            // totalizer, but then its variable is smaller than `first`.
            let first = outputs.as_ref().map_or(sink.variables(), Outputs::first);
            let logged = sink.begin_logging(ROW.name, |_, _| Some(Box::new(DefinedFrom(first))));
            let outputs = sink.is_logged().then(|| outputs.get_or_insert_with(|| Outputs::new(first)));
            Outputs::define(outputs, true, &mut sink, |clauses, numbers| {
                totalizer.encode_ub_change(most..=most, clauses, numbers)
            });
            if logged {
                sink.end_logging();
            }
        });
        let assumed = self.totalizer.enforce_ub(most).expect("this bound was just encoded");
        assumed[0]
    }
}
