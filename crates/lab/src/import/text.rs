//! Parses JMeter's references in texts: `${name}`, `${__function(arguments)}`.

/// The name and the default of a property function: `P(VUSERS,8)`, `property(VUSERS,,8)`. None for other functions.
pub(super) fn parse_property(function: &str) -> Option<(&str, Option<&str>)> {
    let (kind, arguments) = function.strip_suffix(')')?.split_once('(')?;
    // Between the name and the default of `property` stands the name of a variable.
    let parts = match kind {
        "P" => 2,
        "property" => 3,
        _ => return None,
    };
    let mut arguments = arguments.splitn(parts, ',').map(str::trim);
    Some((arguments.next()?, arguments.nth(parts - 2)))
}

/// `${__P(VUSERS,8)}` is `8`; any other text is itself.
pub(super) fn resolve_default(text: &str) -> String {
    let function = text.trim().strip_prefix("${__").and_then(|rest| rest.strip_suffix('}'));
    function.and_then(parse_property).map_or(text, |(_, default)| default.unwrap_or_default()).to_owned()
}

/// The position of the brace that ends a reference. Arguments of functions may contain braces.
pub(super) fn closing_brace(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => return at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

pub(super) fn escape_braces(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// The text within quotation marks, if it contains no further ones.
pub(super) fn unquote(text: &str) -> Option<&str> {
    let text = text.trim();
    ['"', '\''].into_iter().find_map(|mark| {
        let inner = text.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inner.contains(mark)).then_some(inner)
    })
}
