//! Entries of a descriptor that say which requests a module takes: handlers of its interfaces and filters (Okapi 5.3.0).

use octavo_engine::Schedule;
use serde::{Deserialize, Deserializer, Serialize};

/// A handler, a filter or a timer of a module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RoutingEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub methods: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_pattern: Option<String>,
    /// In older descriptors instead of a pattern: all paths that begin with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewrite_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "text_or_number")]
    pub delay: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<CronEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions_required: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions_desired: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module_permissions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions_required_tenant: Option<Vec<String>>,
    #[serde(rename = "delegateCORS", skip_serializing_if = "std::ops::Not::not")]
    pub delegate_cors: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CronEntry {
    pub cron: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
}

fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Delay {
        Text(String),
        Number(i64),
    }
    Ok(Option::<Delay>::deserialize(deserializer)?.map(|delay| match delay {
        Delay::Text(text) => text,
        Delay::Number(number) => number.to_string(),
    }))
}

const METHODS: [&str; 9] = ["*", "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
const KINDS: [&str; 8] = [
    "request-response",
    "request-only",
    "headers",
    "redirect",
    "system",
    "internal",
    "request-response-1.0",
    "request-log",
];
/// Signs that a pattern cannot hold.
const INVALID: &str = "\\%+{}()[].;:=?@#^$\"' ";

impl RoutingEntry {
    /// The pattern, or the path of older descriptors.
    pub fn static_path(&self) -> &str {
        let path = self.path.as_deref().filter(|path| !path.is_empty());
        path.or(self.path_pattern.as_deref()).unwrap_or_default()
    }

    pub fn required_permissions(&self) -> &[String] {
        self.permissions_required.as_deref().unwrap_or_default()
    }

    pub fn desired_permissions(&self) -> &[String] {
        self.permissions_desired.as_deref().unwrap_or_default()
    }

    pub fn module_permissions(&self) -> &[String] {
        self.module_permissions.as_deref().unwrap_or_default()
    }

    /// The level that orders the modules which handle one request, as text: filters of phase `auth` and `pre` come before the handler,
    /// those of phase `post` after it.
    pub fn phase_level(&self) -> &str {
        match (self.level.as_deref(), self.phase.as_deref()) {
            (_, Some("auth")) => "10",
            (_, Some("pre")) => "40",
            (_, Some("post")) => "60",
            (Some(level), _) => level,
            (None, _) => "50",
        }
    }

    /// Whether it takes requests of this method at this path.
    pub fn matches_request(&self, method: &str, path: &str) -> bool {
        let mut methods = self.methods.iter().flatten();
        methods.any(|own| own == "*" || own == method)
            && match (&self.path_pattern, &self.path) {
                (Some(pattern), _) => matches(pattern, path),
                (None, Some(start)) => path.starts_with(start.as_str()),
                (None, None) => true,
            }
    }

    /// When it is called by the clock; `None` if it never is.
    pub fn timetable(&self) -> Option<Schedule> {
        match (&self.schedule, &self.unit, &self.delay) {
            (Some(entry), ..) => Schedule::cron(&entry.cron, entry.zone.as_deref().unwrap_or("UTC")),
            (None, Some(unit), Some(delay)) => Schedule::parse(&format!("every {delay} {unit}")),
            _ => None,
        }
    }

    pub(super) fn defect(&self) -> Option<String> {
        let pattern = self.path_pattern.as_deref().unwrap_or_default();
        let path = self.path.as_deref().unwrap_or_default();
        if pattern.is_empty() && path.is_empty() {
            return Some("Bad routing entry, needs a pathPattern or at least a path".to_owned());
        }
        if let Some(method) = self.methods.iter().flatten().find(|method| !METHODS.contains(&method.as_str()))
        {
            return Some(format!("Unknown method {method}"));
        }
        if let Some(kind) = self.kind.as_deref().filter(|kind| !KINDS.contains(kind)) {
            return Some(format!("Invalid entry type: {kind}"));
        }
        if let Some(phase) = self.phase.as_deref().filter(|phase| !["auth", "pre", "post"].contains(phase)) {
            return Some(format!("Invalid phase {phase}"));
        }
        if self.kind.as_deref() == Some("redirect")
            && self.redirect_path.as_deref().unwrap_or_default().is_empty()
        {
            return Some("Redirect entry without redirectPath".to_owned());
        }
        if (self.schedule.is_some() || self.unit.is_some()) && self.timetable().is_none() {
            return Some(format!("Bad schedule of {}", self.static_path()));
        }
        pattern_defect(pattern)
    }
}

fn pattern_defect(pattern: &str) -> Option<String> {
    let mut inside = false;
    for sign in pattern.chars() {
        match (inside, sign) {
            (false, '{') => inside = true,
            (true, '}') => inside = false,
            (true, sign) if INVALID.contains(sign) || sign == '/' => {
                return Some(format!("Invalid character {sign} inside {{}}-construct in pathPattern"));
            }
            (false, sign) if INVALID.contains(sign) => {
                return Some(format!("Invalid character {sign} for pathPattern"));
            }
            _ => {}
        }
    }
    inside.then(|| "Missing }-character for {}-construct in pathPattern".to_owned())
}

/// Whether a path is one of a pattern, in which `{name}` is one segment that is not empty and `*` is anything. On a mismatch only the
/// last `*` is made longer, so the time grows with the product of both lengths at most.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (pattern.as_bytes(), path.as_bytes());
    let (mut at, mut here) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        let next = match pattern.get(at) {
            None if here == path.len() => return true,
            None => None,
            Some(b'*') => {
                star = Some((at + 1, here));
                Some((at + 1, here))
            }
            Some(b'{') => {
                let end =
                    pattern[at..].iter().position(|sign| *sign == b'}').map_or(pattern.len(), |n| at + n + 1);
                let rest = &path[here..];
                let length = rest.iter().position(|sign| *sign == b'/').unwrap_or(rest.len());
                (length > 0).then_some((end, here + length))
            }
            Some(sign) => (path.get(here) == Some(sign)).then_some((at + 1, here + 1)),
        };
        (at, here) = match (next, star) {
            (Some(next), _) => next,
            (None, Some((after, from))) if from < path.len() => {
                star = Some((after, from + 1));
                (after, from + 1)
            }
            (None, _) => return false,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_take_segments_and_tails() {
        for (pattern, path, taken) in [
            ("/users", "/users", true),
            ("/users", "/users/", false),
            ("/users/{id}", "/users/1", true),
            ("/users/{id}", "/users/", false),
            ("/users/{id}", "/users/1/x", false),
            ("/users/{id}/x", "/users/1/x", true),
            ("/users*", "/users/1/x", true),
            ("/*", "/", true),
            ("/a/*/b/{id}", "/a/x/y/b/1", true),
            ("/a/*/b/{id}", "/a/x/b/b/1", true),
            ("*a*a*a*a*b", &"a".repeat(200), false),
        ] {
            assert_eq!(matches(pattern, path), taken, "{pattern} {path}");
        }
    }

    #[test]
    fn patterns_that_cannot_be_read_are_refused() {
        for (pattern, said) in [
            ("/a b", "Invalid character   for pathPattern"),
            ("/a}", "Invalid character } for pathPattern"),
            ("/{a/b}", "Invalid character / inside {}-construct in pathPattern"),
            ("/{a", "Missing }-character for {}-construct in pathPattern"),
        ] {
            assert_eq!(pattern_defect(pattern).as_deref(), Some(said));
        }
    }
}
