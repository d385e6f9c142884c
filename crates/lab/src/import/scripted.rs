//! Scripts of a plan as steps: the values that they put into variables.

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

/// What a script puts into variables, as steps.
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

/// What an unread script would give is missed where it is used; what it does by itself is missed in any case.
fn unread_script(element: &Element<'_>, script: &str, names: &mut Names) {
    let (kind, line, name) = (element.kind(), element.line, element.name());
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
        names.drawn.insert(
            "distribution".to_owned(),
            shares.into_iter().map(|share| (String::new(), share)).collect(),
        );
        return;
    }
    let told = format!("{kind}: this was not read");
    if script::acts(script) {
        names.lack(line, format!("{kind} \"{name}\": the script does more than this program reads"));
    } else {
        names.note(line, told);
    }
    for given in script::given(script) {
        names.unread.insert(called(&given).to_owned(), (line, format!("{kind} \"{name}\"")));
    }
}
