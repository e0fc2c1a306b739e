//! Tests that each step between reading a text and searching can be cancelled at every poll, and polls often enough.

use std::cell::Cell;
use std::fmt::Write;
use std::rc::Rc;

use gordian::explain::Explainer;
use gordian::format::Source;
use gordian::puzzle::Query;
use gordian::read::{self, ReadOptions};
use gordian::search::Config;
use gordian_encodings::{Cancelled, cancellable};

use crate::support::board;

/// The work between two polls in these tests.
const INTERVAL: u64 = 1 << 8;

/// Runs a step, and cancels it at the given poll. Returns the number of polls, and whether the step was cancelled.
fn polls(step: &dyn Fn(), cancelled_at: usize) -> (usize, bool) {
    let asked = Rc::new(Cell::new(0));
    let count = Rc::clone(&asked);
    let ask = move || {
        count.set(count.get() + 1);
        count.get() == cancelled_at
    };
    let result = cancellable(INTERVAL, ask, step);
    (asked.get(), result == Err(Cancelled))
}

/// A step, as a function of the size of its input.
type Step = Box<dyn Fn()>;

/// Checks a step on an input of `items` items and on one of `2 * items` items: the number of polls is at least
/// `items / per_poll`, and each poll can cancel the step.
fn check(name: &str, items: usize, per_poll: usize, of: impl Fn(usize) -> Step) {
    for items in [items, 2 * items] {
        let step = of(items);
        let (all, cancelled) = polls(&*step, usize::MAX);
        assert!(!cancelled && all >= items / per_poll, "{name}: {all} polls for {items} items");
        for at in [1, 2, all / 2, all] {
            let at = at.clamp(1, all);
            assert_eq!(polls(&*step, at), (at, true), "{name}: cancelled at poll {at} of {all}");
        }
    }
}

fn reading(name: &'static str, text: String) -> Step {
    Box::new(move || {
        read::board(&Source::new(name, text.clone()), &ReadOptions::default()).expect("a model");
    })
}

#[test]
fn readers_of_models_can_be_cancelled() {
    // A declaration and a constraint have about 20 tokens, and presolve and the translation count more.
    check("FlatZinc", 1_000, 50, |items| {
        let mut text = String::new();
        for index in 0..items {
            writeln!(text, "var 0..9: x{index} :: output_var;").expect("a string");
        }
        for index in 1..items {
            writeln!(text, "constraint int_lin_le([1,-1],[x{},x{index}],3);", index - 1).expect("a string");
        }
        reading("model.fzn", text + "solve satisfy;\n")
    });
    check("FlatZinc JSON", 1_000, 50, |items| {
        let variables: Vec<_> =
            (0..items).map(|i| format!(r#""x{i}": {{"type": "int", "domain": [[0, 9]]}}"#)).collect();
        let constraints: Vec<_> =
            (1..items).map(|i| format!(r#"{{"id": "int_ne", "args": ["x{}", "x{i}"]}}"#, i - 1)).collect();
        let text = format!(
            r#"{{"variables": {{{}}}, "arrays": {{}}, "constraints": [{}], "output": ["x0"], "solve": {{"method": "satisfy"}}, "version": "1.0"}}"#,
            variables.join(", "),
            constraints.join(", ")
        );
        reading("model.fzn.json", text)
    });
    check("XCSP3", 1_000, 100, |items| {
        let text = format!(
            "<instance format=\"XCSP3\" type=\"CSP\"><variables><array id=\"x\" size=\"[{items}]\">0..9</array>\
             </variables><constraints><sum><list>x[]</list><condition>(le,50)</condition></sum></constraints>\
             </instance>\n"
        );
        reading("model.xml", text)
    });
}

/// Returns an empty board, or one with pairs of numbers.
fn grid(name: &str, cells: usize) -> String {
    let size = cells.isqrt();
    let token = |cell: usize| match name {
        "numberlink" | "amaze" if cell < 4 => (cell / 2 + 1).to_string(),
        "nurikabe" if cell.is_multiple_of(7) => "2".to_owned(),
        _ => ".".to_owned(),
    };
    let rows: Vec<String> = (0..size)
        .map(|row| (0..size).map(|column| token(row * size + column)).collect::<Vec<_>>().join(" "))
        .collect();
    format!("{name}\n{}\n", rows.join("\n"))
}

#[test]
fn formulations_can_be_cancelled() {
    for name in ["rooks", "nurikabe", "numberlink", "amaze"] {
        check(&format!("the model of {name}"), 400, 100, |cells| {
            let board = board(&grid(name, cells));
            Box::new(move || drop(board.formulate(&Query::Satisfy)))
        });
        check(&format!("the plain formulation of {name}"), 400, 100, |cells| {
            let board = board(&grid(name, cells));
            Box::new(move || drop(board.plain()))
        });
    }
}

#[test]
fn explainers_can_be_cancelled() {
    for name in ["rooks", "nurikabe", "numberlink"] {
        check(&format!("the explainer of {name}"), 100, 20, |cells| {
            let plain = board(&grid(name, cells)).plain();
            Box::new(move || {
                drop(Explainer::new(&plain, &Config::default(), None).expect("a solver"));
            })
        });
    }
}
