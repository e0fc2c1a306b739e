//! Elements of the XML document: their children, attributes, texts and locations.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use roxmltree::{Document, Node};

use super::error::{ReadError, Result, error, quote, quoting};

/// The maximum depth of nested expressions and elements.
pub(super) const MAX_DEPTH: usize = 200;

/// An element of the XML document.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub(super) node: Node<'a, 'a>,
    /// The elements with an `id`. The attribute `as` of another element can refer to the `id`.
    ids: &'a Ids<'a>,
}

/// The attributes that are allowed in every element.
const ALWAYS: &[&str] = &["id", "class", "note", "as"];

/// Maps each `id` to the element that has it, or to `None` if several elements have it.
pub(super) type Ids<'a> = HashMap<&'a str, Option<Node<'a, 'a>>>;

pub(super) fn ids<'a>(document: &'a Document<'a>) -> Ids<'a> {
    let mut ids = HashMap::new();
    for node in document.descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).and_modify(|known| *known = None).or_insert(Some(node));
        }
    }
    ids
}

impl<'a> Element<'a> {
    pub(super) fn new(node: Node<'a, 'a>, ids: &'a Ids<'a>) -> Self {
        Self { node, ids }
    }

    pub(super) fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Returns the location of the element's start tag in the input.
    pub(super) fn span(self) -> Range<usize> {
        let start = self.node.range().start;
        start..(start + 1 + self.name().len()).min(self.node.range().end)
    }

    /// Returns an error about the element.
    pub(super) fn refuse(self, expected: impl Into<String>) -> ReadError {
        let name: String = self.name().chars().take(40).collect();
        error(self.span(), format!("`<{name}>`"), expected)
    }

    pub(super) fn attribute(self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// Returns an error about the value of an attribute.
    pub(super) fn refuse_attribute(self, name: &str, expected: &str) -> ReadError {
        match self.node.attribute_node(name) {
            Some(attribute) => quoting(attribute.range(), attribute.value(), expected),
            None => self.refuse(expected),
        }
    }

    /// Returns an error if the element has an attribute that is not in the list.
    pub(super) fn only_attributes(self, known: &[&str]) -> Result<()> {
        for attribute in self.node.attributes() {
            let name = attribute.name();
            if !ALWAYS.contains(&name) && !known.contains(&name) {
                let found = format!("the attribute {}", quote(name));
                let expected = format!("an attribute of `<{}>` that is supported", self.name());
                return Err(error(attribute.range(), found, expected));
            }
        }
        Ok(())
    }

    /// Returns the element whose content applies: this element or, if it has the attribute `as`, the element to which
    /// the attribute refers.
    fn content(self) -> Result<Node<'a, 'a>> {
        let mut node = self.node;
        for _ in 0..MAX_DEPTH {
            let Some(id) = node.attribute("as") else { return Ok(node) };
            if node.children().any(|child| child.is_element() || is_words(child)) {
                let expected = "no content in an element with the attribute `as`";
                return Err(Element { node, ids: self.ids }.refuse_attribute("as", expected));
            }
            let Some(&Some(other)) = self.ids.get(id) else {
                return Err(self.refuse_attribute("as", "the `id` of one element"));
            };
            node = other;
        }
        Err(self.refuse_attribute("as", "an element that does not refer to itself"))
    }

    /// Returns the child elements, or an error if the element contains text besides them.
    pub(super) fn children(self) -> Result<impl Iterator<Item = Element<'a>>> {
        if let Some(text) = self.content()?.children().find(|&child| is_words(child)) {
            return Err(quoting(text.range(), text.text().unwrap_or_default().trim(), "an element"));
        }
        self.elements()
    }

    /// Returns the child elements. The element may instead contain text.
    fn elements(self) -> Result<impl Iterator<Item = Element<'a>>> {
        let ids = self.ids;
        Ok(self.content()?.children().filter(Node::is_element).map(move |node| Element { node, ids }))
    }

    /// Returns the child elements with the given name.
    pub(super) fn all(self, name: &str) -> Result<impl Iterator<Item = Element<'a>>> {
        Ok(self.elements()?.filter(move |child| child.name() == name))
    }

    /// Returns the first child element with the given name.
    pub(super) fn child(self, name: &str) -> Result<Option<Element<'a>>> {
        Ok(self.elements()?.find(|child| child.name() == name))
    }

    /// Returns the first child element with the given name, or an error if there is no such child.
    pub(super) fn need(self, name: &str) -> Result<Element<'a>> {
        self.child(name)?.ok_or_else(|| self.refuse(format!("`<{name}>` in this element")))
    }

    pub(super) fn has_children(self) -> Result<bool> {
        Ok(self.elements()?.next().is_some())
    }

    /// Returns the text of the element, and its location. Comments are replaced by blanks of the same length, so
    /// offsets in the text correspond to offsets in the input.
    pub(super) fn text(self) -> Result<(Cow<'a, str>, usize)> {
        let content = self.content()?;
        if let Some(child) = content.children().find(Node::is_element) {
            return Err(Element { node: child, ids: self.ids }.refuse("a text without elements"));
        }
        let (Some(first), Some(last)) = (content.first_child(), content.last_child()) else {
            return Ok((Cow::Borrowed(""), self.span().end));
        };
        let (start, end) = (first.range().start, last.range().end);
        let text = &content.document().input_text()[start..end];
        if first == last && first.is_text() {
            return Ok((Cow::Borrowed(text), start));
        }
        let mut blanked = text.to_owned();
        for child in content.children().filter(|child| !child.is_text()) {
            let range = child.range().start - start..child.range().end - start;
            let blanks = " ".repeat(range.len());
            blanked.replace_range(range, &blanks);
        }
        Ok((Cow::Owned(blanked), start))
    }
}

/// Returns whether a node is a text that is not blank.
fn is_words(node: Node<'_, '_>) -> bool {
    node.is_text() && !node.text().unwrap_or_default().chars().all(char::is_whitespace)
}
