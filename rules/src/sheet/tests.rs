//! Tests of the language, the evaluator and the grounder.

use std::sync::Arc;

use super::*;

fn slitherlink() -> Arc<Sheet> {
    let text = "puzzle slitherlink
data grid clue: 0..4
var line on sides
solution line border
rule \"clue\" for c in clue: count(s in sides(c): line(s)) = clue(c)
rule \"one loop\": loop(s in sides: line(s))";
    Arc::new(Sheet::parse(text).unwrap())
}

#[test]
fn a_loop_around_one_cell_is_the_only_solution() {
    let sheet = slitherlink();
    let size = Size { rows: 2, columns: 2 };
    let mut clues = PlaceMap::new(size);
    clues.insert(Spot::Cell(size.cell(0, 0).unwrap()).into(), Value::Number(4));
    let board = SheetBoard::new(sheet, size, vec![DataValues::Map(clues)]);
    let sides: Vec<Spot> = size.sides().collect();
    let mut solutions = 0;
    for chosen in 0..1 << sides.len() {
        let mut lines = PlaceMap::new(size);
        for (at, side) in sides.iter().enumerate() {
            lines.insert((*side).into(), i64::from(chosen >> at & 1));
        }
        solutions += usize::from(board.check(&vec![lines]).unwrap().is_none());
    }
    assert_eq!(solutions, 1);
    let ground = board.ground(true, &|| false).unwrap();
    assert_eq!(ground.variables.len(), 12);
    assert_eq!(ground.instances.len(), 2);
}

/// Returns the number of lines of a sheet that state its puzzle type, not the size of boards that are made.
fn lines(text: &str) -> usize {
    text.lines().filter(|line| !line.starts_with("make ")).count()
}

#[test]
fn every_sheet_is_accepted() {
    let mut errors = Vec::new();
    for SheetRow { name, text, .. } in SHEETS {
        match Sheet::parse(text) {
            Ok(sheet) => assert_eq!(sheet.name(), *name),
            Err(error) => {
                let line = text[..error.span.start].lines().count();
                errors.push(format!("{name}.sheet:{line}: {error} {:?}", error.help));
            }
        }
        // Only the sheet with the additions of many Sudokus has more lines than half a page.
        let most = if text.contains("data optional") { 90 } else { 23 };
        assert!(lines(text) <= most, "{name} has {} lines", lines(text));
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    let long = SHEETS.iter().filter(|row| lines(row.text) > 15).count();
    assert!(long <= SHEETS.len() / 7, "{long} sheets have more than 15 lines");
}

#[test]
fn results_of_the_evaluator_fit_in_two_registers() {
    assert_eq!(size_of::<Result<Value, EvalError>>(), 16);
}

#[test]
fn a_sheet_states_the_size_of_boards_that_are_made() {
    let parsed = |size: &str| {
        let text = format!(
            "puzzle p\ndata grid d\n{size}\nvar v on cells\nsolution v mark\nrule \"r\" for c in d: v(c)"
        );
        Sheet::parse(&text).map(|sheet| sheet.made).map_err(|error| error.to_string())
    };
    assert_eq!(parsed(""), Ok(None));
    assert_eq!(parsed("make 6x8"), Ok(Some((6, 8))));
    for wrong in ["make", "make 6", "make 6x", "make 0x6", "make 6x0", "make 6y8", "make 70000x1"] {
        let error = parsed(wrong).unwrap_err();
        assert!(error.contains("numbers of rows and columns such as 6x8"), "{wrong}: {error}");
    }
}

#[test]
fn optional_blocks_have_rows_and_names_of_their_own() {
    let error = |data: &str| {
        let text = format!(
            "puzzle mine\n{data}\nvar on on cells\nsolution on shaded\nrule \"r\": count(c in cells: on(c)) = 1"
        );
        let error = Sheet::parse(&text).unwrap_err();
        (error.expected, text[error.span].to_owned())
    };
    let scheme = "`optional` only before a scheme with rows".to_owned();
    assert_eq!(error("data optional number k"), (scheme, "optional".to_owned()));
    assert_eq!(error("data optional grid a\ndata columns a"), ("another name".to_owned(), "a".to_owned()));
    assert_eq!(error("data columns a\ndata optional rows a"), ("another name".to_owned(), "a".to_owned()));
}

#[test]
fn options_have_a_meaning_and_a_letter() {
    let sheet = |data: &str, address: &str| {
        let text = format!(
            "puzzle mine\n{data}\ndata grid clue\n{address}\nvar on on cells\nsolution on shaded\n\
             rule \"clue\" for c in clue: on(c)\nrule \"all\" for c in cells where full: on(c)\n"
        );
        Sheet::parse(&text)
    };
    let full = "data option full \"whether all cells are shaded\"";
    let parsed = sheet(full, "address mine: option full \"f\", number16 clue").unwrap();
    let rows: Vec<(&str, &[usize])> =
        parsed.addresses.iter().map(|row| (row.letters.as_str(), &row.options[..])).collect();
    assert_eq!(rows, [("", &[][..]), ("f", &[0])]);
    for (data, address, expected) in [
        ("data option full", "", "a name, and its meaning in double quotes"),
        ("data number full \"text\"", "", "a text only for an option"),
        (full, "address mine: option clue \"f\", number16 clue", "the name of an option"),
        (full, "address mine: option fill \"f\", number16 clue", "the name of data: full, clue"),
        (full, "address mine: option full, number16 clue", "the letter of the option in double quotes"),
        (full, "address mine: number16 full", "the name of data in cells"),
    ] {
        let error = sheet(data, address).unwrap_err();
        assert_eq!(error.expected, expected, "{data} {address}");
    }
}
