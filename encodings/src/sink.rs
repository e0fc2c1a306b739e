//! The interface through which encodings write clauses and create literals.
//!
//! An encoding writes all its output to a [`Sink`]: it adds clauses, creates new literals and views of integer
//! variables, and posts further constraints. [`Sink::when`] returns a sink whose clauses hold only under a condition
//! (half reification). The sink removes constants, repeated literals and tautologies, so encodings need not handle
//! them.
//!
//! This file has over 400 lines because it contains the sink and the tests of its simplifications.

use std::fmt;
use std::sync::Arc;

use gordian_proofs::{Derive, Formula, Prefix, ProofError, Rows};
use rustc_hash::FxHashMap;

use crate::cancel::tick;
use crate::choice::{Encodings, Fallback};
use crate::collect::Collect;
use crate::expr::Expr;
use crate::int::{Domain, Domains, IntVar, Integers, Value};
use crate::lit::{FALSE, Lit, TRUE, constant};
use crate::name::Name;
use crate::theory::lazy_order::{Id, LazyOrder};
use crate::theory::{Deferred, Lazy};
mod sizes;

pub use sizes::{SizeRow, Sizes};

/// The integers whose order literals are created during the search.
#[derive(Debug, Default)]
pub(crate) struct LazyIntegers {
    /// The propagator.
    pub(crate) order: LazyOrder,
    /// True if the propagator has been deferred.
    pub(crate) is_deferred: bool,
    /// The integers of the propagator that stand for literals, by variable.
    pub(crate) of_literals: FxHashMap<u32, Id>,
}

/// The state of an encoding, without the receiver of its clauses.
#[derive(Debug)]
pub(crate) struct State {
    /// The first unused variable.
    next: u32,
    pub(crate) encodings: Encodings,
    pub(crate) integers: Integers,
    pub(crate) lazy: LazyIntegers,
    /// The integer variables that were created for expressions. Each key is an expression in normal form.
    pub(crate) exprs: FxHashMap<Expr, IntVar>,
    pub(crate) sizes: Sizes,
    /// The row of `sizes` that counts the current output. This is the row of the outermost constraint.
    row: Option<usize>,
    scratch: Vec<Lit>,
    /// The constraints that the search enforces, because the formula has no clauses for them.
    pub(crate) deferred: Vec<Deferred>,
    pub(crate) deepening: Vec<Box<dyn Deepen>>,
    /// The distinct fallbacks.
    pub(crate) fallbacks: Vec<Fallback>,
    /// The encodings in use, each with its type of constraint, its name, and the number of constraints with this
    /// encoding.
    pub(crate) used: Vec<(&'static str, &'static str, u64)>,
}

impl State {
    pub(crate) fn new(variables: u32, encodings: Encodings, mut integers: Integers) -> Self {
        integers.allows_lazy = encodings.creates_literals();
        let mut sizes = Sizes::default();
        let row = sizes.row("model");
        sizes.rows[row].variables = u64::from(variables);
        Self {
            next: variables,
            encodings,
            integers,
            lazy: LazyIntegers::default(),
            exprs: FxHashMap::default(),
            sizes,
            row: None,
            scratch: Vec::new(),
            deferred: Vec::new(),
            deepening: Vec::new(),
            fallbacks: Vec::new(),
            used: Vec::new(),
        }
    }

    /// Marks all variables below `next` as used.
    pub(crate) fn skip_to(&mut self, next: u32) {
        self.next = self.next.max(next);
    }

    /// Adds a clause with the given number of literals to the statistics, and polls for cancellation.
    fn count(&mut self, literals: usize) {
        tick(literals as u64 + 1);
        let row = self.current_row();
        row.clauses += 1;
        row.literals += literals as u64;
    }

    fn current_row(&mut self) -> &mut SizeRow {
        let row = self.row.unwrap_or_else(|| self.sizes.row("model"));
        &mut self.sizes.rows[row]
    }
}

/// A constraint whose clauses are written up to a certain [depth](crate::theory). The depth can be increased.
pub trait Deepen: fmt::Debug + Send {
    /// Returns the literal that each solver call must assume, or `None` if all clauses of the constraint have been
    /// written.
    fn assumption(&self) -> Option<Lit>;

    /// Increases the depth, and writes the additional clauses. The search calls this method if an unsatisfiable core
    /// contains the assumption.
    fn deepen(&mut self, sink: &mut Sink<'_>);
}

/// Receives the clauses of an encoding, as described in the [module](self).
pub struct Sink<'s> {
    state: &'s mut State,
    collect: &'s mut (dyn Collect + 's),
    /// The negated conditions of the sink, which are added to each clause.
    unless: Vec<Lit>,
}

impl fmt::Debug for Sink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink")
            .field("next", &self.state.next)
            .field("unless", &self.unless)
            .finish_non_exhaustive()
    }
}

impl<'s> Sink<'s> {
    pub(crate) fn new(state: &'s mut State, collect: &'s mut (dyn Collect + 's)) -> Self {
        Self { state, collect, unless: Vec::new() }
    }

    /// Adds a clause: at least one of the literals must hold.
    pub fn clause(&mut self, lits: &[Lit]) {
        // If the clause needs no simplification, it is passed to the receiver without copying.
        if self.unless.is_empty() && lits.iter().all(|&lit| constant(lit).is_none()) && !repeats(lits) {
            self.state.count(lits.len());
            return self.collect.clause(lits);
        }
        self.clause_of(lits.iter().copied());
    }

    /// Adds a clause whose literals come from an iterator.
    pub fn clause_of(&mut self, lits: impl IntoIterator<Item = Lit>) {
        let scratch = &mut self.state.scratch;
        scratch.clear();
        for lit in self.unless.iter().copied().chain(lits) {
            match constant(lit) {
                Some(true) => return,
                Some(false) => {}
                None => scratch.push(lit),
            }
        }
        if repeats(scratch) && !deduplicate(scratch) {
            return;
        }
        let literals = scratch.len();
        self.state.count(literals);
        self.collect.clause(&self.state.scratch);
    }

    /// Creates a new literal.
    ///
    /// The clauses that define the literal must be written to the same sink. If a condition of the sink
    /// ([`Sink::when`]) is false, the literal may have any value. If the number of models must be preserved, the
    /// literal is false in this case. Use [`Sink::always`] for a literal whose definition does not depend on the
    /// condition.
    ///
    /// # Panics
    /// Panics if more than 2^31 - 2 variables are created.
    pub fn fresh(&mut self) -> Lit {
        self.advance(self.state.next + 1);
        Lit::positive(self.state.next - 1)
    }

    /// Returns a sink whose clauses hold only if `condition` holds (half reification).
    ///
    /// The condition affects clauses only. New literals can be used in every sink of the same formula.
    pub fn when(&mut self, condition: Lit) -> Sink<'_> {
        self.unless(&[!condition])
    }

    /// Returns a sink whose clauses hold only if all of the given literals are false.
    pub fn unless(&mut self, lits: &[Lit]) -> Sink<'_> {
        let unless = self.unless.iter().chain(lits).copied().filter(|&lit| lit != FALSE).collect();
        Sink { state: &mut *self.state, collect: &mut *self.collect, unless }
    }

    /// Returns the sink without the conditions of [`Sink::when`], for the definitions of literals.
    pub fn always(&mut self) -> Sink<'_> {
        Sink { state: &mut *self.state, collect: &mut *self.collect, unless: Vec::new() }
    }

    /// Returns whether the receiver supports linear constraints.
    pub(crate) fn takes_sums(&mut self) -> bool {
        self.collect.sums().is_some()
    }

    /// Defines an auxiliary variable in the proof: `lit` is true if and only if at least `bound` of the literals are
    /// true. A literal that occurs twice counts twice.
    ///
    /// If a proof is logged, each variable that an encoding creates needs a definition.
    pub(crate) fn stands_for(&mut self, lit: Lit, lits: &[Lit], bound: usize) {
        if constant(lit).is_some() {
            return;
        }
        if let Some(log) = self.collect.log() {
            let held = lits.iter().filter(|&&lit| lit == TRUE).count();
            let open: Vec<Lit> = lits.iter().copied().filter(|&lit| constant(lit).is_none()).collect();
            log.define(lit, open, bound as Value - held as Value);
        }
    }

    /// Works like [`Sink::stands_for`], for the first `len` literals of a list that several definitions share. The
    /// literals must not be constants.
    pub(crate) fn stands_for_first(&mut self, lit: Lit, (lits, len): (&Arc<[Lit]>, usize), bound: usize) {
        if constant(lit).is_some() {
            return;
        }
        if let Some(log) = self.collect.log() {
            log.define(lit, Prefix::new(Arc::clone(lits), len), bound as Value);
        }
    }

    /// Defines an auxiliary variable in the proof, like [`Sink::stands_for`]: `lit` is true if and only if the sum of
    /// the terms is at least `bound`.
    pub(crate) fn stands_for_sum(&mut self, lit: Lit, terms: &[(Value, Lit)], bound: Value) {
        if constant(lit).is_some() {
            return;
        }
        if let Some(log) = self.collect.log() {
            let held: Value = terms.iter().filter(|term| term.1 == TRUE).map(|term| term.0).sum();
            let open: Vec<(Value, Lit)> =
                terms.iter().copied().filter(|term| constant(term.1).is_none()).collect();
            log.define_sum(lit, open, bound - held);
        }
    }

    /// Returns whether a proof is logged.
    pub(crate) fn is_logged(&mut self) -> bool {
        self.collect.log().is_some()
    }

    /// Adds a constraint to the formula of the proof, if a proof is logged and no enclosing constraint has been added.
    /// The function `formula` adds the constraint, and returns a rule that derives the clauses of the constraint. If
    /// the result is `true`, the caller must write the clauses and then call [`Sink::end_logging`].
    pub(crate) fn begin_logging(
        &mut self,
        name: &'static str,
        formula: impl FnOnce(&mut Formula, Domains<'_>) -> Option<Box<dyn Derive>>,
    ) -> bool {
        let unconditional = self.unless.is_empty();
        let domains = self.state.integers.domains();
        self.collect.log().is_some_and(|log| {
            log.begin(name, |rows| if unconditional { formula(rows, domains) } else { None })
        })
    }

    /// Adds the order of an integer's literals `x <= v` to the formula of the proof, if a proof is logged. If the result
    /// is `true`, the caller must write the clauses between these literals and then call [`Sink::end_logging`].
    pub(crate) fn begin_logging_order(&mut self, lits: &[Lit]) -> bool {
        self.collect.log().is_some_and(|log| log.begin_order(lits))
    }

    /// Returns whether the proof may contain only clauses that follow by unit propagation. `false` without a proof.
    pub(crate) fn is_clausal(&mut self) -> bool {
        self.collect.log().is_some_and(|log| log.clausal)
    }

    /// Sets the rank of a solution, if a proof is logged.
    pub(crate) fn set_rank(&mut self, terms: &[(Value, Lit)]) {
        if let Some(log) = self.collect.log() {
            log.formula.set_rank(terms);
        }
    }

    /// Names a literal in the formula of the proof, if a proof is logged.
    pub(crate) fn name(&mut self, lit: Lit, name: &str) {
        if let Some(log) = self.collect.log() {
            log.formula.name(lit, name);
        }
    }

    /// Marks the end of the clauses of a constraint; see [`Sink::begin_logging`].
    pub(crate) fn end_logging(&mut self) {
        if let Some(log) = self.collect.log() {
            log.end();
        }
    }

    /// Records in the proof log that a literal is equivalent to a disjunction.
    pub(crate) fn replace(&mut self, lit: Lit, lits: &[Lit]) {
        if let Some(log) = self.collect.log() {
            log.replace(lit, lits);
        }
    }

    /// Records the reason why no proof can be written, if a proof is logged.
    pub(crate) fn refuse(&mut self, reason: ProofError) {
        if let Some(log) = self.collect.log() {
            log.fail(reason);
        }
    }

    /// Adds a comment to the formula of the proof, before the next constraint.
    pub(crate) fn comment(&mut self, name: &Name) {
        if let Some(log) = self.collect.log() {
            log.formula.comment(&name.to_string());
        }
    }

    pub(crate) fn conditions(&self) -> &[Lit] {
        &self.unless
    }

    /// Records that an encoding was used for a constraint.
    pub(crate) fn used(&mut self, constraint: &'static str, encoding: &'static str) {
        let rows = &mut self.state.used;
        match rows.iter_mut().find(|row| (row.0, row.1) == (constraint, encoding)) {
            Some(row) => row.2 += 1,
            None => rows.push((constraint, encoding, 1)),
        }
    }

    /// Passes a linear inequality to a receiver that supports inequalities, and counts it as a clause.
    pub(crate) fn sum(&mut self, terms: &[(Value, Lit)], equal: bool, bound: Value) {
        self.state.count(terms.len());
        let sums = self.collect.sums().expect("the receiver supports sums");
        sums.sum(terms, equal, bound);
    }

    /// Returns a literal that is true under the conditions of [`Sink::when`], or `None` if there are no conditions.
    pub(crate) fn condition(&mut self) -> Option<Lit> {
        match *self.conditions() {
            [] => None,
            [unless] => Some(!unless),
            _ => {
                let conditions: Vec<Lit> = self.conditions().iter().map(|&unless| !unless).collect();
                let condition = self.always().fresh();
                self.stands_for(condition, &conditions, conditions.len());
                self.clause(&[condition]);
                Some(condition)
            }
        }
    }

    /// Returns whether the sink has a condition from [`Sink::when`].
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        !self.unless.is_empty()
    }

    /// Omits the clauses of a constraint. The search must enforce the constraint under the conditions of
    /// [`Sink::when`]. The module [`theory`](crate::theory) describes how the search enforces constraints.
    ///
    /// # Panics
    /// Panics if [`Encodings::defers`] is false: the search then does not enforce constraints.
    pub fn defer(&mut self, constraint: impl Lazy + 'static) {
        assert!(
            self.state.encodings.defers(),
            "a constraint is deferred, but the search does not enforce it"
        );
        let unless = self.unless.clone();
        let logged_as = self.collect.log().and_then(|log| log.open());
        self.state.deferred.push(Deferred { constraint: Arc::new(constraint), unless, logged_as });
    }

    /// Hands a constraint to the search, which later writes the clauses beyond the current depth if necessary. The
    /// module [`theory`](crate::theory) describes how the search adds further clauses.
    ///
    /// # Panics
    /// Panics if [`Encodings::defers`] is false, for the same reason as [`Sink::defer`].
    pub fn deepen_later(&mut self, constraint: impl Deepen + 'static) {
        assert!(self.state.encodings.defers(), "clauses are deferred, but the search does not add them");
        self.state.deepening.push(Box::new(constraint));
    }

    /// Runs `write`, and counts its output for a type of constraint. Within another constraint, the output is counted
    /// for the outermost constraint instead.
    pub(crate) fn written_for<R>(
        &mut self,
        constraint: &'static str,
        write: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if self.state.row.is_some() {
            return write(self);
        }
        let row = self.state.sizes.row(constraint);
        self.state.sizes.rows[row].constraints += 1;
        self.state.row = Some(row);
        let result = write(self);
        self.state.row = None;
        result
    }

    /// Runs `write`, and counts its output for a type of constraint, even within another constraint. Use this function
    /// for variables and clauses that several constraints share.
    pub(crate) fn written_as<R>(
        &mut self,
        constraint: &'static str,
        write: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let row = self.state.sizes.row(constraint);
        let outer = self.state.row.replace(row);
        let result = write(self);
        self.state.row = outer;
        result
    }

    /// Returns a literal that is equivalent to the conjunction of `lits`. If possible, the result is one of `lits` or
    /// a constant.
    pub fn and(&mut self, lits: &[Lit]) -> Lit {
        let mut rest: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != TRUE).collect();
        if rest.contains(&FALSE) || (repeats(&rest) && !deduplicate(&mut rest)) {
            return FALSE;
        }
        match rest[..] {
            [] => TRUE,
            [lit] => lit,
            _ => {
                let mut sink = self.always();
                let all = sink.fresh();
                sink.stands_for(all, &rest, rest.len());
                let logged = sink.begin_logging("definition", |_, _| Some(Box::new(Rows::default())));
                for &lit in &rest {
                    sink.clause(&[!all, lit]);
                }
                sink.clause_of(rest.iter().map(|&lit| !lit).chain([all]));
                if logged {
                    sink.end_logging();
                }
                all
            }
        }
    }

    /// Returns a literal that is equivalent to the disjunction of `lits`. If possible, the result is one of `lits` or
    /// a constant.
    pub fn or(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.and(&negated)
    }

    /// Creates a literal that implies the disjunction of `lits`.
    pub fn implies_one_of(&mut self, lits: &[Lit]) -> Lit {
        let mut sink = self.always();
        let any = sink.fresh();
        sink.stands_for(any, lits, 1);
        let logged = sink.begin_logging("definition", |_, _| Some(Box::new(Rows::default())));
        sink.clause_of(lits.iter().copied().chain([!any]));
        if logged {
            sink.end_logging();
        }
        any
    }

    /// Returns the chosen encodings.
    #[must_use]
    pub fn encodings(&self) -> &Encodings {
        &self.state.encodings
    }

    /// Returns whether the formula must have exactly one model for each solution of the constraints.
    #[must_use]
    pub fn keeps_count(&self) -> bool {
        self.state.encodings.keeps_count()
    }

    /// Returns the domains of the integer variables.
    #[must_use]
    pub fn domains(&self) -> Domains<'_> {
        self.integers().domains()
    }

    /// Returns the domain of an integer variable.
    #[must_use]
    pub fn domain(&self, x: IntVar) -> Domain {
        self.domains().of(x).clone()
    }

    /// Creates an integer variable for an intermediate result. The views of the variable are created on demand.
    ///
    /// # Panics
    /// Panics if the domain is empty.
    pub fn integer(&mut self, domain: Domain) -> IntVar {
        self.state.integers.add(domain, false)
    }

    /// Creates an integer variable whose values have no order. See [`Model::unordered`](crate::Model::unordered).
    ///
    /// # Panics
    /// Panics if the domain is empty.
    pub fn unordered(&mut self, domain: Domain) -> IntVar {
        self.state.integers.add(domain, true)
    }

    pub(crate) fn integers(&self) -> &Integers {
        &self.state.integers
    }

    /// Records a fallback, unless the same fallback was recorded before.
    pub(crate) fn fall_back(&mut self, fallback: Fallback) {
        if !self.state.fallbacks.contains(&fallback) {
            self.state.fallbacks.push(fallback);
        }
    }

    pub(crate) fn state(&mut self) -> &mut State {
        self.state
    }

    /// Returns the number of variables that the formula has so far.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.state.next
    }

    /// Returns the number of clauses written so far.
    pub(crate) fn clauses(&self) -> u64 {
        self.state.sizes.total().clauses
    }

    /// Marks all variables below `next` as used. An encoder of rustsat may have created these variables.
    pub(crate) fn advance(&mut self, next: u32) {
        let made = self.state.next..next;
        self.state.next = next;
        self.state.current_row().variables += made.len() as u64;
        if self.keeps_count() && !self.unless.is_empty() {
            let unless = self.unless.clone();
            for (index, unless) in made.flat_map(|index| unless.iter().map(move |&lit| (index, lit))) {
                self.always().clause(&[!unless, Lit::negative(index)]);
            }
        }
    }

    /// Announces all variables to the receiver, including variables that do not occur in any clause.
    pub(crate) fn reserve(&mut self) {
        self.collect.reserve(self.state.next);
    }
}

/// Returns `true` if a variable occurs twice in `lits`. The result can also be `true` for a long list that is not
/// sorted.
fn repeats(lits: &[Lit]) -> bool {
    const QUADRATIC: usize = 12;
    if lits.len() > QUADRATIC {
        // A list in strictly ascending order has no repetitions. Most lists have this order; `deduplicate` checks all
        // others.
        return !lits.is_sorted_by(|a, b| a.var() < b.var());
    }
    lits.iter().enumerate().any(|(index, lit)| lits[..index].iter().any(|other| other.var() == lit.var()))
}

/// Removes repeated literals. Returns `false` if the list contains a literal and its negation.
fn deduplicate(lits: &mut Vec<Lit>) -> bool {
    lits.sort_unstable();
    lits.dedup();
    lits.windows(2).all(|pair| pair[0].var() != pair[1].var())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cnf;

    fn write(encode: impl FnOnce(&mut Sink<'_>)) -> (Cnf, Sizes) {
        let mut cnf = Cnf::default();
        let mut state = State::new(3, Encodings::auto(), Integers::default());
        encode(&mut Sink::new(&mut state, &mut cnf));
        (cnf, state.sizes)
    }

    #[test]
    fn clauses_lose_constants_repetitions_and_tautologies() {
        let [a, b, c] = [0, 1, 2].map(Lit::positive);
        let (cnf, _) = write(|sink| {
            sink.clause(&[a, FALSE, b, a]);
            sink.clause(&[a, TRUE]);
            sink.clause(&[a, b, !a]);
            sink.clause(&[FALSE]);
            sink.when(c).clause(&[a]);
            sink.when(FALSE).clause(&[a]);
            sink.when(TRUE).clause(&[b]);
            sink.when(c).when(b).clause(&[c]);
            sink.when(a).clause(&[!a, b]);
        });
        let clauses: Vec<_> = cnf.iter().collect();
        assert_eq!(clauses, [&[a, b][..], &[], &[!c, a], &[b], &[!a, b]]);
    }

    /// A receiver that records the memory addresses of the clauses.
    struct Addresses(Vec<*const Lit>);

    impl Collect for Addresses {
        fn clause(&mut self, clause: &[Lit]) {
            self.0.push(clause.as_ptr());
        }

        fn reserve(&mut self, _: u32) {}
    }

    #[test]
    fn slices_without_simplification_are_not_copied() {
        let lits = [0, 1, 2].map(Lit::positive);
        let mut addresses = Addresses(Vec::new());
        let mut state = State::new(3, Encodings::auto(), Integers::default());
        let mut sink = Sink::new(&mut state, &mut addresses);
        sink.clause(&lits);
        sink.clause(&lits[1..]);
        sink.when(lits[0]).clause(&lits[1..]);
        assert_eq!(addresses.0[..2], [lits.as_ptr(), lits[1..].as_ptr()]);
        assert_ne!(addresses.0[2], lits[1..].as_ptr());
        let row = state.sizes.total();
        assert_eq!((row.clauses, row.literals), (3, 8));
    }

    #[test]
    fn long_clauses_are_deduplicated_too() {
        let lits: Vec<_> = (0..20).map(Lit::positive).collect();
        let (cnf, _) = write(|sink| {
            sink.clause_of(lits.iter().chain(&lits).copied());
            sink.clause_of(lits.iter().copied().chain([!lits[7]]));
            // Only the last variable of this clause is out of order and repeated.
            sink.clause_of(lits.iter().copied().chain([!lits[19]]));
            sink.clause_of(lits.iter().copied().chain([lits[19]]));
            // A sorted clause is passed to the receiver without copying.
            sink.clause(&lits);
        });
        assert_eq!(cnf.iter().collect::<Vec<_>>(), [&lits[..]; 3]);
    }

    #[test]
    fn gates_reuse_literals_if_possible() {
        let [a, b, _] = [0, 1, 2].map(Lit::positive);
        let (cnf, sizes) = write(|sink| {
            assert_eq!(sink.and(&[]), TRUE);
            assert_eq!(sink.or(&[]), FALSE);
            assert_eq!(sink.and(&[a, TRUE, a]), a);
            assert_eq!(sink.and(&[a, b, !a]), FALSE);
            assert_eq!(sink.or(&[a, TRUE]), TRUE);
            let both = sink.when(b).and(&[a, b]);
            assert_eq!(both, Lit::positive(3));
        });
        assert_eq!(cnf.len(), 3, "the definition of a literal is unconditional");
        assert_eq!(sizes.total().variables, 4);
        assert_eq!(sizes.total().literals, 7);
    }
}
