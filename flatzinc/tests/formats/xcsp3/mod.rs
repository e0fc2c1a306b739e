//! Tests the reader of XCSP3: compares each constraint with a predicate, and triggers each error.

#![allow(clippy::format_collect, reason = "the speed of writing small instances does not matter")]

mod cases;
mod change;
mod errors;
mod meaning;
mod output;
mod random;
mod solve;

use cases::{CASES, DOMAIN};
use change::change;
use gordian_flatzinc::xcsp3;
use proptest::prelude::*;
use random::{Choices, join};
use roxmltree::Document;
use solve::Search;

/// Reads an instance with the variables `x[0]` to `x[n-1]`.
fn instance(n: usize, constraints: &str) -> String {
    let domain = join(&DOMAIN, " ");
    format!(
        "<instance format=\"XCSP3\" type=\"CSP\"> <variables> <array id=\"x\" size=\"[{n}]\"> {domain} </array>\
         </variables> <constraints> {constraints} </constraints> </instance>"
    )
}

fn check(name: &str, n: usize, text: &str, holds: &dyn Fn(&[i128]) -> bool) {
    let document = instance(n, text);
    let read = xcsp3::read(&document);
    let read = read.unwrap_or_else(|error| panic!("{name}: {error} at {}", &document[error.span.start..]));
    let search = Search::new(&read);
    for values in search.assignments(n) {
        let expected = usize::from(holds(&values));
        // Auxiliary variables have exactly one value for each solution, so solutions can be counted without
        // projection.
        assert_eq!(search.count(&values), expected, "{name}: {text} for {values:?}\n{:#?}", read.constraints);
    }
}

proptest! {
    #[test]
    fn constraints_mean_what_the_specification_says(choices in prop::collection::vec(any::<u32>(), 0..60)) {
        for (name, case) in CASES {
            let mut choices = Choices(&choices);
            let n = 2 + choices.below(2);
            let (text, holds) = case(&mut choices, n);
            check(name, n, &text, &holds);
        }
    }

    /// The reader refuses a changed constraint, or gives it the meaning of the specification.
    #[test]
    fn no_part_of_a_constraint_is_ignored(choices in prop::collection::vec(any::<u32>(), 0..60)) {
        for (name, case) in CASES {
            let mut choices = Choices(&choices);
            let n = 2 + choices.below(2);
            let (mut text, _) = case(&mut choices, n);
            for _ in 0..=choices.below(2) {
                text = change(&mut choices, &text).unwrap_or(text);
            }
            let document = instance(n, &text);
            if let Err(error) = xcsp3::read(&document) {
                prop_assert!(document.get(error.span.clone()).is_some(), "{error}");
                continue;
            }
            let xml = Document::parse(&document).unwrap();
            let constraints = xml.descendants().find(|node| node.has_tag_name("constraints")).unwrap();
            check(name, n, &text, &|v| {
                let holds = meaning::all_hold(constraints, v);
                holds.unwrap_or_else(|_| panic!("{name}: the reader ignores a part of {text}"))
            });
        }
    }

    /// The two statements of the meaning of constraints agree.
    #[test]
    fn cases_mean_what_their_texts_say(choices in prop::collection::vec(any::<u32>(), 0..60)) {
        for (name, case) in CASES {
            let mut choices = Choices(&choices);
            let n = 2 + choices.below(2);
            let (text, holds) = case(&mut choices, n);
            let text = format!("<constraints> {text} </constraints>");
            let xml = Document::parse(&text).unwrap();
            for v in (0..n).fold(vec![Vec::new()], |all, _| {
                all.iter().flat_map(|start| DOMAIN.map(|value| [&start[..], &[value]].concat())).collect()
            }) {
                let found = meaning::all_hold(xml.root_element(), &v);
                prop_assert!(matches!(found, Ok(found) if found == holds(&v)), "{name}: {text} for {v:?}: {found:?}");
            }
        }
    }

    #[test]
    fn damaged_input_is_an_error_or_an_instance(
        choices in prop::collection::vec(any::<u32>(), 0..60),
        case in 0..CASES.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, "[-x0-9%().,*<>/\\[\\] a-z]{0,4}"), 1..4),
    ) {
        let (text, _) = CASES[case].1(&mut Choices(&choices), 3);
        let mut document = instance(3, &text);
        for (place, length, inserted) in edits {
            // Character offsets equal byte offsets, because the documents are ASCII.
            let start = place.index(document.len());
            document.replace_range(start..(start + length).min(document.len()), &inserted);
        }
        if let Err(error) = xcsp3::read(&document) {
            prop_assert!(error.span.start <= error.span.end && document.get(error.span.clone()).is_some(), "{error}");
            prop_assert!(error.to_string().len() < 300 && !error.found.is_empty(), "{error}");
        }
    }
}
