//! Lists the rule sheets in the folder `sheets`, so that a new sheet needs no entry in a list. The list has the names in
//! each sheet, so that a program finds the sheet of a board without parsing the others.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

use error::SheetError;
use syntax::{Name, Syntax};

#[expect(dead_code, unreachable_pub, reason = "the crate needs more of the parser")]
#[path = "src/sheet/error.rs"]
mod error;
#[path = "src/sheet/lexer.rs"]
mod lexer;
#[path = "src/sheet/parse.rs"]
mod parse;
#[expect(dead_code, unreachable_pub, reason = "the crate needs more of the parser")]
#[path = "src/sheet/syntax.rs"]
mod syntax;

/// The scheme of data that a board need not have.
const OPTION: &str = "option";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=sheets");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("sheets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "sheet") {
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name in UTF-8");
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    let mut rows = String::new();
    for name in &names {
        let text = fs::read_to_string(folder.join(name).with_extension("sheet"))?;
        let listed = match parse::parse(&text) {
            Ok(syntax) => names_in(&syntax),
            // The tests of the crate report the error with its place.
            Err(error) => {
                println!("cargo::warning={name}.sheet: {error}");
                names_in(&Syntax::default())
            }
        };
        let file = |extension: &str| {
            format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/sheets/{name}.{extension}\"))")
        };
        let (text, sample) = (file("sheet"), file("txt"));
        writeln!(rows, "SheetRow {{ name: {name:?}, {listed}text: {text}, sample: {sample} }},")
            .expect("a string takes any text");
    }
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("sheets.rs");
    fs::write(out, format!("&[\n{rows}]\n"))
}

/// Returns the fields of a row of the list that contain the names in a sheet.
fn names_in(Syntax { names, addresses, data, extensions, .. }: &Syntax) -> String {
    let data = data.iter().filter(|block| block.scheme.text != OPTION).flat_map(|block| &block.fields);
    let fields = [
        ("names", listed(names)),
        ("addresses", listed(addresses.iter().flat_map(|address| &address.names))),
        ("data", listed(data.map(|(name, _)| name))),
        ("extensions", listed(extensions)),
    ];
    fields.map(|(field, names)| format!("{field}: &{names:?}, ")).concat()
}

/// Returns the names without repetition.
fn listed<'s>(names: impl IntoIterator<Item = &'s Name>) -> Vec<&'s str> {
    let mut listed: Vec<&str> = Vec::new();
    for name in names {
        if !listed.contains(&&*name.text) {
            listed.push(&name.text);
        }
    }
    listed
}
