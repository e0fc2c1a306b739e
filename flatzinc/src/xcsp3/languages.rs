//! The constraints `regular` and `mdd`: a list of values is a word of a regular language.
//!
//! For each position, an integer variable is the state of the automaton after the position. Only states on paths from
//! a start state to a final state are used.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gordian_encodings::{Domain, Value};

use super::builder::{Builder, array};
use super::error::Result;
use super::reader::{Constraint, Reader};
use crate::instance::{Argument, Operand};

/// A transition of an automaton: state, label, next state.
type Transition = (usize, Value, usize);

/// A finite automaton with numbered states.
struct Automaton {
    transitions: Vec<Transition>,
    starts: BTreeSet<usize>,
    finals: BTreeSet<usize>,
}

/// The number of each state, by the name of the state.
#[derive(Default)]
struct States(HashMap<String, usize>);

impl States {
    fn number(&mut self, name: &str) -> usize {
        let next = self.0.len();
        *self.0.entry(name.to_owned()).or_insert(next)
    }
}

fn transitions(reader: &Reader, c: Constraint<'_, '_>, states: &mut States) -> Result<Vec<Transition>> {
    let element = c.element.need("transitions")?;
    reader.scan(c.at(element), |scanner| {
        let found = scanner.transitions()?;
        Ok(found
            .into_iter()
            .map(|(from, label, to)| (states.number(from), label, states.number(to)))
            .collect())
    })
}

/// Reads `regular`: a finite automaton accepts the list of values.
pub(super) fn regular(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    if c.element.attribute("type").is_some() {
        return Err(c.element.refuse_attribute("type", "no attribute `type`"));
    }
    let mut states = States::default();
    let transitions = transitions(reader, c, &mut states)?;
    let mut named = |name: &str| -> Result<BTreeSet<usize>> {
        let element = c.element.need(name)?;
        reader.scan(c.at(element), |scanner| {
            let mut numbers = BTreeSet::new();
            while !scanner.at_end() {
                numbers.insert(states.number(scanner.state()?));
            }
            Ok(numbers)
        })
    };
    let automaton = Automaton { transitions, starts: named("start")?, finals: named("final")? };
    post(reader, c, &automaton)
}

/// Reads `mdd`: the list of values labels a path from the root of a decision diagram to its terminal node.
pub(super) fn mdd(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let mut states = States::default();
    let transitions = transitions(reader, c, &mut states)?;
    let sources: BTreeSet<usize> = transitions.iter().map(|transition| transition.0).collect();
    let targets: BTreeSet<usize> = transitions.iter().map(|transition| transition.2).collect();
    let starts = sources.difference(&targets).copied().collect();
    let finals = targets.difference(&sources).copied().collect();
    post(reader, c, &Automaton { transitions, starts, finals })
}

/// Adds the constraint that the automaton accepts the list of `c`.
fn post(reader: &mut Reader, c: Constraint<'_, '_>, automaton: &Automaton) -> Result<()> {
    let list = reader.list(c, "list")?;
    let list = reader.builder.operands(&list)?;
    let size = list.len().saturating_mul(automaton.transitions.len());
    reader.names.expand(size, c.element.span())?;
    let domains: Vec<Option<Domain>> = list.iter().map(|x| reader.builder.values(x)).collect();
    let layers = layers(automaton, &domains);
    let builder = &mut reader.builder;
    let accepts_empty = !automaton.starts.is_disjoint(&automaton.finals);
    if layers.iter().any(Vec::is_empty) || list.is_empty() && !accepts_empty {
        builder.clause(&[]);
        return Ok(());
    }
    let mut state: Option<Operand> = None;
    for (index, (x, layer)) in list.into_iter().zip(&layers).enumerate() {
        let next = layers.get(index + 1).map(|_| state_variable(builder, layer));
        let columns: Vec<Operand> = state.into_iter().chain([x]).chain(next.clone()).collect();
        let rows: BTreeSet<Vec<Value>> = layer
            .iter()
            .map(|&(from, label, to)| {
                let first = (index > 0).then_some(from as Value);
                let last = next.is_some().then_some(to as Value);
                first.into_iter().chain([label]).chain(last).collect()
            })
            .collect();
        let table = rows.into_iter().flatten().map(Operand::Int).collect();
        builder.call("gordian_table_int", vec![array(columns), Argument::Array(table)]);
        state = next;
    }
    Ok(())
}

/// Creates the variable for the state of the automaton after a position.
fn state_variable(builder: &mut Builder, layer: &[Transition]) -> Operand {
    let states = Domain::from_values(layer.iter().map(|transition| transition.2 as Value));
    if states.size() == 1 { Operand::Int(states.min()) } else { Operand::Var(builder.integer(states)) }
}

/// Returns, for each position, the transitions on paths from a start state to a final state whose labels are in the
/// domains.
fn layers(automaton: &Automaton, domains: &[Option<Domain>]) -> Vec<Vec<Transition>> {
    let mut by_source: BTreeMap<usize, Vec<Transition>> = BTreeMap::new();
    for &transition in &automaton.transitions {
        by_source.entry(transition.0).or_default().push(transition);
    }
    let mut reached = automaton.starts.clone();
    let mut layers: Vec<Vec<Transition>> = Vec::with_capacity(domains.len());
    for domain in domains {
        let possible = |label: Value| domain.as_ref().is_none_or(|domain| domain.contains(label));
        let out = reached.iter().filter_map(|state| by_source.get(state)).flatten();
        let layer: Vec<Transition> = out.filter(|transition| possible(transition.1)).copied().collect();
        reached = layer.iter().map(|transition| transition.2).collect();
        layers.push(layer);
    }
    let mut useful = automaton.finals.clone();
    for layer in layers.iter_mut().rev() {
        layer.retain(|transition| useful.contains(&transition.2));
        useful = layer.iter().map(|transition| transition.0).collect();
    }
    layers
}
