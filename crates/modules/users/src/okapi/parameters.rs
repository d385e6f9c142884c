//! Query parameters of Okapi's calls, with its messages about those that it cannot read (Okapi 5.3.0).

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::ModuleId;
use regex_lite::Regex;
use serde_json::{Value, json};

pub(super) fn bool_parameter(request: &Request, name: &str, otherwise: bool) -> Outcome<bool> {
    match request.query(name) {
        None => Ok(otherwise),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(Fault::bad_request(format!("Bad boolean for parameter {name}: {other}"))),
    }
}

/// A whole number; without a default the parameter has to be there.
pub(super) fn int_parameter(request: &Request, name: &str, otherwise: Option<i32>) -> Outcome<i32> {
    match (request.query(name), otherwise) {
        (None, Some(otherwise)) => Ok(otherwise),
        (None, None) => Err(Fault::bad_request(format!("Missing value for parameter '{name}'"))),
        (Some(text), _) => {
            text.parse().map_err(|_| Fault::bad_request(format!("Bad integer for parameter '{name}'")))
        }
    }
}

/// Which versions are considered: `true` is all, `false` none of a kind, `only` those of a kind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Versions {
    pre_release: Option<bool>,
    npm_snapshot: Option<bool>,
}

impl Versions {
    pub(super) fn read(request: &Request) -> Outcome<Versions> {
        let kind = |name: &str| match request.query(name) {
            None | Some("true") => Ok(None),
            Some("false") => Ok(Some(false)),
            Some("only") => Ok(Some(true)),
            Some(other) => Err(Fault::bad_request(format!(
                "Expected \"true\", \"false\", \"only\" or undefined/null for parameter {name}, but got: {other}"
            ))),
        };
        Ok(Versions { npm_snapshot: kind("npmSnapshot")?, pre_release: kind("preRelease")? })
    }

    pub(super) fn include(self, id: &str) -> bool {
        let Some(id) = ModuleId::read(id) else { return false };
        if id.is_pre_release() {
            self.pre_release != Some(false)
        } else if id.is_npm_snapshot() {
            self.npm_snapshot != Some(false)
        } else {
            self.npm_snapshot != Some(true) && self.pre_release != Some(true)
        }
    }
}

/// The options of installations and upgrades.
#[derive(Debug, Clone, Default)]
pub(super) struct Options {
    pub(super) versions: Versions,
    pub(super) simulate: bool,
    pub(super) deploy: bool,
    pub(super) purge: bool,
    pub(super) check: bool,
    pub(super) in_background: bool,
    pub(super) ignore_errors: bool,
    pub(super) reinstall: bool,
    pub(super) parameters: Option<String>,
    pub(super) invoke: Invoke,
}

/// Whose part of the change is run: that of all modules, of none, or of those whose ids match an expression (`invoke`).
#[derive(Debug, Clone, Default)]
pub(super) enum Invoke {
    #[default]
    All,
    None,
    Some(Regex),
}

impl Options {
    pub(super) fn read(request: &Request) -> Outcome<Options> {
        let check = bool_parameter(request, "depCheck", true)?;
        let parallel = int_parameter(request, "parallel", Some(1))?;
        if parallel < 1 {
            return Err(Fault::bad_request("parallel must be 1 or higher"));
        }
        if !check && parallel > 1 {
            return Err(Fault::bad_request(
                "Install Option parallel can not be greater than 1 when Install Option depCheck is false",
            ));
        }
        let invoke = match request.query("invoke") {
            None | Some("true") => Invoke::All,
            Some("false") => Invoke::None,
            Some(pattern) if pattern.len() > 1000 => return Err(Fault::bad_request("invoke is too long")),
            Some(pattern) => Invoke::Some(Regex::new(&format!("^(?:{pattern})$")).map_err(|_| {
                Fault::bad_request(format!("invoke is true, false or a regular expression, not {pattern}"))
            })?),
        };
        Ok(Options {
            versions: Versions::read(request)?,
            simulate: bool_parameter(request, "simulate", false)?,
            deploy: bool_parameter(request, "deploy", false)?,
            purge: bool_parameter(request, "purge", false)?,
            check,
            in_background: bool_parameter(request, "async", false)?,
            ignore_errors: bool_parameter(request, "ignoreErrors", false)?,
            reinstall: bool_parameter(request, "reinstall", false)?,
            parameters: request.query("tenantParameters").map(str::to_owned),
            invoke,
        })
    }

    /// Whether this module's part of the change is run.
    pub(super) fn invokes(&self, id: &str) -> bool {
        match &self.invoke {
            Invoke::All => true,
            Invoke::None => false,
            Invoke::Some(pattern) => pattern.is_match(id),
        }
    }

    /// Whether the tenant parameters have `name=true`.
    pub(super) fn has_parameter(&self, name: &str) -> bool {
        let mut pairs = self.parameters.iter().flat_map(|text| text.split(','));
        pairs.any(|pair| pair.trim() == format!("{name}=true"))
    }

    /// The tenant parameters as modules get them.
    pub(super) fn parameters(&self) -> Option<Value> {
        let pair = |pair: &str| {
            let mut parts = pair.split('=');
            let key = parts.next().filter(|key| !key.is_empty())?;
            Some(match parts.next() {
                Some(value) => json!({"key": key, "value": value}),
                None => json!({"key": key}),
            })
        };
        self.parameters.as_ref().map(|text| text.split(',').filter_map(pair).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_kind_are_left_out_or_alone() {
        let release = Versions { pre_release: Some(false), npm_snapshot: Some(false) };
        assert!(
            release.include("a-1.0.0") && !release.include("a-1.0.0-x") && !release.include("a-1.0.10000")
        );
        let only = Versions { pre_release: Some(true), npm_snapshot: None };
        assert!(only.include("a-1.0.0-x") && !only.include("a-1.0.0"));
        assert!(Versions::default().include("a-1.0.0-x"));
    }

    #[test]
    fn tenant_parameters_are_pairs() {
        let options =
            Options { parameters: Some("loadReference=true,x,y=1=2".to_owned()), ..Options::default() };
        assert!(options.has_parameter("loadReference") && !options.has_parameter("loadSample"));
        let pairs =
            json!([{"key": "loadReference", "value": "true"}, {"key": "x"}, {"key": "y", "value": "1"}]);
        assert_eq!(options.parameters(), Some(pairs));
    }
}
