//! Builds instances over Boolean variables from clauses and pseudo-Boolean constraints.
//!
//! The readers of OPB, WBO, CNF, KNF and WCNF use a [`FormulaBuilder`], so a constraint has the same calls in each of these
//! formats: a clause is `bool_clause`, another constraint is `bool_lin_le` or `bool_lin_eq`, and a product of literals is a
//! Boolean variable that `bool_clause_reif` defines.

use std::collections::{HashMap, HashSet};
use std::ops::Not;
use std::sync::Arc;

use gordian_encodings::constraint::Comparison;
use gordian_encodings::{Domain, Sense, Value, tick};

use crate::instance::{
    Annotation, Argument, Call, DEFINED, Goal, Instance, Operand, Output, Place, VarDomain, VarId, Variable,
};

mod linear;

use linear::Linear;

/// The greatest sum of the absolute values of the numbers in a constraint or an objective.
pub const LARGEST_SUM: u128 = 1 << 120;

/// The maximum number of variables of a formula, in addition to one for each byte of the text. Without this limit, a short
/// file could allocate memory for any number of variables.
pub const MAX_UNUSED: usize = 100_000;

/// The numbers of a constraint or an objective are too large: their absolute values add up to more than
/// [`LARGEST_SUM`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the numbers add up to more than 2^120")]
pub struct TooLarge;

/// A Boolean variable or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaLit {
    /// The variable.
    pub variable: VarId,
    /// True for the variable itself, false for its negation.
    pub is_positive: bool,
}

impl Not for FormulaLit {
    type Output = Self;

    fn not(self) -> Self {
        Self { is_positive: !self.is_positive, ..self }
    }
}

/// The truth value of a constraint: a constant or a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    Const(bool),
    Lit(FormulaLit),
}

/// Builds an [`Instance`] over Boolean variables.
#[derive(Debug, Default)]
pub struct FormulaBuilder {
    variables: Vec<Variable>,
    constraints: Vec<Call>,
    /// The indices of the auxiliary variables, which get their names at the end.
    auxiliary: Vec<usize>,
    /// The variable that equals each product. The literals are sorted and distinct.
    products: HashMap<Vec<FormulaLit>, VarId>,
    /// The costs of the soft constraints, each with the literal that is true if the constraint is violated.
    costs: Vec<(Value, FormulaLit)>,
    /// The cost that every assignment has.
    constant: Value,
    names: HashMap<&'static str, Arc<str>>,
    place: Place,
    label: Option<Arc<str>>,
}

impl FormulaBuilder {
    /// Sets the location of the constraints that follow, and their name, if they have one.
    pub fn at(&mut self, place: Place, label: Option<&str>) {
        self.place = place;
        self.label = label.map(Into::into);
    }

    /// Adds a Boolean variable. Its name must differ from those of the other variables.
    pub fn variable(&mut self, name: impl Into<Arc<str>>) -> VarId {
        let x = VarId(self.variables.len() as u32);
        tick(8);
        self.variables.push(Variable {
            name: name.into(),
            domain: VarDomain::Bool,
            value: None,
            annotations: Vec::new(),
            place: self.place,
        });
        x
    }

    fn auxiliary(&mut self) -> FormulaLit {
        self.auxiliary.push(self.variables.len());
        let names = ["var_is_introduced", DEFINED];
        let annotations = names.map(|name| Annotation::Name(self.shared(name))).into();
        let variable = self.variable("");
        self.variables[variable.0 as usize].annotations = annotations;
        FormulaLit { variable, is_positive: true }
    }

    /// Returns a shared copy of a name. Equal names share one copy.
    fn shared(&mut self, name: &'static str) -> Arc<str> {
        Arc::clone(self.names.entry(name).or_insert_with(|| Arc::from(name)))
    }

    /// Adds a constraint that defines an auxiliary variable.
    fn define(&mut self, name: &'static str, mut arguments: Vec<Argument>) -> FormulaLit {
        let result = self.auxiliary();
        arguments.push(Argument::One(Operand::Var(result.variable)));
        self.call(name, arguments);
        let defined = vec![Annotation::Operand(Operand::Var(result.variable))];
        let defines = Annotation::Call(self.shared("defines_var"), defined);
        if let Some(call) = self.constraints.last_mut() {
            call.annotations.push(defines);
        }
        result
    }

    fn call(&mut self, name: &'static str, arguments: Vec<Argument>) {
        let operands = |argument: &Argument| match argument {
            Argument::One(_) => 1,
            Argument::Array(operands) => operands.len(),
        };
        tick(8 + arguments.iter().map(operands).sum::<usize>() as u64);
        let name = self.shared(name);
        let label = |label: &Arc<str>| {
            Annotation::Call("mzn_constraint_name".into(), vec![Annotation::Text(Arc::clone(label))])
        };
        let annotations = self.label.iter().map(label).collect();
        self.constraints.push(Call { name, arguments, annotations, place: self.place });
    }

    /// Adds a clause: at least one of the literals must be true.
    pub fn clause(&mut self, lits: &[FormulaLit]) {
        match *lits {
            [] => {
                let arguments = [false, true].map(|value| Argument::One(Operand::Bool(value)));
                self.call("bool_eq", arguments.into());
            }
            [FormulaLit { variable, is_positive }] => {
                let arguments = [Operand::Var(variable), Operand::Bool(is_positive)];
                self.call("bool_eq", arguments.map(Argument::One).into());
            }
            _ => {
                let arguments = disjunction(lits);
                self.call("bool_clause", arguments);
            }
        }
    }

    /// Adds the constraint that a sum of literals with coefficients compares with a bound. The comparison must not be
    /// [`Comparison::NotEqual`].
    ///
    /// # Errors
    /// Returns an error if the numbers are too large.
    pub fn compare(
        &mut self,
        terms: impl IntoIterator<Item = (Value, FormulaLit)>,
        comparison: Comparison,
        bound: Value,
    ) -> Result<(), TooLarge> {
        let linear = Linear::new(terms, comparison, bound)?.at_most();
        if let Some(holds) = linear.constant() {
            if !holds {
                self.clause(&[]);
            }
        } else if let Some(lits) = linear.clause() {
            self.clause(&lits);
        } else {
            self.call(linear.call_names().0, linear.arguments());
        }
        Ok(())
    }

    /// Adds a soft clause, which costs `weight` if all of its literals are false.
    ///
    /// # Errors
    /// Returns an error if the weights add up to a number that is too large.
    pub fn soft_clause(&mut self, lits: &[FormulaLit], weight: Value) -> Result<(), TooLarge> {
        let truth = self.any(lits);
        self.cost(truth, weight)
    }

    /// Adds a soft constraint, which costs `weight` if the sum does not compare with the bound.
    ///
    /// # Errors
    /// Returns an error if the numbers are too large.
    pub fn soft_compare(
        &mut self,
        terms: impl IntoIterator<Item = (Value, FormulaLit)>,
        comparison: Comparison,
        bound: Value,
        weight: Value,
    ) -> Result<(), TooLarge> {
        let linear = Linear::new(terms, comparison, bound)?.at_most();
        let truth = if let Some(holds) = linear.constant() {
            Truth::Const(holds)
        } else if let Some(lits) = linear.clause() {
            self.any(&lits)
        } else {
            Truth::Lit(self.define(linear.call_names().1, linear.arguments()))
        };
        self.cost(truth, weight)
    }

    fn cost(&mut self, truth: Truth, weight: Value) -> Result<(), TooLarge> {
        match truth {
            Truth::Const(true) => {}
            Truth::Const(false) => {
                let constant = self.constant.checked_add(weight);
                self.constant =
                    constant.filter(|constant| constant.unsigned_abs() <= LARGEST_SUM).ok_or(TooLarge)?;
            }
            Truth::Lit(lit) => self.costs.push((weight, !lit)),
        }
        Ok(())
    }

    /// Returns a literal that is equivalent to a disjunction.
    fn any(&mut self, lits: &[FormulaLit]) -> Truth {
        match *lits {
            [] => Truth::Const(false),
            [lit] => Truth::Lit(lit),
            _ => Truth::Lit(self.define("bool_clause_reif", disjunction(lits))),
        }
    }

    /// Returns a literal that is equivalent to the product of literals, or `None` if the product is 0. There must be at
    /// least one literal.
    pub fn product(&mut self, mut lits: Vec<FormulaLit>) -> Option<FormulaLit> {
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0].variable == pair[1].variable) {
            return None;
        }
        if let [lit] = lits[..] {
            return Some(lit);
        }
        if let Some(&known) = self.products.get(&lits) {
            return Some(FormulaLit { variable: known, is_positive: false });
        }
        // Other constraints may share the product, so the name of this one is not that of the product.
        let label = self.label.take();
        let negated: Vec<FormulaLit> = lits.iter().map(|&lit| !lit).collect();
        let some_false = self.define("bool_clause_reif", disjunction(&negated));
        self.label = label;
        self.products.insert(lits, some_false.variable);
        Some(!some_false)
    }

    /// Requires that the cost of the soft constraints is less than `top`.
    ///
    /// # Errors
    /// Returns an error if the numbers are too large.
    pub fn cost_below(&mut self, top: Value) -> Result<(), TooLarge> {
        let bound = top.checked_sub(1).and_then(|bound| bound.checked_sub(self.constant)).ok_or(TooLarge)?;
        self.compare(self.costs.clone(), Comparison::AtMost, bound)
    }

    /// Returns the instance that optimises a sum of literals with coefficients.
    ///
    /// # Errors
    /// Returns an error if the numbers are too large.
    pub fn optimise(
        mut self,
        sense: Sense,
        terms: impl IntoIterator<Item = (Value, FormulaLit)>,
        shown: &[VarId],
    ) -> Result<Instance, TooLarge> {
        self.label = None;
        let Linear { mut terms, bound, .. } = Linear::new(terms, Comparison::Equal, 0)?;
        let constant =
            self.constant.checked_sub(bound).filter(|constant| constant.unsigned_abs() <= LARGEST_SUM);
        let constant = constant.ok_or(TooLarge)?;
        let min = constant + terms.iter().map(|term| term.0.min(0)).sum::<Value>();
        let max = constant + terms.iter().map(|term| term.0.max(0)).sum::<Value>();
        let objective = if min == max {
            Operand::Int(min)
        } else {
            let objective = self.auxiliary().variable;
            self.variables[objective.0 as usize].domain = VarDomain::Int(Domain::interval(min, max));
            terms.push((-1, objective));
            let definition = Linear { terms, comparison: Comparison::Equal, bound: -constant };
            self.call("int_lin_eq", definition.arguments());
            Operand::Var(objective)
        };
        Ok(self.instance(
            match sense {
                Sense::Minimise => Goal::Minimise(objective),
                Sense::Maximise => Goal::Maximise(objective),
            },
            shown,
        ))
    }

    /// Returns the instance that minimises the cost of the soft constraints.
    ///
    /// # Errors
    /// Returns an error if the numbers are too large.
    pub fn minimise_cost(mut self, shown: &[VarId]) -> Result<Instance, TooLarge> {
        let costs = std::mem::take(&mut self.costs);
        self.optimise(Sense::Minimise, costs, shown)
    }

    /// Returns the instance without an objective.
    #[must_use]
    pub fn satisfy(self, shown: &[VarId]) -> Instance {
        self.instance(Goal::Satisfy, shown)
    }

    fn instance(mut self, goal: Goal, shown: &[VarId]) -> Instance {
        let given: HashSet<Arc<str>> =
            self.variables.iter().map(|variable| Arc::clone(&variable.name)).collect();
        let mut names =
            (0_usize..).map(|number| format!("_{number}")).filter(|name| !given.contains(&**name));
        for &index in &self.auxiliary {
            self.variables[index].name = names.next().unwrap_or_default().into();
        }
        let output = |&variable: &VarId| Output {
            name: Arc::clone(&self.variables[variable.0 as usize].name),
            is_bool: true,
            dimensions: None,
            elements: [Operand::Var(variable)].into(),
        };
        let output = shown.iter().map(output).collect();
        Instance {
            variables: self.variables,
            constraints: self.constraints,
            goal,
            search: Vec::new(),
            output,
        }
    }
}

/// Returns the arguments of `bool_clause`: the variables that occur positively, and those that occur negated.
fn disjunction(lits: &[FormulaLit]) -> Vec<Argument> {
    let of = |positive: bool| {
        let lits = lits.iter().filter(move |lit| lit.is_positive == positive);
        Argument::Array(lits.map(|lit| Operand::Var(lit.variable)).collect())
    };
    vec![of(true), of(false)]
}
