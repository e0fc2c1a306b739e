//! The lazy order view: the literals `x <= v` are created during the search.
//!
//! The propagator [`lazy_order`](crate::theory::lazy_order) stores the bounds of x, and creates the literal of a bound
//! when it derives this bound. Literals that encodings ask for exist from the beginning: one variable for each
//! `x <= v`, and one variable and three clauses for each `x = v`. The view applies if the solver lets propagators create
//! literals ([`Encodings::creating_literals`](crate::Encodings::creating_literals)), and if all values are less than 2^60
//! in absolute value.
//!
//! If an encoding needs the bits of x, they become a log view, which a linear equation connects to x.
//!
//! Size: no variables and no clauses. Strength: lazy; the propagator derives every bound that follows from another
//! bound.
//!
//! Paper: Feydy, Stuckey: *Lazy clause generation reengineered*, CP 2009. The differences from the paper are listed in
//! the module of the propagator.

use std::collections::{BTreeMap, HashSet};

use super::{ORDER_UP_TO, view};
use crate::constraint::{Comparison, Cumulative, Linear};
use crate::encode::{EncodingRow, Strength};
use crate::expr::{Expr, Term};
use crate::int::{Affine, Bound, Domain, Domains, IntVar, Log, Relation, Value, Views};
use crate::linear_sum::range;
use crate::lit::{FALSE, Lit, constant};
use crate::sink::Sink;
use crate::strategy::DecisionStrategy;
use crate::theory::lazy_order::{Branching, Id, LazyOrder, LazyTask, ProgramRow, Side, Strategy};

pub(super) const ROW: EncodingRow =
    view("lazy", "Feydy, Stuckey: Lazy clause generation reengineered, CP 2009", Strength::Lazy, false);

/// The absolute values of integers in the propagator must be less than this number.
const GREATEST: Value = 1 << 60;

/// A linear program is used only if its integers without a lazy view have at most this many values in total. The
/// propagator stores a literal for each value.
const MOST_ANNOUNCED: u128 = 200_000;

/// Returns whether the values of a domain are small enough for the view.
pub(crate) fn fits(domain: &Domain) -> bool {
    domain.min() > -GREATEST && domain.max() < GREATEST
}

/// Converts a value for the propagator.
fn small(value: Value) -> i64 {
    i64::try_from(value).expect("the values of lazy integers fit in 61 bits")
}

impl Sink<'_> {
    /// Creates the lazy order view of an integer, and returns its number in the propagator. If the integer has a log view,
    /// equations connect the bits to the new view.
    pub(crate) fn lazy(&mut self, x: IntVar) -> Id {
        let id = self.add_to_propagator(self.domain(x).intervals().collect(), false);
        self.views_mut(x).lazy = Some(id);
        let Some(log) = self.views(x).log.clone() else { return id };
        for (value, lit) in self.views(x).chain.clone() {
            self.announce(Bound { variable: x, relation: Relation::AtMost, value }, lit);
        }
        self.connect(x, &log);
        id
    }

    /// Returns the propagator. The first call defers it.
    fn propagator(&mut self) -> LazyOrder {
        let lazy = &mut self.state().lazy;
        let order = lazy.order.clone();
        if !std::mem::replace(&mut lazy.is_deferred, true) {
            self.always().defer(order.clone());
        }
        order
    }

    fn add_to_propagator(&mut self, domain: Vec<(Value, Value)>, complete: bool) -> Id {
        let domain = domain.into_iter().map(|(first, last)| (small(first), small(last))).collect();
        self.propagator().integer(domain, complete)
    }

    /// Tells the propagator of a literal `x <= v`, if x takes part in its constraints.
    pub(super) fn announce(&mut self, bound: Bound, lit: Lit) {
        if let Some(id) = self.views(bound.variable).lazy {
            self.propagator().literal(id, small(bound.value), lit);
        }
    }

    /// Defines the literal of a bound of an integer with a lazy view.
    pub(super) fn define_lazily(&mut self, bound: Bound, lit: Lit) {
        let Bound { variable: x, relation, value } = bound;
        if relation == Relation::Equal {
            let (at_most, below) = (self.at_most(x, value), !self.at_least(x, value));
            self.define_equal(lit, at_most, below);
        }
        self.mark(bound);
    }

    /// Returns the integer of the propagator that equals an integer variable. A variable without an order view gets one if
    /// its domain is small or has a direct view, which the order view connects to the propagator, and a lazy view otherwise.
    fn id(&mut self, x: IntVar) -> Id {
        if let Some(id) = self.views(x).lazy {
            return id;
        }
        let Views { order, direct, .. } = self.views(x);
        if order.is_none() && direct.is_none() && self.domains().of(x).size() > ORDER_UP_TO {
            return match self.affine(x) {
                Some(affine) => self.id_of_affine(x, affine),
                None => self.lazy(x),
            };
        }
        let order = self.order(x);
        let id = self.add_to_propagator(self.domain(x).intervals().collect(), true);
        let values: Vec<Value> = self.domains().of(x).values().collect();
        for (lit, value) in order.into_iter().zip(values) {
            self.propagator().literal(id, small(value), lit);
        }
        self.views_mut(x).lazy = Some(id);
        id
    }

    /// Adds an integer to the propagator that equals an affine view.
    fn id_of_affine(&mut self, x: IntVar, affine: Affine) -> Id {
        let of = self.id(affine.of);
        let id = self.add_to_propagator(self.domain(x).intervals().collect(), false);
        self.views_mut(x).lazy = Some(id);
        let of = if affine.factor > 0 { Side::of(of) } else { !Side::of(of) };
        let (factor, offset) = (small(affine.factor.abs()), small(affine.offset));
        let order = self.propagator();
        order.at_most(vec![(1, Side::of(id)), (factor, !of)], offset);
        order.at_most(vec![(1, !Side::of(id)), (factor, of)], -offset);
        id
    }

    /// Returns the integer of the propagator that is 1 if the variable of a literal is true, and 0 otherwise.
    fn id_of_literal(&mut self, lit: Lit) -> Id {
        let variable = lit.vidx32();
        if let Some(&id) = self.state().lazy.of_literals.get(&variable) {
            return id;
        }
        let id = self.add_to_propagator(vec![(0, 1)], true);
        self.propagator().literal(id, 0, Lit::negative(variable));
        self.state().lazy.of_literals.insert(variable, id);
        id
    }

    /// Adds the inequality `sum <= most` to the propagator, under the conditions of the sink. The constraint must satisfy
    /// [`fits_sum`].
    pub(crate) fn post_lazily(&mut self, terms: &[(Value, Term)], most: Value) {
        let domains = self.domains();
        let greatest = |&(coefficient, term): &(Value, Term)| {
            let (low, high) = term.range(domains);
            (coefficient * low).max(coefficient * high)
        };
        // If the condition is false, the inequality holds for every sum.
        let excess = terms.iter().map(greatest).sum::<Value>() - most;
        if excess <= 0 {
            return;
        }
        let condition = self.condition();
        let conditional = condition.map(|condition| (excess, Term::Lit(condition)));
        let all: Vec<(Value, Term)> = terms.iter().copied().chain(conditional).collect();
        let (terms, constant) = self.in_propagator(&all);
        let terms = terms.into_iter().map(|(coefficient, id)| {
            (coefficient.abs(), if coefficient > 0 { Side::of(id) } else { !Side::of(id) })
        });
        let terms = terms.collect();
        let most = if condition.is_some() { most + excess } else { most };
        self.propagator().at_most(terms, small(most - constant));
    }

    /// Returns a sum as terms over integers of the propagator, and its constant. No integer occurs twice. The sum must
    /// satisfy [`fits_sum`].
    fn in_propagator(&mut self, terms: &[(Value, Term)]) -> (Vec<(i64, Id)>, Value) {
        let mut sum: BTreeMap<Id, Value> = BTreeMap::new();
        let mut held = 0;
        for &(coefficient, term) in terms {
            let (factor, id) = match term {
                Term::Lit(lit) => {
                    if let Some(holds) = constant(lit) {
                        held += coefficient * Value::from(holds);
                        continue;
                    }
                    // A negative literal is `1 - x`.
                    held += if lit.is_pos() { 0 } else { coefficient };
                    (if lit.is_pos() { 1 } else { -1 }, self.id_of_literal(lit))
                }
                Term::Int(x) => match self.affine(x) {
                    Some(affine) => {
                        held += coefficient * affine.offset;
                        (affine.factor, self.id(affine.of))
                    }
                    None => (1, self.id(x)),
                },
            };
            *sum.entry(id).or_default() += coefficient * factor;
        }
        let terms = sum.into_iter().filter(|&(_, coefficient)| coefficient != 0);
        (terms.map(|(id, coefficient)| (small(coefficient), id)).collect(), held)
    }

    /// Adds to the propagator that some integer of the list is at most `least` or, if `negated` is true, at least
    /// `least`. The integers must have lazy views or small domains, and the sink must have no conditions.
    pub(crate) fn post_some_lazily(&mut self, list: &[IntVar], least: IntVar, negated: bool) {
        let mut side = |x: IntVar| {
            let id = self.id(x);
            if negated { !Side::of(id) } else { Side::of(id) }
        };
        let list = list.iter().map(|&x| side(x)).collect();
        let least = side(least);
        self.propagator().some_at_most(list, least);
    }

    /// Adds to the propagator, under the conditions of the sink, that the demands stay within the capacity of a resource.
    pub(crate) fn post_cumulative_lazily(&mut self, cumulative: &Cumulative) {
        let mut side = |expr: &Expr| {
            let x = self.integer_for(expr);
            Side::of(self.id(x))
        };
        let task = |[start, duration, demand]: [Side; 3]| LazyTask { start, duration, demand };
        let tasks = cumulative.tasks.iter();
        let tasks = tasks.map(|of| task([&of.start, &of.duration, &of.demand].map(&mut side))).collect();
        let capacity = side(&cumulative.capacity);
        let condition = self.condition();
        if condition == Some(FALSE) {
            return;
        }
        let condition = condition.map(|condition| {
            let id = self.id_of_literal(condition);
            if condition.is_pos() { (Side::of(id), 1) } else { (!Side::of(id), 0) }
        });
        self.propagator().cumulative(tasks, capacity, condition);
    }

    /// Adds a linear program to the propagator: minimise `cost` under linear constraints that every solution satisfies.
    /// Returns an integer that represents the negated cost. To require `cost <= b`, require that this integer is at least
    /// `-b`. Returns `None` if there are no linear constraints, the solver can't create literals, or the numbers are too
    /// large.
    pub(crate) fn post_program(&mut self, cost: &[(Value, Term)], linear: &[Linear]) -> Option<IntVar> {
        if !self.fits_program(cost, linear) {
            return None;
        }
        let (least, greatest) = range(cost, 0, self.domains()).ok()?;
        let mut sink = self.always();
        // The search branches on the minimum of an integer first. The minimum of the negated cost is its weakest bound.
        let negated = sink.integer(Domain::interval(-greatest, -least));
        let rows = sink.program_rows(linear);
        let (cost, constant) = sink.in_propagator(cost);
        let constant = i64::try_from(constant).ok()?;
        let id = sink.lazy(negated);
        sink.propagator().program(&rows, &cost, constant, Some(!Side::of(id)));
        Some(negated)
    }

    /// Adds a linear program without an objective to the propagator. It derives a conflict if the linear constraints,
    /// which every solution satisfies, have no solution over the real numbers. Does nothing if the solver can't create
    /// literals, or if the numbers are too large.
    pub(crate) fn post_relaxation(&mut self, linear: &[Linear]) {
        if self.fits_program(&[], linear) {
            let mut sink = self.always();
            let rows = sink.program_rows(linear);
            sink.propagator().program(&rows, &[], 0, None);
        }
    }

    /// Adds a decision strategy to the propagator. Does nothing if the solver can't create literals.
    pub(crate) fn post_strategy(&mut self, strategy: &DecisionStrategy) {
        if !self.encodings().creates_literals() {
            return;
        }
        let variables: Vec<Branching> =
            strategy.variables.iter().filter_map(|&term| self.branching(term)).collect();
        let &DecisionStrategy { variable, value, .. } = strategy;
        if !variables.is_empty() {
            self.propagator().strategy(Strategy::new(variables, variable, value));
        }
    }

    /// Returns the existing literals of a variable, or `None` if they don't suffice to branch on its values.
    fn branching(&self, term: Term) -> Option<Branching> {
        let x = match term {
            Term::Lit(lit) => return constant(lit).is_none().then(|| Branching::Order(vec![(0, !lit)], 1)),
            Term::Int(x) => x,
        };
        let (views, domain) = (self.views(x), self.domains().of(x));
        if domain.size() == 1 {
            return None;
        }
        let listed = |lits: &[Lit]| -> Option<Vec<(i64, Lit)>> {
            domain.values().zip(lits).map(|(value, &lit)| Some((i64::try_from(value).ok()?, lit))).collect()
        };
        if let Some(order) = self.domains().order(x) {
            return Some(Branching::Order(listed(&order)?, i64::try_from(domain.max()).ok()?));
        }
        match views {
            Views { lazy: Some(id), .. } => Some(Branching::Lazy(*id)),
            Views { direct: Some(direct), .. } => Some(Branching::Direct(listed(direct)?)),
            _ => None,
        }
    }

    fn fits_program(&self, cost: &[(Value, Term)], linear: &[Linear]) -> bool {
        if linear.is_empty() || !self.encodings().creates_literals() {
            return false;
        }
        let domains = self.domains();
        let fits = |linear: &Linear| fits_sum(&linear.terms, linear.bound, domains);
        if !fits_sum(cost, 0, domains) || !linear.iter().all(fits) {
            return false;
        }
        let terms = linear.iter().flat_map(|linear| &linear.terms).chain(cost);
        let terms: HashSet<Term> = terms.map(|&(_, term)| term).collect();
        let announced = |term: &Term| match *term {
            Term::Int(x) if self.views(x).order.is_some() || domains.of(x).size() <= ORDER_UP_TO => {
                domains.of(x).size()
            }
            Term::Int(_) | Term::Lit(_) => 1,
        };
        terms.iter().map(announced).sum::<u128>() <= MOST_ANNOUNCED
    }

    fn program_rows(&mut self, linear: &[Linear]) -> Vec<ProgramRow> {
        let row = |linear: &Linear| {
            let (terms, constant) = self.in_propagator(&linear.terms);
            let bound = Some(i64::try_from(linear.bound - constant).ok()?);
            let (lower, upper) = match linear.comparison {
                Comparison::AtMost => (None, bound),
                Comparison::AtLeast => (bound, None),
                Comparison::Equal => (bound, bound),
                Comparison::NotEqual => return None,
            };
            Some(ProgramRow { terms, lower, upper })
        };
        linear.iter().filter_map(row).collect()
    }

    /// Returns an integer with a lazy view that equals the sum of the terms, or `None` if the numbers are too large.
    pub(crate) fn integer_of_sum(&mut self, terms: &[(Value, Term)]) -> Option<IntVar> {
        if !fits_sum(terms, 0, self.domains()) {
            return None;
        }
        let (least, greatest) = range(terms, 0, self.domains()).ok()?;
        let mut sink = self.always();
        let sum = sink.integer(Domain::interval(least, greatest));
        sink.lazy(sum);
        let tie =
            |sign: Value| terms.iter().map(move |&(c, term)| (sign * c, term)).chain([(-sign, sum.into())]);
        sink.post_lazily(&tie(1).collect::<Vec<_>>(), 0);
        sink.post_lazily(&tie(-1).collect::<Vec<_>>(), 0);
        Some(sum)
    }

    /// Returns the log view of an integer with a lazy view: new bits, which equations of the propagator connect to the
    /// integer.
    pub(super) fn log_of_lazy(&mut self, x: IntVar) -> Log {
        let domain = self.domain(x);
        let bits: Vec<Lit> = (0..Log::width(&domain)).map(|_| self.always().fresh()).collect();
        let log = Log { min: domain.min(), bits };
        self.views_mut(x).log = Some(log.clone());
        self.connect(x, &log);
        log
    }

    /// Adds equations between an integer with a lazy view and its bits.
    fn connect(&mut self, x: IntVar, log: &Log) {
        let bits = log.bits.iter().enumerate().map(|(k, &bit)| (-(1 << k), Term::Lit(bit)));
        let terms: Vec<(Value, Term)> = bits.chain([(1, x.into())]).collect();
        let negated: Vec<(Value, Term)> = terms.iter().map(|&(factor, term)| (-factor, term)).collect();
        let mut sink = self.always();
        sink.post_lazily(&terms, log.min);
        sink.post_lazily(&negated, -log.min);
    }
}

/// Returns whether the values of a variable are small enough for the view. The values of an affine view's original
/// variable must be small enough, too.
pub(crate) fn fits_variable(x: IntVar, domains: Domains<'_>) -> bool {
    let of_original = |affine: Affine| {
        affine.offset.unsigned_abs() < GREATEST.unsigned_abs() && fits_variable(affine.of, domains)
    };
    fits(domains.of(x)) && domains.affine_view(x).is_none_or(of_original)
}

/// Returns whether the numbers of a linear constraint are small enough for the propagator, also under a condition.
pub(crate) fn fits_sum(terms: &[(Value, Term)], bound: Value, domains: Domains<'_>) -> bool {
    let reach = |&(coefficient, term): &(Value, Term)| {
        let (low, high) = term.range(domains);
        let size = Value::try_from(low.unsigned_abs().max(high.unsigned_abs())).ok()?;
        coefficient.checked_abs()?.checked_mul(size)
    };
    let sum = terms.iter().try_fold(bound.saturating_abs(), |sum: Value, term| sum.checked_add(reach(term)?));
    let is_small = |&(_, term): &(Value, Term)| match term {
        Term::Int(x) => fits_variable(x, domains),
        Term::Lit(_) => true,
    };
    sum.is_some_and(|sum| sum < GREATEST / 4) && terms.iter().all(is_small)
}
