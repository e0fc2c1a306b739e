//! Repairs drawn data whose rules contradict each other.

use gordian_counting::Random;
use gordian_explain::{Answer, Oracle, Set};

use super::super::{MakeError, Maker};
use super::roles::Roles;
use super::{CONFLICTS, SheetDraft};
use crate::backend::Limits;
use crate::puzzle::sheet::{partial, sheet_of};
use crate::rules::sheet::{Cell, SheetBoard};
use crate::search::GroupedSession;

/// The number of changes that are tried.
const CHANGES: usize = 150;

/// The cells of rules that have to be dropped so that the others have a solution: a list for each rule.
type Dropped = Vec<Vec<usize>>;

impl SheetDraft {
    /// Changes areas and drawn data near a rule that contradicts others, as long as no more such rules result, until all rules
    /// that do not depend on derived data have a solution.
    pub(super) fn repaired(
        maker: &Maker<'_>,
        roles: &Roles,
        mut board: SheetBoard,
        random: &mut Random,
    ) -> Result<Option<SheetBoard>, MakeError> {
        let Some(mut dropped) = Self::dropped(maker, roles, &board, usize::MAX, random)? else {
            return Ok(None);
        };
        let cells: Vec<Cell> = board.size().cells().collect();
        for _ in 0..CHANGES {
            if dropped.is_empty() {
                return Ok(Some(board));
            }
            if maker.stopped() {
                return Ok(None);
            }
            let near = &dropped[random.index(dropped.len())];
            let cell = match &near[..] {
                [] => random.index(cells.len()),
                near => near[random.index(near.len())],
            };
            let pattern = maker.options.pattern.as_ref();
            let Some(next) = roles.changed(&board, cells[cell], pattern, random) else { continue };
            if let Some(fewer) = Self::dropped(maker, roles, &next, dropped.len(), random)? {
                (board, dropped) = (next, fewer);
            }
        }
        Ok(None)
    }

    /// Returns the rules that have to be dropped so that the others have a solution: a random one of each contradiction.
    /// Returns `None` if there are more than `most`, or if a limit is reached.
    fn dropped(
        maker: &Maker<'_>,
        roles: &Roles,
        board: &SheetBoard,
        most: usize,
        random: &mut Random,
    ) -> Result<Option<Dropped>, MakeError> {
        let sheet = sheet_of(maker.puzzle_type);
        let plain =
            match partial::plain(board, sheet, |rule| !roles.is_derived(sheet, rule), &|| maker.stopped()) {
                Ok(plain) => plain,
                Err(_) if maker.stopped() => return Ok(None),
                Err(error) => return Err(MakeError::Rules(error.to_string())),
            };
        let count = plain.rules.len();
        let limits = Limits { conflicts: None, ..maker.limits.clone() };
        let most_conflicts = maker.limits.conflicts.map(|most| most.min(CONFLICTS));
        let mut session =
            GroupedSession::new(&plain.model, plain.rule_of(), count, maker.config, limits, most_conflicts)?;
        let mut open = Set::full(count);
        let mut dropped = Vec::new();
        loop {
            let core = match session.check(&open, &[])? {
                Answer::Consistent(_) => return Ok(Some(dropped)),
                Answer::Contradiction(core) => core,
                Answer::Stopped => return Ok(None),
            };
            let core: Vec<usize> = core.groups.iter().collect();
            if core.is_empty() || dropped.len() == most {
                return Ok(None);
            }
            let rule = core[random.index(core.len())];
            open.remove(rule);
            dropped.push(plain.rules[rule].cells.clone());
        }
    }
}
