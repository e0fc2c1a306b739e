//! Models of constraint satisfaction problems, and their encoded form.
//!
//! This file has over 400 lines because it contains the model and its encoded form, with the documentation of both.

use std::sync::Arc;

use gordian_proofs::Derive;
use rustc_hash::FxHashMap;

use crate::assignment::Assignment;
use crate::cancel::tick;
use crate::choice::{Encodings, Fallback};
use crate::collect::{Collect, Discard};
use crate::constraint::{Constraint, Linear, Needs};
use crate::expr::{Expr, Term};
use crate::int::{AtomicConstraint, Bound, Domain, Domains, IntVar, Integers, Relation, Value};
use crate::lit::{self, Lit, constant};
use crate::name::Name;
use crate::objective::{Objective, Sense};
use crate::sink::{Deepen, Sink, SizeRow, Sizes, State};
use crate::strategy::DecisionStrategy;
use crate::theory::Deferred;
use crate::value_literals::ValueLiterals;

mod exclusive;

/// Posting a constraint counts as writing this many literals. The number of literals determines how often
/// [cancellation](crate::cancel) is polled.
const WORK_OF_A_CONSTRAINT: u64 = 16;

/// A constraint satisfaction problem.
///
/// The Boolean variables of the model are the first [`Model::variables`] variables of the formula. A literal of an
/// integer variable ([`Model::at_most`], [`Model::equals`]) can be used in constraints like any other literal.
#[derive(Debug, Default)]
pub struct Model {
    booleans: u32,
    integers: Integers,
    constraints: Vec<Posted>,
    preferred: Vec<Lit>,
    assumed: Vec<Lit>,
    objective: Option<Objective>,
    /// The linear constraints of the [relaxation](Model::relax) of a model without an objective.
    pub(crate) relaxation: Vec<Linear>,
    strategies: Vec<DecisionStrategy>,
    decisions: Vec<Term>,
    projection: Vec<Lit>,
    /// The literals declared by [`Model::declare_any`], each with the literals of the equivalent disjunction.
    disjunctions: Vec<(Lit, Vec<Lit>)>,
    /// The terms whose sum is the rank of an assignment; see [`Model::set_rank`].
    rank: Vec<(Value, Lit)>,
    names: Vec<(Lit, Name)>,
    integer_names: Vec<(IntVar, Name)>,
}

/// A constraint of a model, with a human-readable name.
#[derive(Debug)]
pub struct Posted {
    /// The name of the constraint, such as `clue 3 at (2,5)`. The name may be empty.
    pub name: Name,
    /// The constraint itself.
    pub constraint: Box<dyn Constraint>,
    /// For a constraint that the formula of a proof does not contain: how the proof derives it.
    pub derivation: Option<Arc<dyn Derive + Sync>>,
}

impl Model {
    /// Creates a model without variables and constraints. Every assignment satisfies it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a Boolean variable and returns its positive literal.
    ///
    /// # Panics
    /// Panics if more than 2^31 - 2 variables are created.
    pub fn boolean(&mut self) -> Lit {
        tick(1);
        self.booleans += 1;
        Lit::positive(self.booleans - 1)
    }

    /// Creates an array of Boolean variables, like [`Model::boolean`].
    ///
    /// # Panics
    /// Panics if more than 2^31 - 2 variables are created.
    pub fn booleans<const N: usize>(&mut self) -> [Lit; N] {
        std::array::from_fn(|_| self.boolean())
    }

    /// Returns the number of variables: the Boolean variables, and one for each literal created by [`Model::at_most`]
    /// or [`Model::equals`].
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.booleans
    }

    /// Creates an integer variable. The domain can be given as a range such as `1..=9`.
    ///
    /// # Panics
    /// Panics if the domain is empty.
    pub fn integer(&mut self, domain: impl Into<Domain>) -> IntVar {
        self.integers.add(domain.into(), false)
    }

    /// Creates an array of integer variables with the same domain.
    ///
    /// ```
    /// use gordian_encodings::Model;
    ///
    /// let mut model = Model::new();
    /// let [x, y] = model.integers(0..=9);
    /// let queens = model.integers::<8>(1..=8);
    /// assert_eq!((model.domain(y).max(), model.domain(queens[7]).max()), (9, 8));
    /// ```
    ///
    /// # Panics
    /// Panics if the domain is empty.
    pub fn integers<const N: usize>(&mut self, domain: impl Into<Domain>) -> [IntVar; N] {
        let domain = domain.into();
        std::array::from_fn(|_| self.integer(domain.clone()))
    }

    /// Creates an integer variable whose values have no order, such as colours. `auto` represents such a variable in
    /// binary (log view), regardless of its domain size.
    ///
    /// # Panics
    /// Panics if the domain is empty.
    pub fn unordered(&mut self, domain: impl Into<Domain>) -> IntVar {
        self.integers.add(domain.into(), true)
    }

    /// Returns the integer variables in the order of creation.
    pub fn integer_variables(&self) -> impl Iterator<Item = IntVar> + use<> {
        self.integers.variables()
    }

    /// Returns the domain of an integer variable.
    ///
    /// # Panics
    /// Panics if the variable belongs to another model.
    #[must_use]
    pub fn domain(&self, variable: IntVar) -> &Domain {
        self.integers.domain(variable)
    }

    /// Returns the domains of all integer variables.
    #[must_use]
    pub fn domains(&self) -> Domains<'_> {
        self.integers.domains()
    }

    /// Returns the literal `x <= value`, which is a constant if the domain determines its value.
    pub fn at_most(&mut self, x: IntVar, value: Value) -> Lit {
        self.bound(x, Relation::AtMost, value)
    }

    /// Returns the literal `x = value`, which is a constant if the domain determines its value.
    pub fn equals(&mut self, x: IntVar, value: Value) -> Lit {
        self.bound(x, Relation::Equal, value)
    }

    fn bound(&mut self, x: IntVar, relation: Relation, value: Value) -> Lit {
        self.integers.literal_in_model(x, relation, value, &mut self.booleans)
    }

    /// Returns the constraints, and access to the literals `x = v`, which creates at most `most` of them.
    pub(crate) fn with_value_literals(&mut self, most: u32) -> (&[Posted], ValueLiterals<'_>) {
        (&self.constraints, ValueLiterals::new(&mut self.integers, &mut self.booleans, most))
    }

    /// Returns the existing literals `x = v`, including bounds that are equivalent to one: `x <= v` if v is the
    /// minimum, and the negation of `x <= v` if the maximum is the only greater value.
    pub(crate) fn value_literals(&self) -> impl Iterator<Item = (IntVar, Value, Lit)> {
        self.integers.bounds().flat_map(|(Bound { variable, relation, value }, lit)| {
            let domain = self.domain(variable);
            let is_first = relation == Relation::Equal || value == domain.min();
            let is_last = relation == Relation::AtMost && domain.above(value) == Some(domain.max());
            let first = is_first.then_some((variable, value, lit));
            [first, is_last.then_some((variable, domain.max(), !lit))].into_iter().flatten()
        })
    }

    /// Adds a constraint.
    pub fn post(&mut self, constraint: impl Constraint + 'static) {
        self.post_as("", constraint);
    }

    /// Adds a constraint with a human-readable name.
    pub fn post_as(&mut self, name: impl Into<Name>, constraint: impl Constraint + 'static) {
        self.post_boxed(name, Box::new(constraint));
    }

    /// Adds a boxed constraint with a human-readable name.
    pub fn post_boxed(&mut self, name: impl Into<Name>, constraint: Box<dyn Constraint>) {
        tick(WORK_OF_A_CONSTRAINT);
        self.constraints.push(Posted { name: name.into(), constraint, derivation: None });
    }

    /// Adds a constraint that the formula of a proof does not contain, because `derivation` derives the clauses of its
    /// encoding from the other constraints. The constraint may exclude solutions; see
    /// [`Writer::dom`](gordian_proofs::Writer::dom). A search whose proof can't contain the derivation ignores the
    /// constraint.
    pub fn post_derived(
        &mut self,
        constraint: impl Constraint + 'static,
        derivation: Arc<dyn Derive + Sync>,
    ) {
        self.post(constraint);
        if let Some(posted) = self.constraints.last_mut() {
            posted.derivation = Some(derivation);
        }
    }

    /// Sets the rank of a solution, for [`Writer::dom`](gordian_proofs::Writer::dom): the sum of the terms. All
    /// coefficients must be positive, and no literal may be constant.
    pub fn set_rank(&mut self, terms: impl IntoIterator<Item = (Value, Lit)>) {
        self.rank = terms.into_iter().collect();
    }

    /// Returns the constraints in the order in which they were posted.
    #[must_use]
    pub fn constraints(&self) -> &[Posted] {
        &self.constraints
    }

    /// Adds literals to which the search should assign true first. Preferred literals do not change the set of
    /// solutions.
    pub fn prefer(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.preferred.extend(lits.into_iter().filter(|&lit| constant(lit).is_none()));
    }

    /// Returns the literals to which the search should assign true first.
    #[must_use]
    pub fn preferred(&self) -> &[Lit] {
        &self.preferred
    }

    /// Adds literals that every query assumes, such as artificial bounds on unbounded variables. The formula does not
    /// contain the assumed literals. If an unsatisfiable core contains an assumed literal, the model may have solutions
    /// in which this literal is false.
    pub fn assume(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.assumed.extend(lits);
    }

    /// Returns the literals that every query assumes.
    #[must_use]
    pub fn assumed(&self) -> &[Lit] {
        &self.assumed
    }

    /// Adds a strategy for branching. Strategies that were added earlier come first.
    pub fn branch(&mut self, strategy: DecisionStrategy) {
        self.strategies.push(strategy);
    }

    /// Returns the strategies for branching in the order in which they were added.
    #[must_use]
    pub fn strategies(&self) -> &[DecisionStrategy] {
        &self.strategies
    }

    /// Sets the decision variables: the variables whose values determine those of the others, as far as this is known.
    /// Large neighbourhood search keeps the values of most of them. Without decision variables, there is no such search.
    pub fn set_decisions(&mut self, decisions: impl IntoIterator<Item = Term>) {
        self.decisions = decisions.into_iter().collect();
    }

    /// Returns the decision variables.
    #[must_use]
    pub fn decisions(&self) -> &[Term] {
        &self.decisions
    }

    /// Sets the objective, which replaces any earlier objective.
    pub fn set_objective(&mut self, objective: Objective) {
        self.objective = Some(objective);
    }

    /// Removes the objective.
    pub fn remove_objective(&mut self) {
        self.objective = None;
    }

    /// Minimises an expression.
    pub fn minimise(&mut self, expr: impl Into<Expr>) {
        self.set_objective(Objective::of(Sense::Minimise, expr));
    }

    /// Maximises an expression.
    pub fn maximise(&mut self, expr: impl Into<Expr>) {
        self.set_objective(Objective::of(Sense::Maximise, expr));
    }

    /// Returns the integers for which the model needs more literals than bounds.
    fn needs(&self) -> FxHashMap<IntVar, Needs> {
        let forms = self.objective.iter().flat_map(|of| std::iter::once(&of.terms).chain(&of.equal));
        let summed = forms.filter(|terms| terms.len() > 1).flatten().filter_map(|&(_, term)| match term {
            Term::Int(x) => Some((x, Needs::Literals)),
            Term::Lit(_) => None,
        });
        let mut needs: FxHashMap<IntVar, Needs> = FxHashMap::default();
        for (x, need) in self.constraints.iter().flat_map(|posted| posted.constraint.needs()).chain(summed) {
            let known = needs.entry(x).or_insert(need);
            *known = need.max(*known);
        }
        needs
    }

    /// Returns the objective, or `None` if there is no objective.
    #[must_use]
    pub fn objective(&self) -> Option<&Objective> {
        self.objective.as_ref()
    }

    /// Adds literals to the projection. Solutions that agree on all literals of the projection count as one solution.
    pub fn project(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.projection.extend(lits);
    }

    /// Returns the projection: solutions that agree on its literals count as one solution. If the projection is
    /// empty, all solutions count as one.
    #[must_use]
    pub fn projection(&self) -> &[Lit] {
        &self.projection
    }

    /// Declares that the constraints imply that `lit` is true if and only if one of `lits` is true. The formula of a
    /// proof then contains the disjunction of `lits` instead of `lit`. The declaration does not add a constraint, and
    /// is ignored if a literal is constant or if `lits` is empty.
    pub fn declare_any(&mut self, lit: Lit, lits: impl Into<Vec<Lit>>) {
        let lits = lits.into();
        if constant(lit).is_none() && !lits.is_empty() && lits.iter().all(|&lit| constant(lit).is_none()) {
            self.disjunctions.push((lit, lits));
        }
    }

    /// Sets the name of a literal in exported formulas. Names of constant literals are ignored.
    pub fn name(&mut self, lit: Lit, name: impl Into<Name>) {
        if constant(lit).is_none() {
            self.names.push((lit, name.into()));
        }
    }

    /// Sets the name of an integer variable. The literals of the variable get names that are derived from the
    /// variable's name.
    pub fn name_integer(&mut self, x: IntVar, name: impl Into<Name>) {
        self.integer_names.push((x, name.into()));
    }

    /// Returns the named literals in the order in which they were named.
    #[must_use]
    pub fn names(&self) -> &[(Lit, Name)] {
        &self.names
    }

    /// Returns the named integer variables in the order in which they were named.
    #[must_use]
    pub fn integer_names(&self) -> &[(IntVar, Name)] {
        &self.integer_names
    }

    /// Returns whether `assignment` satisfies every constraint.
    ///
    /// # Panics
    /// Panics if the assignment has no value for a variable of the model.
    #[must_use]
    pub fn holds(&self, assignment: &Assignment) -> bool {
        self.bounds()
            .iter()
            .all(|&(bound, lit)| assignment.lit(lit) == bound.holds(assignment.int(bound.variable)))
            && self.integer_variables().all(|x| self.domain(x).contains(assignment.int(x)))
            && self.constraints.iter().all(|posted| posted.constraint.holds(assignment))
    }

    /// Returns the literals of integer variables, each with the bound that it represents.
    #[must_use]
    pub fn bounds(&self) -> Vec<(Bound, Lit)> {
        let mut bounds: Vec<_> = self.integers.bounds().collect();
        bounds.sort_unstable_by_key(|&(_, lit)| lit);
        bounds
    }

    /// Encodes a constraint over variables of this model with `encodings`, and returns the number of variables and
    /// clauses of the encoding. The clauses are not stored. The literals of integer variables and the clauses between
    /// them are not counted, because constraints share them.
    ///
    /// ```
    /// use gordian_encodings::constraint::Cardinality;
    /// use gordian_encodings::encoding::sequential_counter::SEQUENTIAL_COUNTER;
    /// use gordian_encodings::{Encodings, Model};
    ///
    /// let mut model = Model::new();
    /// let lits: Vec<_> = (0..10).map(|_| model.boolean()).collect();
    /// let encodings = Encodings::auto().with(&SEQUENTIAL_COUNTER);
    /// let size = model.size_of(&Cardinality::at_most(lits, 3), &encodings);
    /// assert_eq!((size.variables, size.clauses), (3 * 7, 7 * 7 - 3));
    /// ```
    #[must_use]
    pub fn size_of(&self, constraint: &dyn Constraint, encodings: &Encodings) -> SizeRow {
        let mut encoded = Encoded::begin(self, encodings);
        encoded.sink(&mut Discard).post(constraint);
        let own = |row: &&SizeRow| row.constraint == constraint.type_name();
        encoded.sizes().rows().iter().find(own).copied().unwrap_or_default()
    }

    /// Encodes the model as clauses with the given `encodings`.
    ///
    /// The function cannot fail: an unsatisfiable constraint becomes an empty clause.
    pub fn encode(&self, encodings: &Encodings, collect: &mut dyn Collect) -> Encoded {
        let mut encoded = Encoded::begin(self, encodings);
        encoded.write(self, collect);
        encoded
    }
}

/// An encoded model, which records what each literal of an integer represents. Further constraints can be added to an
/// encoded model.
#[derive(Debug)]
pub struct Encoded {
    state: State,
    booleans: u32,
}

impl Encoded {
    /// Prepares to encode a model, without writing clauses. If [`Encoded::write`] is then [cancelled](crate::cancel),
    /// the caller can inspect the partial encoding. Callers that do not need partial encodings should call
    /// [`Model::encode`].
    #[must_use]
    pub fn begin(model: &Model, encodings: &Encodings) -> Self {
        let state = State::new(model.booleans, encodings.clone(), model.integers.clone());
        Self { state, booleans: model.booleans }
    }

    /// Encodes the model that was passed to [`Encoded::begin`]. Call this function only once.
    pub fn write(&mut self, model: &Model, collect: &mut dyn Collect) {
        self.write_where(model, collect, |_| true);
    }

    /// Like [`Encoded::write`], but encodes only the model's integers and the constraints for which `write` returns
    /// true.
    pub fn write_where(
        &mut self,
        model: &Model,
        collect: &mut dyn Collect,
        mut write: impl FnMut(&dyn Constraint) -> bool,
    ) {
        collect.reserve(self.booleans);
        let mut sink = Sink::new(&mut self.state, collect);
        let mut bounds: Vec<Bound> = model.bounds().into_iter().map(|(bound, _)| bound).collect();
        // The sort is stable, so the bounds of each integer remain sorted by literal.
        bounds.sort_by_key(|bound| bound.variable);
        let mut rest = &bounds[..];
        for (lit, lits) in &model.disjunctions {
            sink.replace(*lit, lits);
        }
        // Without lazy views, the initial view does not depend on the constraints.
        let needs = if sink.domains().allows_lazy() { model.needs() } else { FxHashMap::default() };
        for x in model.integer_variables() {
            let of_x;
            (of_x, rest) = rest.split_at(rest.partition_point(|bound| bound.variable <= x));
            sink.written_for("integers", |sink| {
                sink.start(x, of_x, needs.get(&x).copied().unwrap_or(Needs::Bounds));
            });
        }
        if sink.is_logged() {
            for (x, name) in &model.integer_names {
                sink.name_order(*x, name);
            }
        }
        sink.set_rank(&model.rank);
        let mut is_whole = true;
        for posted in &model.constraints {
            if !write(&*posted.constraint) {
                is_whole = false;
                continue;
            }
            sink.comment(&posted.name);
            match &posted.derivation {
                None => sink.post(&*posted.constraint),
                Some(derivation) => sink.post_derived(&*posted.constraint, derivation),
            }
        }
        // The relaxation follows from all constraints together.
        if is_whole && model.objective.is_none() {
            sink.post_relaxation(&model.relaxation);
        }
        for strategy in &model.strategies {
            sink.post_strategy(strategy);
        }
        sink.reserve();
    }

    /// Returns the domains of all integer variables.
    #[must_use]
    pub fn domains(&self) -> Domains<'_> {
        self.state.integers.domains()
    }

    /// Returns the size of the formula for each type of constraint.
    #[must_use]
    pub fn sizes(&self) -> &Sizes {
        &self.state.sizes
    }

    /// Returns the distinct fallbacks. A fallback records that a chosen encoding did not apply to a constraint, or that
    /// an encoding does not preserve the number of solutions as required.
    ///
    /// ```
    /// use gordian_encodings::constraint::Cardinality;
    /// use gordian_encodings::encoding::binomial::BINOMIAL;
    /// use gordian_encodings::{Cnf, Encodings, Model};
    ///
    /// let mut model = Model::new();
    /// let lits: Vec<_> = (0..50).map(|_| model.boolean()).collect();
    /// model.post(Cardinality::at_most(lits, 25));
    /// let encodings = Encodings::auto().with(&BINOMIAL);
    ///
    /// let encoded = model.encode(&encodings, &mut Cnf::default());
    /// let said: Vec<_> = encoded.fallbacks().iter().map(ToString::to_string).collect();
    /// assert_eq!(said, ["cardinality=binomial does not apply here; totalizer is used"]);
    /// ```
    #[must_use]
    pub fn fallbacks(&self) -> &[Fallback] {
        &self.state.fallbacks
    }

    /// Returns the encodings that were used. Each entry contains the type of constraint, the name of the encoding, and
    /// the number of constraints with this encoding.
    #[must_use]
    pub fn encodings(&self) -> &[(&'static str, &'static str, u64)] {
        &self.state.used
    }

    /// Returns the existing literals of integer variables in ascending order, each with the relation that it
    /// represents.
    #[must_use]
    pub fn literals_of_integers(&self) -> Vec<(Lit, IntVar, AtomicConstraint)> {
        self.state.integers.literals()
    }

    /// Marks all variables below `next` as used, because the solver has created some of them during the search.
    pub fn skip_to(&mut self, next: u32) {
        self.state.skip_to(next);
    }

    /// Returns a sink for further constraints. `collect` must be the collector that received all earlier clauses.
    pub fn sink<'s>(&'s mut self, collect: &'s mut dyn Collect) -> Sink<'s> {
        Sink::new(&mut self.state, collect)
    }

    /// Returns the constraints that were deferred since the last call. The formula has no clauses for these
    /// constraints. A caller that uses [`Encodings::deferring`] must enforce them during search.
    pub fn take_deferred(&mut self) -> Vec<Deferred> {
        std::mem::take(&mut self.state.deferred)
    }

    /// Returns the constraints that were encoded since the last call, but only up to a certain [depth](crate::theory).
    /// The caller must enforce the returned constraints, as for [`Encoded::take_deferred`].
    pub fn take_deepening(&mut self) -> Vec<Box<dyn Deepen>> {
        std::mem::take(&mut self.state.deepening)
    }

    /// Returns the values of the model's variables in a satisfying assignment of the formula. A variable without a value
    /// in the satisfying assignment is false ([`lit::holds`]).
    pub fn assignment(&self, value: impl Fn(Lit) -> Option<bool>) -> Assignment {
        let holds = |lit: Lit| lit::holds(lit, &value);
        let booleans = (0..self.booleans).map(|index| holds(Lit::positive(index))).collect();
        let State { integers, lazy, .. } = &self.state;
        let of_lazy = |id| lazy.order.value(id).into();
        let integers = integers.variables().map(|x| integers.value(x, &holds, &of_lazy)).collect();
        Assignment::new(booleans, integers)
    }
}
