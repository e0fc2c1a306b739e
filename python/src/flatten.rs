//! Translates expressions into the variables and constraints of a FlatZinc instance.
//!
//! The constraints are calls by name; the crate `gordian-flatzinc` says what they mean. Every Boolean that a translation
//! creates is equivalent to its expression, and every integer is a total function of others. So these definitions never
//! exclude a solution, and never add one.
//!
//! A function may be undefined, such as a quotient with the divisor 0. The smallest Boolean expression around it is then
//! false, as in MiniZinc: the definition uses a safe operand, and a *guard* is added to the Boolean expression.

use std::collections::HashMap;
use std::sync::Arc;

use gordian_encodings::{Domain, Value};
use gordian_flatzinc::Instance;
use gordian_flatzinc::instance::{
    Annotation, Argument as CallArgument, Call, DEFINED, Goal, Operand, Place, VarDomain, VarId, Variable,
};

use crate::node::{
    Argument, Atom, Bool, BoolNode, Comparison, Function, FunctionNode, Int, Overflow, Relation, Terms, Var,
};

/// The reason why an expression was not added.
#[derive(Debug)]
pub(crate) enum Refused {
    Overflow,
    /// A variable of another model.
    Foreign(Arc<str>),
    /// The expression is not supported, for the given reason.
    Unsupported(String),
}

impl From<Overflow> for Refused {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

type Flat<T> = Result<T, Refused>;

/// A literal of the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Literal {
    Constant(bool),
    Var(VarId, bool),
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Var(id, holds) => Self::Var(id, !holds),
        }
    }
}

/// The smallest and the greatest value of an operand, or `None` if it is unbounded.
type Bounds = Option<(Value, Value)>;

/// What an expression was translated into. The expression is kept, because its address is the key.
#[derive(Debug)]
enum Known {
    Literal(#[expect(dead_code, reason = "keeps the address in use")] Arc<Bool>, Literal),
    Function(#[expect(dead_code, reason = "keeps the address in use")] Arc<Function>, Operand, Vec<Literal>),
}

impl Known {
    /// Returns whether the translation contains no variable from the given number on.
    fn is_before(&self, variables: u32) -> bool {
        let literal = |literal: &Literal| !matches!(literal, Literal::Var(id, _) if id.0 >= variables);
        match self {
            Self::Literal(_, lit) => literal(lit),
            Self::Function(_, operand, guards) => {
                !matches!(operand, Operand::Var(id) if id.0 >= variables) && guards.iter().all(literal)
            }
        }
    }
}

/// A constraint that the user has added.
#[derive(Debug, Clone)]
pub(crate) struct Posted {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) node: Arc<Bool>,
}

impl Posted {
    /// Returns the name of the constraint or, if it has none, its text.
    pub(crate) fn name(&self) -> String {
        self.name.as_ref().map_or_else(|| self.node.to_string(), ToString::to_string)
    }
}

/// A model: an instance, and how it came about.
#[derive(Debug)]
pub(crate) struct Builder {
    pub(crate) model: u64,
    pub(crate) instance: Instance,
    /// The variables that the user has created.
    pub(crate) users: Vec<VarId>,
    pub(crate) posted: Vec<Posted>,
    /// For each call of the instance, the index of the constraint that it belongs to; `None` for definitions.
    pub(crate) groups: Vec<Option<u32>>,
    known: HashMap<usize, Known>,
    negated: HashMap<VarId, VarId>,
    names: HashMap<String, Arc<str>>,
}

impl Builder {
    pub(crate) fn new(model: u64) -> Self {
        let instance = Instance {
            variables: Vec::new(),
            constraints: Vec::new(),
            goal: Goal::Satisfy,
            search: Vec::new(),
            output: Vec::new(),
        };
        Self {
            model,
            instance,
            users: Vec::new(),
            posted: Vec::new(),
            groups: Vec::new(),
            known: HashMap::new(),
            negated: HashMap::new(),
            names: HashMap::new(),
        }
    }

    fn variable(&mut self, name: Arc<str>, domain: VarDomain, annotations: Vec<Annotation>) -> Flat<VarId> {
        let index = self.instance.variables.len();
        let id = u32::try_from(index).map_err(|_| Refused::Unsupported("too many variables".to_owned()))?;
        let variable = Variable { name, domain, value: None, annotations, place: Place(index) };
        self.instance.variables.push(variable);
        Ok(VarId(id))
    }

    /// Adds a variable of the user.
    pub(crate) fn user_variable(&mut self, name: Arc<str>, domain: VarDomain) -> Flat<Arc<Var>> {
        let id = self.variable(Arc::clone(&name), domain, Vec::new())?;
        self.users.push(id);
        Ok(Arc::new(Var { model: self.model, id: id.0, name }))
    }

    fn boolean(&mut self) -> Flat<VarId> {
        let name = format!("_b{}", self.instance.variables.len());
        self.auxiliary(name, VarDomain::Bool)
    }

    fn unnamed(&mut self, domain: VarDomain) -> Flat<VarId> {
        let name = format!("_i{}", self.instance.variables.len());
        self.auxiliary(name, domain)
    }

    fn auxiliary(&mut self, name: String, domain: VarDomain) -> Flat<VarId> {
        self.variable(name.into(), domain, vec![Annotation::Name(DEFINED.into())])
    }

    fn integer(&mut self, bounds: Bounds) -> Flat<VarId> {
        let domain = match bounds {
            None => VarDomain::Unbounded,
            Some((first, last)) => {
                // These values stand for infinity.
                if first == Value::MIN || last == Value::MAX {
                    return Err(Refused::Overflow);
                }
                VarDomain::Int(Domain::interval(first, last))
            }
        };
        self.unnamed(domain)
    }

    fn call(&mut self, name: &str, arguments: Vec<CallArgument>, group: Option<u32>) {
        let name = match self.names.get(name) {
            Some(name) => Arc::clone(name),
            None => Arc::clone(self.names.entry(name.to_owned()).or_insert_with(|| name.into())),
        };
        // The place of a constraint is its index, for error messages.
        let place = Place(self.instance.constraints.len());
        self.instance.constraints.push(Call { name, arguments, annotations: Vec::new(), place });
        self.groups.push(group);
    }

    pub(crate) fn bounds(&self, operand: &Operand) -> Bounds {
        match operand {
            Operand::Bool(value) => Some((Value::from(*value), Value::from(*value))),
            Operand::Int(value) => Some((*value, *value)),
            Operand::Set(_) => None,
            Operand::Var(id) => match &self.instance.variables[id.0 as usize].domain {
                VarDomain::Bool => Some((0, 1)),
                VarDomain::Unbounded => None,
                VarDomain::Int(domain) if domain.is_empty() => Some((0, 0)),
                VarDomain::Int(domain) => Some((domain.min(), domain.max())),
            },
        }
    }

    pub(crate) fn id(&self, var: &Var) -> Flat<VarId> {
        if var.model == self.model { Ok(VarId(var.id)) } else { Err(Refused::Foreign(Arc::clone(&var.name))) }
    }

    /// Runs a translation. If it fails, the instance is as before.
    pub(crate) fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Flat<T>) -> Flat<T> {
        let (variables, constraints) = (self.instance.variables.len(), self.instance.constraints.len());
        let result = work(self);
        if result.is_err() {
            let instance = &mut self.instance;
            instance.variables.truncate(variables);
            instance.constraints.truncate(constraints);
            self.groups.truncate(constraints);
            let before = variables as u32;
            self.known.retain(|_, known| known.is_before(before));
            self.negated.retain(|_, negated| negated.0 < before);
        }
        result
    }

    /// Adds a constraint of the user.
    pub(crate) fn post(&mut self, posted: Posted) -> Flat<()> {
        let group = self.posted.len() as u32;
        let node = Arc::clone(&posted.node);
        self.attempt(|builder| builder.require(&node, group))?;
        self.posted.push(posted);
        Ok(())
    }

    /// Adds a comparison that is part of the domain of a variable. It belongs to no constraint of the user.
    pub(crate) fn define_bound(&mut self, node: &Arc<Bool>) -> Flat<()> {
        self.attempt(|builder| {
            let lit = builder.literal(node)?;
            let operand = builder.operand(lit)?;
            builder.call("bool_eq", [operand, Operand::Bool(true)].map(CallArgument::One).into(), None);
            Ok(())
        })
    }

    /// Adds a clause: at least one of the literals holds.
    fn clause(&mut self, lits: &[Literal], group: u32) {
        if lits.contains(&Literal::Constant(true)) {
            return;
        }
        let of = |wanted| {
            let ids = lits.iter().filter_map(move |lit| match *lit {
                Literal::Var(id, holds) if holds == wanted => Some(Operand::Var(id)),
                _ => None,
            });
            CallArgument::Array(ids.collect())
        };
        self.call("bool_clause", vec![of(true), of(false)], Some(group));
    }

    /// Adds the constraint that a Boolean expression is true.
    fn require(&mut self, node: &Arc<Bool>, group: u32) -> Flat<()> {
        match &node.node {
            BoolNode::Constant(_) | BoolNode::Var(_) => {
                let lit = self.literal(node)?;
                self.clause(&[lit], group);
            }
            BoolNode::And(list) => {
                for node in list.read(<[_]>::to_vec) {
                    self.require(&node, group)?;
                }
            }
            BoolNode::Or(list) => {
                let list = list.read(<[_]>::to_vec);
                let (simple, complex): (Vec<_>, Vec<_>) = list.iter().partition(|node| is_literal(node));
                if let ([one], [other]) = (&simple[..], &complex[..]) {
                    let condition = !self.literal(one)?;
                    return self.require_if(condition, other, group);
                }
                let lits = list.iter().map(|node| self.literal(node)).collect::<Flat<Vec<_>>>()?;
                self.clause(&lits, group);
            }
            BoolNode::Not(inner) => match &inner.node {
                BoolNode::Or(list) => {
                    for node in list.read(<[_]>::to_vec) {
                        self.require(&Bool::not(&node), group)?;
                    }
                }
                BoolNode::Compare(terms, comparison, bound) => {
                    let negated = comparison.negated_bound(*bound).ok_or(Refused::Overflow)?;
                    let mut guards = Vec::new();
                    let arguments = self.sum(terms, *bound, &mut guards)?;
                    if guards.is_empty() {
                        let arguments = self.sum(terms, negated.1, &mut guards)?;
                        self.compare(arguments, negated.0, None, Some(group))?;
                    } else {
                        // If the comparison is undefined, it is false.
                        let holds = self.comparison(arguments, *comparison)?;
                        let lits: Vec<_> = guards.into_iter().chain([holds]).map(|lit| !lit).collect();
                        self.clause(&lits, group);
                    }
                }
                _ => {
                    let lit = !self.literal(inner)?;
                    self.clause(&[lit], group);
                }
            },
            BoolNode::Xor(list) => {
                let operands = self.booleans(list)?;
                self.call("array_bool_xor", vec![CallArgument::Array(operands.into())], Some(group));
            }
            BoolNode::Compare(terms, comparison, bound) => {
                let mut guards = Vec::new();
                let arguments = self.sum(terms, *bound, &mut guards)?;
                self.compare(arguments, *comparison, None, Some(group))?;
                self.require_all(&guards, group);
            }
            BoolNode::Relation(relation) => {
                let mut guards = Vec::new();
                let arguments = self.arguments(relation, &mut guards)?;
                self.call(&relation.name, arguments, Some(group));
                self.require_all(&guards, group);
            }
        }
        Ok(())
    }

    fn require_all(&mut self, lits: &[Literal], group: u32) {
        for &lit in lits {
            self.clause(&[lit], group);
        }
    }

    /// Adds the constraint that a Boolean expression is true if a literal is true.
    fn require_if(&mut self, condition: Literal, node: &Arc<Bool>, group: u32) -> Flat<()> {
        if let Literal::Constant(holds) = condition {
            return if holds { self.require(node, group) } else { Ok(()) };
        }
        match &node.node {
            BoolNode::And(list) => {
                for node in list.read(<[_]>::to_vec) {
                    self.require_if(condition, &node, group)?;
                }
            }
            BoolNode::Or(list) => {
                let mut lits = vec![!condition];
                for node in list.read(<[_]>::to_vec) {
                    lits.push(self.literal(&node)?);
                }
                self.clause(&lits, group);
            }
            BoolNode::Compare(terms, comparison, bound) => {
                let mut guards = Vec::new();
                let arguments = self.sum(terms, *bound, &mut guards)?;
                let operand = self.operand(condition)?;
                self.compare(arguments, *comparison, Some(("_imp", operand)), Some(group))?;
                for guard in guards {
                    self.clause(&[!condition, guard], group);
                }
            }
            BoolNode::Relation(relation) => {
                let mut guards = Vec::new();
                let mut arguments = self.arguments(relation, &mut guards)?;
                arguments.push(CallArgument::One(self.operand(condition)?));
                self.call(&format!("{}_imp", relation.name), arguments, Some(group));
                for guard in guards {
                    self.clause(&[!condition, guard], group);
                }
            }
            _ => {
                let lit = self.literal(node)?;
                self.clause(&[!condition, lit], group);
            }
        }
        Ok(())
    }

    /// Returns a literal that is equivalent to a Boolean expression.
    pub(crate) fn literal(&mut self, node: &Arc<Bool>) -> Flat<Literal> {
        match &node.node {
            BoolNode::Constant(value) => return Ok(Literal::Constant(*value)),
            BoolNode::Var(var) => return Ok(Literal::Var(self.id(var)?, true)),
            BoolNode::Not(inner) => return Ok(!self.literal(inner)?),
            _ => {}
        }
        let key = Arc::as_ptr(node).addr();
        if let Some(Known::Literal(_, lit)) = self.known.get(&key) {
            return Ok(*lit);
        }
        let lit = match &node.node {
            BoolNode::And(list) => {
                let lits = list.read(<[_]>::to_vec);
                let lits = lits.iter().map(|node| self.literal(node)).collect::<Flat<Vec<_>>>()?;
                self.conjunction(&lits)?
            }
            BoolNode::Or(list) => {
                let lits = list.read(<[_]>::to_vec);
                let lits = lits.iter().map(|node| Ok(!self.literal(node)?)).collect::<Flat<Vec<_>>>()?;
                !self.conjunction(&lits)?
            }
            BoolNode::Xor(list) => {
                let operands = self.booleans(list)?;
                let result = self.boolean()?;
                let arguments =
                    vec![CallArgument::Array(operands.into()), CallArgument::One(Operand::Var(result))];
                self.call("array_bool_xor_reif", arguments, None);
                Literal::Var(result, true)
            }
            BoolNode::Compare(terms, comparison, bound) => {
                let mut guards = Vec::new();
                let arguments = self.sum(terms, *bound, &mut guards)?;
                guards.push(self.comparison(arguments, *comparison)?);
                self.conjunction(&guards)?
            }
            BoolNode::Relation(relation) => {
                let mut guards = Vec::new();
                let mut arguments = self.arguments(relation, &mut guards)?;
                let result = self.boolean()?;
                arguments.push(CallArgument::One(Operand::Var(result)));
                self.call(&format!("{}_reif", relation.name), arguments, None);
                guards.push(Literal::Var(result, true));
                self.conjunction(&guards)?
            }
            BoolNode::Constant(_) | BoolNode::Var(_) | BoolNode::Not(_) => unreachable!("returned above"),
        };
        self.known.insert(key, Known::Literal(Arc::clone(node), lit));
        Ok(lit)
    }

    /// Returns a literal that is equivalent to a conjunction.
    fn conjunction(&mut self, lits: &[Literal]) -> Flat<Literal> {
        if lits.contains(&Literal::Constant(false)) {
            return Ok(Literal::Constant(false));
        }
        let lits: Vec<_> = lits.iter().copied().filter(|lit| *lit != Literal::Constant(true)).collect();
        match lits[..] {
            [] => Ok(Literal::Constant(true)),
            [lit] => Ok(lit),
            _ => {
                // The negation is a clause, which needs no variables for negations.
                let of = |wanted| {
                    let ids = lits.iter().filter_map(move |lit| match *lit {
                        Literal::Var(id, holds) if holds == wanted => Some(Operand::Var(id)),
                        _ => None,
                    });
                    CallArgument::Array(ids.collect())
                };
                let (positive, negative) = (of(false), of(true));
                let result = self.boolean()?;
                self.call(
                    "bool_clause_reif",
                    vec![positive, negative, CallArgument::One(Operand::Var(result))],
                    None,
                );
                Ok(Literal::Var(result, false))
            }
        }
    }

    /// Returns a literal as an operand.
    pub(crate) fn operand(&mut self, lit: Literal) -> Flat<Operand> {
        Ok(match lit {
            Literal::Constant(value) => Operand::Bool(value),
            Literal::Var(id, true) => Operand::Var(id),
            Literal::Var(id, false) => {
                if let Some(&negated) = self.negated.get(&id) {
                    return Ok(Operand::Var(negated));
                }
                let negated = self.boolean()?;
                let arguments = [id, negated].map(|id| CallArgument::One(Operand::Var(id)));
                self.call("bool_not", arguments.into(), None);
                self.negated.insert(id, negated);
                Operand::Var(negated)
            }
        })
    }

    fn booleans(&mut self, nodes: &[Arc<Bool>]) -> Flat<Vec<Operand>> {
        nodes.iter().map(|node| self.literal(node).and_then(|lit| self.operand(lit))).collect()
    }

    /// Returns a sum as the arguments of a linear constraint: weights, operands and bound.
    fn sum(&mut self, terms: &Terms, bound: Value, guards: &mut Vec<Literal>) -> Flat<[CallArgument; 3]> {
        let mut bound = bound;
        // A sum of variables, the most frequent case, is translated without a copy.
        let plain = terms.read(|terms| -> Flat<_> {
            let mut weights = Vec::with_capacity(terms.len());
            let mut operands = Vec::with_capacity(terms.len());
            for (weight, atom) in terms {
                let Atom::Var(var) = atom else { return Ok(None) };
                weights.push(Operand::Int(*weight));
                operands.push(Operand::Var(self.id(var)?));
            }
            Ok(Some((weights, operands)))
        })?;
        let (weights, operands) = if let Some(plain) = plain {
            plain
        } else {
            let (mut weights, mut operands) = (Vec::new(), Vec::new());
            for (weight, atom) in terms.read(<[_]>::to_vec) {
                let mut add = |weight: Value, operand| {
                    weights.push(Operand::Int(weight));
                    operands.push(operand);
                };
                match &atom {
                    Atom::Var(var) => add(weight, Operand::Var(self.id(var)?)),
                    Atom::Function(function) => add(weight, self.function(function, guards)?),
                    Atom::Bool(node) => match self.literal(node)? {
                        Literal::Constant(false) => {}
                        Literal::Constant(true) => {
                            bound = bound.checked_sub(weight).ok_or(Refused::Overflow)?;
                        }
                        Literal::Var(id, true) => add(weight, Operand::Var(id)),
                        Literal::Var(id, false) => {
                            bound = bound.checked_sub(weight).ok_or(Refused::Overflow)?;
                            add(weight.checked_neg().ok_or(Refused::Overflow)?, Operand::Var(id));
                        }
                    },
                }
            }
            (weights, operands)
        };
        // If the sum of bounded operands, less the bound, does not fit into 128 bits, a solution could not be checked.
        let constant = negated(bound)?;
        let mut total = Some((constant, constant));
        for (weight, operand) in weights.iter().zip(&operands) {
            total = add(total, scale(self.bounds(operand), weight.constant().unwrap_or(0))?)?;
        }
        Ok([
            CallArgument::Array(weights.into()),
            CallArgument::Array(operands.into()),
            CallArgument::One(Operand::Int(bound)),
        ])
    }

    /// Adds a comparison. With a suffix and a literal, the comparison is reified.
    fn compare(
        &mut self,
        arguments: [CallArgument; 3],
        comparison: Comparison,
        reified: Option<(&str, Operand)>,
        group: Option<u32>,
    ) -> Flat<()> {
        let [mut weights, operands, mut bound] = arguments;
        let name = match comparison {
            Comparison::Equal => "int_lin_eq",
            Comparison::NotEqual => "int_lin_ne",
            Comparison::AtMost => "int_lin_le",
            Comparison::AtLeast => {
                let negated = |operand: &Operand| negated(operand.constant().unwrap_or(0)).map(Operand::Int);
                if let (CallArgument::Array(list), CallArgument::One(one)) = (&weights, &bound) {
                    let (list, one) = (list.iter().map(negated).collect::<Flat<_>>()?, negated(one)?);
                    (weights, bound) = (CallArgument::Array(list), CallArgument::One(one));
                }
                "int_lin_le"
            }
        };
        let arguments = vec![weights, operands, bound];
        match reified {
            None => self.call(name, arguments, group),
            Some((suffix, lit)) => {
                let arguments = arguments.into_iter().chain([CallArgument::One(lit)]).collect();
                self.call(&format!("{name}{suffix}"), arguments, group);
            }
        }
        Ok(())
    }

    /// Returns a literal that is equivalent to a comparison.
    fn comparison(&mut self, arguments: [CallArgument; 3], comparison: Comparison) -> Flat<Literal> {
        let result = self.boolean()?;
        self.compare(arguments, comparison, Some(("_reif", Operand::Var(result))), None)?;
        Ok(Literal::Var(result, true))
    }

    /// Returns a literal that is equivalent to a comparison of an operand with a number.
    fn compared(&mut self, operand: &Operand, comparison: Comparison, bound: Value) -> Flat<Literal> {
        let arguments = [
            CallArgument::Array(Arc::new([Operand::Int(1)])),
            CallArgument::Array(Arc::new([operand.clone()])),
            CallArgument::One(Operand::Int(bound)),
        ];
        self.comparison(arguments, comparison)
    }

    fn arguments(&mut self, relation: &Relation, guards: &mut Vec<Literal>) -> Flat<Vec<CallArgument>> {
        let mut arguments = Vec::with_capacity(relation.arguments.len() + 1);
        for argument in &relation.arguments {
            arguments.push(match argument {
                Argument::Int(int) => CallArgument::One(self.int(int, guards)?),
                Argument::Ints(ints) => CallArgument::Array(self.ints(ints, guards)?.into()),
                Argument::Bool(node) => {
                    let lit = self.literal(node)?;
                    CallArgument::One(self.operand(lit)?)
                }
                Argument::Bools(nodes) => CallArgument::Array(self.booleans(nodes)?.into()),
                Argument::Set(set) => CallArgument::One(Operand::Set(Arc::clone(set))),
                Argument::Value(value) => CallArgument::One(Operand::Int(*value)),
                Argument::Values(values) => {
                    CallArgument::Array(values.iter().map(|&value| Operand::Int(value)).collect())
                }
                Argument::Entries(entries) => {
                    let any = Arc::new(Domain::interval(Value::MIN, Value::MAX));
                    let entry = |entry: &Option<Value>| {
                        entry.map_or_else(|| Operand::Set(Arc::clone(&any)), Operand::Int)
                    };
                    CallArgument::Array(entries.iter().map(entry).collect())
                }
            });
        }
        Ok(arguments)
    }

    fn ints(&mut self, ints: &[Int], guards: &mut Vec<Literal>) -> Flat<Vec<Operand>> {
        ints.iter().map(|int| self.int(int, guards)).collect()
    }

    /// Returns an integer expression as an operand.
    pub(crate) fn int(&mut self, int: &Int, guards: &mut Vec<Literal>) -> Flat<Operand> {
        let (terms, constant) = match int {
            Int::Constant(value) => return Ok(Operand::Int(*value)),
            Int::Atom(atom) => return self.atom(atom, guards),
            Int::Sum(terms, constant) => (terms, *constant),
        };
        if terms.is_empty() {
            return Ok(Operand::Int(constant));
        }
        if terms.len() == 1 && constant == 0 {
            let (weight, atom) = terms.read(|terms| terms[0].clone());
            if weight == 1 {
                return self.atom(&atom, guards);
            }
        }
        let [weights, operands, bound] =
            self.sum(terms, constant.checked_neg().ok_or(Refused::Overflow)?, guards)?;
        let (
            CallArgument::Array(weights),
            CallArgument::Array(operands),
            CallArgument::One(Operand::Int(bound)),
        ) = (weights, operands, bound)
        else {
            unreachable!("`sum` returns two arrays and a number");
        };
        let constant = negated(bound)?;
        let mut total = Some((constant, constant));
        for (weight, operand) in weights.iter().zip(&*operands) {
            let scaled = scale(self.bounds(operand), weight.constant().unwrap_or(0))?;
            total = add(total, scaled)?;
        }
        let result = self.integer(total)?;
        let weights = weights.iter().cloned().chain([Operand::Int(-1)]).collect();
        let operands = operands.iter().cloned().chain([Operand::Var(result)]).collect();
        let arguments = [
            CallArgument::Array(weights),
            CallArgument::Array(operands),
            CallArgument::One(Operand::Int(bound)),
        ];
        self.compare(arguments, Comparison::Equal, None, None)?;
        Ok(Operand::Var(result))
    }

    fn atom(&mut self, atom: &Atom, guards: &mut Vec<Literal>) -> Flat<Operand> {
        match atom {
            Atom::Var(var) => Ok(Operand::Var(self.id(var)?)),
            Atom::Function(function) => self.function(function, guards),
            Atom::Bool(node) => {
                let lit = self.literal(node)?;
                self.operand(lit)
            }
        }
    }

    /// Returns the value of a function as an operand. If the function is undefined for some values, adds guards.
    fn function(&mut self, function: &Arc<Function>, guards: &mut Vec<Literal>) -> Flat<Operand> {
        let key = Arc::as_ptr(function).addr();
        if let Some(Known::Function(_, operand, own)) = self.known.get(&key) {
            guards.extend(own);
            return Ok(operand.clone());
        }
        let mut own = Vec::new();
        let operand = self.define(&function.node, &mut own)?;
        guards.extend(&own);
        self.known.insert(key, Known::Function(Arc::clone(function), operand.clone(), own));
        Ok(operand)
    }

    /// Returns the value of a function as a new variable, or as an operand that has it.
    #[expect(clippy::too_many_lines, reason = "a table of functions")]
    fn define(&mut self, node: &FunctionNode, guards: &mut Vec<Literal>) -> Flat<Operand> {
        let one = CallArgument::One;
        Ok(match node {
            FunctionNode::Absolute(x) => {
                let x = self.int(x, guards)?;
                let bounds = match self.bounds(&x) {
                    None => None,
                    Some((low, high)) => {
                        let most = negated(low)?.max(high);
                        Some((if low > 0 { low } else { negated(high)?.max(0) }, most))
                    }
                };
                let result = self.integer(bounds)?;
                self.call("int_abs", vec![one(x), one(Operand::Var(result))], None);
                Operand::Var(result)
            }
            FunctionNode::Times(x, y) => {
                let (x, y) = (self.int(x, guards)?, self.int(y, guards)?);
                self.product(x, y)?
            }
            FunctionNode::Divide(x, y) => {
                let (x, y) = (self.int(x, guards)?, self.divisor(y, guards)?);
                let bounds = symmetric(self.bounds(&x))?;
                self.defined("int_div", x, y, bounds)?
            }
            FunctionNode::Remainder(x, y) => {
                let (x, y) = (self.int(x, guards)?, self.divisor(y, guards)?);
                let (dividend, divisor) = (symmetric(self.bounds(&x))?, symmetric(self.bounds(&y))?);
                // A remainder is smaller than the divisor, and not greater than the dividend.
                let bounds = match (dividend, divisor) {
                    (Some((_, x)), Some((_, y))) => Some(x.min(y - 1)),
                    (Some((_, x)), None) => Some(x),
                    (None, Some((_, y))) => Some(y - 1),
                    (None, None) => None,
                };
                self.defined("int_mod", x, y, bounds.map(|most| (-most, most)))?
            }
            FunctionNode::FloorDivide(x, y) => self.floor(x, y, guards)?[0].clone(),
            FunctionNode::FloorRemainder(x, y) => self.floor(x, y, guards)?[1].clone(),
            FunctionNode::Power(x, y) => {
                let (x, y) = (self.int(x, guards)?, self.int(y, guards)?);
                let exponent = self.bounds(&y).filter(|bounds| bounds.0 >= 0).ok_or_else(|| {
                    Refused::Unsupported(
                        "the exponent of `**` needs bounds and must not be negative".to_owned(),
                    )
                })?;
                let bounds = match self.bounds(&x) {
                    None => None,
                    Some((low, high)) => {
                        let most = negated(low)?.max(high).max(1);
                        let exponent = u32::try_from(exponent.1).map_err(|_| Refused::Overflow);
                        let most = if most == 1 {
                            1
                        } else {
                            most.checked_pow(exponent?).ok_or(Refused::Overflow)?
                        };
                        Some((if low >= 0 { 0 } else { negated(most)? }, most))
                    }
                };
                self.defined("int_pow", x, y, bounds)?
            }
            FunctionNode::Maximum(list) | FunctionNode::Minimum(list) => {
                let is_maximum = matches!(node, FunctionNode::Maximum(_));
                let list = self.ints(list, guards)?;
                let all: Option<Vec<_>> = list.iter().map(|x| self.bounds(x)).collect();
                let choose = |values: &mut dyn Iterator<Item = Value>| {
                    if is_maximum { values.max() } else { values.min() }
                };
                let bounds = all.and_then(|all| {
                    let low = choose(&mut all.iter().map(|bounds| bounds.0))?;
                    Some((low, choose(&mut all.iter().map(|bounds| bounds.1))?))
                });
                let result = self.integer(bounds)?;
                let name = if is_maximum { "array_int_maximum" } else { "array_int_minimum" };
                self.call(name, vec![one(Operand::Var(result)), CallArgument::Array(list.into())], None);
                Operand::Var(result)
            }
            FunctionNode::Element(list, index) => {
                let (list, index) = (self.ints(list, guards)?, self.int(index, guards)?);
                let index = self.index(index, list.len() as Value - 1, guards)?;
                let all: Option<Vec<_>> = list.iter().map(|x| self.bounds(x)).collect();
                let bounds = all.and_then(|all| {
                    let low = all.iter().map(|bounds| bounds.0).min()?;
                    Some((low, all.iter().map(|bounds| bounds.1).max()?))
                });
                let result = self.integer(bounds)?;
                let arguments = vec![
                    one(index),
                    one(Operand::Int(0)),
                    CallArgument::Array(list.into()),
                    one(Operand::Var(result)),
                ];
                self.call("gordian_element_int", arguments, None);
                Operand::Var(result)
            }
            FunctionNode::Count(list, value) => {
                let (list, value) = (self.ints(list, guards)?, self.int(value, guards)?);
                let result = self.integer(Some((0, list.len() as Value)))?;
                let arguments = vec![CallArgument::Array(list.into()), one(value), one(Operand::Var(result))];
                self.call("fzn_count_eq", arguments, None);
                Operand::Var(result)
            }
            FunctionNode::Among(list, set) => {
                let list = self.ints(list, guards)?;
                let result = self.integer(Some((0, list.len() as Value)))?;
                let set = Operand::Set(Arc::clone(set));
                let arguments = vec![one(Operand::Var(result)), CallArgument::Array(list.into()), one(set)];
                self.call("fzn_among", arguments, None);
                Operand::Var(result)
            }
        })
    }

    fn product(&mut self, x: Operand, y: Operand) -> Flat<Operand> {
        let bounds = match (self.bounds(&x), self.bounds(&y)) {
            (Some(x), Some(y)) => {
                let corners =
                    [x.0.checked_mul(y.0), x.0.checked_mul(y.1), x.1.checked_mul(y.0), x.1.checked_mul(y.1)];
                let corners: Option<Vec<_>> = corners.into_iter().collect();
                let corners = corners.ok_or(Refused::Overflow)?;
                corners.iter().copied().min().zip(corners.iter().copied().max())
            }
            _ => None,
        };
        self.defined("int_times", x, y, bounds)
    }

    /// Adds a function of two operands, and returns its value.
    fn defined(&mut self, name: &str, x: Operand, y: Operand, bounds: Bounds) -> Flat<Operand> {
        let result = Operand::Var(self.integer(bounds)?);
        self.call(name, [x, y, result.clone()].map(CallArgument::One).into(), None);
        Ok(result)
    }

    /// Returns the quotient, rounded down, and its remainder, which has the sign of the divisor.
    fn floor(&mut self, x: &Int, y: &Int, guards: &mut Vec<Literal>) -> Flat<[Operand; 2]> {
        let (x, y) = (self.int(x, guards)?, self.divisor(y, guards)?);
        let (dividend, divisor) = (self.bounds(&x), self.bounds(&y));
        let most = symmetric(dividend)?;
        if dividend.is_some_and(|bounds| bounds.0 >= 0) && divisor.is_some_and(|bounds| bounds.0 > 0) {
            // Rounding down is rounding towards zero.
            let quotient = self.defined("int_div", x.clone(), y.clone(), most.map(|(_, most)| (0, most)))?;
            let last = divisor.map_or(0, |bounds| bounds.1 - 1).min(most.map_or(0, |most| most.1));
            let remainder = self.defined("int_mod", x, y, Some((0, last)))?;
            return Ok([quotient, remainder]);
        }
        // `x = y * quotient + remainder`, and the remainder is between 0 and the divisor.
        let quotient = Operand::Var(self.integer(most)?);
        let product = match (self.bounds(&quotient), divisor) {
            (Some(_), Some(_)) => self.product(quotient.clone(), y.clone())?,
            _ => self.defined("int_times", quotient.clone(), y.clone(), None)?,
        };
        let last = divisor.map(|(low, high)| ((low + 1).min(0), (high - 1).max(0)));
        let remainder = Operand::Var(self.integer(last)?);
        let linear = |terms: &[(Value, &Operand)], bound| {
            let weights = terms.iter().map(|term| Operand::Int(term.0)).collect();
            let operands = terms.iter().map(|term| term.1.clone()).collect();
            [
                CallArgument::Array(weights),
                CallArgument::Array(operands),
                CallArgument::One(Operand::Int(bound)),
            ]
        };
        let division = linear(&[(1, &x), (-1, &product), (-1, &remainder)], 0);
        self.compare(division, Comparison::Equal, None, None)?;
        let positive = self.compared(&y, Comparison::AtLeast, 1)?;
        for (sign, lit) in [(1, positive), (-1, !positive)] {
            let condition = self.operand(lit)?;
            let not_negative = linear(&[(-sign, &remainder)], 0);
            self.compare(not_negative, Comparison::AtMost, Some(("_imp", condition.clone())), None)?;
            let smaller = linear(&[(sign, &remainder), (-sign, &y)], -1);
            self.compare(smaller, Comparison::AtMost, Some(("_imp", condition)), None)?;
        }
        Ok([quotient, remainder])
    }

    /// Returns an operand that equals a divisor if it is not 0. If the divisor may be 0, adds the guard that it is not.
    fn divisor(&mut self, y: &Int, guards: &mut Vec<Literal>) -> Flat<Operand> {
        let y = self.int(y, guards)?;
        let bounds = self.bounds(&y);
        if bounds.is_some_and(|(low, high)| low > 0 || high < 0) {
            return Ok(y);
        }
        let domain = match bounds {
            Some((low, high)) => {
                let parts = [(low, -1), (1, high.max(1))];
                VarDomain::Int(Domain::from_intervals(parts.into_iter().filter(|(low, high)| low <= high)))
            }
            None => VarDomain::Unbounded,
        };
        let safe = self.unnamed(domain)?;
        let guard = self.compared(&y, Comparison::NotEqual, 0)?;
        self.choose(guard, safe, &y, 1)?;
        if bounds.is_none() {
            let arguments = [
                CallArgument::Array(Arc::new([Operand::Int(1)])),
                CallArgument::Array(Arc::new([Operand::Var(safe)])),
                CallArgument::One(Operand::Int(0)),
            ];
            self.compare(arguments, Comparison::NotEqual, None, None)?;
        }
        guards.push(guard);
        Ok(Operand::Var(safe))
    }

    /// Returns an operand that equals an index if it is between 0 and `last`. If the index may be outside, adds the guard
    /// that it is not.
    fn index(&mut self, index: Operand, last: Value, guards: &mut Vec<Literal>) -> Flat<Operand> {
        if last < 0 {
            return Err(Refused::Unsupported("an element of an empty list".to_owned()));
        }
        if self.bounds(&index).is_some_and(|(low, high)| low >= 0 && high <= last) {
            return Ok(index);
        }
        let inside = Domain::interval(0, last);
        let safe = self.unnamed(VarDomain::Int(inside.clone()))?;
        let guard = self.boolean()?;
        let set = Operand::Set(Arc::new(inside));
        self.call(
            "set_in_reif",
            [index.clone(), set, Operand::Var(guard)].map(CallArgument::One).into(),
            None,
        );
        let guard = Literal::Var(guard, true);
        self.choose(guard, safe, &index, 0)?;
        guards.push(guard);
        Ok(Operand::Var(safe))
    }

    /// Adds the definition of a variable: it equals an operand if the guard holds, and a number otherwise.
    fn choose(&mut self, guard: Literal, variable: VarId, operand: &Operand, otherwise: Value) -> Flat<()> {
        for (lit, value) in [(guard, operand.clone()), (!guard, Operand::Int(otherwise))] {
            let condition = self.operand(lit)?;
            self.call(
                "int_eq_imp",
                [Operand::Var(variable), value, condition].map(CallArgument::One).into(),
                None,
            );
        }
        Ok(())
    }
}

/// Returns whether the literal of an expression needs no definition.
fn is_literal(node: &Bool) -> bool {
    match &node.node {
        BoolNode::Constant(_) | BoolNode::Var(_) => true,
        BoolNode::Not(inner) => is_literal(inner),
        _ => false,
    }
}

fn negated(value: Value) -> Flat<Value> {
    value.checked_neg().ok_or(Refused::Overflow)
}

fn scale(bounds: Bounds, weight: Value) -> Flat<Bounds> {
    let Some((low, high)) = bounds else { return Ok(None) };
    let times = |value: Value| value.checked_mul(weight).ok_or(Refused::Overflow);
    let (a, b) = (times(low)?, times(high)?);
    Ok(Some((a.min(b), a.max(b))))
}

fn add(a: Bounds, b: Bounds) -> Flat<Bounds> {
    let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
    let plus = |a: Value, b: Value| a.checked_add(b).ok_or(Refused::Overflow);
    Ok(Some((plus(a.0, b.0)?, plus(a.1, b.1)?)))
}

/// Returns the bounds `-most..=most` of the values with at most the given absolute value.
fn symmetric(bounds: Bounds) -> Flat<Bounds> {
    let Some((low, high)) = bounds else { return Ok(None) };
    let most = negated(low)?.max(high).max(negated(high)?);
    Ok(Some((negated(most)?, most)))
}
