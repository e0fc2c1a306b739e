//! The translation of presolved constraints into a [`Model`].
//!
//! A variable with the values 0 and 1 becomes a literal, and any other variable becomes an integer variable. If a
//! variable is equivalent to the comparison of an integer with a constant, the literal of the comparison represents it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use gordian_encodings::constraint::{Clause, Comparison, Constraint as Encodable, Linear, Term};
use gordian_encodings::{Assignment, Expr, FALSE, IntVar, Lit, Model, TRUE, Value};

use crate::constraint::{Constraint, Ref, Sum, When};
use crate::error::TranslateError;
use crate::instance::{Goal, Instance, VarId};
use crate::presolve::Store;
use objective::Expansion;

mod literal;
mod objective;
mod plain;
mod post;
mod relation;
mod residue;

/// How the model represents a variable of the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Representation {
    /// A constant, for a variable that has the same value in all solutions.
    Constant(Value),
    /// A literal. The variable has the value 1 if the literal is true and 0 otherwise.
    Literal(Lit),
    /// An integer variable.
    Integer(IntVar),
}

impl Representation {
    /// Returns the literal or the integer variable, or `None` for a constant.
    pub(crate) fn term(self) -> Option<Term> {
        match self {
            Self::Constant(_) => None,
            Self::Literal(lit) => Some(Term::Lit(lit)),
            Self::Integer(x) => Some(Term::Int(x)),
        }
    }
}

/// How the decoder computes the value of an instance variable.
#[derive(Debug, Clone)]
enum Decoded {
    Direct(Representation),
    /// The sum that defines a variable outside the model.
    Sum(Arc<Expr>),
}

/// Computes the values of the instance's variables from an assignment of the model.
#[derive(Debug, Clone)]
pub struct Decoder {
    variables: Arc<[Decoded]>,
}

impl Decoder {
    /// Returns the value of each variable of the instance. Booleans have the values 0 and 1.
    ///
    /// # Panics
    /// Panics if the assignment belongs to another model.
    #[must_use]
    pub fn values(&self, assignment: &Assignment) -> Vec<Value> {
        let value = |decoded: &Decoded| match decoded {
            Decoded::Direct(Representation::Constant(value)) => *value,
            Decoded::Direct(Representation::Literal(lit)) => Value::from(assignment.lit(*lit)),
            Decoded::Direct(Representation::Integer(x)) => assignment.int(*x),
            Decoded::Sum(sum) => assignment.value(Expr::clone(sum)),
        };
        self.variables.iter().map(value).collect()
    }

    /// Returns the representation of a variable in the model, or `None` if it occurs only in the definition of the
    /// objective and [`Translation::define_all`] was not called.
    ///
    /// # Panics
    /// Panics if the variable belongs to another instance.
    #[must_use]
    pub fn representation(&self, variable: VarId) -> Option<Representation> {
        match &self.variables[variable.0 as usize] {
            Decoded::Direct(representation) => Some(*representation),
            Decoded::Sum(_) => None,
        }
    }
}

/// A model, and the representation of each variable of the instance in the model.
#[derive(Debug)]
pub struct Translation {
    /// The model, with the objective of the instance.
    pub model: Model,
    /// The decoder, which reads solutions of the instance from assignments.
    pub decoder: Decoder,
    /// The variables that are restricted to windows, each with the literal of its window. If the literal is false, the
    /// constraints on the variable are not enforced.
    windows: BTreeMap<VarId, Lit>,
}

impl Translation {
    /// Adds the output variables to the [projection](Model::project) of the model, for enumeration and counting. If
    /// `for_proof` is true, the projection contains only literals of the formula of a proof.
    ///
    /// The projection contains the windows of output variables, because the literals of such a variable do not represent
    /// its values outside the window.
    pub fn project(&mut self, instance: &Instance, for_proof: bool) {
        self.define_all();
        let outputs = instance.output.iter().flat_map(|output| output.elements.iter());
        let mut seen = vec![false; instance.variables.len()];
        for operand in outputs {
            let Some(x) = Ref::of(operand).variable() else { continue };
            if std::mem::replace(&mut seen[x.0 as usize], true) {
                continue;
            }
            self.model.project(self.window(x));
            match self.decoder.representation(x) {
                None | Some(Representation::Constant(_)) => {}
                Some(Representation::Literal(lit)) => self.model.project([lit]),
                Some(Representation::Integer(x)) => {
                    let lits = literal::of_value(x, &mut self.model, for_proof);
                    self.model.project(lits);
                }
            }
        }
    }

    /// Returns the literal of the window that restricts a variable, or `None` if no window restricts it.
    #[must_use]
    pub fn window(&self, variable: VarId) -> Option<Lit> {
        self.windows.get(&variable).copied()
    }

    /// Returns the literals of all windows.
    #[must_use]
    pub fn windows(&self) -> BTreeSet<Lit> {
        self.windows.values().copied().collect()
    }

    /// Adds to the model the variables that occur only in the definition of the objective.
    pub fn define_all(&mut self) {
        let mut variables = self.decoder.variables.to_vec();
        for decoded in &mut variables {
            if let Decoded::Sum(sum) = decoded {
                let x = self.model.integer(self.model.domains().of_expr(sum).into_owned());
                self.model.post((Expr::clone(sum) - x).equals(0));
                *decoded = Decoded::Direct(Representation::Integer(x));
            }
        }
        self.decoder.variables = variables.into();
    }

    /// Names the literals and integers of the model after the variables of the instance.
    pub fn name(&mut self, instance: &Instance) {
        for (variable, decoded) in instance.variables.iter().zip(&*self.decoder.variables) {
            let name = variable.name.to_string();
            match *decoded {
                Decoded::Direct(Representation::Constant(_)) | Decoded::Sum(_) => {}
                Decoded::Direct(Representation::Literal(lit)) => self.model.name(lit, name),
                Decoded::Direct(Representation::Integer(x)) => self.model.name_integer(x, name),
            }
        }
    }
}

/// Translates presolved constraints. Each variable in `windowed` is restricted to a window of values. The constraints
/// do not imply these windows. Each window has a literal: if it is false, the constraints on the variable are not
/// enforced.
pub(crate) fn translate(
    goal: &Goal,
    constraints: &[Constraint],
    store: &Store,
    windowed: &[VarId],
) -> Result<Translation, TranslateError> {
    let mut builder = Builder::new(store);
    if store.is_infeasible() {
        builder.model.post(Clause::new([]));
        return Ok(builder.finish());
    }
    builder.windows = windowed.iter().map(|&x| (x, builder.model.boolean())).collect();
    // Outside a window, constraints are not enforced, so they can't define variables of the objective.
    let expansion = if windowed.is_empty() { Expansion::new(goal, constraints, store) } else { None };
    let eliminated = || expansion.iter().flat_map(Expansion::eliminated);
    builder.sums = eliminated().map(|(x, _)| (x, Arc::default())).collect();
    builder.create_integers();
    let mut defined = builder.define_literals(constraints);
    for (_, index) in eliminated() {
        defined[index] = true;
    }
    for (constraint, defined) in constraints.iter().zip(defined) {
        if !defined {
            builder.guard = builder.windows_of(constraint);
            if constraint.domain_consistent
                && constraint.when == When::Always
                && let Some(table) = builder.table_of_sum(&constraint.relation)
            {
                builder.add(Box::new(table));
                continue;
            }
            let posted = match builder.choice(constraint) {
                Some((condition, relation)) => builder.post(&relation, When::Iff(condition)),
                None => builder.post(&constraint.relation, constraint.when),
            };
            posted.map_err(|Overflow| TranslateError::Overflow(constraint.origin.clone()))?;
        }
    }
    builder.guard.clear();
    // Residues only help the search, so an overflow in their computation is ignored. Overflow in the constraints
    // themselves was reported above.
    let _ = residue::post(&mut builder, constraints);
    builder.set_objective(goal, expansion.as_ref());
    Ok(builder.finish())
}

/// The error for numbers that exceed 128 bits.
#[derive(Debug, Clone, Copy)]
struct Overflow;

/// The largest absolute value of a sum or product. Within this limit, the encodings of linear constraints and
/// products do not overflow.
const GREATEST: u128 = Value::MAX.unsigned_abs() / 64;

/// Constraints whose conjunction is equivalent to a relation.
type Constraints = Vec<Box<dyn Encodable>>;

struct Builder<'a> {
    model: Model,
    store: &'a Store,
    /// The representations of the roots. The representation of a root is `None` before its literal is created, or if
    /// a sum replaces the root.
    representations: Vec<Option<Representation>>,
    /// The roots that are not part of the model, each with the sum that equals it.
    sums: HashMap<VarId, Arc<Expr>>,
    /// The integer variables that were created for constants, keyed by the value of the constant.
    constants: HashMap<Value, IntVar>,
    /// The integer variables that were created for literals, keyed by the literal.
    integers: HashMap<Lit, IntVar>,
    /// Maps each variable with a window to the window's literal.
    windows: HashMap<VarId, Lit>,
    /// The literals of all windows that restrict variables of the current constraint. If one of them is false, the
    /// constraint is not enforced.
    guard: Vec<Lit>,
}

impl<'a> Builder<'a> {
    fn new(store: &'a Store) -> Self {
        Self {
            model: Model::new(),
            store,
            representations: vec![None; store.variables()],
            sums: HashMap::new(),
            constants: HashMap::new(),
            integers: HashMap::new(),
            windows: HashMap::new(),
            guard: Vec::new(),
        }
    }

    /// Returns the literals of all windows that restrict variables of the constraint.
    fn windows_of(&self, constraint: &Constraint) -> Vec<Lit> {
        let mut guard: Vec<Lit> = Vec::new();
        if !self.windows.is_empty() {
            let mut visit = |operand: Ref| {
                let window =
                    self.store.resolve(operand).variable().and_then(|x| self.windows.get(&x).copied());
                if let Some(window) = window.filter(|window| !guard.contains(window)) {
                    guard.push(window);
                }
            };
            constraint.relation.operands(&mut visit);
        }
        guard
    }

    /// Creates an integer variable for each root that has values other than 0 and 1, unless a sum replaces the root.
    fn create_integers(&mut self) {
        for index in 0..self.representations.len() {
            let x = VarId(index as u32);
            if self.store.is_root(x) && !self.sums.contains_key(&x) {
                let domain = self.store.domain(x);
                self.representations[index] = match domain.only() {
                    Some(value) => Some(Representation::Constant(value)),
                    None if domain.is_boolean() => None,
                    None => Some(Representation::Integer(self.model.integer(domain.domain()))),
                };
            }
        }
    }

    fn finish(self) -> Translation {
        let decoded = |index: usize| match self.store.resolve(Ref::Var(VarId(index as u32))) {
            Ref::Const(value) => Decoded::Direct(Representation::Constant(value)),
            Ref::Var(x) => match self.sums.get(&x) {
                Some(sum) => Decoded::Sum(Arc::clone(sum)),
                None => {
                    Decoded::Direct(self.representations[x.0 as usize].unwrap_or(Representation::Constant(0)))
                }
            },
            Ref::Not(x) => Decoded::Direct(match self.representations[x.0 as usize] {
                Some(Representation::Literal(lit)) => Representation::Literal(!lit),
                _ => Representation::Constant(0),
            }),
        };
        let variables = (0..self.representations.len()).map(decoded).collect();
        let window = |index: usize| {
            let x = VarId(index as u32);
            let root = self.store.resolve(Ref::Var(x)).variable()?;
            Some((x, *self.windows.get(&root)?))
        };
        let windows = (0..self.representations.len()).filter_map(window).collect();
        Translation { model: self.model, decoder: Decoder { variables }, windows }
    }

    /// Returns the representation of an operand in the model.
    fn representation(&self, operand: Ref) -> Representation {
        let of =
            |x: VarId| self.representations[x.0 as usize].expect("literals are defined before they are used");
        match self.store.resolve(operand) {
            Ref::Const(value) => Representation::Constant(value),
            Ref::Var(x) => of(x),
            Ref::Not(x) => match of(x) {
                Representation::Literal(lit) => Representation::Literal(!lit),
                Representation::Constant(value) => Representation::Constant(1 - value),
                integer @ Representation::Integer(_) => integer,
            },
        }
    }

    /// Returns the literal of an operand with the values 0 and 1.
    fn lit(&self, operand: Ref) -> Lit {
        match self.representation(operand) {
            Representation::Constant(0) => FALSE,
            Representation::Literal(lit) => lit,
            Representation::Constant(_) | Representation::Integer(_) => TRUE,
        }
    }

    fn lits(&self, operands: &[Ref]) -> Vec<Lit> {
        operands.iter().map(|&x| self.lit(x)).collect()
    }

    /// Returns an integer variable that equals the operand.
    fn int(&mut self, operand: Ref) -> IntVar {
        match self.representation(operand) {
            Representation::Integer(x) => x,
            Representation::Constant(value) => {
                let model = &mut self.model;
                *self.constants.entry(value).or_insert_with(|| model.integer(value..=value))
            }
            Representation::Literal(lit) => {
                if let Some(&x) = self.integers.get(&lit) {
                    return x;
                }
                let x = self.model.integer(0..=1);
                self.model.post(Linear::equal([(1, x.into()), (-1, lit.into())], 0));
                self.integers.insert(lit, x);
                x
            }
        }
    }

    fn ints(&mut self, operands: &[Ref]) -> Vec<IntVar> {
        operands.iter().map(|&x| self.int(x)).collect()
    }

    /// Returns the operand as a term of a linear constraint; a constant becomes an integer variable.
    fn term(&mut self, operand: Ref) -> Term {
        match self.representation(operand) {
            Representation::Literal(lit) => lit.into(),
            Representation::Integer(x) => x.into(),
            Representation::Constant(_) => self.int(operand).into(),
        }
    }

    fn expr(&self, operand: Ref) -> Expr {
        match self.representation(operand) {
            Representation::Literal(lit) => lit.into(),
            Representation::Integer(x) => x.into(),
            Representation::Constant(value) => value.into(),
        }
    }

    /// Translates a comparison of a sum with a bound to a linear constraint.
    fn linear(&self, sum: &Sum) -> Result<Linear, Overflow> {
        let sum = sum.merged(self.store).ok_or(Overflow)?;
        let mut reach = sum.bound.unsigned_abs();
        let mut terms = Vec::with_capacity(sum.terms.len());
        for &(factor, x) in &sum.terms {
            let (first, last) = self.store.range(x);
            let greatest = first.unsigned_abs().max(last.unsigned_abs());
            let greatest = factor.unsigned_abs().checked_mul(greatest);
            reach = greatest.and_then(|greatest| reach.checked_add(greatest)).ok_or(Overflow)?;
            terms.push(match self.representation(x) {
                Representation::Literal(lit) => (factor, lit.into()),
                Representation::Integer(x) => (factor, x.into()),
                Representation::Constant(_) => return Err(Overflow),
            });
        }
        if reach <= GREATEST { Ok(Linear::new(terms, sum.comparison, sum.bound)) } else { Err(Overflow) }
    }

    /// Returns the constraint `left <comparison> right + bound`.
    fn compare(
        &self,
        left: Ref,
        comparison: Comparison,
        right: Ref,
        bound: Value,
    ) -> Result<Linear, Overflow> {
        self.linear(&Sum { terms: vec![(1, left), (-1, right)], comparison, bound })
    }
}
