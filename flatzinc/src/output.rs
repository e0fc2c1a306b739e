//! The output of solutions in the format that MiniZinc expects.

use std::fmt::{self, Write as _};
use std::io;

use gordian_calls::write_constant;
use gordian_encodings::Value;

use crate::instance::{Instance, Operand, Output, VarDomain, VarId};

/// Writes the output of a solution: a line `x = 3;` for each variable, a line `a = array2d(1..2, 0..1, [1, 2, 3,
/// 4]);` for each array, and a final line `----------`.
///
/// The function `value` returns the value of a variable. Booleans have the values 0 and 1.
///
/// # Errors
/// Returns an error if the output cannot be written.
pub fn write_solution(
    out: &mut impl io::Write,
    instance: &Instance,
    value: impl Fn(VarId) -> Value,
) -> io::Result<()> {
    let mut text = String::new();
    for output in &instance.output {
        // Writing to a string always succeeds.
        let _ = write_output(&mut text, instance, output, &value);
        out.write_all(text.as_bytes())?;
        text.clear();
    }
    out.write_all(b"----------\n")
}

fn write_output(
    text: &mut String,
    instance: &Instance,
    output: &Output,
    value: &impl Fn(VarId) -> Value,
) -> fmt::Result {
    write!(text, "{} = ", output.name)?;
    if let Some(dimensions) = &output.dimensions {
        write!(text, "array{}d(", dimensions.len())?;
        for (first, last) in dimensions {
            write!(text, "{first}..{last}, ")?;
        }
        text.push('[');
    }
    for (index, element) in output.elements.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        match *element {
            Operand::Var(id) if instance.variables[id.0 as usize].domain == VarDomain::Bool => {
                write!(text, "{}", value(id) != 0)?;
            }
            Operand::Var(id) => write!(text, "{}", value(id))?,
            ref constant => write_constant(text, constant)?,
        }
    }
    text.push_str(if output.dimensions.is_some() { "]);\n" } else { ";\n" });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::write_solution;
    use crate::text;

    #[test]
    fn every_kind_of_output() {
        let instance = text::read(
            "var 1..9: x :: output_var; var bool: b :: output_var; var int: hidden; var int: y;\
             array [1..6] of var int: a :: output_array([1..2, 0..2]) = [x, 1, y, x, -5, 6];\
             array [1..2] of var bool: bs :: output_array([7..8]) = [b, false];\
             array [1..3] of set of int: sets :: output_array([1..3]) = [{1, 3}, {}, 2..4];\
             array [1..0] of var int: empty :: output_array([1..0, 1..3]) = [];\
             solve satisfy;",
        )
        .expect("an instance");
        let mut out = Vec::new();
        write_solution(&mut out, &instance, |id| [3, 1, 99, i128::MIN][id.0 as usize]).expect("a vector");
        assert_eq!(
            String::from_utf8_lossy(&out),
            "x = 3;\nb = true;\n\
             a = array2d(1..2, 0..2, [3, 1, -170141183460469231731687303715884105728, 3, -5, 6]);\n\
             bs = array1d(7..8, [true, false]);\n\
             sets = array1d(1..3, [{1, 3}, 1..0, 2..4]);\n\
             empty = array2d(1..0, 1..3, []);\n\
             ----------\n"
        );
    }
}
