//! Removes what is superfluous from a draft with one solution.

use std::rc::Rc;
use std::sync::Arc;

use gordian_counting::Random;
use gordian_explain::Effort;

use super::super::draft::is_unique;
use super::super::{MakeError, Maker};
use super::lists::without_rest;
use super::shapes::with_entries;
use super::{SheetDraft, values};
use crate::backend::Verdict;
use crate::clues::{facts, needed_clues};
use crate::puzzle::sheet::{clues, sheet_of};
use crate::rules::sheet::{SheetBoard, Value};

impl SheetDraft {
    /// Removes clues.
    pub(super) fn without_clues(
        self,
        maker: &Maker<'_>,
        spare: usize,
        random: &mut Random,
    ) -> Result<(Self, bool), MakeError> {
        let sheet = sheet_of(maker.puzzle_type);
        let ground = match self.board.ground(true, &|| maker.stopped()) {
            Ok(ground) => Arc::new(ground),
            Err(_) if maker.stopped() => return Ok((self, true)),
            Err(error) => return Err(MakeError::Rules(error.to_string())),
        };
        let Some((mut plain, clues)) = maker.limits.within(|| clues::plain(&self.board, sheet, &ground))
        else {
            return Ok((self, true));
        };
        // The board has one solution, so this is it.
        let mut session = maker.config.session(&plain.model, maker.limits.clone())?;
        if session.satisfy(&[])? != Verdict::Satisfiable {
            return Ok((self, true));
        }
        let solution = facts(&plain, &session.assignment());
        // Clues that are images of each other under the symmetry are left out together.
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (number, (data, key)) in clues.iter().enumerate() {
            let images = values::images(maker.options.symmetry, self.board.size(), key);
            let is_image = |&other: &usize| clues[other].0 == *data && images.contains(&clues[other].1);
            match groups.iter_mut().find(|group| group.iter().any(is_image)) {
                Some(group) => group.push(number),
                None => groups.push(vec![number]),
            }
        }
        random.shuffle(&mut groups);
        let numbers = plain.clues();
        let rules: Vec<Vec<usize>> =
            groups.iter().map(|group| group.iter().map(|&clue| numbers[clue]).collect()).collect();
        let needed = if maker.options.difficulty == Some(Effort::Propagation) {
            maker.needed_for_propagation(&plain, &rules)?.map(|needed| (needed, true))
        } else {
            needed_clues(&mut plain, &rules, &solution, maker.config, maker.limits)?
        };
        let Some((needed, minimal)) = needed else { return Ok((self, true)) };
        let superfluous = (0..groups.len()).filter(|group| !needed.contains(group)).skip(spare);
        let left_out: Vec<clues::Clue> =
            superfluous.flat_map(|group| &groups[group]).map(|&clue| clues[clue].clone()).collect();
        let board = without_rest(clues::without(&self.board, &left_out), &self.roles.lists);
        Ok((Self { board, ..self }, !minimal))
    }

    /// Removes entries of [fields](Roles::fields): as many as possible at once, then half as many, and so on.
    pub(super) fn without_entries(
        self,
        maker: &Maker<'_>,
        spare: usize,
        random: &mut Random,
    ) -> Result<(Self, bool), MakeError> {
        let roles = Rc::clone(&self.roles);
        let blocks = roles.removable().into_iter();
        let mut entries: Vec<(&[usize], Value)> = blocks
            .flat_map(|data| {
                self.board.keys(data[0]).items().to_vec().into_iter().map(move |key| (data, key))
            })
            .collect();
        if entries.is_empty() {
            return Ok((self, false));
        }
        random.shuffle(&mut entries);
        let mut draft = self;
        let mut removed: Vec<(&[usize], Value, Vec<Value>)> = Vec::new();
        let mut open = vec![entries];
        while let Some(entries) = open.pop() {
            let fewer = entries
                .iter()
                .fold(draft.board.clone(), |board, (data, key)| with_entries(&board, data, key, &[]));
            if let Some(fewer) = draft.unique_on(maker, fewer)? {
                for (data, key) in entries {
                    let values = data.iter().map(|&data| draft.board.lookup(data, &key)).collect();
                    removed.push((data, key, values));
                }
                draft = fewer;
            } else if maker.stopped() {
                return Ok((draft, true));
            } else if entries.len() > 1 {
                let (one, other) = entries.split_at(entries.len() / 2);
                open.extend([other.to_vec(), one.to_vec()]);
            }
        }
        let mut kept = 0;
        for (data, key, values) in removed {
            if kept == spare {
                break;
            }
            let more = with_entries(&draft.board, data, &key, &values);
            if let Some(more) = draft.unique_on(maker, more)? {
                draft = more;
                kept += 1;
            }
        }
        Ok((draft, false))
    }

    /// Returns the draft on another board, if the solution is known to be the only one of this board.
    fn unique_on(&self, maker: &Maker<'_>, board: SheetBoard) -> Result<Option<Self>, MakeError> {
        let Some(draft) = self.on(board) else { return Ok(None) };
        let is_unique =
            draft.board.check(&draft.assignment)?.is_none() && is_unique(maker, &draft)? == Some(true);
        Ok(is_unique.then_some(draft))
    }
}
