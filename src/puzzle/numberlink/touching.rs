//! A rule for proofs, if paths must not touch themselves: a path does not take three steps around a block of 2x2 cells.
//!
//! The formula implies the clauses of this rule, but unit propagation does not derive them.

use std::sync::Arc;

use gordian_encodings::constraint::Clause;
use gordian_encodings::{FALSE, Lit, Model, TRUE, constant};
use gordian_proofs::{Definitions, Derive, Derived, Formula, Id, ProofError, Row, Writer};

use super::literals::ProofVariables;

/// Posts the clauses that exclude three steps around a block.
pub(super) fn post(variables: &Arc<ProofVariables>, model: &mut Model) {
    for [tl, tr, bl, br] in variables.board.ends().blocks() {
        let around = [tl, tr, br, bl];
        for start in 0..4 {
            let cells: [usize; 4] = std::array::from_fn(|at| around[(start + at) % 4]);
            let steps: Vec<Lit> = variables.lits.steps_along(&cells).collect();
            if steps.iter().all(|&step| constant(step).is_none()) {
                let clause: Vec<Lit> = steps.iter().map(|&step| !step).collect();
                let variables = Arc::clone(variables);
                model.post_derived(Clause::new(clause), Arc::new(Touching { cells, variables }));
            }
        }
    }
}

/// Derives the clause that excludes three steps around a block. All four cells are on the same path, so the first and
/// the last one must be joined by a step, too. Then the path either continues beyond an end, or is a cycle, which
/// connectivity excludes.
#[derive(Debug)]
struct Touching {
    cells: [usize; 4],
    variables: Arc<ProofVariables>,
}

impl Touching {
    /// If no cell is an end, returns the clause that a step within the block needs a step that leaves the block.
    fn leaves_block(&self) -> Option<Vec<Lit>> {
        let (cells, ProofVariables { board, lits, .. }) = (&self.cells, &*self.variables);
        if cells.iter().any(|&cell| board.ends()[cell].is_some()) {
            return None;
        }
        let steps = cells.iter().flat_map(|&cell| &lits.at[cell]).map(|&step| &lits.steps[step]);
        let leaving = steps.filter(|step| !(cells.contains(&step.a) && cells.contains(&step.b)));
        Some([!lits.step(cells[0], cells[1])].into_iter().chain(leaving.map(|step| step.taken)).collect())
    }
}

impl Derive for Touching {
    fn derive(
        &self,
        clause: &[Lit],
        formula: &Formula,
        _: &Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError> {
        let (cells, ProofVariables { board, lits, numbers }) = (&self.cells, &*self.variables);
        let [u, a, b, v] = *cells;
        let row = |clause: &[Lit]| {
            let open: Vec<Lit> = clause.iter().copied().filter(|&lit| constant(lit).is_none()).collect();
            if clause.contains(&TRUE) { None } else { formula.find(&Row::clause(&open)) }
        };
        let [ua, ab, bv, uv] = [(u, a), (a, b), (b, v), (u, v)].map(|(from, to)| lits.step(from, to));
        // If the fourth step is possible, it must be taken.
        let closed: Vec<Lit> = clause.iter().copied().chain((uv != FALSE).then_some(uv)).collect();
        let chain = |number: usize| -> Vec<Id> {
            let [u, a, b, v] = cells.map(|cell| numbers[cell][number]);
            let clauses = [[!ua, !u, a], [!ab, !a, b], [!bv, !b, v], [uv, !u, !v]];
            clauses.iter().filter_map(|clause| row(clause)).collect()
        };
        let mut derived = Vec::new();
        let id = if let Some(number) = board.ends()[u] {
            proof.rup(&closed, &chain(number))?
        } else {
            for (number, &lit) in numbers[u].iter().enumerate() {
                derived.push(proof.rup(&[&closed[..], &[!lit]].concat(), &chain(number))?);
            }
            let used = lits.used[u];
            let some = [row(&[!ua, used]), row(&[&numbers[u][..], &[!used]].concat())];
            proof.rup(
                &closed,
                &derived.iter().copied().chain(some.into_iter().flatten()).collect::<Vec<_>>(),
            )?
        };
        if uv == FALSE {
            proof.delete(&derived)?;
            return Ok(Some(Derived::clause(id)));
        }
        derived.push(id);
        let most = |cell: usize| {
            let steps = lits.at[cell].iter().map(|&step| (1, lits.steps[step].taken));
            let most = if board.ends()[cell].is_some() { 1 } else { 2 };
            Ok(formula.find(&Row::at_most(steps, most)?))
        };
        let degrees: Vec<Option<Id>> =
            cells.iter().map(|&cell| most(cell)).collect::<Result<_, ProofError>>()?;
        let lemma = self.leaves_block().and_then(|lemma| proof.kept(&lemma));
        let hints: Vec<Id> = [id].into_iter().chain(degrees.into_iter().flatten()).chain(lemma).collect();
        let id = proof.rup(clause, &hints)?;
        proof.delete(&derived)?;
        Ok(Some(Derived::clause(id)))
    }

    fn lemmas(&self) -> Vec<Vec<Lit>> {
        self.leaves_block().into_iter().collect()
    }
}
