//! Describes a formula file in JSON.

use gordian_encodings::Sense;
use serde_json::json;

use crate::cli::json::ConstraintSize;
use crate::export::{About, Export};

/// Returns the description of a formula file in JSON. `docs/sidecar.schema.json` is its schema.
pub(super) fn sidecar(about: &About<'_>, export: &Export) -> serde_json::Value {
    let survey = export.survey();
    let sizes: serde_json::Map<_, _> = survey
        .sizes
        .rows()
        .iter()
        .map(|row| (row.constraint.to_owned(), json!(ConstraintSize::from(row))))
        .collect();
    let encodings: Vec<_> = survey
        .encodings
        .iter()
        .map(|(constraint, encoding, constraints)| {
            json!({ "constraint": constraint, "encoding": encoding, "count": constraints })
        })
        .collect();
    let names: Vec<_> = survey
        .labels
        .iter()
        .map(|label| json!({ "literal": label.lit.to_ipasir(), "name": label.to_string() }))
        .collect();
    let solution: Vec<_> = survey.solution.iter().map(|lit| lit.to_ipasir()).collect();
    let mut sidecar = json!({
        "gordian": env!("CARGO_PKG_VERSION"),
        "puzzle": about.puzzle,
        "source": about.source,
        "format": export.format().name,
        "for": if export.encodings().keeps_count() { "counting" } else { "solving" },
        "variables": survey.variables,
        "constraints": survey.constraints,
        "encodings": encodings,
        "sizes": sizes,
        "names": names,
        "solution": solution,
    });
    if let Some((cost, name)) = survey.cost.as_ref().zip(about.objective) {
        let number = |weight: i128| {
            i64::try_from(weight).map_or_else(|_| json!(weight.to_string()), |weight| json!(weight))
        };
        let weights: Vec<_> =
            cost.weights.iter().map(|&(weight, lit)| json!([number(weight), lit.to_ipasir()])).collect();
        sidecar["objective"] = json!({
            "name": name,
            "sense": if cost.sense == Sense::Minimise { "minimise" } else { "maximise" },
            // The numbers are written as strings, because they may exceed the range of JSON numbers.
            "offset": cost.offset.to_string(),
            "unit": cost.unit.to_string(),
            "cost": weights,
        });
    }
    sidecar
}
