//! Tests of connectivity constraints with a vertex for each edge, which presolve may replace by an edge.

use std::fmt::Write as _;

use gordian_flatzinc::text;
use proptest::prelude::*;

use super::check;

/// The number of vertices. The further vertices `e0`, `e1` and so on stand for edges between them.
const VERTICES: usize = 4;
const EDGES: usize = 4;

/// What constraints say about the Boolean of an edge with the ends a and b. Presolve replaces the vertex of an edge in the
/// first two cases, and in other cases only if a Boolean has a fixed value.
const DEFINITIONS: [&str; 6] = [
    "constraint array_bool_and([{a},{b}],{e});\n",
    "constraint array_bool_and([{b},{a}],{e});\n",
    "constraint array_bool_or([{a},{b}],{e});\n",
    "constraint bool_clause([{a}],[{e}]);\nconstraint bool_clause([{b}],[{e}]);\n",
    "constraint array_bool_and([{a},{b},v0],{e});\n",
    "",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn graphs_with_vertices_for_edges_are_translated_faithfully(
        edges in proptest::collection::vec((0..VERTICES, 0..VERTICES, 0..DEFINITIONS.len()), EDGES),
        extra in proptest::collection::vec((0..VERTICES + EDGES, 0..VERTICES + EDGES), 0..3),
        fixed in proptest::option::of((0..VERTICES, any::<bool>())),
        suffix in 0..3_usize,
    ) {
        let vertices: Vec<String> = (0..VERTICES).map(|index| format!("v{index}")).collect();
        let names: Vec<String> = (0..EDGES).map(|index| format!("e{index}")).collect();
        let all = [vertices, names].concat();
        let mut model: String =
            all.iter().flat_map(|name| ["var bool: ", name, " :: output_var;\n"]).collect();
        model += "var bool: c :: output_var;\n";
        let mut ends = Vec::new();
        for (index, &(a, b, definition)) in edges.iter().enumerate() {
            let edge = VERTICES + index;
            ends.extend([a, edge, edge, b]);
            let text = DEFINITIONS[definition].replace("{a}", &all[a]).replace("{b}", &all[b]);
            model += &text.replace("{e}", &all[edge]);
        }
        ends.extend(extra.iter().flat_map(|&(from, to)| [from, to]));
        if let Some((vertex, value)) = fixed {
            writeln!(model, "constraint bool_eq(v{vertex},{value});").expect("memory");
        }
        let (suffix, condition) = [("", ""), ("_reif", ",c"), ("_imp", ",c")][suffix];
        let ends: Vec<String> = ends.iter().map(|end| (end + 1).to_string()).collect();
        let (vertices, ends) = (all.join(","), ends.join(","));
        let arguments = format!("[{vertices}],[{ends}]{condition}");
        writeln!(model, "constraint gordian_connected{suffix}({arguments});\nsolve satisfy;").expect("memory");
        check(&text::read(&model).expect("FlatZinc"))?;
    }
}
