//! The storage of clauses with three or more literals. One vector of words keeps the clauses adjacent in memory.
//!
//! A clause consists of its length, a word of flags, and the codes of its literals. A reference to a clause is the
//! index of its first word. Removed clauses leave gaps until [`Arena::compact`] moves the other clauses.

use crate::lit::Lit;
use crate::proof::ClauseId;

/// A reference to a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClauseRef(pub(crate) u32);

/// The number of words before the literals.
const HEADER: usize = 2;
/// The minimum number of words of a clause.
const SHORTEST: usize = HEADER + 3;
/// The maximum number of words in the arena. A reference therefore needs only 31 bits, and watches use the highest bit
/// to mark binary clauses.
const MOST_WORDS: usize = 1 << 31;

/// The flags of a clause. The lower bits of the word contain the LBD.
const LEARNT: u32 = 1 << 31;
const REMOVED: u32 = 1 << 30;
const LOCKED: u32 = 1 << 29;
const VIVIFIED: u32 = 1 << 28;
/// The clause explains a literal that the theory derived. It is not watched.
const UNWATCHED: u32 = 1 << 27;
const USED: u32 = 3 << USED_SHIFT;
const USED_SHIFT: u32 = 25;
pub(crate) const MOST_LBD: u32 = (1 << 20) - 1;

/// All clauses with three or more literals.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    words: Vec<u32>,
    /// All clauses in the order of their references, including removed clauses.
    refs: Vec<ClauseRef>,
    /// The numbers of the clauses in the proof, if a proof is logged. If a clause starts at word `w`, its number is at
    /// index `w / SHORTEST`.
    ids: Vec<ClauseId>,
}

impl Arena {
    /// Adds a clause, or returns `None` if the storage is full.
    pub(crate) fn add(&mut self, lits: &[Lit], learnt: bool, lbd: u32) -> Option<ClauseRef> {
        let start = self.words.len();
        if start + HEADER + lits.len() > MOST_WORDS {
            return None;
        }
        self.words.push(lits.len() as u32);
        self.words.push(lbd.min(MOST_LBD) | if learnt { LEARNT } else { 0 });
        self.words.extend(lits.iter().map(|lit| lit.code()));
        let clause = ClauseRef(start as u32);
        self.refs.push(clause);
        Some(clause)
    }

    /// Returns the references of all clauses, including removed clauses.
    pub(crate) fn refs(&self) -> &[ClauseRef] {
        &self.refs
    }

    /// Returns the literals of a clause as codes.
    #[inline]
    pub(crate) fn codes(&self, clause: ClauseRef) -> &[u32] {
        let start = clause.0 as usize;
        let len = self.words[start] as usize;
        &self.words[start + HEADER..start + HEADER + len]
    }

    /// Returns the literals of a clause as codes. The caller may reorder the literals.
    #[inline]
    pub(crate) fn codes_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let start = clause.0 as usize;
        let len = self.words[start] as usize;
        &mut self.words[start + HEADER..start + HEADER + len]
    }

    pub(crate) fn lits(&self, clause: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        self.codes(clause).iter().map(|&code| Lit::from_code(code))
    }

    pub(crate) fn len(&self, clause: ClauseRef) -> usize {
        self.words[clause.0 as usize] as usize
    }

    /// Replaces the literals of a clause by `lits`, which must not contain more literals. If `id` is not 0, sets the
    /// number of the clause in the proof to `id`.
    pub(crate) fn shrink(&mut self, clause: ClauseRef, lits: &[Lit], id: ClauseId) {
        debug_assert!(lits.len() <= self.len(clause) && lits.len() > 2, "a shorter clause");
        for (word, lit) in self.codes_mut(clause).iter_mut().zip(lits) {
            *word = lit.code();
        }
        self.words[clause.0 as usize] = lits.len() as u32;
        if id > 0 {
            self.set_id(clause, id);
        }
    }

    /// Returns the number of a clause in the proof, or 0 if no proof is logged.
    pub(crate) fn id(&self, clause: ClauseRef) -> ClauseId {
        self.ids.get(clause.0 as usize / SHORTEST).copied().unwrap_or(0)
    }

    pub(crate) fn set_id(&mut self, clause: ClauseRef, id: ClauseId) {
        let index = clause.0 as usize / SHORTEST;
        if self.ids.len() <= index {
            self.ids.resize(index + 1, 0);
        }
        self.ids[index] = id;
    }

    fn flags(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1]
    }

    fn set(&mut self, clause: ClauseRef, flag: u32, value: bool) {
        let word = &mut self.words[clause.0 as usize + 1];
        *word = if value { *word | flag } else { *word & !flag };
    }

    pub(crate) fn is_learnt(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & LEARNT != 0
    }

    pub(crate) fn is_removed(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & REMOVED != 0
    }

    pub(crate) fn remove(&mut self, clause: ClauseRef) {
        self.set(clause, REMOVED, true);
    }

    /// Returns whether the clause is the reason of a literal on the trail.
    pub(crate) fn is_locked(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & LOCKED != 0
    }

    pub(crate) fn set_locked(&mut self, clause: ClauseRef, value: bool) {
        self.set(clause, LOCKED, value);
    }

    pub(crate) fn is_vivified(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & VIVIFIED != 0
    }

    pub(crate) fn set_vivified(&mut self, clause: ClauseRef, value: bool) {
        self.set(clause, VIVIFIED, value);
    }

    pub(crate) fn is_unwatched(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & UNWATCHED != 0
    }

    pub(crate) fn set_unwatched(&mut self, clause: ClauseRef) {
        self.set(clause, UNWATCHED, true);
    }

    /// Returns how many more database reductions the clause survives if it is not used again.
    pub(crate) fn used(&self, clause: ClauseRef) -> u32 {
        (self.flags(clause) & USED) >> USED_SHIFT
    }

    pub(crate) fn set_used(&mut self, clause: ClauseRef, used: u32) {
        self.set(clause, USED, false);
        self.set(clause, used << USED_SHIFT, true);
    }

    pub(crate) fn lbd(&self, clause: ClauseRef) -> u32 {
        self.flags(clause) & MOST_LBD
    }

    pub(crate) fn set_lbd(&mut self, clause: ClauseRef, lbd: u32) {
        self.set(clause, MOST_LBD, false);
        self.set(clause, lbd.min(MOST_LBD), true);
    }

    /// Closes the gaps left by removed clauses, and returns a function that maps old references to new references. The
    /// function must not be called for removed clauses.
    pub(crate) fn compact(&mut self) -> impl Fn(ClauseRef) -> ClauseRef + use<> {
        let mut old = std::mem::take(self);
        for &clause in &old.refs {
            if !old.is_removed(clause) {
                let start = clause.0 as usize;
                let moved = ClauseRef(self.words.len() as u32);
                let end = start + HEADER + old.words[start] as usize;
                self.words.extend_from_slice(&old.words[start..end]);
                self.refs.push(moved);
                old.words[start] = moved.0;
                if !old.ids.is_empty() {
                    self.set_id(moved, old.id(clause));
                }
            }
        }
        move |clause| ClauseRef(old.words[clause.0 as usize])
    }
}
