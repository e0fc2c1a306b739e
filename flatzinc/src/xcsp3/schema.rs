//! The children and attributes that an element may have. Whatever the reader does not read is an error, because a
//! part of the input that is ignored makes the result wrong.

use super::element::Element;
use super::error::Result;

/// A child element.
pub(super) struct Child {
    name: &'static str,
    attributes: &'static [&'static str],
    /// True if the child may occur several times.
    repeats: bool,
}

/// Returns a child that occurs once.
pub(super) const fn child(name: &'static str, attributes: &'static [&'static str]) -> Child {
    Child { name, attributes, repeats: false }
}

/// Returns a child that may occur several times.
pub(super) const fn several(name: &'static str, attributes: &'static [&'static str]) -> Child {
    Child { name, attributes, repeats: true }
}

/// A part of an element: a child, or one of several alternative children.
pub(super) struct Part {
    children: &'static [Child],
    is_required: bool,
}

/// Returns a part that must be present.
pub(super) const fn need(children: &'static [Child]) -> Part {
    Part { children, is_required: true }
}

/// Returns a part that may be missing.
pub(super) const fn may(children: &'static [Child]) -> Part {
    Part { children, is_required: false }
}

impl Part {
    /// Returns the child with the given name.
    fn child(&self, name: &str) -> Option<&'static Child> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the names of the alternatives, such as "`<value>` or `<condition>`".
    fn names(&self) -> String {
        let names: Vec<String> = self.children.iter().map(|child| format!("`<{}>`", child.name)).collect();
        match &names[..] {
            [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
            _ => names.concat(),
        }
    }
}

/// The attributes and the parts of an element. The order of the parts in the input does not matter.
///
/// If all parts except the first one may be missing, the element may have the text of the first child instead of
/// children. It may then also have the attributes of this child.
pub(super) struct Schema {
    pub(super) attributes: &'static [&'static str],
    pub(super) parts: &'static [Part],
}

impl Schema {
    /// Returns an error unless `element` has only the attributes and children in the schema, each child as often as it
    /// may occur, and no text between them. Returns an error if a required part is missing.
    pub(super) fn check(&self, element: Element<'_>) -> Result<()> {
        if !element.has_children()? {
            return self.check_text(element);
        }
        element.only_attributes(self.attributes)?;
        let mut found: Vec<Option<&str>> = vec![None; self.parts.len()];
        for child in element.children()? {
            let name = child.name();
            let part = self
                .parts
                .iter()
                .zip(&mut found)
                .find_map(|(part, found)| Some((part.child(name)?, part, found)));
            let Some((schema, part, found)) = part else {
                return Err(child.refuse(format!("an element of `<{}>` that is supported", element.name())));
            };
            match found.replace(name) {
                Some(before) if before != name => {
                    return Err(child.refuse(format!(
                        "only one of {} in `<{}>`",
                        part.names(),
                        element.name()
                    )));
                }
                Some(_) if !schema.repeats => {
                    return Err(child.refuse(format!("only one `<{name}>` in `<{}>`", element.name())));
                }
                _ => child.only_attributes(schema.attributes)?,
            }
        }
        match self.parts.iter().zip(found).find(|(part, found)| part.is_required && found.is_none()) {
            Some((missing, _)) => Err(element.refuse(format!("{} in this element", missing.names()))),
            None => Ok(()),
        }
    }

    /// Checks an element without children.
    fn check_text(&self, element: Element<'_>) -> Result<()> {
        let [first, rest @ ..] = self.parts else { return element.only_attributes(self.attributes) };
        let is_blank = element.text()?.0.trim().is_empty();
        if is_blank || rest.iter().any(|part| part.is_required) {
            return Err(element.refuse(format!("{} in this element", first.names())));
        }
        element.only_attributes(&[self.attributes, first.children[0].attributes].concat())
    }
}
