//! Rules for proofs, if cells may stay empty and paths may touch themselves: clauses that exclude detours of paths.
//!
//! A *detour* is a part of a path that can be replaced by a part between the same two cells, through cells that are
//! empty. The replacement has fewer cells, or the same number of cells and a higher position on the board. There are
//! three types of detours:
//!
//! * three steps around a block of 2x2 cells, in place of the fourth step;
//! * a turn whose inner cell is empty and in the row above the turn;
//! * a wide turn: a straight run of steps and a step at each end to the same side, where the cells between these two
//!   steps are empty.
//!
//! The proof derives the clause that excludes a detour by dominance: the replacement yields a solution of a smaller
//! rank. In contrast to the rules of [least](super::least) solutions, the cells of a detour are fixed, so a fixed
//! substitution replaces it.

use std::collections::HashSet;
use std::sync::Arc;

use gordian_encodings::constraint::Clause;
use gordian_encodings::{Lit, Model, Value, constant};
use gordian_proofs::{Definitions, Derive, Derived, Formula, ProofError, Row, Substitution, Writer};

use super::least::AXES;
use super::literals::ProofVariables;
use super::turns::{self, Turn};

/// Posts the clauses that exclude detours. If all solutions of the model must differ from a given solution, `given`
/// contains the steps of this solution.
pub(super) fn post(variables: &Arc<ProofVariables>, given: Option<&HashSet<Lit>>, model: &mut Model) {
    let ProofVariables { board, lits, .. } = &**variables;
    let ends = board.ends();
    // A wide turn of width w in row r has w + 1 inner cells, and its replacement has w - 1, possibly in row r + 1. The rank
    // decreases by 2(size + r) - (w - 1) > 0, because w is at most `size`.
    let size = ends.rows().max(ends.columns());
    let weight = |cell: usize| (size + ends.place(cell).row) as Value;
    let open = (0..ends.len()).filter(|&cell| ends[cell].is_none());
    model.set_rank(open.map(|cell| (weight(cell), lits.used[cell])));

    let mut exclude = |before: Vec<usize>, after: Vec<usize>| {
        let detour = Detour { before, after, variables: Arc::clone(variables) };
        if let Some(clause) = detour.clause(given) {
            model.post_derived(Clause::new(clause), Arc::new(detour));
        }
    };
    for [tl, tr, bl, br] in ends.blocks() {
        let around = [tl, tr, br, bl];
        for start in 0..4 {
            let before: Vec<usize> = (start..start + 4).map(|at| around[at % 4]).collect();
            let after = vec![before[0], before[3]];
            exclude(before, after);
        }
    }
    for turn in turns::all(board).filter(Turn::is_below) {
        let [a, b] = turn.arms;
        exclude(vec![a, turn.at, b], vec![a, turn.inner, b]);
    }
    for (axis, side) in AXES.into_iter().flat_map(|axis| [(axis, 1), (axis, -1)]) {
        for cell in (0..ends.len()).filter(|&cell| ends[cell].is_none()) {
            let at = |along: isize, across: isize| axis.at(board, cell, along, side * across);
            let Some(start) = at(0, 1) else { continue };
            let (mut before, mut after) = (vec![start, cell], vec![start]);
            // The inner cells of a detour and its replacement are no ends.
            let corners = (1..).map_while(|along| Some((at(along, 0)?, at(along, 1)?)));
            for (corner, arm) in corners.take_while(|&(corner, _)| ends[corner].is_none()) {
                before.push(corner);
                after.push(arm);
                if before.len() > 3 {
                    exclude([&before[..], &[arm]].concat(), after.clone());
                }
                if ends[arm].is_some() {
                    break;
                }
            }
        }
    }
}

/// A part of a path, and a part that may replace it. Both start with the same cell and end with the same cell.
#[derive(Debug)]
struct Detour {
    before: Vec<usize>,
    after: Vec<usize>,
    variables: Arc<ProofVariables>,
}

/// Returns the cells of a part without its first and its last cell.
fn inner(part: &[usize]) -> &[usize] {
    &part[1..part.len() - 1]
}

impl Detour {
    /// Returns the clause that excludes the detour. Returns `None` if the detour or its replacement is impossible, or if
    /// the replacement may yield the given solution.
    fn clause(&self, given: Option<&HashSet<Lit>>) -> Option<Vec<Lit>> {
        let ProofVariables { board, lits, .. } = &*self.variables;
        let is_end = |cell: &usize| board.ends()[*cell].is_some();
        let mut steps = lits.steps_along(&self.before).chain(lits.steps_along(&self.after));
        if inner(&self.before).iter().chain(inner(&self.after)).any(is_end)
            || steps.any(|step| constant(step).is_some())
            || given.is_some_and(|given| self.yields(given))
        {
            return None;
        }
        let used = inner(&self.after).iter().map(|&cell| lits.used[cell]);
        Some(lits.steps_along(&self.before).map(|step| !step).chain(used).collect())
    }

    /// Returns whether the given solution contains the replacement but no inner cell of the detour. Only then can
    /// the replacement turn another solution into the given one. In all other cases, the changed solution lacks a step of the given one.
    fn yields(&self, given: &HashSet<Lit>) -> bool {
        let lits = &self.variables.lits;
        let is_used =
            |cell: &usize| lits.at[*cell].iter().any(|&step| given.contains(&lits.steps[step].taken));
        lits.steps_along(&self.after).all(|step| given.contains(&step))
            && !inner(&self.before).iter().any(is_used)
    }

    /// If the detour and its replacement may form a cycle of four steps, returns the clause that excludes this cycle.
    fn cycle(&self) -> Option<Vec<Lit>> {
        let ProofVariables { board, lits, .. } = &*self.variables;
        let is_cycle = self.after.len() == 2 && self.before.iter().all(|&cell| board.ends()[cell].is_none());
        is_cycle.then(|| {
            let steps = lits.steps_along(&self.before).chain(lits.steps_along(&self.after));
            let mut clause: Vec<Lit> = steps.map(|step| !step).collect();
            clause.sort_unstable();
            clause
        })
    }

    /// Makes cells empty.
    fn clear(&self, cells: &[usize], change: &mut Substitution) {
        for &cell in cells {
            let of_cell = [self.variables.lits.used[cell]].into_iter();
            change
                .made_true
                .extend(of_cell.chain(self.variables.numbers[cell].iter().copied()).map(|lit| !lit));
        }
    }

    /// Returns the row which states that a cell is on at most one path.
    fn at_most_one(&self, cell: usize) -> Result<Row, ProofError> {
        let lits = self.variables.numbers[cell].iter().copied().chain([!self.variables.lits.used[cell]]);
        Ok(Row::at_most(lits.map(|lit| (1, lit)), 1)?)
    }
}

impl Derive for Detour {
    fn derive(
        &self,
        clause: &[Lit],
        formula: &Formula,
        _: &Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError> {
        let ProofVariables { lits, numbers, .. } = &*self.variables;
        // The fourth step around a block is free only if it is not taken yet.
        if let Some(cycle) = self.cycle().filter(|cycle| proof.kept(cycle).is_none()) {
            let mut change = Substitution { made_true: cycle.clone(), ..Substitution::default() };
            self.clear(&self.before, &mut change);
            let id = proof.dom(&cycle, &change, &[])?;
            proof.keep(&cycle, id);
        }
        let mut change = Substitution::default();
        let removed = lits.steps_along(&self.before).map(|step| !step);
        change.made_true.extend(removed.chain(lits.steps_along(&self.after)));
        self.clear(inner(&self.before), &mut change);
        let from = inner(&self.before)[0];
        let mut goals = Vec::new();
        for &cell in inner(&self.after) {
            change.made_true.push(lits.used[cell]);
            change.replaced.extend(numbers[cell].iter().copied().zip(numbers[from].iter().copied()));
            // The cell is on at most one path because `from` was on at most one path.
            let rows = [self.at_most_one(cell)?, self.at_most_one(from)?];
            goals.extend(formula.find(&rows[0]).zip(formula.find(&rows[1])));
        }
        Ok(Some(Derived::clause(proof.dom(clause, &change, &goals)?)))
    }
}
