//! How the rules of a sheet use the data of a board: which entries are clues, and what else depends on them.

use std::collections::HashSet;

use super::address::AddressScheme;
use super::builtin::BUILTINS;
use super::eval::{Env, Eval, EvalError};
use super::scheme::DataSort;
use super::sort::Sort;
use super::syntax::{Operator, Quantifier};
use super::tree::{Node, NodeKind, NodePart};
use super::value::Value;
use super::{Assignment, Rule, Sheet, SheetBoard};
use crate::relation::Relation;

impl Sheet {
    /// Returns whether each entry of the data except [holes](Self::holes) is a clue: the rules use it only at its own key,
    /// which is the value of a binder such as `for c in clue`. On a board without the entry, the instances of the rules for
    /// this key are missing, and all others are the same.
    #[must_use]
    pub fn is_clue(&self, data: usize) -> bool {
        let Some(holes) = self.holes(data) else { return false };
        let uses =
            |rule: usize| self.uses_in_rule(rule, Walk { holes: Some(&holes), ..Walk::new(self, data) });
        let used: Vec<Uses> = (0..self.rules.len()).map(uses).filter(|uses| uses.data).collect();
        matches!(self.data[data].sort, DataSort::Map { .. })
            && !used.is_empty()
            && used.iter().all(|uses| !uses.elsewhere)
    }

    /// Returns whether each number of the data is only the size of the component whose root is its own key, as in
    /// `components(..., c in clue: clue(c))`, and another value can stand for any size. On a board with this value instead,
    /// the rules are the same except for this size.
    #[must_use]
    pub fn is_size(&self, data: usize) -> bool {
        let is_used = |rule: &Rule| {
            let mut walk = Walk::new(self, data);
            match components_of(rule, data) {
                Some(parts) => walk.part(&parts[0], &[]),
                None => walk.part(&rule.part, &[]),
            }
            walk.uses.data
        };
        self.rules.iter().any(|rule| components_of(rule, data).is_some())
            && !self.rules.iter().any(is_used)
            && !self.shapes_variables(data)
            && self.has_symbol(data, |_| true)
    }

    /// Returns whether the sheet lists a symbol that meets a condition among the values of the data.
    #[must_use]
    pub fn has_symbol(&self, data: usize, meets: impl Fn(&str) -> bool) -> bool {
        let is_symbol =
            |kind: &NodeKind| matches!(kind, NodeKind::Constant(Value::Symbol(symbol)) if meets(symbol));
        self.data[data].values.as_ref().is_some_and(|values| values.contains(&is_symbol))
    }

    /// Returns whether the places or the possible values of variables depend on the data.
    #[must_use]
    pub fn shapes_variables(&self, data: usize) -> bool {
        self.bounds_variables(data) || self.any_uses(self.vars.iter().map(|var| &var.on), data)
    }

    /// Returns whether the possible values of variables depend on the data.
    #[must_use]
    pub fn bounds_variables(&self, data: usize) -> bool {
        self.any_uses(self.vars.iter().filter_map(|var| var.domain.as_ref()), data)
    }

    /// Returns whether the places of variables that belong to the solution depend on the data.
    #[must_use]
    pub fn shapes_solution(&self, data: usize) -> bool {
        self.any_uses(self.shown.iter().map(|shown| &self.vars[shown.var].on), data)
    }

    /// Returns the symbols on which the variables depend, such as `'#'` for a cell that does not belong to the board, if the
    /// variables depend on the data only by comparisons with these symbols. Other entries do not change the variables.
    #[must_use]
    pub fn holes(&self, data: usize) -> Option<Vec<Value>> {
        let mut walk = Walk { holes: None, ..Walk::new(self, data) };
        let domains = self.vars.iter().filter_map(|var| var.domain.as_ref());
        domains.chain(self.vars.iter().map(|var| &var.on)).for_each(|node| walk.node(node, &[]));
        (!walk.uses.data).then_some(walk.found)
    }

    fn any_uses<'a>(&self, nodes: impl Iterator<Item = &'a Node>, data: usize) -> bool {
        let mut walk = Walk::new(self, data);
        nodes.for_each(|node| walk.node(node, &[]));
        walk.uses.data
    }

    /// Returns whether a rule uses the data.
    #[must_use]
    pub fn uses(&self, rule: usize, data: usize) -> bool {
        self.uses_in_rule(rule, Walk::new(self, data)).data
    }

    /// Returns the clues on which the instances of a rule depend: for each name of data whose entries are
    /// [clues](Self::is_clue), the data and the binder whose value is the key, an index of
    /// [`Instance::at`](super::Instance::at).
    #[must_use]
    pub fn clues_of(&self, rule: usize) -> Vec<(usize, usize)> {
        let clues = (0..self.data.len()).filter(|&data| self.is_clue(data));
        clues.filter_map(|data| Some((data, own_binder(&self.rules[rule].part, data)?))).collect()
    }

    /// Returns the areas if a clue belongs to an area rather than to a cell: the rules use its cell only to find the
    /// area, so the clue means the same in every cell of the area.
    #[must_use]
    pub fn areas_of_clue(&self, data: usize) -> Option<usize> {
        let rules = (0..self.rules.len()).map(|rule| self.uses_in_rule(rule, Walk::new(self, data)));
        let rules: Vec<Uses> = rules.filter(|uses| uses.data).collect();
        let areas = *rules.first()?.areas.first()?;
        let is_area = |uses: &Uses| !uses.key && uses.areas.iter().all(|&other| other == areas);
        rules.iter().all(is_area).then_some(areas)
    }

    /// Returns the areas if the addresses of the puzzle type have one number for each of them, which is a value of the data.
    #[must_use]
    pub fn numbered_areas(&self, data: usize) -> Option<usize> {
        let mut parts = self.addresses.iter().flat_map(|address| &address.parts);
        let part = parts.find(|part| part.scheme == AddressScheme::RoomNumber16 && part.data[0] == data)?;
        part.data.get(1).copied()
    }

    /// Returns whether the rules use the data only at the places of a clue, as further values of this clue.
    #[must_use]
    pub fn is_beside(&self, data: usize, clue: usize) -> bool {
        let uses = |rule: &Rule| {
            let own = own_binder(&rule.part, clue);
            let own_slots: Vec<usize> = own.into_iter().collect();
            let mut walk = Walk::new(self, data);
            for (number, binder) in rule.part.binders.iter().enumerate() {
                let set = (own != Some(number)).then_some(&binder.set);
                binder.conditions.iter().chain(set).for_each(|node| walk.node(node, &own_slots));
            }
            walk.node(&rule.part.body, &own_slots);
            walk.uses
        };
        let used: Vec<Uses> = self.rules.iter().map(uses).filter(|uses| uses.data).collect();
        data != clue
            && !used.is_empty()
            && used.iter().all(|uses| !uses.elsewhere)
            && !self.shapes_variables(data)
    }

    /// Returns whether the values of the data can be numbers, as far as the sheet says it.
    #[must_use]
    pub fn is_numeric(&self, data: usize) -> bool {
        self.data[data].values.as_ref().is_none_or(|values| values.sort != Sort::Symbol.set())
    }

    /// Returns whether the sheet states the values that the data can have.
    #[must_use]
    pub fn limits_values(&self, data: usize) -> bool {
        self.data[data].values.is_some()
    }

    /// Returns whether each cell has a value, as in the addresses of the puzzle type.
    #[must_use]
    pub fn fills_all_cells(&self, data: usize) -> bool {
        let parts = self.addresses.iter().flat_map(|address| &address.parts);
        parts.into_iter().any(|part| part.scheme == AddressScheme::Number36 && part.data.contains(&data))
    }

    /// Returns the symbols that occur once on each board, as in the addresses of the puzzle type: a start and a goal.
    #[must_use]
    pub fn singles(&self, data: usize) -> Vec<Value> {
        let parts = self.addresses.iter().flat_map(|address| &address.parts);
        let mut parts = parts.filter(|part| part.data.contains(&data));
        let symbols: &[&str] = match parts.next().map(|part| part.scheme) {
            Some(AddressScheme::NuriMaze | AddressScheme::StartGoal) => &["S", "G"],
            Some(AddressScheme::Slalom) => &["o"],
            _ => &[],
        };
        let is_value = |symbol: &&&str| self.has_symbol(data, |other| other == **symbol);
        symbols.iter().filter(is_value).map(|symbol| Value::symbol(symbol)).collect()
    }

    /// Returns whether a rule uses the built-in set with a name.
    #[must_use]
    pub fn uses_builtin(&self, name: &str) -> bool {
        let mut walk = Walk::new(self, usize::MAX);
        self.rules.iter().for_each(|rule| walk.part(&rule.part, &[]));
        walk.builtins.iter().any(|&row| BUILTINS[row].name == name)
    }

    fn uses_in_rule(&self, rule: usize, mut walk: Walk) -> Uses {
        let part = &self.rules[rule].part;
        let own = own_binder(part, walk.data);
        let own_slots: Vec<usize> = own.into_iter().collect();
        walk.uses.data = own.is_some();
        for (number, binder) in part.binders.iter().enumerate() {
            if own != Some(number) {
                walk.node(&binder.set, &own_slots);
            }
            binder.conditions.iter().for_each(|condition| walk.node(condition, &own_slots));
        }
        walk.node(&part.body, &own_slots);
        walk.uses
    }
}

/// Returns the first binder that runs through the keys of the data.
fn own_binder(part: &NodePart, data: usize) -> Option<usize> {
    part.binders.iter().position(|binder| matches!(binder.set.kind, NodeKind::Data(of) if of == data))
}

/// Returns the parts of a rule that consists of components, whose roots are the keys of the data and whose sizes are its
/// values.
fn components_of(rule: &Rule, data: usize) -> Option<&[NodePart]> {
    let ([], NodeKind::Quantifier(Quantifier::Components, parts)) =
        (&rule.part.binders[..], &rule.part.body.kind)
    else {
        return None;
    };
    let [root] = &parts[1].binders[..] else { return None };
    let is_value = matches!(&parts[1].body.kind, NodeKind::Lookup(of, key)
        if *of == data && matches!(key.kind, NodeKind::Local(0)));
    let is_key = matches!(root.set.kind, NodeKind::Data(of) if of == data) && root.conditions.is_empty();
    (is_key && is_value).then_some(parts)
}

/// Returns the symbol with which data is compared, and the key.
fn compared_symbol(nodes: &[Node], data: usize) -> Option<(&Value, &Node)> {
    let [one, other] = nodes else { return None };
    let (lookup, constant) =
        if matches!(one.kind, NodeKind::Lookup(..)) { (one, other) } else { (other, one) };
    match (&lookup.kind, &constant.kind) {
        (NodeKind::Lookup(of, key), NodeKind::Constant(symbol @ Value::Symbol(_))) if *of == data => {
            Some((symbol, key))
        }
        _ => None,
    }
}

/// How an expression uses data and one of its keys.
#[derive(Default)]
struct Uses {
    /// The expression uses the data.
    data: bool,
    /// It uses the data in another way than to look up the value of the key.
    elsewhere: bool,
    /// It uses the key in another way than to look up the value or the area.
    key: bool,
    /// The names of areas in which it looks up the key.
    areas: Vec<usize>,
}

struct Walk<'a> {
    sheet: &'a Sheet,
    data: usize,
    uses: Uses,
    /// The instances of definitions that were visited, with the parameters that stand for the key.
    visited: HashSet<(usize, Vec<usize>)>,
    /// The rows of [`BUILTINS`] that were used.
    builtins: HashSet<usize>,
    /// The symbols whose comparisons with the data do not count as uses, or `None` for all symbols.
    holes: Option<&'a [Value]>,
    /// The symbols that were compared with the data without counting as uses.
    found: Vec<Value>,
}

impl<'a> Walk<'a> {
    fn new(sheet: &'a Sheet, data: usize) -> Self {
        let (visited, builtins) = (HashSet::new(), HashSet::new());
        Self { sheet, data, uses: Uses::default(), visited, builtins, holes: Some(&[]), found: Vec::new() }
    }

    /// Visits an expression. `own` lists the local variables whose value is the key.
    fn node(&mut self, node: &Node, own: &[usize]) {
        let is_own = |node: &Node| matches!(node.kind, NodeKind::Local(slot) if own.contains(&slot));
        match &node.kind {
            NodeKind::Constant(_) => {}
            NodeKind::Local(_) => self.uses.key |= is_own(node),
            NodeKind::Data(data) => {
                self.uses.data |= *data == self.data;
                self.uses.elsewhere |= *data == self.data;
            }
            NodeKind::Lookup(data, key) => {
                self.uses.data |= *data == self.data;
                self.uses.elsewhere |= *data == self.data && !is_own(key);
                if is_own(key) && self.sheet.data[*data].sort == DataSort::Areas {
                    self.uses.areas.push(*data);
                } else if *data != self.data || !is_own(key) {
                    self.node(key, own);
                }
            }
            NodeKind::Var(_, place) => self.node(place, own),
            NodeKind::Builtin(row, nodes) => {
                self.builtins.insert(*row);
                self.nodes(nodes, own);
            }
            NodeKind::Operator(Operator::Equal | Operator::NotEqual, nodes)
                if let Some((symbol, key)) = compared_symbol(nodes, self.data)
                    && self.holes.is_none_or(|holes| holes.contains(symbol)) =>
            {
                if !self.found.contains(symbol) {
                    self.found.push(symbol.clone());
                }
                self.node(key, own);
            }
            NodeKind::Set(nodes) | NodeKind::Operator(_, nodes) => self.nodes(nodes, own),
            NodeKind::Let(definition, arguments) => {
                arguments.iter().filter(|node| !is_own(node)).for_each(|node| self.node(node, own));
                let inner: Vec<usize> = (0..arguments.len()).filter(|&at| is_own(&arguments[at])).collect();
                if self.visited.insert((*definition, inner.clone())) {
                    self.node(&self.sheet.definitions[*definition].body, &inner);
                }
            }
            NodeKind::Quantifier(_, parts) => parts.iter().for_each(|part| self.part(part, own)),
        }
    }

    fn nodes(&mut self, nodes: &[Node], own: &[usize]) {
        for node in nodes {
            self.node(node, own);
        }
    }

    fn part(&mut self, part: &NodePart, own: &[usize]) {
        for binder in &part.binders {
            binder.conditions.iter().chain([&binder.set]).for_each(|node| self.node(node, own));
        }
        self.node(&part.body, own);
    }
}

impl SheetBoard {
    /// Returns the number of instances of some rules, chosen by their indices in [`Sheet::rules`].
    ///
    /// # Errors
    /// Returns an error if a set can't be computed.
    pub fn instances_of(&self, chosen: impl Fn(usize) -> bool) -> Result<usize, EvalError> {
        let eval = Eval::new(self, None);
        let mut count = 0;
        for (_, rule) in self.sheet().rules.iter().enumerate().filter(|&(rule, _)| chosen(rule)) {
            eval.each(&rule.part, &mut Env::default(), &mut |_| {
                count += 1;
                Ok(true)
            })?;
        }
        Ok(count)
    }

    /// Returns the components whose roots are the keys of the data, which is [their size](Sheet::is_size), for an
    /// assignment: the places of each.
    ///
    /// # Errors
    /// Returns an error if an expression can't be computed.
    pub fn components(&self, data: usize, assignment: &Assignment) -> Result<Vec<Vec<Value>>, EvalError> {
        let eval = Eval::new(self, Some(assignment));
        let mut components = Vec::new();
        for parts in self.sheet().rules.iter().filter_map(|rule| components_of(rule, data)) {
            if let Some((Relation::Components(relation), places)) =
                eval.relation(Quantifier::Components, parts, &mut Env::default())?
            {
                let of_places = |area: Vec<usize>| area.into_iter().map(|at| places[at].clone()).collect();
                components.extend(relation.areas().into_iter().map(of_places));
            }
        }
        Ok(components)
    }

    /// Returns the values to which rules compare the data of a key for an assignment, such as the number of lines around
    /// a cell. The board must have some entry for this key. The result may lack values that the rules accept.
    ///
    /// # Errors
    /// Returns an error if an expression can't be computed.
    pub fn compared(
        &self,
        data: usize,
        key: &Value,
        assignment: &Assignment,
    ) -> Result<Vec<Value>, EvalError> {
        let eval = Eval::new(self, Some(assignment));
        let mut values = Vec::new();
        for rule in &self.sheet().rules {
            let Some(own) = own_binder(&rule.part, data) else { continue };
            eval.each(&rule.part, &mut Env::default(), &mut |env| {
                if env.values[own] == *key {
                    compared(&eval, &rule.part.body, (data, own), env, &mut values)?;
                }
                Ok(true)
            })?;
        }
        Ok(values)
    }
}

/// Adds the values to which an expression compares the data of the key in a local variable.
fn compared(
    eval: &Eval,
    node: &Node,
    (data, own): (usize, usize),
    env: &mut Env,
    values: &mut Vec<Value>,
) -> Result<(), EvalError> {
    let NodeKind::Operator(operator, nodes) = &node.kind else { return Ok(()) };
    let is_data = |node: &Node| {
        matches!(&node.kind, NodeKind::Lookup(of, key)
            if *of == data && matches!(key.kind, NodeKind::Local(slot) if slot == own))
    };
    match (operator, &nodes[..]) {
        (Operator::Equal, [one, other]) if is_data(one) => values.push(eval.node(other, env)?),
        (Operator::Equal, [other, one]) if is_data(one) => values.push(eval.node(other, env)?),
        _ => {
            for node in nodes {
                compared(eval, node, (data, own), env, values)?;
            }
        }
    }
    Ok(())
}
