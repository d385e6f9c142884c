//! JMeter's functions, such as `${__UUID()}`, as a workflow writes what they give.

use super::names::{Names, called};
use super::text::{doubled, property};

impl Names {
    pub(super) fn function(&mut self, function: &str, whole: &str, line: usize) -> String {
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
                let (property, default) = property(function).unwrap_or((arguments, None));
                let whole = format!("${{{whole}}}");
                if default.is_none() && !self.lacks_what_gives(property, &whole, line) {
                    self.note(line, whole + ": a property without a default is a parameter to fill in");
                }
                self.parameter(property, default.unwrap_or_default());
                format!("{{{}}}", called(property))
            }
            "FileToString" => {
                let file = self.resolved(arguments.split(',').next().unwrap_or_default());
                let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
                match (self.files)(file) {
                    Some(text) => doubled(&text),
                    None => {
                        let told = "what stands in this file is sent, and it is not beside the plan";
                        self.lack(line, format!("{file}: {told}"));
                        String::new()
                    }
                }
            }
            _ => {
                self.lack(line, format!("${{{whole}}}: this function was not read"));
                self.parameter(name, "");
                format!("{{{name}}}")
            }
        }
    }
}
