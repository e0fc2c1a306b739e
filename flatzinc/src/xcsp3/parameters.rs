//! The parameters of the templates in groups and slides.

use std::collections::BTreeSet;

use super::element::Element;
use super::error::{Result, error, quoting};
use super::expr::Expr;
use super::text::Arguments;

/// The parameters of a template: `%0`, `%1`, ..., and `%...`, which stands for the remaining arguments.
#[derive(Default)]
pub(super) struct Parameters {
    indices: BTreeSet<usize>,
    has_rest: bool,
}

impl Parameters {
    pub(super) fn of(template: Element<'_>) -> Result<Self> {
        let mut parameters = Self::default();
        parameters.collect(template)?;
        Ok(parameters)
    }

    fn collect(&mut self, element: Element<'_>) -> Result<()> {
        if element.has_children()? {
            return element.children()?.try_for_each(|child| self.collect(child));
        }
        let (text, start) = element.text()?;
        for (at, _) in text.match_indices('%') {
            let rest = &text[at + 1..];
            if rest.starts_with("...") {
                self.has_rest = true;
                continue;
            }
            let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
            let word = &text[at..at + 1 + digits.len()];
            let index = digits.parse().map_err(|_| {
                quoting(start + at..start + at + word.len(), word, "a parameter such as `%0` or `%...`")
            })?;
            self.indices.insert(index);
        }
        Ok(())
    }

    /// Returns the largest index of a parameter plus one. In the template, `%...` stands for the arguments from this
    /// index on.
    pub(super) fn indexed(&self) -> usize {
        self.indices.last().map_or(0, |last| last.saturating_add(1))
    }

    /// Returns the arguments of one copy of the template, or an error at `place` if the template does not use all of
    /// them.
    pub(super) fn assign<'a>(&self, place: Element<'_>, all: &'a [Expr]) -> Result<Arguments<'a>> {
        let indexed = self.indexed();
        let is_used = |index: &usize| self.indices.contains(index) || self.has_rest && *index >= indexed;
        if let Some(unused) = (0..all.len()).find(|index| !is_used(index)) {
            let found = format!("{} arguments and a template without `%{unused}`", all.len());
            return Err(error(place.span(), found, "a template that uses each argument"));
        }
        Ok(Arguments { all: Some(all), indexed })
    }
}
