//! The values of expressions in a solution.
//!
//! A constraint is evaluated by the checker of `gordian-flatzinc`: its arguments are replaced by their values, and the
//! checker decides whether the call holds.

use std::sync::Arc;

use gordian_encodings::{Domain, Value};
use gordian_flatzinc::instance::{Argument as CallArgument, Call, Goal, Operand, Place};
use gordian_flatzinc::{Instance, holds};

use crate::node::{Argument, Atom, Bool, BoolNode, Comparison, Function, FunctionNode, Int, Relation, Var};

/// The reason why an expression has no value.
#[derive(Debug)]
pub(crate) enum NoValue {
    /// A function is not defined for its arguments.
    Undefined,
    Overflow,
    /// A variable of another model, or one that is newer than the solution.
    Unknown(Arc<str>),
}

type Valued<T> = Result<T, NoValue>;

/// The values of the variables of a model.
pub(crate) struct Values<'a> {
    pub(crate) model: u64,
    pub(crate) values: &'a [Value],
}

impl Values<'_> {
    fn var(&self, var: &Var) -> Valued<Value> {
        let value = self.values.get(var.id as usize).filter(|_| var.model == self.model);
        value.copied().ok_or_else(|| NoValue::Unknown(Arc::clone(&var.name)))
    }

    fn atom(&self, atom: &Atom) -> Valued<Value> {
        match atom {
            Atom::Var(var) => self.var(var),
            Atom::Function(function) => self.function(function),
            Atom::Bool(node) => self.bool(node).map(Value::from),
        }
    }

    pub(crate) fn int(&self, int: &Int) -> Valued<Value> {
        match int {
            Int::Constant(value) => Ok(*value),
            Int::Atom(atom) => self.atom(atom),
            Int::Sum(terms, constant) => {
                let terms = terms.read(<[_]>::to_vec);
                terms.iter().try_fold(*constant, |sum, (weight, atom)| {
                    let term = weight.checked_mul(self.atom(atom)?).ok_or(NoValue::Overflow)?;
                    sum.checked_add(term).ok_or(NoValue::Overflow)
                })
            }
        }
    }

    fn ints(&self, ints: &[Int]) -> Valued<Vec<Value>> {
        ints.iter().map(|int| self.int(int)).collect()
    }

    fn function(&self, function: &Function) -> Valued<Value> {
        let two = |x, y| Ok((self.int(x)?, self.int(y)?));
        let value = match &function.node {
            FunctionNode::Absolute(x) => self.int(x)?.checked_abs(),
            FunctionNode::Times(x, y) => {
                let (x, y) = two(x, y)?;
                x.checked_mul(y)
            }
            FunctionNode::Divide(x, y)
            | FunctionNode::Remainder(x, y)
            | FunctionNode::FloorDivide(x, y)
            | FunctionNode::FloorRemainder(x, y) => {
                let (x, y) = two(x, y)?;
                if y == 0 {
                    return Err(NoValue::Undefined);
                }
                let quotient = x.checked_div(y).ok_or(NoValue::Overflow)?;
                let remainder = x - quotient * y;
                // If the remainder has another sign than the divisor, the quotient was rounded up.
                let rounded_up = remainder != 0 && (remainder < 0) != (y < 0);
                Some(match &function.node {
                    FunctionNode::Divide(..) => quotient,
                    FunctionNode::Remainder(..) => remainder,
                    FunctionNode::FloorDivide(..) => quotient - Value::from(rounded_up),
                    _ => remainder + if rounded_up { y } else { 0 },
                })
            }
            FunctionNode::Power(x, y) => {
                let (x, y) = two(x, y)?;
                match (x, y) {
                    (_, ..=-1) => return Err(NoValue::Undefined),
                    (0 | 1, _) => Some(if y == 0 { 1 } else { x }),
                    (-1, _) => Some(if y % 2 == 0 { 1 } else { -1 }),
                    _ => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)),
                }
            }
            FunctionNode::Maximum(list) => self.ints(list)?.into_iter().max(),
            FunctionNode::Minimum(list) => self.ints(list)?.into_iter().min(),
            FunctionNode::Element(list, index) => {
                // All elements must be defined, as in a constraint.
                let (list, index) = (self.ints(list)?, self.int(index)?);
                let element = usize::try_from(index).ok().and_then(|index| list.get(index).copied());
                Some(element.ok_or(NoValue::Undefined)?)
            }
            FunctionNode::Count(list, value) => {
                let value = self.int(value)?;
                Some(self.ints(list)?.into_iter().filter(|&x| x == value).count() as Value)
            }
            FunctionNode::Among(list, set) => {
                Some(self.ints(list)?.into_iter().filter(|&x| set.contains(x)).count() as Value)
            }
        };
        value.ok_or(NoValue::Overflow)
    }

    /// Returns the value of a Boolean expression. If a function in it is undefined, the comparison or constraint around the
    /// function is false.
    pub(crate) fn bool(&self, node: &Bool) -> Valued<bool> {
        let value = match &node.node {
            BoolNode::Constant(value) => Ok(*value),
            BoolNode::Var(var) => self.var(var).map(|value| value == 1),
            BoolNode::Not(inner) => self.bool(inner).map(|value| !value),
            BoolNode::And(list) => self.all(&list.read(<[_]>::to_vec)).map(|values| !values.contains(&false)),
            BoolNode::Or(list) => self.all(&list.read(<[_]>::to_vec)).map(|values| values.contains(&true)),
            BoolNode::Xor(list) => {
                self.all(list).map(|values| values.iter().filter(|&&value| value).count() % 2 == 1)
            }
            BoolNode::Compare(terms, comparison, bound) => {
                self.int(&Int::Sum(terms.clone(), 0)).map(|sum| match comparison {
                    Comparison::Equal => sum == *bound,
                    Comparison::NotEqual => sum != *bound,
                    Comparison::AtMost => sum <= *bound,
                    Comparison::AtLeast => sum >= *bound,
                })
            }
            BoolNode::Relation(relation) => self.relation(relation),
        };
        match value {
            Err(NoValue::Undefined) => Ok(false),
            value => value,
        }
    }

    fn all(&self, nodes: &[Arc<Bool>]) -> Valued<Vec<bool>> {
        nodes.iter().map(|node| self.bool(node)).collect()
    }

    fn relation(&self, relation: &Relation) -> Valued<bool> {
        let array = |values: Vec<Operand>| CallArgument::Array(values.into());
        let argument = |argument: &Argument| {
            Ok(match argument {
                Argument::Int(int) => CallArgument::One(Operand::Int(self.int(int)?)),
                Argument::Ints(ints) => array(self.ints(ints)?.into_iter().map(Operand::Int).collect()),
                Argument::Bool(node) => CallArgument::One(Operand::Bool(self.bool(node)?)),
                Argument::Bools(nodes) => array(self.all(nodes)?.into_iter().map(Operand::Bool).collect()),
                Argument::Set(set) => CallArgument::One(Operand::Set(Arc::clone(set))),
                Argument::Value(value) => CallArgument::One(Operand::Int(*value)),
                Argument::Values(values) => array(values.iter().map(|&value| Operand::Int(value)).collect()),
                Argument::Entries(entries) => {
                    let any = Arc::new(Domain::interval(Value::MIN, Value::MAX));
                    let entry = |entry: &Option<Value>| {
                        entry.map_or_else(|| Operand::Set(Arc::clone(&any)), Operand::Int)
                    };
                    array(entries.iter().map(entry).collect())
                }
            })
        };
        let arguments = relation.arguments.iter().map(argument).collect::<Valued<_>>()?;
        let call =
            Call { name: Arc::clone(&relation.name), arguments, annotations: Vec::new(), place: Place(0) };
        let instance = Instance {
            variables: Vec::new(),
            constraints: vec![call],
            goal: Goal::Satisfy,
            search: Vec::new(),
            output: Vec::new(),
        };
        Ok(holds(&instance, &[]).is_ok())
    }
}
