//! Output variables as parts of solutions, for example for backbones.

use gordian_encodings::TRUE;
use gordian_flatzinc::instance::Operand;
use gordian_flatzinc::{Decoder, Representation, Translation};

use super::Flat;
use crate::puzzle::Part;
use crate::rules::Content;

/// The maximum domain size of an output variable that becomes a part of the solution.
const MOST_VALUES: u128 = 1000;

impl Flat {
    /// Returns the elements of the output variables, each as a part of the solution. If `for_proof` is false,
    /// variables with large domains are omitted. Variables that are restricted to windows are also omitted, because a part
    /// must list all possible values.
    pub(super) fn parts(&self, translation: &mut Translation, for_proof: bool) -> Vec<Part> {
        let integer = if for_proof { Part::integer_for_proof } else { Part::integer };
        let mut parts = Vec::new();
        for output in &self.instance.output {
            let is_windowed = |operand: &Operand| match operand {
                Operand::Var(variable) => translation.window(*variable).is_some(),
                _ => false,
            };
            if output.elements.iter().any(is_windowed) {
                continue;
            }
            let (model, decoder) = (&mut translation.model, &translation.decoder);
            let representations = output.elements.iter().map(|operand| representation(operand, decoder));
            let Some(representations) = representations.collect::<Option<Vec<_>>>() else { continue };
            // A proof covers all values of the output variables. Integers with very many values are refused before.
            let is_small = |representation: &Representation| match *representation {
                Representation::Integer(x) => for_proof || model.domain(x).size() <= MOST_VALUES,
                Representation::Constant(_) | Representation::Literal(_) => true,
            };
            if !representations.iter().all(is_small) {
                continue;
            }
            let name = output.name.to_string();
            for (index, representation) in representations.into_iter().enumerate() {
                parts.push(match representation {
                    Representation::Constant(value) => Part {
                        field: name.clone().into(),
                        index,
                        values: vec![(Content::Number(value), vec![TRUE])],
                    },
                    Representation::Literal(lit) => Part::yes_or_no(name.clone(), index, lit),
                    Representation::Integer(x) => integer(name.clone(), index, x, model),
                });
            }
        }
        parts
    }
}

/// Returns how the model represents an operand, or `None` for sets and for variables that the model does not contain.
fn representation(operand: &Operand, decoder: &Decoder) -> Option<Representation> {
    match operand {
        Operand::Var(variable) => decoder.representation(*variable),
        operand => operand.constant().map(Representation::Constant),
    }
}
