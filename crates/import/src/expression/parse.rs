use super::{Expression, Part};

const MAX_BYTES: usize = 10_000;

impl Expression {
    /// `None` if the text is empty. A word that is neither a text nor a field is ignored, as in FOLIO.
    pub(crate) fn parse(text: &str) -> Result<Option<Expression>, String> {
        if text.len() > MAX_BYTES {
            return Err(format!("the value is longer than {MAX_BYTES} bytes"));
        }
        if text.trim().is_empty() {
            return Ok(None);
        }
        let alternatives = text
            .split("; else ")
            .map(|alternative| split_words(alternative).map(|words| parse_parts(&words)))
            .collect::<Result<_, _>>()?;
        Ok(Some(Expression { alternatives }))
    }
}

fn parse_parts(words: &[String]) -> Vec<Part> {
    words.iter().filter_map(|word| parse_part(word)).collect()
}

/// Words between blanks; a text in quotation marks is one word, whatever is in it.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for character in text.chars() {
        if character == '"' {
            quoted = !quoted;
        }
        if character.is_whitespace() && !quoted {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else {
            word.push(character);
        }
    }
    if quoted {
        return Err(format!("a quotation mark is not closed: {text}"));
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

fn parse_part(word: &str) -> Option<Part> {
    if let Some(text) = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return (!text.is_empty()).then(|| Part::Text(text.replace('"', "")));
    }
    if word.eq_ignore_ascii_case("###TODAY###") {
        return Some(Part::Today);
    }
    if word.eq_ignore_ascii_case("###REMOVE###") {
        return Some(Part::Remove);
    }
    if let Some((tag, range)) = word.split_once('/') {
        return parse_positions(tag, range);
    }
    let (tag, code) = word.split_once('$').map_or((word, None), |(tag, code)| (tag, Some(code)));
    if !is_tag(tag) {
        return None;
    }
    let code = match code {
        None => None,
        Some(code) => {
            let mut characters = code.chars();
            let code = characters.next().filter(char::is_ascii_alphanumeric)?;
            if characters.next().is_some() {
                return None;
            }
            Some(code)
        }
    };
    Some(Part::Field { tag: tag.to_owned(), code })
}

/// Positions are counted from 1, as FOLIO's importer counts them.
fn parse_positions(tag: &str, range: &str) -> Option<Part> {
    let tag = match tag {
        "LDR" => None,
        tag if is_tag(tag) => Some(tag.to_owned()),
        _ => return None,
    };
    let (from, to) = range.split_once('-').map_or((range, range), |(from, to)| (from, to));
    let from: usize = from.parse().ok()?;
    let to: usize = to.parse().ok()?;
    (from >= 1 && to >= from && to <= 99_999).then(|| Part::Positions { tag, from: from - 1, to })
}

fn is_tag(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit())
}
