//! Draws explanations: as a strip that shows all steps, or as a page that shows one step at a time.

use std::fmt::Write as _;

use gordian_encodings::Lit;

use super::{Size, Step, StepText};
use crate::puzzle::Plain;
use crate::render::{self, Highlight, STYLE, Scene, escaped};

/// Draws one scene for each step: the board after the step, with its rules, premises and conclusions highlighted. The
/// last scene shows the final board without highlights. Returns `None` if the puzzle type does not support such
/// drawings.
#[must_use]
pub fn scenes(plain: &Plain, given: &[Lit], steps: &[Step]) -> Option<Vec<Scene>> {
    let mut known = given.to_vec();
    let mut scenes = Vec::new();
    for step in steps {
        let (mut cells, mut sides) = (Vec::new(), Vec::new());
        let mut show = |lit: Lit, highlight| match plain.fact_of(lit).map(|(fact, _)| &fact.cells[..]) {
            // A fact about two cells is shown at their common side.
            Some(&[a, b]) => sides.push(([a, b], highlight)),
            Some(of_fact) => cells.extend(of_fact.iter().map(|&cell| (cell, highlight))),
            None => {}
        };
        let deductions = || step.arguments.iter().flat_map(|argument| &argument.deductions);
        // The rules and facts of an argument that is not reduced cover the whole board.
        let reduced = || step.arguments.iter().filter(|argument| argument.size != Size::Unreduced);
        let premises = reduced().flat_map(|argument| &argument.deductions).flat_map(|of| &of.because);
        for &premise in premises {
            show(premise, Highlight::Premise);
        }
        for deduction in deductions() {
            show(deduction.lit, Highlight::Conclusion);
        }
        known.extend(deductions().map(|deduction| deduction.lit));
        let rules = reduced().flat_map(|argument| &argument.rules);
        cells.extend(rules.flat_map(|&rule| &plain.rules[rule].cells).map(|&cell| (cell, Highlight::Rule)));
        scenes.push(draw(plain, &known)?.highlighted(&cells).with_highlighted_sides(&sides));
    }
    scenes.push(draw(plain, &known)?);
    Some(scenes)
}

fn draw(plain: &Plain, known: &[Lit]) -> Option<Scene> {
    plain.draw(&|lit| {
        if known.contains(&lit) { Some(true) } else { known.contains(&!lit).then_some(false) }
    })
}

/// Draws all steps as one SVG picture. Returns `None` if the puzzle type does not support such drawings.
#[must_use]
pub fn strip(title: &str, plain: &Plain, given: &[Lit], steps: &[Step]) -> Option<String> {
    let scenes = numbered_scenes(plain, given, steps)?;
    let captions: Vec<String> =
        (1..=steps.len()).map(|step| format!("step {step}")).chain(["result".to_owned()]).collect();
    let captioned: Vec<(&Scene, &str)> = scenes.iter().zip(&captions).map(|(s, c)| (s, c.as_str())).collect();
    Some(render::picture(title, &captioned))
}

/// Works like [`scenes`], but with the numbers of rows and columns, which the facts contain.
fn numbered_scenes(plain: &Plain, given: &[Lit], steps: &[Step]) -> Option<Vec<Scene>> {
    let scenes = scenes(plain, given, steps)?;
    Some(scenes.into_iter().map(Scene::with_numbered_sides).collect())
}

/// The last view of a [`page`], which shows the board after all steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageEnd {
    /// The heading, such as `solved`.
    pub heading: String,
    /// Lines of text below the board.
    pub lines: Vec<String>,
}

impl PageEnd {
    /// Creates a last view without lines.
    #[must_use]
    pub fn of(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), lines: Vec::new() }
    }
}

const PAGE_STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}\
    section{display:none}section.current{display:block}nav{margin:.5rem 0}button{font-size:1rem}\
    svg{max-width:100%;height:auto;max-height:70vh}.chain{margin-left:1.5rem;list-style:none}";

const SCRIPT: &str = "const all=[...document.querySelectorAll('section')];let at=0;\
    function show(step){at=Math.max(0,Math.min(all.length-1,step));\
    all.forEach((section,index)=>section.classList.toggle('current',index===at));\
    document.getElementById('at').textContent=all[at].dataset.heading;\
    history.replaceState(null,'','#'+(at+1))}\
    function read(){show((parseInt(location.hash.slice(1),10)||1)-1)}\
    document.getElementById('back').onclick=()=>show(at-1);\
    document.getElementById('next').onclick=()=>show(at+1);\
    document.onkeydown=event=>{if(event.altKey||event.ctrlKey||event.metaKey)return;\
    if(event.key==='ArrowLeft')show(at-1);if(event.key==='ArrowRight')show(at+1)};\
    window.onhashchange=read;read();";

/// Returns an HTML page that shows one step at a time. The page is self-contained, and its address contains the number
/// of the step. Returns `None` if the puzzle type does not support drawings of known facts.
#[must_use]
pub fn page(title: &str, plain: &Plain, given: &[Lit], steps: &[Step], end: &PageEnd) -> Option<String> {
    let scenes = numbered_scenes(plain, given, steps)?;
    let mut sections = String::new();
    for (index, scene) in scenes.iter().enumerate() {
        let (heading, lines) = match steps.get(index) {
            Some(step) => {
                (format!("step {} of {}", index + 1, steps.len()), StepText::of(plain, step).lines())
            }
            None => (end.heading.clone(), end.lines.clone()),
        };
        let picture = render::picture_without_style(&format!("{title}, {heading}"), scene);
        let _ = write!(sections, "<section data-heading=\"{}\">\n{picture}<ul>\n", escaped(&heading));
        for line in lines {
            // The lines of a chain are indented.
            let class = if line.starts_with(' ') { " class=\"chain\"" } else { "" };
            let _ = writeln!(sections, "<li{class}>{}</li>", escaped(line.trim_start()));
        }
        sections.push_str("</ul>\n</section>\n");
    }
    let title = escaped(title);
    Some(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>\n{PAGE_STYLE}\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <nav><button id=\"back\">Back</button> <button id=\"next\">Next</button> or the arrow keys: \
         <strong id=\"at\"></strong></nav>\n\
         <p>Green: derived in this step. Blue: known facts that it uses. Orange: rules that it uses.</p>\n\
         {sections}<script>{SCRIPT}</script>\n</body>\n</html>\n"
    ))
}
