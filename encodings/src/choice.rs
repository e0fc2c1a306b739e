//! The choice of encodings, and fallbacks for chosen encodings that do not apply.

/// The encoding chosen for each constraint type. For types without a chosen encoding, `auto` selects an encoding by the
/// size of the constraint.
///
/// ```
/// use gordian_encodings::Encodings;
/// use gordian_encodings::encoding::{mdd::MDD, totalizer::TOTALIZER};
///
/// let encodings = Encodings::auto().with(&TOTALIZER).with(&MDD);
/// assert_eq!(encodings.chosen("cardinality"), Some("totalizer"));
/// assert_eq!(encodings.chosen("linear"), Some("mdd"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encodings {
    chosen: Vec<(&'static str, &'static str)>,
    keep_count: bool,
    deferral: Deferral,
    derive: bool,
}

/// Whether encodings may omit clauses of constraints that the search enforces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Deferral {
    /// The formula contains all clauses.
    #[default]
    None,
    /// Encodings may omit clauses. If the solver has no propagators, cuts enforce the constraints.
    Deferred,
    /// Encodings may omit clauses, and the solver runs propagators.
    Propagated,
    /// Encodings may omit clauses, and the solver runs propagators that create literals.
    Created,
}

/// The choice of an encoding for a constraint type, by name.
///
/// An [`Encoding`](crate::Encoding), an initial [`View`](crate::view::View) of integers or an
/// [`ObjectiveEncoding`](crate::bounded_sum::ObjectiveEncoding) can be converted into a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub(crate) constraint: &'static str,
    /// The name of the encoding, or `None` for `auto`.
    pub(crate) encoding: Option<&'static str>,
}

/// A report that the chosen encoding was replaced by another encoding, or that the number of solutions is not
/// preserved. The `Display` form of a fallback is a sentence without a full stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// The chosen encoding does not apply to a constraint, so a different encoding was used.
    Replaced {
        /// The type of the constraint.
        constraint: &'static str,
        /// The encoding that was chosen.
        chosen: &'static str,
        /// The encoding that was used instead.
        used: &'static str,
    },
    /// The caller asked for encodings that preserve the number of solutions, but no such encoding applies to a
    /// constraint.
    CountLost {
        /// The type of the constraint.
        constraint: &'static str,
        /// The encoding that was used.
        used: &'static str,
    },
}

impl std::fmt::Display for Fallback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Replaced { constraint, chosen, used } => {
                write!(f, "{constraint}={chosen} does not apply here; {used} is used")
            }
            Self::CountLost { constraint, used } => {
                write!(
                    f,
                    "{constraint}={used} does not keep the number of solutions, and nothing that applies does"
                )
            }
        }
    }
}

impl Encodings {
    /// Uses `auto` for every type of constraint.
    #[must_use]
    pub fn auto() -> Self {
        Self::default()
    }

    /// Chooses the encoding for a constraint type, replacing any earlier choice for that type.
    pub fn choose(&mut self, choice: impl Into<Choice>) {
        let Choice { constraint, encoding } = choice.into();
        self.chosen.retain(|&(name, _)| name != constraint);
        self.chosen.extend(encoding.map(|encoding| (constraint, encoding)));
    }

    /// Like [`Encodings::choose`], but takes and returns `self`.
    #[must_use]
    pub fn with(mut self, choice: impl Into<Choice>) -> Self {
        self.choose(choice);
        self
    }

    /// Selects encodings that preserve the number of solutions, so that the formula has exactly one model for each
    /// solution. If no such encoding applies to a constraint, a [`Fallback::CountLost`] is reported.
    #[must_use]
    pub fn keep_count(mut self) -> Self {
        self.keep_count = true;
        self
    }

    /// Returns whether [`Encodings::keep_count`] was called.
    #[must_use]
    pub fn keeps_count(&self) -> bool {
        self.keep_count
    }

    /// Allows encodings that omit the clauses of a constraint. The [search](crate::theory) then enforces the constraint
    /// by cuts, propagation or deepening. Unless this function is called, the formula contains all clauses of every
    /// constraint.
    #[must_use]
    pub fn deferring(mut self) -> Self {
        self.deferral = self.deferral.max(Deferral::Deferred);
        self
    }

    /// Returns whether encodings may omit clauses. [`Encodings::deferring`] and [`Encodings::propagating`] allow this,
    /// but [`Encodings::keep_count`] forbids it, because counting models requires a complete formula.
    #[must_use]
    pub fn defers(&self) -> bool {
        self.deferral > Deferral::None && !self.keep_count
    }

    /// Like [`Encodings::deferring`], for a solver that runs propagators: for large constraints, `auto` prefers
    /// propagators to clauses. With other solvers, cuts enforce the deferred constraints, at the cost of one solver
    /// call for each group of cuts.
    #[must_use]
    pub fn propagating(mut self) -> Self {
        self.deferral = self.deferral.max(Deferral::Propagated);
        self
    }

    /// Like [`Encodings::propagating`], for a solver whose propagators may create literals during the search: `auto`
    /// then creates the order literals of integers with large domains [lazily](crate::theory::lazy_order). The solver
    /// must enforce these constraints by their propagator, because there are no cuts for them.
    #[must_use]
    pub fn creating_literals(mut self) -> Self {
        self.deferral = Deferral::Created;
        self
    }

    /// Returns whether integers may have literals that are created during the search. This requires that
    /// [`Encodings::creating_literals`] was called and that encodings may [omit clauses](Encodings::defers), and excludes
    /// [proofs](Encodings::deriving).
    #[must_use]
    pub fn creates_literals(&self) -> bool {
        self.deferral == Deferral::Created && self.defers() && !self.derive
    }

    /// Returns whether `auto` may prefer propagators. This requires that [`Encodings::propagating`] was called, and
    /// that encodings may [omit clauses](Encodings::defers).
    #[must_use]
    pub fn propagates(&self) -> bool {
        self.deferral >= Deferral::Propagated && self.defers()
    }

    /// Allows only encodings for which a proof can derive every clause from the constraint.
    #[must_use]
    pub fn deriving(mut self) -> Self {
        self.derive = true;
        self
    }

    /// Returns whether [`Encodings::deriving`] was called.
    #[must_use]
    pub fn derives(&self) -> bool {
        self.derive
    }

    /// Returns the name of the chosen encoding for a type of constraint, or `None` if `auto` decides.
    #[must_use]
    pub fn chosen(&self, constraint: &str) -> Option<&'static str> {
        self.chosen.iter().find(|&&(name, _)| name == constraint).map(|&(_, encoding)| encoding)
    }
}
