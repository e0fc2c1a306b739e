//! XCSP3: the XML format of PyCSP3 and the XCSP3 competitions.
//!
//! [`read`] returns an [`Instance`] with FlatZinc constraints. The reader supports the constraints of XCSP3-core over
//! integers. These include all constraints in the mini-solver tracks of the XCSP3 competition. All other constraints
//! are reported as errors, with their names and locations. [`competition`] prints results in the format of the
//! competition.
//!
//! Paper: Boussemart, Lecoutre, Audemard, Piette: [XCSP3-core: A format for representing constraint satisfaction and
//! optimization problems](https://arxiv.org/abs/2009.00514), 2020.

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the methods of `Scanner` have its lifetime, so they are not general enough as functions"
)]

mod builder;
mod comparing;
pub mod competition;
mod connecting;
mod constraints;
mod counting;
mod declarations;
mod element;
mod error;
mod expr;
mod functions;
mod languages;
mod lower;
mod parameters;
mod reader;
mod scheduling;
mod schema;
mod structures;
mod sum;
mod tables;
mod text;
mod variables;

use roxmltree::{Document, ParsingOptions};

use self::element::Element;
use self::error::error;
use self::reader::Reader;
use self::schema::{Schema, child, may};
use crate::ReadError;
use crate::instance::{Goal, Instance};

/// The parts of an instance.
const INSTANCE: Schema = Schema {
    attributes: &["format", "type"],
    parts: &[
        may(&[child("variables", &[])]),
        may(&[child("constraints", &[])]),
        may(&[child("objectives", &[])]),
        may(&[child("annotations", &[])]),
    ],
};

/// Reads an XCSP3 instance.
///
/// # Errors
/// Returns an error if the text is not an XCSP3 instance, or contains unsupported constraints or variables.
pub fn read(text: &str) -> Result<Instance, ReadError> {
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|parse| {
        let place = offset(text, parse.pos());
        error(place..place, error::quote(&parse.to_string()), "an XML document")
    })?;
    let ids = element::ids(&document);
    let root = Element::new(document.root_element(), &ids);
    if root.name() != "instance" {
        return Err(root.refuse("`<instance>`"));
    }
    INSTANCE.check(root)?;
    if root.attribute("format").is_some_and(|format| format != "XCSP3") {
        return Err(root.refuse_attribute("format", "`XCSP3`"));
    }
    let is_csp = match root.attribute("type") {
        Some("CSP") => true,
        Some("COP") => false,
        _ => return Err(root.refuse_attribute("type", "the attribute `type` with `CSP` or `COP`")),
    };
    let mut reader = Reader::new(text.len());
    let mut output = Vec::new();
    let mut goal = Goal::Satisfy;
    for part in root.children()? {
        match part.name() {
            "variables" => {
                for declaration in part.children()? {
                    output.extend(reader.names.declare(declaration, &mut reader.builder)?);
                }
            }
            "constraints" => reader.constraints(part, 0)?,
            "objectives" if is_csp => return Err(part.refuse("no objectives in a CSP")),
            "objectives" => goal = reader.objectives(part)?,
            // The element `<annotations>` is ignored, because it only gives advice to solvers.
            _ => {}
        }
    }
    let (variables, constraints) = (reader.builder.variables, reader.builder.constraints);
    Ok(Instance { variables, constraints, goal, search: Vec::new(), output })
}

/// Returns the byte offset of a line and column, which are counted from 1.
fn offset(text: &str, position: roxmltree::TextPos) -> usize {
    let start: usize =
        text.split_inclusive('\n').take(position.row.saturating_sub(1) as usize).map(str::len).sum();
    let line = text[start..].char_indices().nth(position.col.saturating_sub(1) as usize);
    start + line.map_or(text.len() - start, |(column, _)| column)
}
