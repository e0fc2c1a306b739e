//! The data of an instance: variables, constraints by name, the goal, and the output.
//!
//! In an [`Instance`], all names are resolved: parameters are replaced by their values, arrays by their elements, and
//! variables by a [`VarId`].

use std::sync::Arc;

use gordian_encodings::{Domain, Value};

/// An instance of a constraint satisfaction or optimisation problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// The variables, in the order of their declarations. A [`VarId`] is an index into the list of variables.
    pub variables: Vec<Variable>,
    /// The constraints, in the order of the input.
    pub constraints: Vec<Call>,
    /// The goal of the instance: satisfy, minimise or maximise.
    pub goal: Goal,
    /// The annotations of the goal, such as `int_search`.
    pub search: Vec<Annotation>,
    /// The variables and arrays to print, in the order of their declarations.
    pub output: Vec<Output>,
}

impl Instance {
    /// Returns the literals of all calls of `fzn_assume`. The literals of `fzn_assume` are assumptions, not
    /// constraints: if no solution satisfies all of them, a solution may still satisfy some of them.
    pub fn assumptions(&self) -> impl Iterator<Item = &Operand> {
        let assume = self.constraints.iter().filter(|call| &*call.name == "fzn_assume");
        assume.flat_map(Call::operands)
    }

    /// Returns the operands whose values matter outside the constraints: the outputs, the objective, and the arguments
    /// of `fzn_assume` and `fzn_on_restart_*`.
    pub fn kept(&self) -> impl Iterator<Item = &Operand> {
        let outputs = self.output.iter().flat_map(|output| output.elements.iter());
        let objective = match &self.goal {
            Goal::Satisfy => None,
            Goal::Minimise(operand) | Goal::Maximise(operand) => Some(operand),
        };
        let is_used = |name: &str| name == "fzn_assume" || name.starts_with("fzn_on_restart_");
        let calls = self.constraints.iter().filter(move |call| is_used(&call.name));
        outputs.chain(objective).chain(calls.flat_map(Call::operands))
    }
}

/// The index of a variable in [`Instance::variables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A location in the input: a byte offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place(pub usize);

/// The name and location of a declaration or a call in the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The name of the variable or constraint.
    pub name: Arc<str>,
    /// The location in the input.
    pub place: Place,
}

/// A variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// The name of the variable in the input.
    pub name: Arc<str>,
    /// The type of the variable, with the declared domain.
    pub domain: VarDomain,
    /// The right-hand side of the declaration: a constant, or a variable with a smaller [`VarId`]. The variable always
    /// equals its right-hand side.
    pub value: Option<Operand>,
    /// The annotations of the declaration, without `output_var` and `output_array`.
    pub annotations: Vec<Annotation>,
    /// The location of the declaration in the input.
    pub place: Place,
}

impl Variable {
    /// Returns whether a constraint defines the variable, according to the annotations of the declaration.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        self.annotations
            .iter()
            .any(|annotation| matches!(annotation, Annotation::Name(name) if &**name == DEFINED))
    }
}

/// The annotation of a variable that a constraint defines.
pub const DEFINED: &str = "is_defined_var";

/// The type of a variable and its declared domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VarDomain {
    /// `var bool`.
    Bool,
    /// An integer variable without a domain: `var int`.
    Unbounded,
    /// An integer variable with a domain, such as `var 1..9` or `var {1, 3, 5}`. An empty domain makes the instance
    /// unsatisfiable. The bounds -2^127 and 2^127 - 1 are not allowed, because presolve uses them as infinity.
    Int(Domain),
}

/// The allowed bounds of [`VarDomain::Int`], for error messages.
pub const BOUNDS: &str = "bounds from -2^127 + 1 to 2^127 - 2";

/// A constraint: a name with arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The name of the constraint, such as `int_lin_le`.
    pub name: Arc<str>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The annotations.
    pub annotations: Vec<Annotation>,
    /// The location of the constraint in the input.
    pub place: Place,
}

impl Call {
    /// Returns the operands of all arguments.
    fn operands(&self) -> impl Iterator<Item = &Operand> {
        self.arguments.iter().flat_map(|argument| match argument {
            Argument::One(operand) => std::slice::from_ref(operand),
            Argument::Array(operands) => operands,
        })
    }
}

/// An argument of a constraint.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A single operand.
    One(Operand),
    /// An array. If several arguments name the same array, they share one copy.
    Array(Arc<[Operand]>),
}

/// An operand: a constant or a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A Boolean constant.
    Bool(bool),
    /// An integer constant.
    Int(Value),
    /// A set of integers, possibly empty. If several operands name the same parameter, they share one copy.
    Set(Arc<Domain>),
    /// A variable.
    Var(VarId),
}

impl Operand {
    /// Returns the value of a Boolean or integer constant, or `None` for a set or a variable. Booleans have the values
    /// 0 and 1.
    #[must_use]
    pub fn constant(&self) -> Option<Value> {
        match *self {
            Self::Bool(value) => Some(Value::from(value)),
            Self::Int(value) => Some(value),
            Self::Set(_) | Self::Var(_) => None,
        }
    }
}

/// The goal of an instance.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// Find a solution.
    Satisfy,
    /// Minimise the operand.
    Minimise(Operand),
    /// Maximise the operand.
    Maximise(Operand),
}

/// An annotation of FlatZinc, which gives advice to solvers. Unknown annotations are ignored.
#[derive(Debug, Clone, PartialEq)]
pub enum Annotation {
    /// A name without arguments.
    Name(Arc<str>),
    /// A name with arguments, such as `int_search(xs, first_fail, indomain_min)`.
    Call(Arc<str>, Vec<Annotation>),
    /// A constant or a variable.
    Operand(Operand),
    /// A floating-point number, as written in the input.
    Float(Arc<str>),
    /// A string, without quotes and escapes.
    Text(Arc<str>),
    /// An array of constants and variables, possibly empty. If several annotations name the same array, they share
    /// one copy.
    Operands(Arc<[Operand]>),
    /// An array in which some annotation is neither a constant nor a variable.
    Array(Vec<Annotation>),
}

/// A variable or an array to print.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The name.
    pub name: Arc<str>,
    /// True if the elements are Booleans, which are printed as `true` or `false`.
    pub is_bool: bool,
    /// The first and last index of each dimension of an array; `None` for a single variable.
    pub dimensions: Option<Vec<(Value, Value)>>,
    /// The elements in row-major order; a single variable is one element. Constraints that name the array share these
    /// elements.
    pub elements: Arc<[Operand]>,
}
