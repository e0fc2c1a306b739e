//! What must hold: variables, constraints, and which variables are the solution.

use std::borrow::Cow;

use crate::assignment::Assignment;
use crate::cancel::tick;
use crate::choice::{Encodings, Fallback};
use crate::collect::{Collect, Discard};
use crate::constraint::Constraint;
use crate::expr::Expr;
use crate::int::{Bound, Domain, Domains, IntVar, Integers, Relation, Says, Value};
use crate::lit::{Lit, constant};
use crate::name::Name;
use crate::objective::{Objective, Sense};
use crate::sink::{Sink, SizeRow, Sizes, State};
use crate::theory::{Deepen, Deferred};

/// What posting a constraint is in literals written: see [`cancel`](crate::cancel). It takes about as long.
const WORK_OF_A_CONSTRAINT: u64 = 16;

/// A constraint satisfaction problem.
///
/// Variables of the model are variables of the formula: the first [`Model::variables`] indices. A literal of an integer
/// variable ([`Model::at_most`], [`Model::equals`]) is a literal like any other, so constraints over literals take both.
#[derive(Debug, Default)]
pub struct Model {
    booleans: u32,
    integers: Integers,
    constraints: Vec<Posted>,
    preferred: Vec<Lit>,
    objective: Option<Objective>,
    projection: Vec<Lit>,
    names: Vec<(Lit, Name)>,
    integer_names: Vec<(IntVar, Name)>,
}

/// A constraint in a model, with what a person knows it by.
#[derive(Debug)]
pub struct Posted {
    /// What it is and where, such as `clue 3 at (2,5)`; empty if it needs no name.
    pub name: Cow<'static, str>,
    /// What must hold.
    pub constraint: Box<dyn Constraint>,
}

impl Model {
    /// A model without variables or constraints: every assignment satisfies it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A new Boolean variable, as its positive literal.
    ///
    /// # Panics
    /// If there are no variables left: more than 2^31 - 2 were made.
    pub fn boolean(&mut self) -> Lit {
        tick(1);
        self.booleans += 1;
        Lit::positive(self.booleans - 1)
    }

    /// An array of new Boolean variables, as [`Model::boolean`] makes each.
    ///
    /// # Panics
    /// If there are no variables left.
    pub fn booleans<const N: usize>(&mut self) -> [Lit; N] {
        std::array::from_fn(|_| self.boolean())
    }

    /// The number of variables of the formula that are the model's own: its Boolean variables and the literals asked
    /// of its integer variables.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.booleans
    }

    /// A new integer variable with one of the values of `domain`, which may be a range such as `1..=9`.
    ///
    /// # Panics
    /// If the domain is empty.
    pub fn integer(&mut self, domain: impl Into<Domain>) -> IntVar {
        self.integers.add(domain.into(), false)
    }

    /// An array of new integer variables with the same domain.
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
    /// If the domain is empty.
    pub fn integers<const N: usize>(&mut self, domain: impl Into<Domain>) -> [IntVar; N] {
        let domain = domain.into();
        std::array::from_fn(|_| self.integer(domain.clone()))
    }

    /// A new integer variable whose values are names, such as colours: nothing asks which of two is greater, so that
    /// `auto` starts it with the log view, whatever the size of its domain.
    ///
    /// # Panics
    /// If the domain is empty.
    pub fn unordered(&mut self, domain: impl Into<Domain>) -> IntVar {
        self.integers.add(domain.into(), true)
    }

    /// The integer variables, in the order of their making.
    pub fn integer_variables(&self) -> impl Iterator<Item = IntVar> + use<> {
        self.integers.variables()
    }

    /// The domain of an integer variable.
    ///
    /// # Panics
    /// If the variable is another model's.
    #[must_use]
    pub fn domain(&self, variable: IntVar) -> &Domain {
        self.integers.domain(variable)
    }

    /// The domains of all integer variables.
    #[must_use]
    pub fn domains(&self) -> Domains<'_> {
        self.integers.domains()
    }

    /// The literal `x <= value`; a constant where the domain decides.
    pub fn at_most(&mut self, x: IntVar, value: Value) -> Lit {
        self.bound(x, Relation::AtMost, value)
    }

    /// The literal `x = value`; a constant where the domain decides.
    pub fn equals(&mut self, x: IntVar, value: Value) -> Lit {
        self.bound(x, Relation::Equal, value)
    }

    fn bound(&mut self, x: IntVar, relation: Relation, value: Value) -> Lit {
        let booleans = &mut self.booleans;
        self.integers.literal(x, relation, value, || {
            *booleans += 1;
            Lit::positive(*booleans - 1)
        })
    }

    /// Requires a constraint.
    pub fn post(&mut self, constraint: impl Constraint + 'static) {
        self.post_as("", constraint);
    }

    /// Requires a constraint that a person knows by a name.
    pub fn post_as(&mut self, name: impl Into<Cow<'static, str>>, constraint: impl Constraint + 'static) {
        tick(WORK_OF_A_CONSTRAINT);
        self.constraints.push(Posted { name: name.into(), constraint: Box::new(constraint) });
    }

    /// The constraints in the order they were posted.
    #[must_use]
    pub fn constraints(&self) -> &[Posted] {
        &self.constraints
    }

    /// Asks the search to try these literals as true first, where it has a choice. It never changes a verdict.
    pub fn prefer(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.preferred.extend(lits.into_iter().filter(|&lit| constant(lit).is_none()));
    }

    /// The literals to try as true first.
    #[must_use]
    pub fn preferred(&self) -> &[Lit] {
        &self.preferred
    }

    /// Asks for a solution with the least or the greatest value of an objective.
    pub fn set_objective(&mut self, objective: Objective) {
        self.objective = Some(objective);
    }

    /// Asks for a solution with the least value of an expression.
    pub fn minimise(&mut self, expr: impl Into<Expr>) {
        self.set_objective(Objective::of(Sense::Minimise, expr));
    }

    /// Asks for a solution with the greatest value of an expression.
    pub fn maximise(&mut self, expr: impl Into<Expr>) {
        self.set_objective(Objective::of(Sense::Maximise, expr));
    }

    /// What makes one solution better than another, if anything does.
    #[must_use]
    pub fn objective(&self) -> Option<&Objective> {
        self.objective.as_ref()
    }

    /// Says that these literals are the solution: two solutions that agree on them are the same solution.
    pub fn project(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.projection.extend(lits);
    }

    /// The literals that are the solution; none means that only the verdict matters.
    #[must_use]
    pub fn projection(&self) -> &[Lit] {
        &self.projection
    }

    /// Says what a person calls a literal, for exported formulas. Constants need no name.
    pub fn name(&mut self, lit: Lit, name: impl Into<Name>) {
        if constant(lit).is_none() {
            self.names.push((lit, name.into()));
        }
    }

    /// Says what a person calls an integer; its literals are named after it.
    pub fn name_integer(&mut self, x: IntVar, name: impl Into<Name>) {
        self.integer_names.push((x, name.into()));
    }

    /// The literals that have names, in the order they got them.
    #[must_use]
    pub fn names(&self) -> &[(Lit, Name)] {
        &self.names
    }

    /// The integers that have names, in the order they got them.
    #[must_use]
    pub fn integer_names(&self) -> &[(IntVar, Name)] {
        &self.integer_names
    }

    /// Whether every constraint holds.
    ///
    /// # Panics
    /// If the assignment lacks a variable of the model.
    #[must_use]
    pub fn holds(&self, assignment: &Assignment) -> bool {
        self.bounds()
            .iter()
            .all(|&(bound, lit)| assignment.lit(lit) == bound.holds(assignment.int(bound.variable)))
            && self.integer_variables().all(|x| self.domain(x).contains(assignment.int(x)))
            && self.constraints.iter().all(|posted| posted.constraint.holds(assignment))
    }

    /// The literals that speak of integer variables, with what they say.
    #[must_use]
    pub fn bounds(&self) -> Vec<(Bound, Lit)> {
        let mut bounds: Vec<_> = self.integers.bounds().collect();
        bounds.sort_unstable_by_key(|&(_, lit)| lit);
        bounds
    }

    /// Counts the variables and clauses of a constraint over variables of this model, as `encodings` encode it. Nothing is
    /// stored. The views of integers are not counted, since constraints share them.
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

    /// Puts the model into clauses, by the encodings that `encodings` chooses.
    ///
    /// Cannot fail: what can't be satisfied is an empty clause.
    pub fn encode(&self, encodings: &Encodings, collect: &mut dyn Collect) -> Encoded {
        let mut encoded = Encoded::begin(self, encodings);
        encoded.write(self, collect);
        encoded
    }
}

/// A model that was put into clauses: what its literals mean, and the way to write more.
#[derive(Debug)]
pub struct Encoded {
    state: State,
    booleans: u32,
}

impl Encoded {
    /// A model of which nothing is written yet: for whoever wants to know how far [`Encoded::write`] came when it is
    /// [given up](crate::cancel). Others take [`Model::encode`].
    #[must_use]
    pub fn begin(model: &Model, encodings: &Encodings) -> Self {
        let state = State::new(model.booleans, encodings.clone(), model.integers.clone());
        Self { state, booleans: model.booleans }
    }

    /// Puts the model that this was begun with into clauses, once.
    pub fn write(&mut self, model: &Model, collect: &mut dyn Collect) {
        collect.reserve(self.booleans);
        let mut sink = Sink::new(&mut self.state, collect);
        let mut bounds: Vec<Bound> = model.bounds().into_iter().map(|(bound, _)| bound).collect();
        // Stable: the bounds of one integer stay in the order of their literals.
        bounds.sort_by_key(|bound| bound.variable);
        let mut rest = &bounds[..];
        for x in model.integer_variables() {
            let of_x;
            (of_x, rest) = rest.split_at(rest.partition_point(|bound| bound.variable <= x));
            sink.written_for("integers", |sink| sink.start(x, of_x));
        }
        for posted in &model.constraints {
            sink.post(&*posted.constraint);
        }
        sink.reserve();
    }

    /// The sizes of what was written, by type of constraint.
    #[must_use]
    pub fn sizes(&self) -> &Sizes {
        &self.state.sizes
    }

    /// Where the encoding is not what was asked for, each case once: a chosen encoding that can't encode a constraint, a
    /// number of solutions that can't be kept.
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

    /// The encodings that were used: the type of constraint, the encoding, and the number of constraints.
    #[must_use]
    pub fn encodings(&self) -> &[(&'static str, &'static str, u64)] {
        &self.state.used
    }

    /// The literals that speak of integers so far, with what they say; in the order of their variables.
    #[must_use]
    pub fn literals_of_integers(&self) -> Vec<(Lit, IntVar, Says)> {
        self.state.integers.literals()
    }

    /// A sink that goes on where the encoding ended, for constraints that come later. `collect` must be what has the
    /// clauses so far.
    pub fn sink<'s>(&'s mut self, collect: &'s mut dyn Collect) -> Sink<'s> {
        Sink::new(&mut self.state, collect)
    }

    /// The constraints that were left to the search since the last time this was asked. Whoever chose
    /// [`Encodings::deferring`] must see that they hold.
    pub fn take_deferred(&mut self) -> Vec<Deferred> {
        std::mem::take(&mut self.state.deferred)
    }

    /// The constraints written up to a depth since the last time this was asked; as [`Encoded::take_deferred`].
    pub fn take_deepening(&mut self) -> Vec<Box<dyn Deepen>> {
        std::mem::take(&mut self.state.deepening)
    }

    /// Reads the model's variables off a satisfying assignment of the formula. What the solver left open is false.
    pub fn assignment(&self, value: impl Fn(Lit) -> Option<bool>) -> Assignment {
        let holds = |lit: Lit| value(lit).unwrap_or(false);
        let booleans = (0..self.booleans).map(|index| holds(Lit::positive(index))).collect();
        let integers =
            self.state.integers.variables().map(|x| self.state.integers.value(x, &holds)).collect();
        Assignment::new(booleans, integers)
    }
}
