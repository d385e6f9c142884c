//! A template with its words filled in.

use serde_json::Value;

use crate::limits::{LONGEST_TEXT, MOST_STEPS};
use crate::parse::{Name, Part, Template};

/// How characters that have a meaning in the output format are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    Html,
    /// Plain text has no such characters.
    Nothing,
}

/// A template that would write more than a notice holds, or would take too long to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it would be longer than {} MB, or has loops in loops that take too many steps", LONGEST_TEXT >> 20)]
pub struct TooLong;

impl Template {
    /// Fills the template in. For a name without a value nothing is written, as in mustache.java.
    pub fn render(&self, context: &Value, escape: Escape) -> Result<String, TooLong> {
        let mut writing = BoundedOutput::default();
        writing.write(&self.parts, &mut vec![context], escape)?;
        Ok(writing.out)
    }

    /// The same template, in which names that a condition holds for are written as they are.
    pub(crate) fn with_raw(mut self, is_raw: impl Fn(&str) -> bool) -> Template {
        mark_raw_names(&mut self.parts, &is_raw);
        self
    }

    /// Every name that is used, with the sections around it: `loans.item.title`.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect_names(&self.parts, "", &mut names);
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn mark_raw_names(parts: &mut [Part], is_raw: &impl Fn(&str) -> bool) {
    for part in parts {
        match part {
            Part::Text(_) => {}
            Part::Variable { name, raw } => *raw |= is_raw(&name.join(".")),
            Part::Section { parts, .. } => mark_raw_names(parts, is_raw),
        }
    }
}

/// The text that is being written. Writing ends with [`TooLong`] if the text becomes too long, or if too many values are looked at.
#[derive(Default)]
struct BoundedOutput {
    out: String,
    steps: usize,
}

impl BoundedOutput {
    fn write(&mut self, parts: &[Part], scopes: &mut Vec<&Value>, escape: Escape) -> Result<(), TooLong> {
        for part in parts {
            self.steps += scopes.len();
            if self.steps > MOST_STEPS {
                return Err(TooLong);
            }
            match part {
                Part::Text(text) => self.push(text, Escape::Nothing)?,
                Part::Variable { name, raw } => {
                    let escape = if *raw { Escape::Nothing } else { escape };
                    match find(name, scopes) {
                        None | Some(Value::Null) => {}
                        Some(Value::String(text)) => self.push(text, escape)?,
                        Some(other) => self.push(&other.to_string(), escape)?,
                    }
                }
                Part::Section { name, inverted, parts } => {
                    let value = find(name, scopes).filter(|value| is_truthy(value));
                    match (value, inverted) {
                        (None, true) => self.write(parts, scopes, escape)?,
                        (Some(Value::Array(values)), false) => {
                            for value in values {
                                self.write_section(value, parts, scopes, escape)?;
                            }
                        }
                        (Some(value), false) => self.write_section(value, parts, scopes, escape)?,
                        (None, false) | (Some(_), true) => {}
                    }
                }
            }
        }
        Ok(())
    }

    fn write_section<'v>(
        &mut self,
        value: &'v Value,
        parts: &[Part],
        scopes: &mut Vec<&'v Value>,
        escape: Escape,
    ) -> Result<(), TooLong> {
        // An empty section is counted too: a loop over it takes time.
        self.steps += 1;
        scopes.push(value);
        let written = self.write(parts, scopes, escape);
        scopes.pop();
        written
    }

    fn push(&mut self, text: &str, escape: Escape) -> Result<(), TooLong> {
        if self.out.len() + text.len() > LONGEST_TEXT {
            return Err(TooLong);
        }
        match escape {
            Escape::Html => push_escaped(&mut self.out, text),
            Escape::Nothing => self.out.push_str(text),
        }
        if self.out.len() > LONGEST_TEXT { Err(TooLong) } else { Ok(()) }
    }
}

/// The value of a name. Its first word is looked up from the innermost section outwards, each further word in the value
/// before it.
fn find<'a>(name: &Name, scopes: &[&'a Value]) -> Option<&'a Value> {
    let Some((first, rest)) = name.split_first() else { return scopes.last().copied() };
    let found = scopes.iter().rev().find_map(|scope| scope.get(first))?;
    rest.iter().try_fold(found, |value, word| value.get(word))
}

fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        _ => true,
    }
}

/// The characters that mustache.java replaces.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '=' => out.push_str("&#61;"),
            '`' => out.push_str("&#96;"),
            c if c <= '\r' => out.push_str(&format!("&#{};", u32::from(c))),
            other => out.push(other),
        }
    }
}

fn collect_names(parts: &[Part], around: &str, names: &mut Vec<String>) {
    let within = |name: &Name| match (around, name.join(".")) {
        ("", name) => name,
        (around, name) if name.is_empty() => around.to_owned(),
        (around, name) => format!("{around}.{name}"),
    };
    for part in parts {
        match part {
            Part::Text(_) => {}
            Part::Variable { name, .. } => names.push(within(name)),
            Part::Section { name, parts, .. } => {
                names.push(within(name));
                collect_names(parts, &within(name), names);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_are_filled_in_as_mustache_does() {
        let context = json!({
            "user": {"firstName": "Ada", "lastName": "<Lovelace & co>", "quote": "a='b'\n"},
            "loans": [{"item": {"title": "Notes"}, "loan": {"late": true}}, {"item": {"title": "Sketch"}}],
            "empty": [], "blank": "", "no": false, "zero": 0, "names": ["a", "b"],
        });
        for (template, text) in [
            ("Dear {{user.firstName}} {{ user.lastName }}", "Dear Ada &lt;Lovelace &amp; co&gt;"),
            ("{{{user.lastName}}} {{&user.lastName}}", "<Lovelace & co> <Lovelace & co>"),
            ("{{user.quote}}", "a&#61;&#39;b&#39;&#10;"),
            ("[{{nothing}}{{user.nothing.more}}]", "[]"),
            ("{{#loans}}{{item.title}}, {{user.firstName}}; {{/loans}}", "Notes, Ada; Sketch, Ada; "),
            (
                "{{#loans}}{{#loan.late}}late {{/loan.late}}{{^loan}}in time{{/loan}}{{/loans}}",
                "late in time",
            ),
            ("{{#empty}}x{{/empty}}{{^empty}}none{{/empty}}{{^blank}}!{{/blank}}{{^no}}?{{/no}}", "none!?"),
            ("{{#zero}}{{zero}}{{/zero}}", "0"),
            ("{{#names}}<{{.}}>{{/names}}", "<a><b>"),
            ("{{#user}}{{firstName}}{{/user}}", "Ada"),
            ("a{{! never seen }}b", "ab"),
            ("{{=<% %>=}}<%user.firstName%> {{x}}", "Ada {{x}}"),
            ("Loans:\n  {{#loans}}\n- {{item.title}}\n  {{/loans}}\nEnd", "Loans:\n- Notes\n- Sketch\nEnd"),
            ("{{#names}}{{.}}\n{{/names}}", "a\nb\n"),
        ] {
            let rendered = Template::parse(template).unwrap().render(&context, Escape::Html);
            assert_eq!(rendered.as_deref(), Ok(text), "{template}");
        }
        let plain = Template::parse("{{user.lastName}}").unwrap().render(&context, Escape::Nothing);
        assert_eq!(plain.as_deref(), Ok("<Lovelace & co>"));
    }

    /// Each of these would write for years, or fill any memory.
    #[test]
    fn loops_in_loops_come_to_an_end() {
        let list: Vec<u32> = (0..1_000).collect();
        let context = json!({"list": list, "long": "<".repeat(900_000)});
        let nested = |inner: &str| format!("{}{inner}{}", "{{#list}}".repeat(20), "{{/list}}".repeat(20));
        for template in
            [nested("x"), nested(""), nested("{{.}}"), "{{long}}{{long}}".to_owned(), "{{&long}}".repeat(5)]
        {
            assert_eq!(Template::parse(&template).unwrap().render(&context, Escape::Html), Err(TooLong));
        }
    }

    #[test]
    fn names_are_known_with_what_is_around_them() {
        let template = Template::parse("{{user.a}}{{#loans}}{{item.title}}{{/loans}}{{user.a}}").unwrap();
        assert_eq!(template.names(), ["loans", "loans.item.title", "user.a"]);
    }
}
