//! Lower bounds on an objective from the cores of a core-guided search.
//!
//! The objective is the sum of weighted penalties, which are literals. A *core* is a clause whose literals are
//! penalties. The weight of a core is subtracted from the weights of its literals and added to the lower bound. A
//! totalizer counts the true literals of the core, and all its outputs except the first one are further penalties. The
//! first of these penalties gets the weight of the core. Each further output gets the total weight that later cores
//! subtract from the output before it, so weights do not increase from one output to the next.
//!
//! Let x be the literals of a core, and let o(k) be the output that is true if and only if at least k of them are true.
//! The inequality S(k) is `sum x >= 1 + o(2) + ... + o(k)`. S(1) is the core itself. To derive S(k), add k - 1 times
//! S(k-1) to `sum x >= k o(k)`, which is half of the definition of o(k), and divide the sum by k. The result is S(k),
//! because the right side is rounded up.
//!
//! Each core contributes its inequalities S(k), multiplied by the differences between the weights of consecutive
//! outputs. In the sum, the outputs cancel out. The sum implies that the objective is at least the total weight of all
//! cores. This contradicts the inequalities that require a better value of the objective.
//!
//! Paper: Berg, Bogaerts, Nordstrom, Oertel, Vandesande: *Certified core-guided `MaxSAT` solving*, CADE 2023. The paper
//! derives S(k) from a different sum.

use rustsat::types::Lit;

use crate::define::Definitions;
use crate::error::ProofError;
use crate::formula::Formula;
use crate::row::{Overflow, Row};
use crate::veripb::{Id, Line, Writer};

/// A core of a core-guided search.
#[derive(Debug, Clone)]
pub(crate) struct Core {
    /// The number of the clause.
    pub(crate) clause: u32,
    pub(crate) weight: u128,
    /// The outputs of the core's totalizer except the first one, each with its weight.
    outputs: Vec<(Lit, u128)>,
}

impl Core {
    pub(crate) fn new(clause: u32, weight: u128) -> Self {
        Self { clause, weight, outputs: Vec::new() }
    }

    /// Adds `weight` to the weight of an output, which is true if at least `count` literals are true.
    pub(crate) fn weigh(&mut self, lit: Lit, count: usize, weight: u128) -> Result<(), Overflow> {
        match self.outputs.get_mut(count - 2) {
            Some((_, sum)) => *sum = sum.checked_add(weight).ok_or(Overflow)?,
            None => self.outputs.push((lit, weight)),
        }
        Ok(())
    }

    /// Adds the inequalities S(k) to a sum. The clause of the core has the number `id` in the proof.
    fn add(
        &self,
        id: Id,
        total: &mut Line,
        definitions: &mut Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<(), ProofError> {
        let mut last = (id, self.weight);
        for (k, &(lit, weight)) in (2..).zip(&self.outputs) {
            add_times(total, last.0, last.1.checked_sub(weight).ok_or(Overflow)?)?;
            let Some(half) = definitions.half(lit, proof)? else {
                return Err(ProofError::NoFormula { constraint: "objective".to_owned() });
            };
            let mut line = Line::default();
            line.add_times(last.0, k - 1);
            line.add(half);
            line.divide(k);
            last = (proof.pol(&line)?, weight);
        }
        add_times(total, last.0, last.1)
    }
}

/// Adds an inequality, multiplied by a factor that may be 0.
fn add_times(line: &mut Line, id: Id, factor: u128) -> Result<(), ProofError> {
    match u64::try_from(factor) {
        Ok(0) => Ok(()),
        Ok(factor) => {
            line.add_times(id, factor);
            Ok(())
        }
        Err(_) => Err(Overflow.into()),
    }
}

/// Derives a contradiction from cores and from inequalities that require a better value of the objective. Each core
/// comes with the number of its clause in the proof, and each inequality comes with the number of its row in the
/// formula.
pub(crate) fn refute(
    cores: impl Iterator<Item = (Core, Id)>,
    better: &[(Id, Row)],
    formula: &Formula,
    definitions: &mut Definitions,
    proof: &mut Writer<'_>,
) -> Result<Id, ProofError> {
    let mut total = Line::default();
    for (core, id) in cores {
        core.add(id, &mut total, definitions, proof)?;
    }
    // If the domains of one of the equal sums exclude a better value, its inequality has no solution, and the search
    // needs no core. The sum of all inequalities may then have a solution.
    let mut hints = Vec::new();
    for (id, row) in better {
        let Some(id) = definitions.stated(*id, row, formula) else {
            return Err(ProofError::NoFormula { constraint: "objective".to_owned() });
        };
        hints.push(id);
        match row.without_divisor() {
            None => total.add(id),
            Some((divisor, _)) => {
                let mut line = Line::default();
                line.add(id);
                line.divide(divisor);
                total.add_times(proof.pol(&line)?, divisor);
            }
        }
    }
    hints.push(proof.pol(&total)?);
    Ok(proof.rup(&[], &hints)?)
}
