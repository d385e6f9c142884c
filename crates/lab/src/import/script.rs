//! Parses scripts of plans (Java, BeanShell and Groovy), as far as they only join texts or choose a branch of a loop at random. A few kinds
//! of statements are understood; no script is run.

use std::collections::BTreeMap;

use regex_lite::Regex;

use crate::brackets;

use super::text::unquote;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Variable(String),
    Answer,
}

/// A variable of the plan, and the pieces of text that a script assigns to it.
pub(super) type Assignment = (String, Vec<Piece>);

/// The assignments of a script to variables of the plan, in an order in which each can be made at once. None if the script does anything
/// else.
pub(super) fn parse_assignments(script: &str) -> Option<Vec<Assignment>> {
    let mut state = ScriptState::default();
    for statement in split_statements(script) {
        state.read_statement(statement.trim())?;
    }
    order_assignments(state.assignments)
}

/// The names of all variables and properties that a script may assign.
pub(super) fn assigned_names(script: &str) -> Vec<String> {
    let put = Regex::new(r#"(?:vars|props)\.put(?:Object)?\(\s*["']([^"']+)["']"#).expect("an expression");
    put.captures_iter(script).map(|found| found[1].to_owned()).collect()
}

/// Whether a script does more than read and assign values: it waits or sends requests by itself.
pub(super) fn has_side_effects(script: &str) -> bool {
    let deeds = ["openConnection", "sleep(", "sampler.add", "sampler.set", "ctx.getEngine"];
    let named = script.replace("sampler.setName(", "");
    deeds.iter().any(|deed| named.contains(deed))
}

/// Parses a script that assigns one of several texts, chosen by a random number. Returns the variable and the texts in the order of their
/// numbers.
pub(super) fn parse_drawn_switch(script: &str) -> Option<(String, Vec<String>)> {
    let case = Regex::new(r#"case\s+(\d+)\s*:\s*(\w+)\s*=\s*["']([^"']*)["']"#).expect("an expression");
    let cases: Vec<(usize, &str, &str)> = case
        .captures_iter(script)
        .filter_map(|found| {
            let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
            Some((part(1).parse().ok()?, part(2), part(3)))
        })
        .collect();
    let (_, result, _) = *cases.first()?;
    let put = Regex::new(&format!(r#"vars\.put\(\s*["']([^"']+)["']\s*,\s*{result}\s*\)"#)).ok()?;
    let name = put.captures(script)?[1].to_owned();
    let in_turn = cases.iter().enumerate().all(|(at, (number, ..))| at == *number);
    let texts = cases.iter().map(|(_, _, text)| (*text).to_owned()).collect();
    (in_turn && script.contains("vars.get(\"distribution\")")).then_some((name, texts))
}

/// Parses shares such as `43-57`: how often of a hundred times each branch is chosen.
pub(super) fn parse_shares(text: &str) -> Option<Vec<f64>> {
    let shares: Option<Vec<f64>> = text.split('-').map(|share| share.trim().parse().ok()).collect();
    shares.filter(|shares| shares.len() > 1 && shares.iter().sum::<f64>() == 100.0)
}

/// Parses a loop that copies the element of a list to a variable. Returns the variable and the list. `counter` is the variable that counts.
pub(super) fn parse_list_loop(script: &str, counter: &str) -> Option<(String, String)> {
    let put = Regex::new(&format!(
        r#"vars\.put\(\s*"([^"]+)"\s*,\s*vars\.get\(\s*"([^"]+)_"\s*\+\s*vars\.get\(\s*"{counter}"\s*\)\s*\)\s*\)"#
    ));
    let put = put.ok()?;
    put.captures(script).map(|found| (found[1].to_owned(), found[2].to_owned()))
}

/// Whether the script adds 1 to the variable `counter`.
pub(super) fn increments(script: &str, counter: &str) -> bool {
    let compact: String = script.chars().filter(|letter| !letter.is_whitespace()).collect();
    let read = format!("vars.get(\"{counter}\")");
    compact.contains(&format!("Integer.parseInt({read})+1"))
        || compact.contains(&format!("{read}.toInteger()+1"))
}

/// Splits a script at semicolons and line ends outside of quotes; comments are left out.
fn split_statements(script: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let (mut within, mut remark) = (None, false);
    let mut letters = script.chars().peekable();
    while let Some(letter) = letters.next() {
        match (within, letter) {
            (_, '\n') => {
                (within, remark) = (None, false);
                found.push(String::new());
                continue;
            }
            _ if remark => continue,
            (None, '/') if letters.peek() == Some(&'/') => remark = true,
            (None, ';') => {
                found.push(String::new());
                continue;
            }
            (None, '"' | '\'') => within = Some(letter),
            (Some(mark), _) if mark == letter => within = None,
            _ => {}
        }
        if !remark {
            found.last_mut().expect("there is one").push(letter);
        }
    }
    found
}

#[derive(Default)]
struct ScriptState {
    local_variables: BTreeMap<String, Vec<Piece>>,
    assignments: BTreeMap<String, Vec<Piece>>,
}

impl ScriptState {
    fn read_statement(&mut self, statement: &str) -> Option<()> {
        let nothing = ["log.", "import ", "SampleResult.setIgnore()"];
        if statement.is_empty() || nothing.iter().any(|begin| statement.starts_with(begin)) {
            return Some(());
        }
        if let Some(rest) = statement.strip_prefix("vars.put(") {
            let (name, value) = rest.strip_suffix(')')?.split_once(',')?;
            let value = self.parse_concatenation(value)?;
            self.assignments.insert(unquote(name)?.to_owned(), value);
            return Some(());
        }
        let (name, value) = statement.split_once('=')?;
        let name = name.trim();
        let name =
            ["String ", "def ", "var "].iter().find_map(|kind| name.strip_prefix(kind)).unwrap_or(name);
        let value = self.parse_concatenation(value)?;
        is_name(name.trim()).then(|| self.local_variables.insert(name.trim().to_owned(), value))?;
        Some(())
    }

    fn parse_concatenation(&self, text: &str) -> Option<Vec<Piece>> {
        let parts = brackets::split_outside_brackets(text, "+").into_iter();
        let pieces: Option<Vec<Vec<Piece>>> = parts.map(|part| self.parse_operand(part.trim())).collect();
        Some(pieces?.concat())
    }

    fn parse_operand(&self, part: &str) -> Option<Vec<Piece>> {
        if let Some(text) = unquote(part) {
            return (!text.contains(['\\', '$'])).then(|| vec![Piece::Text(text.to_owned())]);
        }
        if part == "prev.getResponseDataAsString()" {
            return Some(vec![Piece::Answer]);
        }
        if let Some(name) = part.strip_prefix("vars.get(").and_then(|rest| rest.strip_suffix(')')) {
            let name = unquote(name)?;
            return Some(
                self.assignments.get(name).cloned().unwrap_or_else(|| vec![Piece::Variable(name.to_owned())]),
            );
        }
        if let Some((name, rest)) = part.split_once(".substring(") {
            let compact: String = rest.chars().filter(|letter| !letter.is_whitespace()).collect();
            let shorter = compact == format!("0,{name}.length()-1)");
            return shorter.then(|| self.local_variables.get(name).cloned()).flatten().and_then(without_last);
        }
        self.local_variables.get(part).cloned()
    }
}

fn without_last(mut pieces: Vec<Piece>) -> Option<Vec<Piece>> {
    let Some(Piece::Text(last)) = pieces.last_mut() else { return None };
    last.pop()?;
    Some(pieces)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// Orders assignments so that each can be made at once: a variable that other assignments read is assigned after them.
fn order_assignments(mut put: BTreeMap<String, Vec<Piece>>) -> Option<Vec<Assignment>> {
    let mut ordered = Vec::new();
    while !put.is_empty() {
        let reads = |pieces: &[Piece], name: &str| {
            pieces.iter().any(|piece| matches!(piece, Piece::Variable(read) if read == name))
        };
        let free = put.keys().find(|name| {
            put.iter().filter(|(other, _)| other != name).all(|(_, pieces)| !reads(pieces, name))
        });
        let name = free?.clone();
        let pieces = put.remove(&name)?;
        ordered.push((name, pieces));
    }
    Some(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_put_together_are_read() {
        let growing = "String id=vars.get(\"id\");\nid=id+\",\";\nString all=vars.get(\"all\");\nall=all+id; // grows\n\
                       vars.put(\"all\",all);\nString list=vars.get(\"all\");\nlist = list.substring(0, list.length() - 1);\n\
                       log.info(list);\nvars.put(\"list\",list);";
        let variable = |name: &str| Piece::Variable(name.to_owned());
        let text = |text: &str| Piece::Text(text.to_owned());
        let read = parse_assignments(growing).unwrap();
        // What the list is made of is changed after it.
        assert_eq!(read[0], ("list".to_owned(), vec![variable("all"), variable("id"), text("")]));
        assert_eq!(read[1], ("all".to_owned(), vec![variable("all"), variable("id"), text(",")]));
        assert_eq!(
            parse_assignments("vars.put(\"counter\",\"1\");").unwrap(),
            [("counter".to_owned(), vec![text("1")])]
        );
        assert_eq!(
            parse_assignments("vars.put('doc', prev.getResponseDataAsString())").unwrap(),
            [("doc".to_owned(), vec![Piece::Answer])]
        );
    }

    #[test]
    fn what_else_a_script_does_is_not_guessed() {
        for script in [
            "if (vars.get(\"a\") == null) { vars.put(\"a\", \"b\") }",
            "vars.put(\"n\", Integer.toString(Integer.parseInt(vars.get(\"n\")) + 1))",
            "vars.put(\"x\", vars.get(\"list_\" + vars.get(\"n\")))",
            "vars.put(\"x\", unknown)",
        ] {
            assert_eq!(parse_assignments(script), None, "{script}");
        }
        assert_eq!(assigned_names("vars.putObject('a', 1); props.put(\"b\", c)"), ["a", "b"]);
        assert!(has_side_effects("Thread.sleep(100)") && !has_side_effects("sampler.setName(\"x\")"));
    }

    #[test]
    fn branches_are_drawn_by_shares() {
        let script = "int distribution = Integer.parseInt(vars.get(\"distribution\"));\ndef result\n\
                      switch (distribution){\ncase 0:\nresult = \"in\"\nbreak\ncase 1:\nresult = \"out\"\nbreak\n}\n\
                      vars.put(\"way\", result)";
        assert_eq!(
            parse_drawn_switch(script),
            Some(("way".to_owned(), vec!["in".to_owned(), "out".to_owned()]))
        );
        assert_eq!(parse_shares("43-57"), Some(vec![43.0, 57.0]));
        assert_eq!(parse_shares("2024-10"), None);
    }

    #[test]
    fn a_loop_that_counts_goes_through_a_list() {
        let script = "vars.put(\"barcode\",vars.get(\"barcode_\"+vars.get(\"n\")));";
        assert_eq!(parse_list_loop(script, "n"), Some(("barcode".to_owned(), "barcode".to_owned())));
        assert!(increments("int n = Integer.parseInt(vars.get(\"n\")) +1;", "n"));
    }
}
