//! Compares `docs/architecture.md` with the imports between the modules of each crate. A module may import only
//! modules listed above it, so there are no cycles of imports. `UPDATE=1 cargo test --test repository architecture::`
//! rewrites the lists of imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The crates of the workspace, and the directories of their sources.
const CRATES: [(&str, &str); 11] = [
    ("gordian-rules", "rules/src"),
    ("gordian-lemmas", "lemmas/src"),
    ("gordian-proofs", "proofs/src"),
    ("gordian-cdcl", "cdcl/src"),
    ("gordian-encodings", "encodings/src"),
    ("gordian-counting", "counting/src"),
    ("gordian-explain", "explain/src"),
    ("gordian-calls", "calls/src"),
    ("gordian-flatzinc", "flatzinc/src"),
    ("gordian-serve", "serve/src"),
    ("gordian", "src"),
];

const PAGE: &str = "docs/architecture.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn tokens(path: &Path) -> Vec<TokenTree> {
    let source = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let tokens: TokenStream = source.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    tokens.into_iter().collect()
}

fn is_ident(token: Option<&TokenTree>, name: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == name)
}

fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

fn inside(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// Returns whether an attribute (the text inside its brackets) restricts its item to tests.
fn for_tests(attribute: &[TokenTree]) -> bool {
    let condition = inside(attribute.get(1), Delimiter::Parenthesis).unwrap_or_default();
    is_ident(attribute.first(), "cfg")
        && ["test", "doctest"].iter().any(|name| is_ident(condition.first(), name))
}

/// Adds the first name after the root of each path, such as `a` in `crate::a::b`. The tokens belong to a module with
/// `ancestors` ancestors, including the crate root.
fn root_names(tokens: &[TokenTree], ancestors: usize, names: &mut BTreeSet<String>) {
    let mut rest = tokens;
    while let Some((first, others)) = rest.split_first() {
        rest = others;
        match first {
            TokenTree::Punct(punct)
                if punct.as_char() == '#'
                    && inside(rest.first(), Delimiter::Bracket).is_some_and(|group| for_tests(&group)) =>
            {
                let end = |token: &TokenTree| {
                    is_punct(Some(token), ';') || inside(Some(token), Delimiter::Brace).is_some()
                };
                let item = rest.iter().position(end).map_or(rest.len(), |end| end + 1);
                rest = &rest[item..];
            }
            TokenTree::Ident(word) if word == "mod" => {
                if let Some(body) = inside(rest.get(1), Delimiter::Brace) {
                    root_names(&body, ancestors + 1, names);
                    rest = &rest[2..];
                }
            }
            TokenTree::Ident(word) if word == "crate" => heads(rest, 0, names),
            TokenTree::Ident(word) if word == "super" => heads(rest, ancestors - 1, names),
            TokenTree::Group(group) => {
                root_names(&group.stream().into_iter().collect::<Vec<_>>(), ancestors, names);
            }
            _ => {}
        }
    }
}

/// Adds the first names after the root in a path or a group of imports. The tokens `rest` follow the beginning of the
/// path, which names a module with `ancestors` ancestors. Each `super` leads to the parent module.
fn heads(rest: &[TokenTree], ancestors: usize, names: &mut BTreeSet<String>) {
    if !(is_punct(rest.first(), ':') && is_punct(rest.get(1), ':')) {
        return;
    }
    match rest.get(2) {
        Some(TokenTree::Ident(word)) if word == "super" => heads(&rest[3..], ancestors - 1, names),
        Some(TokenTree::Ident(name)) if ancestors == 0 => drop(names.insert(name.to_string())),
        group if ancestors == 0 => {
            let list = inside(group, Delimiter::Brace).unwrap_or_default();
            for part in list.split(|token| is_punct(Some(token), ',')) {
                names.extend(part.first().map(ToString::to_string));
            }
        }
        _ => {}
    }
}

/// Returns the source files in a directory, without files that only tests use.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
    entries
        .filter(|path| path.file_stem().is_some_and(|name| name != "tests"))
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// Returns the names that the root of a crate exports, each with its module. The names of exported modules are
/// included.
fn exports(lib: &[TokenTree]) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for item in lib.split(|token| is_punct(Some(token), ';')) {
        let word =
            item.iter().position(|token| ["mod", "use"].iter().any(|word| is_ident(Some(token), word)));
        let Some([TokenTree::Ident(module), names @ ..]) = word.map(|index| &item[index + 1..]) else {
            continue;
        };
        let all: TokenStream = names.iter().cloned().collect();
        let words = all.to_string();
        let names = words.split(|char: char| !char.is_alphanumeric() && char != '_');
        exports.extend(names.chain([&*module.to_string()]).map(|name| (name.to_owned(), module.to_string())));
    }
    exports
}

/// Returns the modules of a crate, each with the modules that it imports.
fn imports(sources: &str) -> BTreeMap<String, BTreeSet<String>> {
    let sources = root().join(sources);
    let exports = exports(&tokens(&sources.join("lib.rs")));
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files(&sources) {
        let path = file.strip_prefix(&sources).expect("a file in the directory").with_extension("");
        let module = path.iter().next().and_then(|name| name.to_str()).expect("a name").to_owned();
        if ["lib", "main"].contains(&&*module) {
            continue;
        }
        let mut names = BTreeSet::new();
        root_names(&tokens(&file), path.iter().count(), &mut names);
        let exported = |name: &String| {
            let module = exports.get(name);
            module.unwrap_or_else(|| panic!("{}: `{name}` is defined in lib.rs", file.display())).clone()
        };
        let modules = names.iter().map(exported).filter(|other| *other != module);
        imports.entry(module.clone()).or_default().extend(modules);
    }
    // An exported name may have been imported from a different crate.
    let modules: BTreeSet<String> = imports.keys().cloned().collect();
    for others in imports.values_mut() {
        others.retain(|other| modules.contains(other));
    }
    imports
}

/// Returns the modules in the table of a section of the page, in order.
fn listed<'p>(page: &'p str, name: &str) -> Vec<&'p str> {
    let section = page.split("\n## ").find(|section| section.starts_with(&format!("`{name}`\n")));
    let section = section.unwrap_or_else(|| panic!("{PAGE}: no section `{name}`"));
    section.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0)).collect()
}

#[test]
fn modules_import_only_modules_above_them() {
    let mut page = fs::read_to_string(root().join(PAGE)).expect("the page");
    let mut wrong = Vec::new();
    for (name, sources) in CRATES {
        let imports = imports(sources);
        let order = listed(&page, name);
        let place = |module: &str| order.iter().position(|&other| other == module);
        assert!(
            order.len() == imports.len() && imports.keys().all(|module| place(module).is_some()),
            "{PAGE}: the modules of {name} are {:?}, but the table has {order:?}",
            imports.keys()
        );
        let mut list = String::new();
        for &module in &order {
            let mut others: Vec<&str> = imports[module].iter().map(String::as_str).collect();
            others.sort_by_key(|other| place(other));
            let later = others.iter().filter(|other| place(other) > place(module));
            wrong.extend(later.map(|other| format!("{name}: `{module}` imports `{other}`")));
            if !others.is_empty() {
                writeln!(list, "{module} -> {}", others.join(", ")).expect("memory");
            }
        }
        let start = format!("```arrows {name}\n");
        let (before, rest) = page.split_once(&start).unwrap_or_else(|| panic!("{PAGE}: no list of {name}"));
        let (found, after) = rest.split_once("```").expect("the end of the list");
        if std::env::var_os("UPDATE").is_none() {
            assert_eq!(
                found, list,
                "{PAGE}; `UPDATE=1 cargo test --test repository architecture::` rewrites the list"
            );
        }
        page = [before, &start, &list, "```", after].concat();
    }
    assert_eq!(wrong, [""; 0], "{PAGE} lists these imported modules below the module that imports them");
    fs::write(root().join(PAGE), page).expect("the page is written");
}

/// `gordian-calls` states what constraints mean independently of encodings.
#[test]
fn calls_use_only_data_of_encodings() {
    let mut used = BTreeSet::new();
    for file in files(&root().join("calls/src")) {
        let text = fs::read_to_string(file).expect("a source file");
        let paths = text.split("gordian_encodings::").skip(1);
        used.extend(paths.map(|path| path.split([';', '\n']).next().unwrap_or_default().to_owned()));
    }
    let allowed = |path: &String| {
        ["Domain", "Value", "{Domain, Value}"].contains(&&**path)
            || path.starts_with("constraint::Comparison")
    };
    assert!(used.iter().any(|path| path.contains("Domain")), "{used:?}");
    assert!(used.iter().all(allowed), "{used:?}");
}
