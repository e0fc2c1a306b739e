//! Random changes of documents: children are dropped, doubled, swapped and renamed, attributes and texts are added.

use roxmltree::{Document, Node};

use super::random::Choices;

/// Attributes that change the meaning of some constraint.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("startIndex", "1"),
    ("startRowIndex", "1"),
    ("startColIndex", "1"),
    ("rank", "first"),
    ("rank", "last"),
    ("closed", "true"),
    ("covered", "true"),
    ("zeroIgnored", "false"),
    ("circular", "true"),
    ("offset", "2"),
    ("collect", "3"),
    ("case", "increasing"),
    ("order", "decreasing"),
    ("type", "strong"),
    ("restriction", "x[0]"),
    ("reifiedBy", "x[0]"),
    ("hreifiedFrom", "x[0]"),
    ("violable", "true"),
];

/// Returns a constraint with one random change, or `None` if the change does not apply.
pub(super) fn change(choices: &mut Choices, constraint: &str) -> Option<String> {
    let document = Document::parse(constraint).unwrap();
    let elements: Vec<Node<'_, '_>> = document.descendants().filter(Node::is_element).collect();
    let node = *choices.pick(&elements);
    let children: Vec<Node<'_, '_>> = node.children().filter(Node::is_element).collect();
    let text = |node: Node<'_, '_>| constraint[node.range()].to_owned();
    let name = node.tag_name().name();
    let mut changed = constraint.to_owned();
    let kind = choices.below(7);
    if children.is_empty() && kind < 5 {
        return None;
    }
    match kind {
        0 => changed.replace_range(choices.pick(&children).range(), ""),
        1 => {
            let (copied, before) = (*choices.pick(&children), *choices.pick(&children));
            changed.insert_str(before.range().start, &text(copied));
        }
        2 => {
            let (first, second) = (choices.below(children.len()), choices.below(children.len()));
            let (first, second) = (children[first.min(second)], children[first.max(second)]);
            if first == second {
                return None;
            }
            changed.replace_range(second.range(), &text(first));
            changed.replace_range(first.range(), &text(second));
        }
        3 => {
            // A copy with the contents of another child.
            let (copied, content) = (*choices.pick(&children), *choices.pick(&children));
            let name = copied.tag_name().name();
            let content = content.text().unwrap_or_default();
            changed.insert_str(copied.range().end, &format!("<{name}>{content}</{name}>"));
        }
        4 => {
            let (renamed, other) = (*choices.pick(&children), *choices.pick(&children));
            let (old, new) = (renamed.tag_name().name(), other.tag_name().name());
            changed.replace_range(renamed.range(), &text(renamed).replace(old, new));
        }
        5 => {
            let (attribute, value) = choices.pick(ATTRIBUTES);
            if node.has_attribute(*attribute) {
                return None;
            }
            changed.insert_str(node.range().start + 1 + name.len(), &format!(" {attribute}=\"{value}\""));
        }
        _ => {
            let inserted = *choices.pick(&[" x[0] ", " 1 ", " (le,1) "]);
            let start = node.range().start;
            let at = start + constraint[start..].find('>')? + 1;
            changed.insert_str(at, inserted);
        }
    }
    Some(changed)
}
