//! Tests of declarations, objectives, and the output for the XCSP3 competition.

use gordian_flatzinc::instance::{Goal, Operand, VarDomain, VarId};
use gordian_flatzinc::xcsp3::{self, competition};

const INSTANCE: &str = "<instance format=\"XCSP3\" type=\"COP\">
  <variables>
    <var id=\"z\"> -infinity..5 </var>
    <array id=\"x\" size=\"[2][3]\">
      <domain for=\"x[0][]\"> 0..2 7 </domain>
      <domain for=\"x[1][0..1]\"> 4 </domain>
      <domain for=\"others\"> 1 2 </domain>
    </array>
    <array id=\"y\" size=\"[3]\"> <domain for=\"y[0] y[2]\"> 0 1 </domain> </array>
    <var id=\"a\" as=\"z\"/>
  </variables>
  <constraints> <allDifferent> y[] <!-- y[1] does not exist --> </allDifferent> </constraints>
  <objectives> <maximize type=\"sum\"> <list> y[] </list> <coeffs> 1 3 </coeffs> </maximize> </objectives>
</instance>";

#[test]
fn declarations() {
    let instance = xcsp3::read(INSTANCE).expect("an instance");
    let names: Vec<&str> = instance.variables.iter().take(10).map(|variable| &*variable.name).collect();
    let expected =
        ["z", "x[0][0]", "x[0][1]", "x[0][2]", "x[1][0]", "x[1][1]", "x[1][2]", "y[0]", "y[2]", "a"];
    assert_eq!(names, expected);
    let values = |index: usize| match &instance.variables[index].domain {
        VarDomain::Int(domain) => domain.values().collect(),
        _ => Vec::new(),
    };
    assert_eq!(
        [values(1), values(4), values(6), values(8)],
        [vec![0, 1, 2, 7], vec![4], vec![1, 2], vec![0, 1]]
    );
    assert_eq!(instance.variables[0].domain, VarDomain::Unbounded);
    let bounds = instance.constraints.iter().filter(|call| &*call.name == "int_le").count();
    assert_eq!(bounds, 2);
}

#[test]
fn solutions_are_printed_as_the_competition_requires() {
    let instance = xcsp3::read(INSTANCE).expect("an instance");
    let Goal::Maximise(Operand::Var(VarId(objective))) = instance.goal else { panic!("{:?}", instance.goal) };
    assert_eq!(objective, 10);
    let values = [5, 0, 1, 2, 4, 4, 1, 0, 1, -3, 3];
    assert_eq!(
        competition::solution_line(&instance, &values, Some(3), true),
        "v <instantiation type=\"optimum\" cost=\"3\"> <list> z x[][] y[0] y[2] a </list>\
         <values> 5 0 1 2 4 4 1 0 1 -3 </values> </instantiation>"
            .replace("</list><values>", "</list> <values>")
    );
    assert_eq!(
        competition::solution_line(&instance, &values, None, false),
        "v <instantiation type=\"solution\"> <list> z x[][] y[0] y[2] a </list> \
         <values> 5 0 1 2 4 4 1 0 1 -3 </values> </instantiation>"
    );
    assert_eq!(competition::objective_line(-20), "o -20");
    assert_eq!(competition::Status::OptimumFound.line(), "s OPTIMUM FOUND");
}

#[test]
fn objectives() {
    let goal = |objective: &str| {
        let text = format!(
            "<instance type=\"COP\"><variables><array id=\"x\" size=\"[2]\"> 2..3 </array></variables>\
             <objectives>{objective}</objectives></instance>"
        );
        let instance = xcsp3::read(&text).expect("an instance");
        let names: Vec<String> = instance.constraints.iter().map(|call| call.name.to_string()).collect();
        (instance.goal, names)
    };
    let var = |x| Operand::Var(VarId(x));
    assert_eq!(goal("<minimize> x[1] </minimize>"), (Goal::Minimise(var(1)), vec![]));
    let (found, names) = goal("<maximize type=\"product\"> x[] </maximize>");
    assert_eq!((found, names), (Goal::Maximise(var(2)), vec!["int_times".to_owned()]));
    let (found, names) = goal("<minimize type=\"maximum\"> x[] </minimize>");
    assert_eq!((found, names), (Goal::Minimise(var(2)), vec!["array_int_maximum".to_owned()]));
    let (_, names) = goal("<minimize type=\"nValues\"> x[] </minimize>");
    assert_eq!(names.last().map(String::as_str), Some("int_lin_eq"));
}
