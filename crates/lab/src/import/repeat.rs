//! Loops that scripts count, and branches that a function draws.

use regex_lite::Regex;

use super::names::Names;
use super::plan::Element;
use super::script;
use super::scripted::script_of;

/// Of a loop that counts up to a number and takes the value of that number each time: the value, and the list.
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
