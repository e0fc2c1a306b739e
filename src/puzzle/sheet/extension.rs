//! What a rule sheet can't say: parts of a puzzle type in Rust, which the sheet names with `extension NAME`.
//!
//! The rules of the puzzle type are in the sheet only, so the checker does not depend on an extension.

use crate::puzzle::{OptionRow, Reader};
use crate::rules::sheet::{Sheet, SheetError, Span};

mod fpuzzles;
mod nurikabe;

/// An extension.
#[derive(Debug)]
pub(super) struct Extension {
    /// The name in sheets.
    pub name: &'static str,
    /// Readers of further formats.
    pub readers: &'static [Reader],
    /// Options of these readers.
    pub options: &'static [OptionRow],
}

/// The extensions of built-in sheets.
static EXTENSIONS: &[&Extension] = &[&fpuzzles::EXTENSION, &nurikabe::EXTENSION];

fn find(name: &str) -> Option<&'static Extension> {
    EXTENSIONS.iter().find(|extension| extension.name == name).copied()
}

/// Returns the readers of an extension.
pub(in crate::puzzle) fn readers(name: &str) -> &'static [Reader] {
    find(name).map_or(&[], |extension| extension.readers)
}

/// Returns the extensions that a sheet names.
///
/// # Errors
/// Returns an error if there is no extension with a name.
pub(super) fn of(sheet: &Sheet) -> Result<Vec<&'static Extension>, SheetError> {
    let known = || EXTENSIONS.iter().map(|extension| extension.name).collect::<Vec<_>>().join(", ");
    let named = |(name, span): &(String, Span)| {
        find(name).ok_or_else(|| SheetError {
            span: span.clone(),
            expected: format!("an extension: {}", known()),
            found: format!("`{name}`"),
            help: None,
        })
    };
    sheet.extensions.iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use crate::format::Source;

    #[test]
    fn an_unknown_extension_is_an_error() {
        let text = "puzzle mine\nvar on on cells\nsolution on shaded\nrule \"one\": count(c in cells: on(c)) = 1\nextension nothing\n";
        let error = super::super::of_text(&Source::new("mine.sheet", text)).unwrap_err();
        assert!(error.to_string().starts_with("mine.sheet:5:11: expected an extension"), "{error}");
    }
}
