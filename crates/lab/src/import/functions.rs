//! Translates JMeter's functions, such as `${__UUID()}`, to expressions of a workflow.

use super::names::{Names, workflow_name};
use super::text::{escape_braces, parse_property};

impl Names {
    pub(super) fn translate_function(&mut self, function: &str, whole: &str, line: usize) -> String {
        let (name, arguments) = function.split_once('(').unwrap_or((function, ""));
        let arguments = arguments.trim_end_matches(')');
        match name {
            "UUID" => "{new-id}".to_owned(),
            "time" | "timeShift" => {
                if name == "timeShift" {
                    self.note(line, format!("${{{whole}}}: it is the time of the call, unshifted"));
                }
                "{now}".to_owned()
            }
            "threadNum" => "{user}".to_owned(),
            "P" | "property" => {
                let (property, default) = parse_property(function).unwrap_or((arguments, None));
                let whole = format!("${{{whole}}}");
                if default.is_none() && !self.note_unread_source(property, &whole, line) {
                    self.note(line, whole + ": a property without a default is a parameter to fill in");
                }
                self.add_parameter(property, default.unwrap_or_default());
                format!("{{{}}}", workflow_name(property))
            }
            "FileToString" => {
                let file = self.resolve_text(arguments.split(',').next().unwrap_or_default());
                let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
                match (self.read_file)(file) {
                    Some(text) => escape_braces(&text),
                    None => {
                        let told = "what stands in this file is sent, and it is not beside the plan";
                        self.note_missing(line, format!("{file}: {told}"));
                        String::new()
                    }
                }
            }
            _ => {
                self.note_missing(line, format!("${{{whole}}}: this function was not read"));
                self.add_parameter(name, "");
                format!("{{{name}}}")
            }
        }
    }
}
