//! The domains of variables, and the classes of equal variables.

use gordian_encodings::Value;

use super::set::Set;
use crate::constraint::Ref;
use crate::instance::VarId;

/// The domains of the variables of an instance. Variables that are equal, or equal to each other's negation, form a
/// class. One variable of the class, the *root*, has the domain of the class.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    /// The union-find forest of the classes. The parent of a variable is an operand that always equals the variable;
    /// a root is its own parent.
    parents: Vec<Ref>,
    /// The domains of the roots. Only the entries of roots are used.
    domains: Vec<Set>,
    /// True if presolve has derived a contradiction, such as an empty domain.
    pub(super) infeasible: bool,
    /// The roots whose domains have changed since the last propagation.
    pub(super) changed: Vec<VarId>,
    /// For each merge of two classes, the root that was replaced and the root that remains.
    pub(super) merged: Vec<(VarId, VarId)>,
    /// The number of values or pairs that the propagation of the current constraint has enumerated.
    pub(super) enumerated: usize,
}

impl Store {
    pub(super) fn new(domains: Vec<Set>) -> Self {
        let infeasible = domains.iter().any(Set::is_empty);
        let parents = (0..domains.len() as u32).map(|index| Ref::Var(VarId(index))).collect();
        Self { parents, domains, infeasible, changed: Vec::new(), merged: Vec::new(), enumerated: 0 }
    }

    /// Returns whether the variable is the root of its class.
    pub(crate) fn is_root(&self, x: VarId) -> bool {
        self.parents[x.0 as usize] == Ref::Var(x)
    }

    /// Returns whether all variables have finite bounds.
    pub(super) fn is_bounded(&self) -> bool {
        self.domains.iter().zip(0..).all(|(domain, index)| domain.is_bounded() || !self.is_root(VarId(index)))
    }

    /// Returns whether presolve has derived a contradiction, such as an empty domain.
    pub(crate) fn is_infeasible(&self) -> bool {
        self.infeasible
    }

    /// Replaces each infinite bound of a root by a finite bound. If `first` and `last` are the old bounds, the new
    /// lower bound is `min(0, last) - reach`, and the new upper bound is `max(0, first) + reach`.
    pub(crate) fn cut(&mut self, root: VarId, reach: Value) {
        let set = &mut self.domains[root.0 as usize];
        let (first, last) = (set.first(), set.last());
        if first == Value::MIN {
            set.raise(last.min(0).saturating_sub(reach));
        }
        if last == Value::MAX {
            set.lower(first.max(0).saturating_add(reach));
        }
    }

    /// Returns the number of variables.
    pub(crate) fn variables(&self) -> usize {
        self.domains.len()
    }

    /// Returns the operand that equals the variable: the root of its class, or the negation of this root.
    fn root(&self, x: VarId) -> Ref {
        let (mut x, mut negated) = (x, false);
        loop {
            match self.parents[x.0 as usize] {
                Ref::Var(parent) if parent == x => break,
                Ref::Not(parent) => {
                    negated = !negated;
                    x = parent;
                }
                Ref::Var(parent) => x = parent,
                Ref::Const(_) => break,
            }
        }
        if negated { Ref::Not(x) } else { Ref::Var(x) }
    }

    /// Returns the value of an operand if it is known. Otherwise, returns the root or negated root that equals the
    /// operand.
    pub(crate) fn resolve(&self, operand: Ref) -> Ref {
        let root = match operand {
            Ref::Const(_) => return operand,
            Ref::Var(x) => self.root(x),
            Ref::Not(x) => !self.root(x),
        };
        match (root, root.variable().and_then(|x| self.domains[x.0 as usize].only())) {
            (Ref::Var(_), Some(value)) => Ref::Const(value),
            (Ref::Not(_), Some(value)) => Ref::Const(1 - value),
            _ => root,
        }
    }

    /// Returns the domain of a root.
    pub(crate) fn domain(&self, root: VarId) -> &Set {
        &self.domains[root.0 as usize]
    }

    /// Returns the minimum and the maximum of an operand.
    pub(crate) fn range(&self, operand: Ref) -> (Value, Value) {
        match self.resolve(operand) {
            Ref::Const(value) => (value, value),
            Ref::Var(x) => (self.domain(x).first(), self.domain(x).last()),
            Ref::Not(_) => (0, 1),
        }
    }

    /// Returns the value of an operand if its domain contains only one value.
    pub(crate) fn value(&self, operand: Ref) -> Option<Value> {
        match self.resolve(operand) {
            Ref::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the values of an operand.
    pub(crate) fn set(&self, operand: Ref) -> Set {
        match self.resolve(operand) {
            Ref::Const(value) => Set::interval(value, value),
            Ref::Var(x) => self.domain(x).clone(),
            Ref::Not(_) => Set::interval(0, 1),
        }
    }

    /// Returns whether the domain of the operand contains the value.
    pub(crate) fn allows(&self, operand: Ref, value: Value) -> bool {
        match self.resolve(operand) {
            Ref::Const(only) => only == value,
            Ref::Var(x) => self.domain(x).contains(value),
            Ref::Not(_) => (0..=1).contains(&value),
        }
    }

    /// Returns whether the domain of an operand contains no values other than 0 and 1.
    pub(crate) fn is_boolean(&self, operand: Ref) -> bool {
        let (first, last) = self.range(operand);
        0 <= first && last <= 1
    }

    /// Changes the domain of an operand. The function `change` modifies the domain and returns `true` if it removed
    /// values.
    fn change(&mut self, operand: Ref, change: impl FnOnce(&mut Set) -> bool) {
        let operand = self.resolve(operand);
        match operand {
            Ref::Const(value) => {
                let mut set = Set::interval(value, value);
                change(&mut set);
                self.infeasible |= set.is_empty();
            }
            Ref::Var(x) => {
                let set = &mut self.domains[x.0 as usize];
                if change(set) {
                    self.infeasible |= set.is_empty();
                    self.changed.push(x);
                }
            }
            Ref::Not(x) => {
                let mut set = Set::interval(0, 1);
                if change(&mut set) {
                    let own = match set.only() {
                        Some(value) => Set::interval(1 - value, 1 - value),
                        None => Set::interval(1, 0),
                    };
                    self.infeasible |= own.is_empty();
                    self.domains[x.0 as usize] = own;
                    self.changed.push(x);
                }
            }
        }
    }

    /// Removes the values below `first` from the domain of an operand. An infinite bound ([`Value::MIN`] or
    /// [`Value::MAX`]) has no effect.
    pub(super) fn raise(&mut self, operand: Ref, first: Value) {
        if first != Value::MAX {
            self.change(operand, |set| set.raise(first));
        }
    }

    /// Removes the values above `last` from the domain of an operand. An infinite bound ([`Value::MIN`] or
    /// [`Value::MAX`]) has no effect.
    pub(super) fn lower(&mut self, operand: Ref, last: Value) {
        if last != Value::MIN {
            self.change(operand, |set| set.lower(last));
        }
    }

    pub(super) fn within(&mut self, operand: Ref, (first, last): (Value, Value)) {
        self.raise(operand, first);
        self.lower(operand, last);
    }

    pub(super) fn remove(&mut self, operand: Ref, value: Value) {
        self.change(operand, |set| set.remove(value));
    }

    pub(super) fn assign(&mut self, operand: Ref, value: Value) {
        self.change(operand, |set| set.intersect(&[(value, value)]));
    }

    pub(super) fn intersect(&mut self, operand: Ref, values: &Set) {
        self.change(operand, |set| set.intersect(values.intervals()));
    }

    /// Makes two operands equal.
    pub(super) fn merge(&mut self, left: Ref, right: Ref) {
        let (left, right) = (self.resolve(left), self.resolve(right));
        let (Some(x), Some(y)) = (left.variable(), right.variable()) else {
            match (left, right) {
                (Ref::Const(value), other) | (other, Ref::Const(value)) => self.assign(other, value),
                _ => {}
            }
            return;
        };
        let negated = matches!(left, Ref::Not(_)) != matches!(right, Ref::Not(_));
        if negated {
            self.within(left, (0, 1));
            self.within(right, (0, 1));
        }
        if x == y {
            self.infeasible |= negated;
            return;
        }
        let domain = self.domains[y.0 as usize].clone();
        if !negated {
            self.intersect(Ref::Var(x), &domain);
        } else if let Some(value) = domain.only() {
            self.assign(Ref::Var(x), 1 - value);
        }
        self.parents[y.0 as usize] = if negated { Ref::Not(x) } else { Ref::Var(x) };
        self.merged.push((y, x));
    }
}
