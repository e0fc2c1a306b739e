//! Tests that generated files are up to date with the tables of the program.
//! `UPDATE=1 cargo test --test repository generated::` rewrites these files.
//!
//! The page of a puzzle consists of its `instances/NAME/README.md` and the output of `gordian puzzle NAME`. The lists
//! of pages, the table of encodings and the schema of solutions are generated only from the tables. The pictures of
//! explanations are the output of `gordian explain`.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::support::{gordian, stdout};
use gordian::flatzinc;
use gordian::puzzle::{FieldRow, PuzzleType, Shape, all};
use gordian_encodings::CONSTRAINTS;
use serde_json::{Map, Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Compares a file with its expected contents, or rewrites the file.
#[track_caller]
fn generated(path: &str, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::write(root().join(path), text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let found = fs::read_to_string(root().join(path)).unwrap_or_default();
    for (number, (found, expected)) in found.lines().zip(text.lines()).enumerate() {
        assert_eq!(
            found,
            expected,
            "{path}:{}; `UPDATE=1 cargo test --test repository generated::` rewrites it",
            number + 1
        );
    }
    assert_eq!(found, text, "{path}; `UPDATE=1 cargo test --test repository generated::` rewrites it");
}

/// Finds the first run of lines for which `listed` returns true, and replaces it with `list`.
fn with_list(text: &str, listed: impl Fn(&str) -> bool, list: &str) -> String {
    let before: String = text.split_inclusive('\n').take_while(|line| !listed(line)).collect();
    let rest = text[before.len()..].split_inclusive('\n').skip_while(|line| listed(line));
    [before, list.to_owned(), rest.collect()].concat()
}

/// Returns the first paragraph and the sections of a puzzle's README.
fn readme(puzzle: &PuzzleType) -> (String, String) {
    let path = format!("instances/{}/README.md", puzzle.name);
    let text = read(&path);
    let rest = text.strip_prefix(&format!("# {}\n\n", puzzle.name));
    let parts = rest.and_then(|rest| rest.split_once("\n\n"));
    let (summary, sections) =
        parts.unwrap_or_else(|| panic!("{path}: a heading and a paragraph are expected"));
    for heading in ["## Model and encoding", "## Known results", "## Limits"] {
        assert!(sections.contains(heading), "{path}: no {heading}");
    }
    (summary.to_owned(), sections.to_owned())
}

/// A changed picture may contradict the text about its steps in `docs/explanations.md`.
#[test]
fn pictures_of_explanations_show_the_steps() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("steps.svg");
    for name in ["nurikabe", "rooks", "numberlink"] {
        let board = format!("docs/explanations/{name}.txt");
        let done = gordian(&["explain", &board, "--svg", file.to_str().expect("a path")], "");
        assert!(done.status.success(), "{name}: {done:?}");
        let picture = fs::read_to_string(&file).expect("a picture");
        generated(&format!("docs/explanations/{name}.svg"), &picture);
    }
}

/// Returns the page of a puzzle type that is stated by a rule sheet.
fn page_of_sheet(sheet: &gordian_rules::sheet::Sheet, explained: &str) -> String {
    let name = sheet.name();
    let sample = format!("rules/sheets/{name}.txt");
    let picture = format!("docs/puzzles/{name}.svg");
    let file = tempfile::Builder::new().suffix(".svg").tempfile().expect("a file");
    let solved = gordian(&["solve", &sample, "--svg", file.path().to_str().expect("a path")], "");
    assert!(solved.status.success(), "{name}: {solved:?}");
    generated(&picture, &fs::read_to_string(file.path()).expect("a picture"));
    format!(
        "# {name}\n\n{}\n\n![A solution of the sample board]({name}.svg)\n\n```console\n$ gordian puzzle {name}\n\
         {explained}```\n\n## Rule sheet\n\n[Rule sheets](../sheets.md) describes the language.\n\n```sheet\n{}```\n",
        sheet.about, sheet.text
    )
}

#[test]
fn every_puzzle_has_a_page() {
    for puzzle in all() {
        let name = puzzle.name;
        let explained = stdout(&gordian(&["puzzle", name], ""));
        if let Some(sheet) = &puzzle.sheet {
            generated(&format!("docs/puzzles/{name}.md"), &page_of_sheet(sheet, &explained));
            continue;
        }
        let (summary, sections) = readme(puzzle);
        // The page is in docs/puzzles/, so links to other pages in docs/ become relative to that directory.
        let sections = sections.replace("](../../docs/puzzles/", "](").replace("](../../docs/", "](../");
        let page = format!(
            "# {name}\n\n{summary}\n\n```console\n$ gordian puzzle {name}\n{explained}```\n\n{sections}\n\
             ## Boards\n\n[instances/{name}](../../instances/{name}) has boards with their expected results.\n"
        );
        generated(&format!("docs/puzzles/{name}.md"), &page);
    }
    let entries = fs::read_dir(root().join("docs/puzzles")).expect("a directory");
    let is_page = |entry: &fs::DirEntry| entry.path().extension().is_some_and(|extension| extension == "md");
    let pages = entries.map(|entry| entry.expect("an entry")).filter(is_page).count();
    assert_eq!(pages, all().count() + 1, "a page in docs/puzzles is of no puzzle");
}

#[test]
fn the_lists_of_pages_are_complete() {
    let (mut summary, mut index) = (String::new(), String::new());
    for puzzle in all() {
        let name = puzzle.name;
        writeln!(summary, "    * [{name}](puzzles/{name}.md)").expect("a string");
        let summary = puzzle.sheet.as_ref().map_or_else(|| readme(puzzle).0, |sheet| sheet.about.clone());
        writeln!(index, "* [{name}]({name}.md): {summary}").expect("a string");
    }
    let path = "docs/SUMMARY.md";
    generated(
        path,
        &with_list(&read(path), |line| line.starts_with("    * ") && line.contains("](puzzles/"), &summary),
    );
    let path = "docs/puzzles/index.md";
    generated(path, &with_list(&read(path), |line| line.starts_with("* ["), &index));
}

#[test]
fn the_table_of_encodings_is_complete() {
    let mut table =
        "| constraint | encoding | strength | count | paper |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for constraint in CONSTRAINTS {
        for encoding in (constraint.encodings)() {
            let (strength, count) = (encoding.strength.name(), encoding.count.name());
            let (constraint, name, paper) = (constraint.name, encoding.name, encoding.paper);
            writeln!(table, "| `{constraint}` | `{name}` | {strength} | {count} | {paper} |")
                .expect("a string");
        }
    }
    let path = "docs/encodings/index.md";
    let page = read(path);
    let before = page.split_once("## All encodings\n\n").expect("the section is the last of the page").0;
    generated(path, &format!("{before}## All encodings\n\n{table}"));
}

/// Replaces the table after a marker `<!-- name -->`, which extends to the next blank line or the end of the page.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let marker = format!("<!-- {name} -->\n\n");
    let (before, after) = page.split_once(&marker).unwrap_or_else(|| panic!("no marker for {name}"));
    let rest =
        if after.starts_with('|') { after.split_once("\n\n").map_or("", |(_, rest)| rest) } else { after };
    format!("{before}{marker}{table}\n{rest}")
}

#[test]
fn the_tables_of_rule_sheets_are_complete() {
    use gordian_rules::sheet::{ADDRESS_SCHEMES, BUILTINS, Builtin, Quantifier, SCHEMES, Sort, Style};

    let table = |head: [&str; 2], rows: &mut dyn Iterator<Item = [String; 2]>| {
        let rows = rows.map(|[name, meaning]| format!("| {name} | {meaning} |\n"));
        format!("| {} | {} |\n| --- | --- |\n{}", head[0], head[1], rows.collect::<String>())
    };
    let parts = |quantifier: &Quantifier| vec!["x in S: F"; quantifier.parts()].join(", ");
    let quantifiers = Quantifier::ALL.iter().map(|quantifier| {
        let relation = if quantifier.is_relation() { " (a relation)" } else { "" };
        [format!("`{}({})`{relation}", quantifier.name(), parts(quantifier)), quantifier.summary().to_owned()]
    });
    let quantifiers = table(["quantifier", "meaning"], &mut { quantifiers });
    let call = |row: &Builtin| {
        let sorts: Vec<String> =
            row.parameters.iter().map(|shape| shape.sort(&Sort::Any).to_string()).collect();
        if sorts.is_empty() {
            format!("`{}`", row.name)
        } else {
            format!("`{}`({})", row.name, sorts.join(", "))
        }
    };
    let builtins =
        table(["name", "meaning"], &mut BUILTINS.iter().map(|row| [call(row), row.summary.to_owned()]));
    let schemes = SCHEMES.iter().map(|row| [format!("`{}`", row.name), row.summary.replace('|', "\\|")]);
    let schemes = table(["scheme", "how the block is written"], &mut { schemes });
    let styles = Style::ALL.iter().map(|style| [format!("`{}`", style.name()), style.summary().to_owned()]);
    let styles = table(["style", "what is drawn"], &mut { styles });
    let addresses = ADDRESS_SCHEMES.iter().map(|row| [format!("`{}`", row.name), row.summary.to_owned()]);
    let addresses = table(["scheme", "what the part contains"], &mut { addresses });
    let path = "docs/sheets.md";
    let mut page = read(path);
    for (name, table) in [
        ("quantifiers", quantifiers),
        ("builtins", builtins),
        ("schemes", schemes),
        ("styles", styles),
        ("addresses", addresses),
    ] {
        page = with_table(&page, name, &table);
    }
    generated(path, &page);
}

/// Returns the schema of a field with the given shape. The argument `item` is the schema of a single number.
fn nested(shape: Shape, item: &Value) -> Value {
    let depth = match shape {
        Shape::Number => 0,
        Shape::List => 1,
        Shape::Rows => 2,
    };
    (0..depth).fold(item.clone(), |items, _| json!({"type": "array", "items": items}))
}

/// Returns the schema of an object with the given fields. All other fields occur only in constraint models and have the
/// schema `of_models`.
///
/// Panics if two fields have the same name but different schemas.
fn fields(rows: impl Iterator<Item = (&'static str, Value)>, of_models: &Value) -> Value {
    let mut properties = Map::new();
    for (name, schema) in rows {
        let known = properties.entry(name).or_insert_with(|| schema.clone());
        assert_eq!(*known, schema, "`{name}` has two shapes");
    }
    json!({"type": "object", "additionalProperties": of_models, "properties": properties})
}

#[test]
fn the_schema_has_the_fields_of_every_puzzle() {
    let number = json!({"$ref": "result.schema.json#/$defs/number"});
    let value = json!({"anyOf": [number, {"enum": ["+"]}]});
    let rows = || all().flat_map(|puzzle| puzzle.fields);
    let solution = |row: &FieldRow| (row.name, nested(row.shape, &number));
    let remaining = |row: &FieldRow| nested(row.shape, &json!({"type": "array", "items": value}));
    let open = |row: &FieldRow| (row.name, json!({"anyOf": [remaining(row), {"enum": [true]}]}));
    // The schema for the value of a model variable or for the values of an array.
    let of_models = |items: &[Value]| {
        let lists = items.iter().map(|item| nested(Shape::List, item));
        json!({"anyOf": items.iter().cloned().chain(lists).collect::<Vec<_>>()})
    };
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The puzzles, and the fields of their solutions",
        "$defs": {
            "puzzle": {"enum": all().map(|puzzle| puzzle.name).chain([flatzinc::NAME]).collect::<Vec<_>>()},
            "solution": fields(rows().filter(|row| !row.backbone_only).map(solution), &of_models(std::slice::from_ref(&number))),
            "remaining": fields(rows().map(|row| (row.name, remaining(row))), &of_models(&[nested(Shape::List, &number)])),
            "open": fields(rows().map(open), &of_models(&[nested(Shape::List, &number), json!({"enum": [true]})])),
        },
    });
    let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
    generated("docs/puzzles.schema.json", &text);
}
