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
        assert!(text.lines().count() <= 16, "{name} has {} lines", text.lines().count());
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}
