//! The registry: the name of each type of constraint, its encodings, and the rule by which `auto` chooses one.
//!
//! To add a type of constraint, add a file in [`constraint`](crate::constraint). Then implement [`Encodable`] and add a
//! row to [`CONSTRAINTS`] in this file. To add an encoding, add a file in [`encoding`](crate::encoding), and list the
//! encoding in [`Encodable::ENCODINGS`] of its constraint. The modules of the constraints and encodings do not depend
//! on this module.
//!
//! This file has over 400 lines because the table of constraints and its rules belong together.

use crate::bounded_sum;
use crate::choice::{Choice, Encodings};
use crate::constraint::{
    Absolute, Acyclic, AllDifferent, AtMostOne, Automaton, Cardinality, Circuit, Clause, ComponentSize,
    Components, Conjunction, Connected, Count, Cumulative, Diffn, Disconnected, DisjointPaths, Disjunction,
    Disjunctive, Division, Element, Equality, ExactlyOne, Inverse, Lexicographic, Linear, Maximum, Minimum,
    Negation, Path, Permutation, Power, Product, Reified, Table, Times, TruncatedDivision, ValuePrecedence,
    can_enumerate,
};
use crate::encode::{ConstraintRow, Encodable, Encode, Encoding};
use crate::encoding::{
    acyclic, adder, all_different, automaton, bimander, binary_support, binomial, bitwise,
    cardinality_network, circuit, clause, commander, component_size, components, conflicts, conjunction,
    connectivity_cuts, connectivity_propagator, count, cumulative, decision_diagram, degrees, diffn,
    disjoint_paths, disjunction, disjunctive, element, element_support, equality, exactly_one, function,
    inverse, ladder, lazy, lexicographic, linear, linear_propagator, mdd, min_max, modulo_totalizer,
    multiplier, negation, nested, order, pairwise, parent_tree, parts, permutation, polynomial_watchdog,
    power, product, pseudo_boolean, reachability_layers, reified, sequential_counter,
    sequential_weight_counter, support, table, totalizer, truncated_division, value_precedence,
};
use crate::expr::{Expr, Term};
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::view;

/// All constraint types, in display order.
pub static CONSTRAINTS: &[ConstraintRow] = &[
    view::ROW,
    ConstraintRow::of::<Clause>(),
    ConstraintRow::of::<AtMostOne>(),
    ConstraintRow::of::<ExactlyOne>(),
    ConstraintRow::of::<Cardinality>(),
    ConstraintRow::of::<Linear>(),
    ConstraintRow::of::<Equality>(),
    ConstraintRow::of::<Product>(),
    ConstraintRow::of::<Power>(),
    ConstraintRow::of::<Division>(),
    ConstraintRow::of::<TruncatedDivision>(),
    ConstraintRow::of::<Absolute>(),
    ConstraintRow::of::<Minimum>(),
    ConstraintRow::of::<Maximum>(),
    ConstraintRow::of::<AllDifferent>(),
    ConstraintRow::of::<Permutation>(),
    ConstraintRow::of::<Inverse>(),
    ConstraintRow::of::<Count>(),
    ConstraintRow::of::<Element>(),
    ConstraintRow::of::<Table>(),
    ConstraintRow::of::<Automaton>(),
    ConstraintRow::of::<ValuePrecedence>(),
    ConstraintRow::of::<Cumulative>(),
    ConstraintRow::of::<Disjunctive>(),
    ConstraintRow::of::<Diffn>(),
    ConstraintRow::of::<Lexicographic>(),
    ConstraintRow::of::<Reified>(),
    ConstraintRow::of::<Negation>(),
    ConstraintRow::of::<Conjunction>(),
    ConstraintRow::of::<Disjunction>(),
    ConstraintRow::of::<Connected>(),
    ConstraintRow::of::<Disconnected>(),
    ConstraintRow::of::<Components>(),
    ConstraintRow::of::<ComponentSize>(),
    ConstraintRow::of::<Acyclic>(),
    ConstraintRow::of::<Path>(),
    ConstraintRow::of::<DisjointPaths>(),
    ConstraintRow::of::<Circuit>(),
    bounded_sum::ROW,
];

/// The name that selects the automatic choice of an encoding.
pub const AUTO: &str = "auto";

/// An invalid choice of an encoding. The `Display` form of the error contains the reason and the valid names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChoiceError {
    /// The choice does not have the form `constraint=encoding`.
    Form,
    /// The type of constraint does not exist.
    NoConstraint {
        /// The given name of a constraint type.
        found: String,
    },
    /// The type of constraint has no encoding with the given name.
    NoEncoding {
        /// The type of constraint.
        constraint: &'static ConstraintRow,
        /// The given name of an encoding.
        found: String,
    },
    /// The type of constraint has only one encoding, so there is no choice.
    OnlyOne {
        /// The type of constraint.
        constraint: &'static ConstraintRow,
    },
}

impl ChoiceError {
    /// Returns the unknown name and the valid names, or `None` if the error is not about an unknown name.
    #[must_use]
    pub fn names(&self) -> Option<(&str, Vec<&'static str>)> {
        match self {
            Self::Form | Self::OnlyOne { .. } => None,
            Self::NoConstraint { found } => Some((found, choosable().map(|row| row.name).collect())),
            Self::NoEncoding { constraint, found } => {
                let names = (constraint.encodings)().into_iter().map(|row| row.name);
                Some((found, [AUTO].into_iter().chain(names).collect()))
            }
        }
    }
}

impl std::fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self {
            Self::Form => return f.write_str("expected `constraint=encoding`"),
            Self::OnlyOne { constraint } => {
                let name = constraint.name;
                return write!(f, "`{name}` has only one encoding, so there is nothing to choose");
            }
            Self::NoConstraint { .. } => "constraint",
            Self::NoEncoding { .. } => "encoding",
        };
        let (found, known) = self.names().unwrap_or_default();
        write!(f, "no {what} `{found}`; there are {}", known.join(", "))
    }
}

impl std::error::Error for ChoiceError {}

/// Returns the constraint types with several encodings. For these types, users can choose an encoding.
pub fn choosable() -> impl Iterator<Item = &'static ConstraintRow> {
    CONSTRAINTS.iter().filter(|row| (row.encodings)().len() > 1)
}

impl Encodings {
    /// Chooses an encoding by the names of the constraint type and of the encoding.
    ///
    /// The name `auto` reverts an earlier choice.
    ///
    /// # Errors
    /// Returns an error if the type of constraint does not exist, does not have the encoding, or has only one
    /// encoding.
    pub fn choose_named(&mut self, constraint: &str, encoding: &str) -> Result<(), ChoiceError> {
        let row = CONSTRAINTS.iter().find(|row| row.name == constraint);
        let row = row.ok_or_else(|| ChoiceError::NoConstraint { found: constraint.to_owned() })?;
        let encodings = (row.encodings)();
        if encodings.len() == 1 {
            return Err(ChoiceError::OnlyOne { constraint: row });
        }
        let chosen = encodings.iter().map(|row| row.name).find(|&name| name == encoding);
        if chosen.is_none() && encoding != AUTO {
            return Err(ChoiceError::NoEncoding { constraint: row, found: encoding.to_owned() });
        }
        self.choose(Choice { constraint: row.name, encoding: chosen });
        Ok(())
    }

    /// Chooses an encoding. The argument has the form `constraint=encoding`, as on the command line.
    ///
    /// ```
    /// use gordian_encodings::Encodings;
    ///
    /// let mut encodings = Encodings::auto();
    /// encodings.choose_from("integers=log")?;
    /// assert_eq!(encodings.chosen("integers"), Some("log"));
    /// # Ok::<(), gordian_encodings::ChoiceError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if `words` does not contain `=`, or if [`Encodings::choose_named`] returns an error.
    pub fn choose_from(&mut self, words: &str) -> Result<(), ChoiceError> {
        let (constraint, encoding) = words.split_once('=').ok_or(ChoiceError::Form)?;
        self.choose_named(constraint, encoding)
    }
}

impl Encodable for Clause {
    const NAME: &'static str = "clause";
    const SUMMARY: &'static str = "at least one of the literals holds";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&clause::CLAUSE];
}

/// `auto` uses `pairwise` for at-most-one constraints with at most this many literals. `pairwise` needs no auxiliary
/// variables. For a small number of literals, it has only a few more clauses than other encodings.
const PAIRWISE_UP_TO: usize = 7;

impl Encodable for AtMostOne {
    const NAME: &'static str = "at-most-one";
    const SUMMARY: &'static str = "at most one of the literals holds";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[
        &pairwise::PAIRWISE,
        &ladder::LADDER,
        &bitwise::BITWISE,
        &commander::COMMANDER,
        &nested::NESTED,
        &bimander::BIMANDER,
        &product::PRODUCT,
    ];

    fn auto(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        if self.lits.len() <= PAIRWISE_UP_TO { &pairwise::PAIRWISE } else { &product::PRODUCT }
    }
}

impl Encodable for ExactlyOne {
    const NAME: &'static str = "exactly-one";
    const SUMMARY: &'static str = "exactly one of the literals holds";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[
        &exactly_one::PAIRWISE,
        &exactly_one::LADDER,
        &exactly_one::BITWISE,
        &exactly_one::COMMANDER,
        &exactly_one::NESTED,
        &exactly_one::BIMANDER,
        &exactly_one::PRODUCT,
    ];

    fn auto(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        if self.lits.len() <= PAIRWISE_UP_TO { &exactly_one::PAIRWISE } else { &exactly_one::PRODUCT }
    }
}

/// `auto` uses `binomial` for cardinality constraints with at most this many literals. This encoding needs no
/// auxiliary variables.
const BINOMIAL_UP_TO: usize = 5;
/// `auto` uses `sequential-counter` for cardinality constraints with at most this many literals. For a small number of
/// literals, this encoding is smaller than a totalizer.
const SEQUENTIAL_UP_TO: usize = 8;
/// `auto` uses `totalizer` for a cardinality constraint if the estimated number of clauses does not exceed this limit.
/// For larger constraints, `auto` uses the propagator if the solver supports propagators.
const TOTALIZER_UP_TO: usize = 10_000;

impl Encodable for Cardinality {
    const NAME: &'static str = "cardinality";
    const SUMMARY: &'static str = "the number of literals that hold is within bounds";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[
        &binomial::BINOMIAL,
        &sequential_counter::SEQUENTIAL_COUNTER,
        &totalizer::TOTALIZER,
        &modulo_totalizer::MODULO_TOTALIZER,
        &modulo_totalizer::K_MODULO_TOTALIZER,
        &cardinality_network::CARDINALITY_NETWORK,
        &cardinality_network::SORTING_NETWORK,
        &adder::CARDINALITY,
        &linear_propagator::CARDINALITY,
    ];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if totalizer::clauses(self) > TOTALIZER_UP_TO {
            &linear_propagator::CARDINALITY
        } else {
            self.auto_eager(domains)
        }
    }

    fn auto_eager(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        let n = self.lits.len();
        if n <= BINOMIAL_UP_TO {
            &binomial::BINOMIAL
        } else if n <= SEQUENTIAL_UP_TO {
            &sequential_counter::SEQUENTIAL_COUNTER
        } else {
            &totalizer::TOTALIZER
        }
    }

    fn auto_to_count(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if self.max == 1 { &sequential_counter::SEQUENTIAL_COUNTER } else { self.auto_eager(domains) }
    }

    fn simpler(&self, _: Domains<'_>) -> Option<Box<dyn Encode>> {
        let n = self.lits.len();
        match (self.min, self.max) {
            (0, 1) => Some(Box::new(AtMostOne::new(self.lits.as_slice()))),
            (1, 1) => Some(Box::new(ExactlyOne::new(self.lits.as_slice()))),
            // At least n - 1 of n literals hold if and only if at most one of their negations holds.
            (min, max) if n > 2 && min == n - 1 => {
                let negated: Vec<Lit> = self.lits.iter().map(|&lit| !lit).collect();
                match max {
                    _ if max >= n => Some(Box::new(AtMostOne::new(negated))),
                    _ if max == min => Some(Box::new(ExactlyOne::new(negated))),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// `auto` uses `bdd` for a linear constraint if the estimated number of edges of its decision diagram does not exceed
/// this limit. For larger estimates, `auto` uses the propagator if the solver supports it and all integers have order
/// views anyway. Otherwise, the diagram is built up to the limit to find out its number of edges. If they are too many,
/// `auto` uses adders, whose clauses do not propagate bounds.
const DIAGRAM_UP_TO: u128 = 20_000;

/// Returns whether the order view is, by default, the first view of each integer in a sum.
fn starts_in_order(linear: &Linear, domains: Domains<'_>) -> bool {
    linear.terms.iter().all(|&(_, term)| match term {
        Term::Int(x) => view::starts_in_order(domains.of(x)),
        Term::Lit(_) => true,
    })
}

impl Encodable for Linear {
    const NAME: &'static str = "linear";
    const SUMMARY: &'static str = "a weighted sum of integers and literals is compared with a constant";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[
        &order::ORDER,
        &decision_diagram::DECISION_DIAGRAM,
        &mdd::MDD,
        &pseudo_boolean::GENERALIZED_TOTALIZER,
        &pseudo_boolean::DYNAMIC_WATCHDOG,
        &polynomial_watchdog::GLOBAL_WATCHDOG,
        &polynomial_watchdog::LOCAL_WATCHDOG,
        &sequential_weight_counter::SEQUENTIAL_WEIGHT_COUNTER,
        &adder::ADDER,
        &linear_propagator::PROPAGATOR,
        &lazy::LINEAR,
    ];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        let is_lazy = |&(_, term): &(Value, Term)| matches!(term, Term::Int(x) if domains.is_lazy(x));
        if self.terms.iter().any(is_lazy) {
            return &lazy::LINEAR;
        }
        let eager = self.auto_eager(domains);
        let is_small = decision_diagram::edges(self, domains) <= DIAGRAM_UP_TO;
        let propagator = &linear_propagator::PROPAGATOR;
        let is_fit = !is_small && starts_in_order(self, domains) && (propagator.applies)(self, domains);
        if is_fit { propagator } else { eager }
    }

    fn auto_eager(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        // The diagram of a sum of two integers with large domains is small, but needs their order views.
        let is_small = if starts_in_order(self, domains) {
            decision_diagram::fits(self, domains, DIAGRAM_UP_TO)
        } else {
            decision_diagram::pairs(self, domains) <= DIAGRAM_UP_TO
        };
        if is_small { &decision_diagram::DECISION_DIAGRAM } else { &adder::ADDER }
    }

    fn normalised(&self, domains: Domains<'_>) -> Option<Self> {
        Some(self.normal(domains))
    }

    fn simpler(&self, _: Domains<'_>) -> Option<Box<dyn Encode>> {
        let cardinality = self.as_cardinality()?;
        Some(Box::new(cardinality))
    }
}

impl Encodable for Equality {
    const NAME: &'static str = "equality";
    const SUMMARY: &'static str = "two integers have the same value, or differ";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&equality::DIRECT, &equality::LOG, &linear::EQUALITY];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        let named = |expr: &Expr| {
            expr.variable().is_some_and(|x| domains.is_unordered(x)) || domains.of_expr(expr).size() == 1
        };
        if named(&self.left) && named(&self.right) && (equality::LOG.applies)(self, domains) {
            &equality::LOG
        } else {
            &linear::EQUALITY
        }
    }
}

/// `auto` uses the support encoding for a product if the layered graph has at most this many edges.
const PRODUCT_UP_TO: usize = 200_000;

impl Encodable for Product {
    const NAME: &'static str = "product";
    const SUMMARY: &'static str = "an integer is, or is not, the product of others or a power of another";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&support::PRODUCT, &multiplier::MULTIPLIER];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if support::fits(self, domains, PRODUCT_UP_TO) { &support::PRODUCT } else { &multiplier::MULTIPLIER }
    }
}

/// `auto` uses the support encoding for a division if the layered graph has at most this many edges.
const DIVISION_UP_TO: usize = 5_000;

impl Encodable for Division {
    const NAME: &'static str = "division";
    const SUMMARY: &'static str = "the quotient and the remainder of an integer divided by a constant";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&support::DIVISION, &linear::DIVISION];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if support::division_fits(self, domains, DIVISION_UP_TO) {
            &support::DIVISION
        } else {
            &linear::DIVISION
        }
    }
}

/// `auto` uses the support encoding for a function if the layered graph has at most this many edges.
const FUNCTION_UP_TO: usize = 50_000;

impl Encodable for Power {
    const NAME: &'static str = "power";
    const SUMMARY: &'static str = "an integer is, or is not, another raised to the power of a third";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&function::POWER, &power::CASES];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if function::fits(self, domains, FUNCTION_UP_TO) { &function::POWER } else { &power::CASES }
    }
}

impl Encodable for TruncatedDivision {
    const NAME: &'static str = "truncated-division";
    const SUMMARY: &'static str =
        "an integer is, or is not, the quotient or the remainder of two others, truncated towards zero";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&function::TRUNCATED_DIVISION, &truncated_division::MULTIPLIER];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if function::fits(self, domains, FUNCTION_UP_TO) {
            &function::TRUNCATED_DIVISION
        } else {
            &truncated_division::MULTIPLIER
        }
    }
}

impl Encodable for Absolute {
    const NAME: &'static str = "absolute";
    const SUMMARY: &'static str = "an integer is the absolute value of another";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&linear::ABSOLUTE];
}

/// `auto` uses `order` for a minimum or maximum if no domain has more than this many values.
const ORDER_UP_TO: u128 = 50;

impl Encodable for Minimum {
    const NAME: &'static str = "minimum";
    const SUMMARY: &'static str = "an integer is the minimum of others";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&min_max::MINIMUM_BY_ORDER, &min_max::MINIMUM_BY_COMPARISONS, &lazy::MINIMUM];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if lazy::is_lazy(self, domains) { &lazy::MINIMUM } else { self.auto_eager(domains) }
    }

    fn auto_eager(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        let small = min_max::fits(self, domains, ORDER_UP_TO);
        if small { &min_max::MINIMUM_BY_ORDER } else { &min_max::MINIMUM_BY_COMPARISONS }
    }
}

impl Encodable for Maximum {
    const NAME: &'static str = "maximum";
    const SUMMARY: &'static str = "an integer is the maximum of others";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&min_max::MAXIMUM_BY_ORDER, &min_max::MAXIMUM_BY_COMPARISONS, &lazy::MAXIMUM];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if lazy::is_lazy(self, domains) { &lazy::MAXIMUM } else { self.auto_eager(domains) }
    }

    fn auto_eager(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        let small = min_max::fits(self, domains, ORDER_UP_TO);
        if small { &min_max::MAXIMUM_BY_ORDER } else { &min_max::MAXIMUM_BY_COMPARISONS }
    }
}

impl Encodable for AllDifferent {
    const NAME: &'static str = "all-different";
    const SUMMARY: &'static str = "no two of the integers have the same value";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&all_different::DIRECT, &all_different::PIGEON_HOLE, &all_different::LINEAR];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if self.is_enumerable(domains) { &all_different::PIGEON_HOLE } else { &all_different::LINEAR }
    }
}

impl Encodable for Permutation {
    const NAME: &'static str = "permutation";
    const SUMMARY: &'static str = "the integers take the given values in any order";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&permutation::DIRECT, &permutation::COUNT];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if can_enumerate(&self.exprs, domains) { &permutation::DIRECT } else { &permutation::COUNT }
    }
}

impl Encodable for Inverse {
    const NAME: &'static str = "inverse";
    const SUMMARY: &'static str = "two lists of integers are, or are not, inverse to each other";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&inverse::CHANNEL];
}

impl Encodable for Count {
    const NAME: &'static str = "count";
    const SUMMARY: &'static str = "a number of the integers have a given value";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&count::CARDINALITY, &count::LINEAR];

    fn auto(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        match self.times {
            Times::Between(..) => &count::CARDINALITY,
            Times::Equal(_) | Times::Other(_) => &count::LINEAR,
        }
    }
}

/// `auto` uses the support encoding for an element constraint with at most this many pairs of an index and a value.
const ELEMENT_UP_TO: u128 = 20_000;
/// `auto` uses the support encoding only if at most this many pairs take a variable.
const ELEMENT_VARIABLES_UP_TO: u128 = 40;

impl Encodable for Element {
    const NAME: &'static str = "element";
    const SUMMARY: &'static str = "a value is the element of an array at an index";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&element_support::SUPPORT, &element::ELEMENT, &element::LOG];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        let is_lazy = self.value.variable().is_some_and(|x| domains.is_lazy(x));
        if is_lazy { &element::ELEMENT } else { self.auto_eager(domains) }
    }

    fn auto_eager(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if element_support::pairs(self, domains) <= ELEMENT_UP_TO
            && element_support::variable_pairs(self, domains) <= ELEMENT_VARIABLES_UP_TO
        {
            &element_support::SUPPORT
        } else if view::starts_in_order(&domains.of_expr(&self.value)) {
            &element::ELEMENT
        } else {
            &element::LOG
        }
    }
}

impl Encodable for Table {
    const NAME: &'static str = "table";
    const SUMMARY: &'static str = "the values of integers and literals match a row of a table";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&table::SUPPORT, &binary_support::BINARY_SUPPORT, &conflicts::CONFLICTS, &table::ROWS];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if binary_support::applies(self, domains) {
            &binary_support::BINARY_SUPPORT
        } else if conflicts::is_loose(self, domains) {
            &conflicts::CONFLICTS
        } else {
            &table::SUPPORT
        }
    }
}

impl Encodable for Automaton {
    const NAME: &'static str = "automaton";
    const SUMMARY: &'static str = "a finite automaton accepts, or rejects, the values of integers";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&automaton::LAYERED_GRAPH, &automaton::STATES];
}

impl Encodable for ValuePrecedence {
    const NAME: &'static str = "value-precedence";
    const SUMMARY: &'static str = "values first occur among integers in a given order, or in another one";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&value_precedence::PREFIX];
}

impl Encodable for Cumulative {
    const NAME: &'static str = "cumulative";
    const SUMMARY: &'static str =
        "the demands of tasks never exceed, or at some time exceed, the capacity of a resource";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&cumulative::TIME, &cumulative::TASK, &cumulative::TIMETABLE, &lazy::CUMULATIVE];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if cumulative::needs_lazy(self, domains) { &lazy::CUMULATIVE } else { &cumulative::TIMETABLE }
    }
}

/// `auto` uses the propagator for tasks that must not overlap if their durations add up to at least this percentage of
/// the time in which they run. With fewer tasks, sets of tasks imply little, and clauses propagate faster.
const TIGHT: Value = 40;
/// For more tasks than this number, `auto` uses [`VERY_TIGHT`] instead of [`TIGHT`], because the time of a propagation
/// grows with the square of the number of tasks.
const FEW_TASKS: usize = 20;
const VERY_TIGHT: Value = 60;
/// For fewer tasks than this number, the propagator derives nothing that the clauses do not.
const LEAST_TASKS: usize = 3;

impl Encodable for Disjunctive {
    const NAME: &'static str = "disjunctive";
    const SUMMARY: &'static str = "no two tasks overlap, or two tasks overlap";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&disjunctive::PRECEDENCE, &disjunctive::PROPAGATOR];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        let (total, window) = disjunctive::load(self, domains);
        let least = if self.tasks.len() <= FEW_TASKS { TIGHT } else { VERY_TIGHT };
        let is_tight = total.saturating_mul(100) >= window.saturating_mul(least);
        if is_tight && self.tasks.len() >= LEAST_TASKS {
            &disjunctive::PROPAGATOR
        } else {
            &disjunctive::PRECEDENCE
        }
    }
}

/// `auto` adds the implied cumulative constraints of boxes if the boxes fill at least this percentage of the space.
const FULL: Value = 10;

impl Encodable for Diffn {
    const NAME: &'static str = "diffn";
    const SUMMARY: &'static str = "no two boxes overlap, or two boxes overlap";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&diffn::PAIRWISE, &diffn::CUMULATIVE];

    fn auto(&self, domains: Domains<'_>) -> &'static Encoding<Self> {
        if diffn::fills(self, FULL, domains) { &diffn::CUMULATIVE } else { &diffn::PAIRWISE }
    }

    fn auto_eager(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        &diffn::PAIRWISE
    }
}

impl Encodable for Lexicographic {
    const NAME: &'static str = "lexicographic";
    const SUMMARY: &'static str = "one list of literals is lexicographically smaller than another, or equal";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&lexicographic::PREFIXES];
}

impl Encodable for Reified {
    const NAME: &'static str = "reified";
    const SUMMARY: &'static str = "one constraint holds if a literal is true, another one if it is false";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&reified::REIFIED];
}

impl Encodable for Negation {
    const NAME: &'static str = "negation";
    const SUMMARY: &'static str = "a constraint does not hold";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&negation::INWARD];
}

impl Encodable for Conjunction {
    const NAME: &'static str = "conjunction";
    const SUMMARY: &'static str = "all constraints of a list hold";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&conjunction::EACH];
}

impl Encodable for Disjunction {
    const NAME: &'static str = "disjunction";
    const SUMMARY: &'static str = "at least one constraint of a list holds";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&disjunction::SELECTORS];
}

impl Encodable for Connected {
    const NAME: &'static str = "connectivity";
    const SUMMARY: &'static str = "the vertices whose literals hold are connected";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[
        &reachability_layers::LAYERS,
        &parent_tree::TREE,
        &parent_tree::TREE_LOG,
        &connectivity_cuts::CUTS,
        &connectivity_propagator::PROPAGATOR,
    ];

    fn auto(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        if self.nearly_implied { &connectivity_cuts::CUTS } else { &connectivity_propagator::PROPAGATOR }
    }
}

impl Encodable for Disconnected {
    const NAME: &'static str = "disconnection";
    const SUMMARY: &'static str = "the vertices whose literals hold are not connected";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&parts::PARTS, &reachability_layers::APART];
}

impl Encodable for Components {
    const NAME: &'static str = "components";
    const SUMMARY: &'static str =
        "the components of a set of vertices have, or do not have, one root each and given sizes";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&components::DISTANCES];
}

impl Encodable for ComponentSize {
    const NAME: &'static str = "component-size";
    const SUMMARY: &'static str =
        "the components of a set of vertices have, or do not have, the same given size";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&component_size::DISTANCES, &component_size::PROPAGATOR];

    fn auto(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        if self.holds { &component_size::PROPAGATOR } else { &component_size::DISTANCES }
    }
}

impl Encodable for Acyclic {
    const NAME: &'static str = "acyclic";
    const SUMMARY: &'static str = "the edges whose literals hold contain no cycle, or contain one";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[
        &acyclic::LEVELS,
        &acyclic::LEVELS_LOG,
        &acyclic::TRANSITIVE_CLOSURE,
        &acyclic::VERTEX_ELIMINATION,
        &acyclic::CONNECTIONS,
        &acyclic::PROPAGATOR,
    ];

    fn auto(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        if self.holds { &acyclic::PROPAGATOR } else { &acyclic::CONNECTIONS }
    }
}

impl Encodable for Path {
    const NAME: &'static str = "path";
    const SUMMARY: &'static str = "the edges whose literals hold form a simple path between two vertices";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&degrees::DEGREES];
}

impl Encodable for DisjointPaths {
    const NAME: &'static str = "disjoint-paths";
    const SUMMARY: &'static str =
        "the edges whose literals hold form disjoint simple paths that join given pairs";
    const ENCODINGS: &'static [&'static Encoding<Self>] = &[&disjoint_paths::LABELS];
}

impl Encodable for Circuit {
    const NAME: &'static str = "circuit";
    const SUMMARY: &'static str = "the successors of vertices form, or do not form, a single circuit";
    const ENCODINGS: &'static [&'static Encoding<Self>] =
        &[&circuit::POSITIONS, &circuit::POSITIONS_LOG, &circuit::CONNECTIVITY];

    fn auto(&self, _: Domains<'_>) -> &'static Encoding<Self> {
        &circuit::CONNECTIVITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cnf, Domain, Model};

    #[test]
    fn adders_are_for_large_domains_and_solvers_without_propagators() {
        let used = |integers: i128, greatest: i128, encodings: Encodings| {
            let mut model = Model::new();
            let terms: Vec<_> = (1..=integers)
                .map(|factor| (factor, model.integer(Domain::interval(0, greatest)).into()))
                .collect();
            model.post(Linear::at_most(terms, integers * greatest / 2));
            let encoded = model.encode(&encodings, &mut Cnf::default());
            encoded
                .encodings()
                .iter()
                .map(|&(constraint, encoding, _)| (constraint, encoding))
                .collect::<Vec<_>>()
        };
        let propagating = || Encodings::auto().propagating();
        for encodings in [Encodings::auto(), propagating()] {
            assert_eq!(used(2, 900, encodings), [("linear", "bdd")], "the diagram has one node");
        }
        assert_eq!(used(9, 900, Encodings::auto()), [("linear", "adder")]);
        assert_eq!(used(9, 900, Encodings::auto().deferring()), [("linear", "adder")]);
        assert_eq!(used(9, 900, propagating()), [("linear", "propagator")]);
        assert_eq!(used(9, 900, propagating().keep_count()), [("linear", "adder")]);
        assert_eq!(used(9, 9_000, propagating()), [("linear", "adder")]);
    }

    #[test]
    fn choices_are_checked_against_the_table() {
        let mut encodings = Encodings::auto();
        encodings.choose_from("cardinality=totalizer").unwrap();
        assert_eq!(encodings, Encodings::auto().with(&totalizer::TOTALIZER));
        assert_eq!(encodings.chosen("cardinality"), Some("totalizer"));
        encodings.choose_from("cardinality=auto").unwrap();
        assert_eq!(encodings.chosen("cardinality"), None);
        let mut error = |words| encodings.choose_from(words).unwrap_err();
        assert!(matches!(error("cardinality"), ChoiceError::Form));
        assert!(matches!(error("sums=totalizer"), ChoiceError::NoConstraint { .. }));
        let misspelt = error("cardinality=totaliser");
        assert!(misspelt.to_string().starts_with("no encoding `totaliser`; there are auto, binomial, "));
        let only = error("clause=clause").to_string();
        assert_eq!(only, "`clause` has only one encoding, so there is nothing to choose");
    }
}
