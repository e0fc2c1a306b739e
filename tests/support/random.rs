//! Random boards of all puzzle types that support explanations.

use gordian::puzzle::Puzzle;

/// The first line and the tokens of random boards, for each puzzle type that supports explanations.
pub(crate) const BOARDS: [(&str, &[&str]); 7] = [
    ("nurikabe", &[".", ".", ".", ".", ".", "?", "1", "2", "3", "4"]),
    ("rooks", &[".", ".", ".", ".", ".", "#", "0", "1", "2", "3"]),
    ("numberlink", &["."]),
    ("numberlink cells=all", &["."]),
    ("numberlink touch=no", &["."]),
    ("labyrinth", &[]),
    ("numcross", &[]),
];

/// Returns a random board that begins with `header`. Each cell contains one of `tokens` or the number of a pair.
pub(crate) fn board(random: &mut fastrand::Rng, (header, tokens): (&str, &[&str])) -> Box<dyn Puzzle> {
    match header {
        "labyrinth" => return labyrinth(random),
        "numcross" => return numcross(random),
        _ => {}
    }
    let (rows, columns) = (random.usize(1..=3), random.usize(1..=4));
    let mut cells: Vec<&str> = (0..rows * columns).map(|_| tokens[random.usize(..tokens.len())]).collect();
    if header.starts_with("numberlink") {
        let mut places: Vec<usize> = (0..cells.len()).collect();
        random.shuffle(&mut places);
        for (pair, number) in places.chunks_exact(2).take(random.usize(1..=3)).zip(["1", "2", "3"]) {
            (cells[pair[0]], cells[pair[1]]) = (number, number);
        }
    }
    let lines: Vec<String> = cells.chunks(columns).map(|row| row.join(" ")).collect();
    super::board(&format!("{header}\n{}\n", lines.join("\n")))
}

fn labyrinth(random: &mut fastrand::Rng) -> Box<dyn Puzzle> {
    let nodes = random.usize(2..=6);
    let pairs: Vec<(usize, usize)> = (1..=nodes).flat_map(|b| (1..b).map(move |a| (a, b))).collect();
    let edges: Vec<String> =
        pairs.iter().filter(|_| random.bool()).map(|(a, b)| format!("{a}, {b}")).collect();
    let edges = if edges.is_empty() { vec!["1, 2".to_owned()] } else { edges };
    let rows = edges.join("|");
    super::board(&format!("labyrinth\nn = {nodes}\nstart = 1\ntarget = 2\ngraph = [|{rows}|]\n"))
}

/// Returns a random number crossword with 2x2 to 3x3 cells. The board often has no solution.
fn numcross(random: &mut fastrand::Rng) -> Box<dyn Puzzle> {
    loop {
        let (rows, columns) = (random.usize(2..=3), random.usize(2..=3));
        let numbers: Vec<u32> = (0..rows * columns).map(|_| random.u32(0..=4)).collect();
        let across = numbers.chunks(columns).map(<[u32]>::to_vec);
        let down = (0..columns).map(|column| numbers[column..].iter().step_by(columns).copied().collect());
        let lines: Vec<Vec<u32>> = across.chain(down).collect();
        let entries = lines.iter().flat_map(|line| line.split(|&number| number == 0));
        let products = entries.filter(|entry| entry.len() > 1).map(|entry| entry.iter().product::<u32>());
        let change = random.u32(0..2);
        let mut definitions: Vec<u32> = products.map(|product| product + change).collect();
        let number = definitions.len();
        definitions.sort_unstable();
        definitions.dedup();
        if number == 0 || definitions.len() < number {
            continue;
        }
        let tokens: Vec<&str> = numbers.iter().map(|&number| if number == 0 { "#" } else { "." }).collect();
        let rows: Vec<String> = tokens.chunks(columns).map(|row| row.join(" ")).collect();
        let definitions: Vec<String> = definitions.iter().map(u32::to_string).collect();
        let header = format!("numcross\nr = 1\ns = 4\nS = {{{}}}", definitions.join(", "));
        return super::board(&format!("{header}\n{}\n", rows.join("\n")));
    }
}
