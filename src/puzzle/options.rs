//! The options of a board.

use super::PuzzleType;
use crate::format::text::{self, TextDocument, TextOption};
use crate::format::{InputError, Source, Spanned};

/// The options of a board, given as `name=value` on the first line of a native text or after `--option`.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The options, in order of increasing precedence.
    given: Vec<(Source, TextOption)>,
}

impl Options {
    /// Parses options from command-line arguments.
    ///
    /// # Errors
    /// Returns an error if a word does not have the form `name=value`.
    pub fn from_words(words: &[String]) -> Result<Self, InputError> {
        let read = |word: &String| {
            let source = Source::word("--option", word.clone());
            let option = text::option(&source, &Spanned::new(word.clone(), source.all()));
            option.map(|option| (source, option))
        };
        Ok(Self { given: words.iter().map(read).collect::<Result<_, _>>()? })
    }

    /// Returns whether the option `name` is set to `value`.
    #[must_use]
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.get(name).is_some_and(|(_, given)| given.value == value)
    }

    /// Returns the value of the option `name`, with its source.
    pub(super) fn get(&self, name: &str) -> Option<(&Source, &Spanned<String>)> {
        let given = self.given.iter().rev().find(|(_, option)| option.name.value == name);
        given.map(|(source, option)| (source, &option.value))
    }

    /// Returns these options combined with the options on the first line of a text. The options of `self` take
    /// precedence.
    ///
    /// # Errors
    /// Returns an error if the first line of the text contains a word that is not an option.
    pub(crate) fn over_those_of(&self, document: &TextDocument) -> Result<Self, InputError> {
        let of_text = document.options.clone()?.into_iter().map(|option| (document.source.clone(), option));
        Ok(Self { given: of_text.chain(self.given.iter().cloned()).collect() })
    }

    /// Checks that the names and values are valid options of a puzzle type.
    ///
    /// # Errors
    /// Returns an error about the first option whose name or value the puzzle type does not support.
    pub(crate) fn check(&self, puzzle_type: &PuzzleType) -> Result<(), InputError> {
        for (source, TextOption { name, value }) in &self.given {
            let names: Vec<_> = puzzle_type.options.iter().map(|row| row.name).collect();
            let Some(row) = puzzle_type.options.iter().find(|row| row.name == name.value) else {
                let expected = match &names[..] {
                    [] => format!("no options for `{}`", puzzle_type.name),
                    names => format!("an option of `{}`: {}", puzzle_type.name, names.join(", ")),
                };
                let error = InputError::at(source, name, expected);
                return Err(error.with_suggestion(&name.value, &names));
            };
            if !row.values.is_empty() && !row.values.contains(&value.value.as_str()) {
                let expected = format!("{} for `{}`", row.values.join(" or "), row.name);
                let error = InputError::at(source, value, expected);
                return Err(error.with_suggestion(&value.value, row.values));
            }
        }
        Ok(())
    }
}
