//! Reads instances of constraint models.

use gordian_flatzinc::{Instance, TranslateError};

use super::formula;
use crate::dimacs::FormulaFormat;
use crate::format::{InputError, Source, Span, Syntax};

/// Reads an instance in FlatZinc text, FlatZinc JSON, XCSP3, OPB, CNF, KNF or WCNF.
///
/// # Errors
/// Returns an error if the text is malformed.
pub(crate) fn read(source: &Source, syntax: Syntax) -> Result<Instance, InputError> {
    let read = match syntax {
        Syntax::Cnf => return formula::read(source, FormulaFormat::Cnf),
        Syntax::Knf => return formula::read(source, FormulaFormat::Knf),
        Syntax::Wcnf => return formula::read(source, FormulaFormat::Wcnf),
        Syntax::Opb => gordian_flatzinc::pseudo_boolean::read(source.text()),
        Syntax::FlatZincJson => gordian_flatzinc::json::read(source.text()),
        Syntax::Xcsp3 => gordian_flatzinc::xcsp3::read(source.text()),
        _ => gordian_flatzinc::text::read(source.text()),
    };
    read.map_err(|error| {
        let span = Span::new(error.span.start, error.span.end);
        InputError::new(source, span, error.expected, error.found)
    })
}

/// Guesses the syntax of a constraint model from its text and from `word`, the first word outside comments. Returns
/// `None` if the text does not look like a constraint model.
pub(crate) fn guess(text: &str, word: &str) -> Option<Syntax> {
    const STARTS: [&str; 5] = ["var", "array", "predicate", "constraint", "solve"];
    if STARTS.contains(&word) {
        return Some(Syntax::FlatZinc);
    }
    if word == "<instance" || word == "<?xml" {
        return Some(Syntax::Xcsp3);
    }
    let is_json =
        word.starts_with('{') && ["\"constraints\"", "\"solve\""].iter().all(|key| text.contains(key));
    is_json.then_some(Syntax::FlatZincJson)
}

/// Returns the error for an instance that can't be translated. The error points to the constraint's name, if the name
/// occurs in the source.
pub(crate) fn input_error(source: &Source, error: &TranslateError) -> InputError {
    let at = error.places().first().map_or(0, |place| place.0);
    let statement = source.text().get(at..).unwrap_or_default();
    let name = error.constraint().and_then(|name| statement.find(name));
    let (span, found) = source.found(at + name.unwrap_or(0));
    let help = match error {
        TranslateError::Unknown(_) => format!(
            "{error}; if the file was flattened for another solver, flatten the model for this one: \
             `minizinc --solver gordian --compile MODEL.mzn`, after `gordian minizinc install`, or `gordian solve MODEL.mzn`"
        ),
        error => error.to_string(),
    };
    InputError::new(source, span, error.expected(), found).with_help(help)
}
