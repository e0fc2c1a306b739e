//! Random constraints of all types that the library has, in all contexts.

use std::sync::Arc;

use gordian::prelude::*;
use gordian_encodings::{CONSTRAINTS, DecisionStrategy, Graph, TRUE, ValueChoice, VariableChoice};

/// A function that posts a constraint.
type Post = Box<dyn FnOnce(&mut Model)>;

/// Draws constraints over the variables of a model.
pub(crate) struct Builder<'a> {
    pub(crate) random: &'a mut fastrand::Rng,
    integers: &'a [IntVar],
    literals: &'a [Lit],
    /// The text of the drawn constraint, and a function that posts it.
    drawn: Option<(String, Post)>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(random: &'a mut fastrand::Rng, integers: &'a [IntVar], literals: &'a [Lit]) -> Self {
        Self { random, integers, literals, drawn: None }
    }

    fn value(&mut self) -> Value {
        self.random.i128(-3..5)
    }

    fn length(&mut self) -> usize {
        // The larger lengths exceed those at which the choice of encodings changes.
        if self.random.usize(..8) == 0 { self.random.usize(4..11) } else { self.random.usize(..4) }
    }

    fn lit(&mut self) -> Lit {
        let lit = match self.random.usize(..10) {
            0 => TRUE,
            _ => self.literals[self.random.usize(..self.literals.len())],
        };
        if self.random.bool() { lit } else { !lit }
    }

    pub(crate) fn lits(&mut self) -> Vec<Lit> {
        (0..self.length()).map(|_| self.lit()).collect()
    }

    fn lits_of(&mut self, length: usize) -> Vec<Lit> {
        (0..length).map(|_| self.lit()).collect()
    }

    fn integer(&mut self) -> IntVar {
        self.integers[self.random.usize(..self.integers.len())]
    }

    fn expr(&mut self) -> Expr {
        let x = self.integer();
        match self.random.usize(..12) {
            0 => Expr::from(self.value()),
            1 => x + self.value(),
            2 => self.value() - x,
            3 => 2 * x - 1,
            4 => x + self.integer(),
            5 => 3 * Expr::from(self.lit()),
            _ => Expr::from(x),
        }
    }

    fn exprs(&mut self) -> Vec<Expr> {
        (0..self.length()).map(|_| self.expr()).collect()
    }

    /// Returns at most three expressions.
    fn few(&mut self) -> Vec<Expr> {
        (0..self.random.usize(..4)).map(|_| self.expr()).collect()
    }

    pub(crate) fn terms(&mut self) -> Vec<(Value, Term)> {
        let mut terms: Vec<(Value, Term)> = Vec::new();
        for _ in 0..self.length() {
            let term = if self.random.bool() { self.integer().into() } else { self.lit().into() };
            terms.push((self.value(), term));
        }
        terms
    }

    pub(crate) fn strategy(&mut self) -> DecisionStrategy {
        use VariableChoice::{FewestValues, HighestMax, InputOrder, LowestMin, MostValues};
        let variables = (0..2).map(|_| Term::Int(self.integer())).collect::<Vec<_>>();
        let lit = self.literals[self.random.usize(..super::library::BOOLEANS)];
        DecisionStrategy {
            variables: variables.into_iter().chain([Term::Lit(lit)]).collect(),
            variable: [InputOrder, FewestValues, MostValues, LowestMin, HighestMax][self.random.usize(..5)],
            value: [ValueChoice::Min, ValueChoice::Max, ValueChoice::LowerHalf, ValueChoice::UpperHalf]
                [self.random.usize(..4)],
        }
    }

    /// Returns the ends of random edges between `n` vertices.
    fn edges(&mut self, n: usize) -> Vec<(usize, usize)> {
        let pairs = (1..n).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs.filter(|_| self.random.usize(..3) > 0).collect()
    }

    fn connected(&mut self) -> Connected {
        let n = self.random.usize(1..6);
        let (graph, lits) = (Graph::new(n, self.edges(n)), self.lits_of(n));
        Connected::new(Arc::new(graph), lits)
    }

    /// Draws the context of a constraint: posted as it is, negated, under a condition, or as one of two alternatives.
    fn done(&mut self, constraint: impl Constraint) {
        let lit = self.lit();
        let context = self.random.usize(..8);
        let text = format!(
            "{}: {constraint:?}",
            ["", "", "", "", "negated", "reified", "implied", "alternative"][context]
        );
        let text = format!("{text} {lit:?}");
        let post: Post = match context {
            4 => Box::new(move |model: &mut Model| model.post(Negation::new(constraint))),
            5 => Box::new(move |model: &mut Model| model.post(Reified::equivalent(lit, constraint))),
            6 => Box::new(move |model: &mut Model| model.post(Reified::implies(lit, constraint))),
            7 => Box::new(move |model: &mut Model| {
                model.post(Disjunction::either(constraint, Clause::new([lit])));
            }),
            _ => Box::new(move |model: &mut Model| model.post(constraint)),
        };
        self.drawn = Some((text, post));
    }

    /// Draws a constraint. Returns its text, and a function that posts it.
    pub(crate) fn draw(mut self) -> (String, Post) {
        let types: Vec<&str> = CONSTRAINTS.iter().map(|row| row.name).collect();
        let name = types[self.random.usize(..types.len())];
        let is_drawn = self.logic(name) || self.arithmetic(name) || self.list(name) || self.space(name);
        assert!(is_drawn, "no random constraint of the type `{name}`");
        self.drawn.expect("the constraint was drawn")
    }

    /// Draws a constraint on literals and linear sums, or a combination of constraints, if the type is one of these.
    fn logic(&mut self, name: &str) -> bool {
        let flag = self.random.usize(..4) > 0;
        match name {
            "clause" => {
                let lits = self.lits();
                self.done(Clause::new(lits));
            }
            "at-most-one" => {
                let lits = self.lits();
                self.done(AtMostOne::new(lits));
            }
            "exactly-one" => {
                let lits = self.lits();
                self.done(ExactlyOne::new(lits));
            }
            "cardinality" => {
                let (lits, min, max) = (self.lits(), self.random.usize(..4), self.random.usize(..6));
                self.done(Cardinality::between(lits, min, max));
            }
            // Contexts are negations, conditions and disjunctions. Integers and objectives are part of each model.
            "linear" | "integers" | "objective" | "negation" => {
                let (terms, bound) = (self.terms(), self.random.i128(-5..8));
                let comparison =
                    [Comparison::AtMost, Comparison::AtLeast, Comparison::Equal, Comparison::NotEqual]
                        [self.random.usize(..4)];
                self.done(Linear::new(terms, comparison, bound));
            }
            "reified" => {
                let (lit, first, second) = (self.lit(), self.terms(), self.lits());
                self.done(Reified::choose(lit, Linear::at_most(first, 2), AtMostOne::new(second)));
            }
            "conjunction" => {
                let (first, second) = (self.exprs(), self.terms());
                self.done(Conjunction::both(AllDifferent::new(first), Linear::equal(second, 1)));
            }
            "disjunction" => {
                let (first, second) = (self.exprs(), self.lits());
                self.done(Disjunction::either(AllDifferent::new(first), ExactlyOne::new(second)));
            }
            "lexicographic" => {
                let left = self.lits();
                let right = self.lits_of(left.len());
                self.done(Lexicographic { left, right, strict: flag });
            }
            _ => return false,
        }
        true
    }

    /// Draws a constraint of arithmetic, if the type is one of these.
    fn arithmetic(&mut self, name: &str) -> bool {
        let flag = self.random.usize(..4) > 0;
        match name {
            "equality" => {
                let (left, right) = (self.expr(), self.expr());
                self.done(Equality { left, right, equal: flag });
            }
            "product" => {
                let (factors, product) = (self.few(), self.expr());
                self.done(Product { factors, product, equal: flag });
            }
            "power" => {
                let (base, exponent, power) = (self.expr(), self.expr(), self.expr());
                self.done(Power { base, exponent, power, equal: flag });
            }
            "division" => {
                let (dividend, quotient, remainder) = (self.expr(), self.expr(), self.expr());
                let divisor = self.value();
                self.done(Division { dividend, divisor, quotient, remainder });
            }
            "truncated-division" => {
                let (dividend, divisor, result) = (self.expr(), self.expr(), self.expr());
                let part = if self.random.bool() { DivisionPart::Quotient } else { DivisionPart::Remainder };
                self.done(TruncatedDivision { dividend, divisor, part, result, equal: flag });
            }
            "absolute" => {
                let (of, value) = (self.expr(), self.expr());
                self.done(Absolute::new(of, value));
            }
            "minimum" => {
                let (of, value) = (self.exprs(), self.expr());
                self.done(Minimum::new(of, value));
            }
            "maximum" => {
                let (of, value) = (self.exprs(), self.expr());
                self.done(Maximum::new(of, value));
            }
            _ => return false,
        }
        true
    }

    /// Draws a constraint on a list of values, if the type is one of these.
    fn list(&mut self, name: &str) -> bool {
        let flag = self.random.usize(..4) > 0;
        match name {
            "all-different" => {
                let exprs = self.exprs();
                self.done(AllDifferent::new(exprs));
            }
            "permutation" => {
                let exprs = self.exprs();
                let length = exprs.len() + usize::from(self.random.usize(..8) == 0);
                let values: Vec<Value> = (0..length).map(|_| self.value()).collect();
                self.done(Permutation::new(exprs, values));
            }
            "inverse" => {
                let left = self.few();
                let right: Vec<Expr> = (0..left.len()).map(|_| self.expr()).collect();
                self.done(Inverse { holds: flag, ..Inverse::new(left, right) });
            }
            "count" => {
                let (exprs, value) = (self.exprs(), self.value());
                let times = match self.random.usize(..3) {
                    0 => Times::Between(self.random.usize(..3), self.random.usize(..5)),
                    1 => Times::Equal(self.expr()),
                    _ => Times::Other(self.expr()),
                };
                self.done(Count { exprs, value, times });
            }
            "element" => {
                let (index, array, value) = (self.expr(), self.exprs(), self.expr());
                self.done(Element::new(index, array, value));
            }
            "table" => {
                let columns = self.few();
                let rows = (0..self.random.usize(..6)).map(|_| {
                    let entry = |_| match self.random.usize(..6) {
                        0 => Entry::Any,
                        1 => Entry::Not(self.value()),
                        _ => Entry::Is(self.value()),
                    };
                    (0..columns.len()).map(entry).collect::<Vec<_>>()
                });
                let rows: Vec<Vec<Entry>> = rows.collect();
                self.done(Table::new(columns, rows));
            }
            "automaton" => {
                let exprs = self.exprs();
                let state = |random: &mut fastrand::Rng| random.usize(..3);
                let transitions: Vec<(usize, Value, usize)> = (0..self.random.usize(..9))
                    .map(|_| (state(self.random), self.value(), state(self.random)))
                    .collect();
                let accepting: Vec<usize> = (0..3).filter(|_| self.random.bool()).collect();
                self.done(Automaton { accepts: flag, ..Automaton::new(exprs, 0, transitions, accepting) });
            }
            "value-precedence" => {
                let exprs = self.exprs();
                let values: Vec<Value> = (0..self.random.usize(..4)).map(|_| self.value()).collect();
                self.done(ValuePrecedence { holds: flag, ..ValuePrecedence::new(exprs, values) });
            }
            "circuit" => {
                let successors = self.few();
                let optional = self.random.bool();
                self.done(Circuit { optional, holds: flag, ..Circuit::hamiltonian(successors) });
            }
            _ => return false,
        }
        true
    }

    /// Draws a constraint on tasks, boxes or graphs, if the type is one of these.
    fn space(&mut self, name: &str) -> bool {
        let flag = self.random.usize(..4) > 0;
        match name {
            "cumulative" => {
                let tasks: Vec<Task> = (0..self.random.usize(..4))
                    .map(|_| Task::new(self.expr(), self.expr(), self.expr()))
                    .collect();
                let capacity = self.expr();
                self.done(Cumulative { within: flag, ..Cumulative::new(tasks, capacity) });
            }
            "disjunctive" => {
                let tasks: Vec<(Expr, Expr)> =
                    (0..self.random.usize(..4)).map(|_| (self.expr(), self.expr())).collect();
                let strict = self.random.bool();
                self.done(Disjunctive { strict, apart: flag, ..Disjunctive::new(tasks) });
            }
            "diffn" => {
                let (dimensions, strict) = (self.random.usize(1..3), self.random.bool());
                let boxes = (0..self.random.usize(..4))
                    .map(|_| (0..dimensions).map(|_| [self.expr(), self.expr()]).collect())
                    .collect();
                self.done(Diffn { boxes, strict, apart: flag });
            }
            "connectivity" => {
                let connected = self.connected();
                let connected = if flag { connected } else { connected.nearly_implied() };
                self.done(connected);
            }
            "disconnection" => {
                let connected = self.connected();
                self.done(Disconnected { connected });
            }
            "components" => {
                let n = self.random.usize(1..5);
                let (graph, lits) = (Arc::new(Graph::new(n, self.edges(n))), self.lits_of(n));
                let mut roots: Vec<usize> = (0..n).filter(|_| self.random.bool()).collect();
                roots.truncate(2);
                let size = |random: &mut fastrand::Rng| random.bool().then(|| random.usize(1..4));
                let roots: Vec<_> = roots.into_iter().map(|root| (root, size(self.random))).collect();
                self.done(Components { holds: flag, ..Components::new(graph, lits, roots) });
            }
            "component-size" => {
                let n = self.random.usize(1..5);
                let (graph, lits) = (Arc::new(Graph::new(n, self.edges(n))), self.lits_of(n));
                let size = self.random.usize(..5);
                self.done(ComponentSize { holds: flag, ..ComponentSize::new(graph, lits, size) });
            }
            "acyclic" => {
                let n = self.random.usize(1..5);
                let edges: Vec<_> = self.edges(n).into_iter().map(|(a, b)| (a, b, self.lit())).collect();
                self.done(Acyclic { holds: flag, ..Acyclic::new(n, edges) });
            }
            "path" => {
                let n = self.random.usize(1..5);
                let edges: Vec<_> = self.edges(n).into_iter().map(|(a, b)| (a, b, self.lit())).collect();
                let (start, end, lits) = (self.random.usize(..n), self.random.usize(..n), self.lits_of(n));
                self.done(Path::new(start, end, lits, edges));
            }
            "disjoint-paths" => {
                let n = self.random.usize(2..6);
                let edges: Vec<_> = self.edges(n).into_iter().map(|(a, b)| (a, b, self.lit())).collect();
                let mut vertices: Vec<usize> = (0..n).collect();
                self.random.shuffle(&mut vertices);
                let pairs: Vec<[usize; 2]> = vertices
                    .chunks_exact(2)
                    .take(self.random.usize(..3))
                    .map(|pair| [pair[0], pair[1]])
                    .collect();
                let lits = self.lits_of(n);
                self.done(DisjointPaths::new(pairs, lits, edges));
            }
            _ => return false,
        }
        true
    }
}
