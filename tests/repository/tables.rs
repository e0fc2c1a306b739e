//! Tests that the tables of puzzle types, encodings and constraints list every item that the sources define.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use gordian::puzzle::PUZZLES;
use gordian_encodings::CONSTRAINTS;
use gordian_encodings::encode::ConstraintRow;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Returns all items in the files of a directory.
fn items(directory: &str) -> impl Iterator<Item = syn::Item> {
    rust_files(&root().join(directory))
        .into_iter()
        .flat_map(|path| syn::parse_file(&fs::read_to_string(path).expect("a source")).expect("Rust").items)
}

fn text(expression: &syn::Expr) -> Option<String> {
    match expression {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// Finds all static items of the type `of` in a directory, and returns the values of their field `name`. If the type is
/// generic, the values are grouped by the type argument.
fn statics(directory: &str, of: &str) -> BTreeMap<Option<String>, BTreeSet<String>> {
    let mut found = BTreeMap::<_, BTreeSet<String>>::new();
    for item in items(directory) {
        let syn::Item::Static(item) = item else { continue };
        let (syn::Type::Path(path), syn::Expr::Struct(row)) = (&*item.ty, &*item.expr) else { continue };
        let last = path.path.segments.last().expect("a segment");
        if last.ident != of {
            continue;
        }
        let argument = match &last.arguments {
            syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                Some(syn::GenericArgument::Type(syn::Type::Path(path))) => {
                    path.path.segments.last().map(|segment| segment.ident.to_string())
                }
                _ => None,
            },
            _ => None,
        };
        let name = row.fields.iter().find_map(|field| match &field.member {
            syn::Member::Named(name) if name == "name" => text(&field.expr),
            _ => None,
        });
        let name = name.unwrap_or_else(|| panic!("`{}` in {directory} has no name", item.ident));
        assert!(found.entry(argument).or_default().insert(name), "the name of `{}` is taken", item.ident);
    }
    found
}

#[test]
fn each_puzzle_in_the_sources_is_in_the_table() {
    let listed: BTreeSet<_> = PUZZLES.iter().map(|puzzle| puzzle.name.to_owned()).collect();
    assert_eq!(statics("src/puzzle", "PuzzleType"), [(None, listed)].into());
}

/// Returns the names of the files that contain an item with the given property. Subdirectories are not searched.
fn files_with(directory: &str, has: impl Fn(&syn::Item) -> bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root().join(directory)).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let file = syn::parse_file(&fs::read_to_string(&path).expect("a source")).expect("Rust");
            if file.items.iter().any(&has) {
                found.insert(path.file_stem().expect("a name").to_string_lossy().into_owned());
            }
        }
    }
    found
}

#[test]
fn each_file_of_rules_has_a_file_with_a_row() {
    let rules = files_with("rules/src", |item| match item {
        syn::Item::Impl(item) => item.trait_.as_ref().is_some_and(|(_, path, _)| path.is_ident("Rules")),
        _ => false,
    });
    let rows = files_with("src/puzzle", |item| match item {
        syn::Item::Static(item) => {
            matches!(&*item.ty, syn::Type::Path(path) if path.path.is_ident("PuzzleType"))
        }
        _ => false,
    });
    assert!(rules.len() > 5, "{rules:?}");
    assert_eq!(rules, rows);
}

#[test]
fn each_encoding_in_the_sources_is_in_the_list_of_its_constraint() {
    let names = |row: &ConstraintRow| (row.encodings)().iter().map(|row| row.name.to_owned()).collect();
    let listed: Vec<BTreeSet<String>> = CONSTRAINTS.iter().map(names).collect();
    let declared = statics("encodings/src/encoding", "Encoding");
    assert!(declared.len() > 10, "{declared:?}");
    for (constraint, names) in declared {
        assert!(listed.contains(&names), "{names:?} are not the encodings of {constraint:?} in the table");
    }
}

#[test]
fn each_constraint_in_the_sources_is_in_the_table() {
    let source = fs::read_to_string(root().join("encodings/src/registry.rs")).expect("a source");
    let mut declared = BTreeSet::new();
    for item in syn::parse_file(&source).expect("Rust").items {
        let syn::Item::Impl(item) = item else { continue };
        declared.extend(item.items.iter().filter_map(|item| match item {
            syn::ImplItem::Const(constant) if constant.ident == "NAME" => text(&constant.expr),
            _ => None,
        }));
    }
    assert!(declared.len() > 10, "{declared:?}");
    for name in declared {
        assert!(CONSTRAINTS.iter().any(|row| row.name == name), "`{name}` is not in the table");
    }
}
