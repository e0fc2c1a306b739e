//! The constraints `regular` and `mdd`: a list of values is a word of a regular language.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use super::builder::{array, one};
use super::error::Result;
use super::reader::{Constraint, Reader};
use crate::instance::Operand;

/// A transition of an automaton: state, label, next state.
type Transition = (usize, Value, usize);

/// A finite automaton with numbered states.
struct Automaton {
    transitions: Vec<Transition>,
    starts: BTreeSet<usize>,
    finals: BTreeSet<usize>,
}

/// Maps the name of each state to its number.
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
    let mut states = States::default();
    let transitions = transitions(reader, c, &mut states)?;
    let mut named = |name: &str| -> Result<BTreeSet<usize>> {
        let element = c.element.need(name)?;
        reader.scan(c.at(element), |scanner| {
            let mut numbers = BTreeSet::from([states.number(scanner.state()?)]);
            while !scanner.at_end() {
                numbers.insert(states.number(scanner.state()?));
            }
            Ok(numbers)
        })
    };
    let automaton = Automaton { transitions, starts: named("start")?, finals: named("final")? };
    post(reader, c, automaton)
}

/// Reads `mdd`: the list of values labels a path from the root of a decision diagram to its terminal node.
pub(super) fn mdd(reader: &mut Reader, c: Constraint<'_, '_>) -> Result<()> {
    let mut states = States::default();
    let transitions = transitions(reader, c, &mut states)?;
    let sources: BTreeSet<usize> = transitions.iter().map(|transition| transition.0).collect();
    let targets: BTreeSet<usize> = transitions.iter().map(|transition| transition.2).collect();
    let starts = sources.difference(&targets).copied().collect();
    let finals = targets.difference(&sources).copied().collect();
    post(reader, c, Automaton { transitions, starts, finals })
}

/// Adds the constraint that the automaton accepts the values of the expressions in the child `list` of `c`.
fn post(reader: &mut Reader, c: Constraint<'_, '_>, automaton: Automaton) -> Result<()> {
    let Automaton { mut transitions, starts, mut finals } = automaton;
    let list = reader.list(c)?;
    let list = reader.builder.operands(&list)?;
    let start = if let (1, Some(&start)) = (starts.len(), starts.first()) {
        start
    } else {
        // If there are several start states, a new start state gets copies of their transitions.
        let states = transitions.iter().flat_map(|&(from, _, to)| [from, to]);
        let start = states.chain(starts.iter().chain(&finals).copied()).max().map_or(0, |last| last + 1);
        let copies: Vec<Transition> = transitions
            .iter()
            .filter(|transition| starts.contains(&transition.0))
            .map(|&(_, label, to)| (start, label, to))
            .collect();
        transitions.extend(copies);
        if !starts.is_disjoint(&finals) {
            finals.insert(start);
        }
        start
    };
    let state = |state: usize| Operand::Int(state as Value);
    let transitions =
        transitions.into_iter().flat_map(|(from, label, to)| [state(from), Operand::Int(label), state(to)]);
    let finals = Domain::from_values(finals.into_iter().map(|state| state as Value));
    let arguments =
        vec![array(list), one(state(start)), array(transitions), one(Operand::Set(Arc::new(finals)))];
    reader.builder.call("gordian_automaton", arguments);
    Ok(())
}
