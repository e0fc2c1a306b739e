//! A unit propagator, and a model counter based on it. Both are simple but slow, and share no code with the crate
//! `gordian-encodings`.

use gordian_encodings::{Cnf, Lit, constant};

/// A formula with unit propagation.
pub(crate) struct Propagator<'c> {
    clauses: Vec<&'c [Lit]>,
    /// Maps each literal to the clauses that contain its negation.
    falsified: Vec<Vec<usize>>,
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
    /// True if unit propagation alone refutes the formula.
    broken: bool,
}

fn index(lit: Lit) -> usize {
    2 * lit.vidx() + usize::from(lit.is_neg())
}

impl<'c> Propagator<'c> {
    /// Creates a propagator for all clauses except the clause with the index `without`, if it is given.
    pub(crate) fn new(cnf: &'c Cnf, without: Option<usize>) -> Self {
        let clauses: Vec<&[Lit]> =
            cnf.iter().enumerate().filter(|&(i, _)| Some(i) != without).map(|(_, clause)| clause).collect();
        let mut falsified = vec![Vec::new(); 2 * cnf.variables() as usize];
        for (number, clause) in clauses.iter().enumerate() {
            for &lit in *clause {
                falsified[index(!lit)].push(number);
            }
        }
        let values = vec![None; cnf.variables() as usize];
        let mut propagator = Self { clauses, falsified, values, trail: Vec::new(), broken: false };
        let broken = (0..propagator.clauses.len()).any(|number| !propagator.look_at(number))
            || !propagator.propagate_from(0);
        propagator.broken = broken;
        propagator
    }

    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        constant(lit).or_else(|| self.values[lit.vidx()].map(|value| value == lit.is_pos()))
    }

    /// Assigns `lit` without propagating. Returns `false` if the literal is already false.
    fn assume(&mut self, lit: Lit) -> bool {
        if let Some(value) = self.value(lit) {
            return value;
        }
        self.values[lit.vidx()] = Some(lit.is_pos());
        self.trail.push(lit);
        true
    }

    /// Assigns the last unassigned literal of a clause if all other literals are false. Returns `false` if all
    /// literals of the clause are false.
    fn look_at(&mut self, number: usize) -> bool {
        let mut open = None;
        for &lit in self.clauses[number] {
            match self.value(lit) {
                Some(true) => return true,
                Some(false) => {}
                None if open.is_some() => return true,
                None => open = Some(lit),
            }
        }
        open.is_some_and(|lit| self.assume(lit))
    }

    fn propagate_from(&mut self, mut next: usize) -> bool {
        while let Some(&lit) = self.trail.get(next) {
            next += 1;
            for position in 0..self.falsified[index(lit)].len() {
                if !self.look_at(self.falsified[index(lit)][position]) {
                    return false;
                }
            }
        }
        true
    }

    fn undo(&mut self, mark: usize) {
        for lit in self.trail.drain(mark..) {
            self.values[lit.vidx()] = None;
        }
    }

    /// Assumes `lits`, propagates, and returns the result of the function `look`, or `None` after a conflict.
    pub(crate) fn under<R>(&mut self, lits: &[Lit], look: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.broken {
            return None;
        }
        let mark = self.trail.len();
        let fine = lits.iter().all(|&lit| self.assume(lit)) && self.propagate_from(mark);
        let seen = fine.then(|| look(self));
        self.undo(mark);
        seen
    }

    /// Counts the models in which `lits` are true, but stops when the count reaches `enough`.
    pub(crate) fn models(&mut self, lits: &[Lit], enough: usize) -> usize {
        self.under(lits, |this| {
            // If all clauses are satisfied, the remaining variables can have any values.
            let Some(lit) = this.undecided() else {
                let open = this.values.iter().filter(|value| value.is_none()).count();
                return enough.min(1 << open.min(usize::BITS as usize - 2));
            };
            let with = this.models(&[lit], enough);
            if with >= enough { with } else { with + this.models(&[!lit], enough - with) }
        })
        .unwrap_or(0)
    }

    /// Returns an unassigned literal from a shortest clause that is not satisfied yet.
    fn undecided(&self) -> Option<Lit> {
        let open = |clause: &[Lit]| {
            if clause.iter().any(|&lit| self.value(lit) == Some(true)) {
                return None;
            }
            let mut open = clause.iter().filter(|&&lit| self.value(lit).is_none());
            open.next().map(|&lit| (1 + open.count(), lit))
        };
        self.clauses
            .iter()
            .filter_map(|clause| open(clause))
            .min_by_key(|&(length, _)| length)
            .map(|(_, lit)| lit)
    }
}

#[test]
fn propagation_and_counting_are_correct() {
    use gordian_encodings::Collect;
    let [a, b, c] = [0, 1, 2].map(Lit::positive);
    let mut cnf = Cnf::default();
    cnf.clause(&[!a, b]);
    cnf.clause(&[!b, c]);
    let mut propagator = Propagator::new(&cnf, None);
    assert_eq!(propagator.under(&[a], |p| p.value(c)), Some(Some(true)));
    assert_eq!(propagator.under(&[!c], |p| p.value(a)), Some(Some(false)));
    assert_eq!(propagator.under(&[a, !c], |_| ()), None);
    assert_eq!(propagator.models(&[], 99), 4);
    assert_eq!(propagator.models(&[b], 99), 2);
    assert_eq!(Propagator::new(&cnf, Some(1)).models(&[b], 99), 4);
    cnf.clause(&[]);
    assert_eq!(Propagator::new(&cnf, None).models(&[], 99), 0);
}
