//! The record of a core-guided search, from which a proof of an optimum is written.

use rustsat::types::Lit;

use super::Log;
use crate::cores::Core;
use crate::error::ProofError;
use crate::row::Row;

impl Log {
    /// Records a core of a core-guided search (a clause of penalties) with its weight. The clause must follow from the
    /// preceding clauses by unit propagation. Returns the number of the core.
    pub fn core(&mut self, clause: &[Lit], weight: u128) -> usize {
        if let Some(clause) = self.add_kept(clause) {
            self.cores.push(Core::new(clause, weight));
        }
        self.cores.len().saturating_sub(1)
    }

    /// Increases the weight of a literal by `weight`. The literal is an output of the totalizer over the literals of a
    /// core. It is a penalty with a [definition](Log::define): it is true if and only if at least `count` literals of
    /// the core are true. For each core, the output with `count` 2 must be recorded first, then the output with `count`
    /// 3, and so on.
    pub fn core_output(&mut self, core: usize, lit: Lit, count: usize, weight: u128) {
        if let Some(Err(overflow)) = self.cores.get_mut(core).map(|core| core.weigh(lit, count, weight)) {
            self.fail(overflow.into());
        }
    }

    /// Ends a core-guided search. The inequalities in `rows`, which require a better objective value than the optimum,
    /// are added to the formula. The cores contradict the sum of these inequalities.
    pub fn require_better(&mut self, rows: Vec<Row>) {
        let rows = rows.into_iter().filter_map(|row| Some((self.formula.add(row.clone())?, row)));
        self.better = Some(rows.collect());
        if self.formula.is_incomplete() {
            self.fail(ProofError::NoFormula { constraint: "objective".to_owned() });
        }
    }
}
