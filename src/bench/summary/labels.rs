//! The labels of configurations, which contain only the options in which they differ.

use std::collections::BTreeSet;

use gordian_encodings::registry::AUTO;

use super::super::settings::{flatzinc_command, is_flatzinc_solver};
use super::Configuration;

/// Returns a different label for each configuration.
pub(super) fn labels(configurations: &[Configuration]) -> Vec<String> {
    let constraints: BTreeSet<&String> =
        configurations.iter().flat_map(|c| c.settings.encode.keys()).collect();
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    let mut column = |name: &str, value: &dyn Fn(&Configuration) -> String| {
        columns.push((name.to_owned(), configurations.iter().map(value).collect()));
    };
    for constraint in &constraints {
        let encoding =
            |c: &Configuration| c.settings.encode.get(*constraint).map_or(AUTO, String::as_str).to_owned();
        column(&format!("{constraint}="), &encoding);
    }
    column("strategy=", &|c| c.settings.strategy.clone().unwrap_or_else(|| AUTO.to_owned()));
    // In results of different benchmarks, two solvers may have the same name.
    let solvers: BTreeSet<&str> = configurations.iter().map(|c| &*c.settings.solver).collect();
    let names: BTreeSet<&str> = solvers.iter().map(|solver| named(solver)).collect();
    let shown = |c: &Configuration| {
        if names.len() == solvers.len() { named(&c.settings.solver) } else { &c.settings.solver }.to_owned()
    };
    column("", &shown);
    column("", &|c| c.settings.label.clone().unwrap_or_default());
    column("version ", &|c| c.version.clone());
    column("", &|c| c.settings.arguments.join(" "));
    column("timeout ", &|c| c.settings.timeout.to_string());
    column("cpu-timeout ", &|c| c.settings.cpu_timeout.map_or("any".to_owned(), |limit| limit.to_string()));
    column("memory ", &|c| c.settings.memory.map_or("any".to_owned(), |bytes| bytes.to_string()));
    column("", &|c| c.settings.query.to_string());
    columns.retain(|(_, values)| values.iter().any(|value| *value != values[0]));
    // If the configurations differ in the encodings of several constraint types, a label lists only the types with an
    // explicitly chosen encoding.
    let open = |name: &str, value: &str| name.ends_with('=') && value == AUTO;
    let several = columns.iter().filter(|(name, _)| name.ends_with('=')).count() > 1;
    let label = |index: usize| {
        // Other FlatZinc solvers have neither encodings nor strategies.
        let other = is_flatzinc_solver(&configurations[index].settings.solver);
        let columns = || columns.iter().filter(|(name, _)| !(other && name.ends_with('=')));
        let all_open = columns().all(|(name, of)| !name.ends_with('=') || open(name, &of[index]));
        let mut words: Vec<String> = Vec::new();
        if several && all_open && !other {
            words.push(AUTO.to_owned());
        }
        let chosen = columns().filter(|(name, of)| !(several && open(name, &of[index])));
        words.extend(chosen.map(|(name, of)| format!("{name}{}", of[index])).filter(|word| !word.is_empty()));
        if words.is_empty() { shown(&configurations[index]) } else { words.join(", ") }
    };
    (0..configurations.len()).map(label).collect()
}

/// Returns the name of a solver: the part before `=` if another FlatZinc solver has a name.
fn named(solver: &str) -> &str {
    match flatzinc_command(solver) {
        Some((name, _)) if !name.is_empty() => name,
        _ => solver,
    }
}
