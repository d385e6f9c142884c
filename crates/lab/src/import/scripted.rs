//! Scripts of a plan as steps: the values that they put into variables, the loops that they count, the branches that they draw.

use regex_lite::Regex;

use super::names::{Names, called};
use super::plan::Element;
use super::script::{self, Piece, puts};
use super::write::Step;

pub(super) fn script_of<'d>(element: &Element<'d>) -> &'d str {
    match element.text("script") {
        "" => element.text("BeanShellSampler.query"),
        script => script,
    }
}

/// The values that a script puts into variables, as steps.
pub(super) fn script(element: &Element<'_>, names: &mut Names) -> Vec<Step> {
    let script = script_of(element);
    let read = puts(script).filter(|read| {
        let own = |pieces: &[Piece]| !pieces.contains(&Piece::Answer);
        !script.trim().is_empty() && read.iter().all(|(_, pieces)| own(pieces))
    });
    let Some(read) = read else {
        unread_script(element, script, names);
        return Vec::new();
    };
    let steps = read.into_iter().map(|(name, pieces)| {
        let written = pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Variable(name) => format!("${{{name}}}"),
            Piece::Answer => String::new(),
        });
        let text = names.text(&written.collect::<String>(), element.line);
        let number = names.take(&name, false);
        Step::Set { number, name, text }
    });
    steps.collect()
}

/// Notes a script that could not be read. Values that it would give are missing where they are used; what it does by itself is
/// missing in any case.
fn unread_script(element: &Element<'_>, script: &str, names: &mut Names) {
    let line = element.line;
    if let Some((name, texts)) = script::switched(script) {
        let shares = names.drawn.remove("distribution").unwrap_or_default();
        if shares.len() == texts.len() {
            let shares = shares.into_iter().map(|(_, share)| share);
            names.drawn.insert(name, texts.into_iter().zip(shares).collect());
            return;
        }
    }
    // Scripts of FOLIO's plans draw a number by the shares that stand in their parameters.
    if let Some(shares) = script::shares(&names.resolved(element.text("parameters"))) {
        let unnamed = shares.into_iter().map(|share| (String::new(), share));
        names.drawn.insert("distribution".to_owned(), unnamed.collect());
        return;
    }
    if script::acts(script) {
        names.lack_of(element, "the script does more than this program reads");
    } else {
        names.note(line, format!("{}: this was not read", element.kind()));
    }
    for given in script::given(script) {
        names.unread.insert(called(&given).to_owned(), (line, element.called()));
    }
}

/// The value and the list of a loop that counts up to a number and takes the list's value of that number each time.
pub(super) fn list_of(element: &Element<'_>) -> Option<(String, String)> {
    let counted = Regex::new(r"\$\{(\w+)\}\s*<=\s*\$\{\w+\}").expect("an expression");
    let counter = counted.captures(element.text("WhileController.condition"))?[1].to_owned();
    let scripts: Vec<&str> = element.all().into_iter().map(|one| script_of(one)).collect();
    let found = scripts.iter().find_map(|text| script::from_list(text, &counter))?;
    scripts.iter().any(|text| script::counts(text, &counter)).then_some(found)
}

/// `...distrFromString(vars.get("SHARES"))`, where SHARES is `30-70`.
pub(super) fn switch_shares(value: &str, names: &Names) -> Option<Vec<f64>> {
    let drawn = Regex::new(r#"distrFromString\(\s*vars\.get\(\s*["']([^"']+)["']"#).expect("an expression");
    let name = drawn.captures(value)?[1].to_owned();
    script::shares(&names.constant(&name)?)
}
