//! Tests that the crate `gordian-rules` depends on no encoding and no solver. The checkers therefore share no code with
//! the encodings.

use std::process::Command;

/// Returns the names of a crate and all its dependencies, with all features enabled.
fn crates_of(package: &str) -> Vec<String> {
    let arguments = ["tree", "--offline", "--all-features", "--edges=normal,build", "--prefix=none"];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--package", package, "--format={lib}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let words = text.lines().filter_map(|line| line.split_whitespace().next());
    let mut crates: Vec<String> = words.filter(|&word| word != "(*)").map(str::to_owned).collect();
    crates.sort_unstable();
    crates.dedup();
    crates
}

#[test]
fn rules_depend_on_no_encoding_and_no_solver() {
    let known = [
        "autocfg",
        "gordian_rules",
        "num_bigint",
        "num_integer",
        "num_traits",
        "proc_macro2",
        "quote",
        "rustc_hash",
        "serde",
        "serde_core",
        "serde_derive",
        "strsim",
        "syn",
        "unicode_ident",
    ];
    let crates = crates_of("gordian-rules");
    assert!(crates.iter().any(|name| name == "num_bigint"), "{crates:?}");
    let others: Vec<_> = crates.iter().filter(|name| !known.contains(&name.as_str())).collect();
    assert!(others.is_empty(), "{others:?}");
}
