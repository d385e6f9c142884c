//! Translates scripts of a plan to steps: assigned values, counted loops, branches that are chosen at random.

use regex_lite::Regex;

use super::names::{Names, workflow_name};
use super::plan::Element;
use super::script::{self, Piece, parse_assignments};
use super::write::Step;

pub(super) fn script_text<'d>(element: &Element<'d>) -> &'d str {
    match element.text("script") {
        "" => element.text("BeanShellSampler.query"),
        script => script,
    }
}

/// The assignments of a script as steps.
pub(super) fn read_script(element: &Element<'_>, names: &mut Names) -> Vec<Step> {
    let script = script_text(element);
    let read = parse_assignments(script).filter(|read| {
        let own = |pieces: &[Piece]| !pieces.contains(&Piece::Answer);
        !script.trim().is_empty() && read.iter().all(|(_, pieces)| own(pieces))
    });
    let Some(read) = read else {
        note_unread_script(element, script, names);
        return Vec::new();
    };
    let steps = read.into_iter().map(|(name, pieces)| {
        let written = pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Variable(name) => format!("${{{name}}}"),
            Piece::Answer => String::new(),
        });
        let text = names.translate_text(&written.collect::<String>(), element.line);
        let number = names.add_taken(&name, false);
        Step::Set { number, name, text }
    });
    steps.collect()
}

/// Notes a script that was not translated. Values that it assigns are missing where they are used; a script that acts by itself is always
/// missing.
fn note_unread_script(element: &Element<'_>, script: &str, names: &mut Names) {
    let line = element.line;
    if let Some((name, texts)) = script::parse_drawn_switch(script) {
        let shares = names.drawn_texts.remove("distribution").unwrap_or_default();
        if shares.len() == texts.len() {
            let shares = shares.into_iter().map(|(_, share)| share);
            names.drawn_texts.insert(name, texts.into_iter().zip(shares).collect());
            return;
        }
    }
    // Scripts of FOLIO's plans draw a number by the shares that stand in their parameters.
    if let Some(shares) = script::parse_shares(&names.resolve_text(element.text("parameters"))) {
        let unnamed = shares.into_iter().map(|share| (String::new(), share));
        names.drawn_texts.insert("distribution".to_owned(), unnamed.collect());
        return;
    }
    if script::has_side_effects(script) {
        names.note_missing_part(element, "the script does more than this program reads");
    } else {
        names.note(line, format!("{}: this was not read", element.kind()));
    }
    for given in script::assigned_names(script) {
        names.unread_sources.insert(workflow_name(&given).to_owned(), (line, element.description()));
    }
}

/// The value and the list of a loop that counts up to a number and takes the list's element with that number each time.
pub(super) fn find_list_loop(element: &Element<'_>) -> Option<(String, String)> {
    let counted = Regex::new(r"\$\{(\w+)\}\s*<=\s*\$\{\w+\}").expect("an expression");
    let counter = counted.captures(element.text("WhileController.condition"))?[1].to_owned();
    let scripts: Vec<&str> = element.with_descendants().into_iter().map(|one| script_text(one)).collect();
    let found = scripts.iter().find_map(|text| script::parse_list_loop(text, &counter))?;
    scripts.iter().any(|text| script::increments(text, &counter)).then_some(found)
}

/// The shares of a switch controller with the value `...distrFromString(vars.get("SHARES"))`, where SHARES is a text such as `30-70`.
pub(super) fn switch_shares(value: &str, names: &Names) -> Option<Vec<f64>> {
    let drawn = Regex::new(r#"distrFromString\(\s*vars\.get\(\s*["']([^"']+)["']"#).expect("an expression");
    let name = drawn.captures(value)?[1].to_owned();
    script::parse_shares(&names.constant_value(&name)?)
}
