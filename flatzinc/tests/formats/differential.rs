//! Tests that Gordian's reader and the crate `flatzinc` recover a random instance unchanged from its text.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

use flatzinc::{
    ArrayOfBoolExpr, ArrayOfIntExpr, ArrayOfSetExpr, BoolExpr, Expr, IntExpr, ParDeclItem, SetExpr,
    SetLiteral, SetLiteralExpr, Stmt, VarDeclItem,
};
use gordian_encodings::{Domain, Value};
use gordian_flatzinc::instance::{
    Annotation, Argument, Call, Goal, Instance, Operand, Output, Place, VarDomain, VarId, Variable,
};
use gordian_flatzinc::{json, text};
use proptest::prelude::*;

/// A sequence of random numbers, which proptest can shrink.
struct Random(std::vec::IntoIter<u32>);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next().unwrap_or(0) as usize % bound
    }

    fn some<T>(&mut self, most: usize, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| item(self)).collect()
    }

    fn value(&mut self) -> Value {
        match self.below(10) {
            // No domain may contain the largest or the smallest integer.
            0 => Value::MAX - 1 - self.below(3) as Value,
            1 => Value::MIN + 1 + self.below(3) as Value,
            _ => self.below(20) as Value - 10,
        }
    }

    fn domain(&mut self) -> Domain {
        match self.below(3) {
            0 => Domain::interval(self.value(), self.value()),
            _ => Domain::from_values(self.some(6, Self::value)),
        }
    }

    /// Returns a random operand. The argument `kind` is 0 for a Boolean, 1 for an integer and 2 for a set.
    fn operand(&mut self, kind: usize, variables: &[Variable]) -> Operand {
        let of_kind = |variable: &Variable| usize::from(variable.domain != VarDomain::Bool) == kind;
        let ids: Vec<_> = (0..variables.len()).filter(|&id| of_kind(&variables[id])).collect();
        if !ids.is_empty() && self.below(2) == 0 {
            return Operand::Var(VarId(ids[self.below(ids.len())] as u32));
        }
        match kind {
            0 => Operand::Bool(self.below(2) == 0),
            1 => Operand::Int(self.value()),
            _ => Operand::Set(Arc::new(self.domain())),
        }
    }

    fn array(&mut self, variables: &[Variable]) -> Arc<[Operand]> {
        let kind = self.below(3);
        self.some(4, |random| random.operand(kind, variables)).into()
    }

    fn annotation(&mut self, variables: &[Variable], arrays: &[Arc<[Operand]>], depth: usize) -> Annotation {
        let name = |random: &mut Self| Arc::from(["defines_var", "domain", "X_ARRAY_1_"][random.below(3)]);
        let kinds = if depth == 0 { 2 } else { 7 };
        match self.below(kinds) {
            0 => Annotation::Name(name(self)),
            1 => {
                let mut arguments = vec![Annotation::Operand(Operand::Int(1))];
                if depth < 3 {
                    arguments.extend(self.some(3, |random| random.annotation(variables, arrays, depth + 1)));
                }
                Annotation::Call(name(self), arguments)
            }
            2 => {
                let kind = self.below(3);
                Annotation::Operand(self.operand(kind, variables))
            }
            3 => Annotation::Float(["0.5", "-1e10", "1.5..2.0"][self.below(3)].into()),
            4 => Annotation::Text(["", "a b", "\"\\\n\u{1}\t\r\u{7f}9", "größe"][self.below(4)].into()),
            5 if !arrays.is_empty() => Annotation::Operands(Arc::clone(&arrays[self.below(arrays.len())])),
            // One element of this array is a name, so the array does not become `Annotation::Operands`.
            _ => Annotation::Array(vec![Annotation::Name(name(self)), Annotation::Operand(Operand::Int(1))]),
        }
    }

    /// Returns a random instance in the normal form that Gordian's reader produces.
    fn instance(mut self) -> Instance {
        let (mut variables, mut arrays, mut output) = (Vec::<Variable>::new(), Vec::new(), Vec::new());
        for index in 0..self.below(6) {
            let domain = match self.below(3) {
                0 => VarDomain::Bool,
                1 => VarDomain::Unbounded,
                _ => VarDomain::Int(self.domain()),
            };
            let kind = usize::from(domain != VarDomain::Bool);
            let value = (self.below(3) == 0).then(|| self.operand(kind, &variables));
            let annotations = self.some(2, |random| random.annotation(&variables, &arrays, 0));
            let name: Arc<str> = ["x", "_", "X_ARRAY_2_"][self.below(3)].into();
            let name: Arc<str> = format!("{name}{index}").into();
            let is_bool = domain == VarDomain::Bool;
            variables.push(Variable { name: Arc::clone(&name), domain, value, annotations, place: Place(0) });
            if self.below(3) == 0 {
                let elements = Arc::new([Operand::Var(VarId(index as u32))]);
                output.push(Output { name, is_bool, dimensions: None, elements });
            }
            arrays.extend(self.some(2, |random| random.array(&variables)));
            if let Some(elements) = arrays.last().filter(|_| self.below(3) == 0) {
                let is_bool = match elements.first() {
                    Some(Operand::Bool(_)) => true,
                    Some(Operand::Var(id)) => variables[id.0 as usize].domain == VarDomain::Bool,
                    _ => false,
                };
                let dimensions = Some(match elements.len() as Value {
                    0 => vec![(1, 0), (5, 6)],
                    4 => vec![(0, 1), (-1, 0)],
                    length => vec![(Value::MAX - length + 1, Value::MAX)],
                });
                let name = format!("a{index}").into();
                output.push(Output { name, is_bool, dimensions, elements: Arc::clone(elements) });
            }
        }
        let constraints = self.some(5, |random| {
            let arguments = random.some(3, |random| match random.below(2) {
                0 if !arrays.is_empty() => Argument::Array(Arc::clone(&arrays[random.below(arrays.len())])),
                _ => {
                    let kind = random.below(3);
                    Argument::One(random.operand(kind, &variables))
                }
            });
            let annotations = random.some(2, |random| random.annotation(&variables, &arrays, 0));
            let name = ["int_lin_le", "set_in", "c"][random.below(3)].into();
            Call { name, arguments, annotations, place: Place(0) }
        });
        let goal = match self.below(3) {
            0 => Goal::Satisfy,
            1 => Goal::Minimise(self.operand(1, &variables)),
            _ => Goal::Maximise(self.operand(1, &variables)),
        };
        let search = self.some(2, |random| random.annotation(&variables, &arrays, 0));
        Instance { variables, constraints, goal, search, output }
    }
}

fn instances() -> impl Strategy<Value = Instance> {
    proptest::collection::vec(any::<u32>(), 0..300).prop_map(|numbers| Random(numbers.into_iter()).instance())
}

fn without_places(mut instance: Instance) -> Instance {
    instance.variables.iter_mut().for_each(|variable| variable.place = Place(0));
    instance.constraints.iter_mut().for_each(|call| call.place = Place(0));
    instance
}

/// Adapts an instance to the crate `flatzinc`, which rejects constraints without arguments, arrays of sets in the
/// output, and calls inside annotations.
fn for_the_other_reader(mut instance: Instance) -> Instance {
    instance.output.retain(|output| !matches!(output.elements.first(), Some(Operand::Set(_))));
    for call in &mut instance.constraints {
        call.arguments.push(Argument::One(Operand::Int(0)));
    }
    let variables = instance.variables.iter_mut().map(|variable| &mut variable.annotations);
    let calls = instance.constraints.iter_mut().map(|call| &mut call.annotations);
    for annotation in variables.chain(calls).flatten().chain(&mut instance.search) {
        if let Annotation::Call(_, arguments) = annotation {
            arguments.truncate(1);
        }
    }
    instance
}

/// The instance that the crate `flatzinc` has read, after resolving names.
#[derive(Default)]
struct Other {
    operands: HashMap<String, Operand>,
    arrays: HashMap<String, Vec<Operand>>,
    domains: Vec<VarDomain>,
    values: Vec<Option<Operand>>,
    names: Vec<String>,
}

impl Other {
    fn name(&self, name: &str) -> Operand {
        self.operands[name].clone()
    }

    fn bool(&self, expression: &BoolExpr) -> Operand {
        match expression {
            BoolExpr::Bool(value) => Operand::Bool(*value),
            BoolExpr::VarParIdentifier(name) => self.name(name),
        }
    }

    fn int(&self, expression: &IntExpr) -> Operand {
        match expression {
            IntExpr::Int(value) => Operand::Int(*value),
            IntExpr::VarParIdentifier(name) => self.name(name),
        }
    }

    fn set(&self, expression: &SetExpr) -> Operand {
        match expression {
            SetExpr::Set(literal) => self.set_literal(literal),
            SetExpr::VarParIdentifier(name) => self.name(name),
        }
    }

    fn set_literal(&self, literal: &SetLiteralExpr) -> Operand {
        let value = |expression| match self.int(expression) {
            Operand::Int(value) => value,
            other => panic!("{other:?}"),
        };
        Operand::Set(Arc::new(match literal {
            SetLiteralExpr::IntInRange(first, last) => Domain::interval(value(first), value(last)),
            SetLiteralExpr::SetInts(values) => Domain::from_values(values.iter().map(value)),
            other => panic!("{other:?}"),
        }))
    }

    fn argument(&self, expression: &Expr) -> Argument {
        let array = |elements: Vec<Operand>| Argument::Array(elements.into());
        match expression {
            Expr::VarParIdentifier(name) => match self.arrays.get(name) {
                Some(elements) => array(elements.clone()),
                None => Argument::One(self.name(name)),
            },
            Expr::Bool(value) => Argument::One(Operand::Bool(*value)),
            Expr::Int(value) => Argument::One(Operand::Int(*value)),
            Expr::Set(literal) => Argument::One(self.set_literal(literal)),
            Expr::ArrayOfBool(elements) => array(elements.iter().map(|element| self.bool(element)).collect()),
            Expr::ArrayOfInt(elements) => array(elements.iter().map(|element| self.int(element)).collect()),
            Expr::ArrayOfSet(elements) => array(elements.iter().map(|element| self.set(element)).collect()),
            other => panic!("{other:?}"),
        }
    }

    fn parameter(&mut self, parameter: ParDeclItem) {
        let (name, elements) = match parameter {
            ParDeclItem::ArrayOfBool { id, v, .. } => (id, v.into_iter().map(Operand::Bool).collect()),
            ParDeclItem::ArrayOfInt { id, v, .. } => (id, v.into_iter().map(Operand::Int).collect()),
            ParDeclItem::ArrayOfSet { id, v, .. } => {
                let set = |literal| match literal {
                    SetLiteral::IntRange(first, last) => Domain::interval(first, last),
                    SetLiteral::SetInts(values) => Domain::from_values(values),
                    other => panic!("{other:?}"),
                };
                (id, v.into_iter().map(|literal| Operand::Set(Arc::new(set(literal)))).collect())
            }
            other => panic!("{other:?}"),
        };
        self.arrays.insert(name, elements);
    }

    fn variable(&mut self, name: String, domain: VarDomain, value: Option<Operand>) {
        self.operands.insert(name.clone(), Operand::Var(VarId(self.domains.len() as u32)));
        self.names.push(name);
        self.domains.push(domain);
        self.values.push(value);
    }

    fn declaration(&mut self, declaration: VarDeclItem) {
        let interval = |first, last| VarDomain::Int(Domain::interval(first, last));
        match declaration {
            VarDeclItem::Bool { id, expr, .. } => {
                let value = expr.map(|expression| self.bool(&expression));
                self.variable(id, VarDomain::Bool, value);
            }
            VarDeclItem::Int { id, expr, .. } => {
                let value = expr.map(|expression| self.int(&expression));
                self.variable(id, VarDomain::Unbounded, value);
            }
            VarDeclItem::IntInRange { id, lb, ub, expr, .. } => {
                let value = expr.map(|expression| self.int(&expression));
                self.variable(id, interval(lb, ub), value);
            }
            VarDeclItem::IntInSet { id, set, expr, .. } => {
                let value = expr.map(|expression| self.int(&expression));
                self.variable(id, VarDomain::Int(Domain::from_values(set)), value);
            }
            VarDeclItem::ArrayOfBool { id, array_expr: Some(ArrayOfBoolExpr::Array(v)), .. } => {
                let elements = v.iter().map(|element| self.bool(element)).collect();
                self.arrays.insert(id, elements);
            }
            VarDeclItem::ArrayOfInt { id, array_expr: Some(ArrayOfIntExpr::Array(v)), .. } => {
                let elements = v.iter().map(|element| self.int(element)).collect();
                self.arrays.insert(id, elements);
            }
            VarDeclItem::ArrayOfSet { id, array_expr: Some(ArrayOfSetExpr::Array(v)), .. } => {
                let elements = v.iter().map(|element| self.set(element)).collect();
                self.arrays.insert(id, elements);
            }
            other => panic!("{other:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn written_and_read_back(instance in instances()) {
        let written = instance.to_string();
        match text::read(&written) {
            Ok(read) => prop_assert_eq!(without_places(read), instance, "{}", written),
            Err(error) => prop_assert!(false, "{error} at {:?} in\n{written}", error.span),
        }
    }

    #[test]
    fn the_other_reader_agrees(instance in instances().prop_map(for_the_other_reader)) {
        // The crate `flatzinc` does not accept a blank after the arguments of an annotation.
        let written = instance.to_string().replace(") ::", "):: ");
        let mut other = Other::default();
        let (mut constraints, mut goal) = (Vec::new(), None);
        for line in written.lines() {
            let statement = Stmt::from_str(line);
            prop_assert!(statement.is_ok(), "{statement:?} in {line}");
            match statement.expect("a statement") {
                Stmt::Parameter(parameter) => other.parameter(parameter),
                Stmt::Variable(declaration) => other.declaration(declaration),
                Stmt::Constraint(call) => {
                    let arguments: Vec<_> = call.exprs.iter().map(|expression| other.argument(expression)).collect();
                    constraints.push((call.id, arguments, call.annos.len()));
                }
                Stmt::SolveItem(item) => goal = Some((other_goal(&other, &item.goal), item.annotations.len())),
                statement => prop_assert!(false, "{statement:?}"),
            }
        }
        let names: Vec<_> = instance.variables.iter().map(|variable| variable.name.to_string()).collect();
        prop_assert_eq!(other.names, names);
        let domains: Vec<_> = instance.variables.iter().map(|variable| variable.domain.clone()).collect();
        prop_assert_eq!(other.domains, domains);
        let values: Vec<_> = instance.variables.iter().map(|variable| variable.value.clone()).collect();
        prop_assert_eq!(other.values, values);
        let calls = instance.constraints.iter();
        let calls: Vec<_> =
            calls.map(|call| (call.name.to_string(), call.arguments.clone(), call.annotations.len())).collect();
        prop_assert_eq!(constraints, calls);
        prop_assert_eq!(goal, Some((instance.goal.clone(), instance.search.len())));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(var|int|bool|constraint|solve|array|of|satisfy|[x:;=\\[\\]{}(),\"\\\\ \n%-]|::|1|0x|\\.\\.|1\\.5|\\PC){0,60}") {
        let _ = text::read(&text);
        let _ = json::read(&text);
    }
}

fn other_goal(other: &Other, goal: &flatzinc::Goal) -> Goal {
    use flatzinc::{Goal as Theirs, OptimizationType};
    let (direction, objective) = match goal {
        Theirs::Satisfy => return Goal::Satisfy,
        Theirs::OptimizeInt(direction, IntExpr::Int(value)) => (direction, Operand::Int(*value)),
        // The crate `flatzinc` treats every objective that is a name as a Boolean objective.
        Theirs::OptimizeBool(direction, BoolExpr::VarParIdentifier(name))
        | Theirs::OptimizeInt(direction, IntExpr::VarParIdentifier(name)) => (direction, other.name(name)),
        goal => panic!("{goal:?}"),
    };
    match direction {
        OptimizationType::Minimize => Goal::Minimise(objective),
        OptimizationType::Maximize => Goal::Maximise(objective),
    }
}
