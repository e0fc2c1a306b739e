//! Groups of records that can be compared with each other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::super::record::RunRecord;
use super::super::settings::Settings;
use super::{Group, Measure};
use crate::flatzinc;
use crate::puzzle::Query;

/// Groups the records by query and puzzle type. If the same configurations were run on several puzzle types, the
/// first group of a query combines these types.
#[must_use]
pub fn groups(records: &[RunRecord], measure: Measure) -> Vec<Group<'_>> {
    let mut by_kind: BTreeMap<(String, String), Vec<&RunRecord>> = BTreeMap::new();
    for record in records {
        let query = match &record.settings.query {
            // Each model has its own objective. Whether it is minimised does not matter for the comparison.
            Query::Optimise(_) if record.puzzle == flatzinc::NAME => Query::Optimise(None),
            query => query.clone(),
        };
        by_kind.entry((query.to_string(), record.puzzle.clone())).or_default().push(record);
    }
    let mut groups = Vec::new();
    let families: BTreeSet<&str> = by_kind.keys().map(|(query, _)| family(query)).collect();
    for family_name in families {
        let mut own = Vec::new();
        for ((query, puzzle), records) in by_kind.iter().filter(|((q, _), _)| family(q) == family_name) {
            own.push(Group::new(Some(puzzle.clone()), query.clone(), records, measure));
        }
        let tried = |group: &Group<'_>| -> BTreeSet<String> {
            group.configurations.iter().map(|c| choices(&c.settings, &c.version)).collect()
        };
        if own.len() > 1
            && own[0].configurations.len() > 1
            && own.iter().all(|group| tried(group) == tried(&own[0]))
        {
            let all: Vec<&RunRecord> = by_kind
                .iter()
                .filter(|((q, _), _)| family(q) == family_name)
                .flat_map(|(_, r)| r)
                .copied()
                .collect();
            groups.push(Group::new(None, family_name.to_owned(), &all, measure));
        }
        groups.extend(own);
    }
    groups
}

/// Returns the name of a query without its objective or limit.
pub(super) fn family(query: &str) -> &str {
    query.split(':').next().unwrap_or(query)
}

/// Returns all settings except the query, as text.
fn choices(settings: &Settings, version: &str) -> String {
    let mut json = serde_json::json!(settings);
    json["query"] = Json::Null;
    format!("{version} {json}")
}
