//! The machine's part in settings: environment variables, and whether the process runs as root.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;

#[derive(Debug, Clone, Default)]
pub(crate) struct ProcessEnvironment {
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) is_root: bool,
}

impl ProcessEnvironment {
    pub(crate) fn of_process() -> ProcessEnvironment {
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let root = std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
        ProcessEnvironment { variables: environment.collect(), is_root: root }
    }

    /// A variable that is there and not empty.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The default data folder of a service that runs as root, or of a user's program.
    pub(super) fn default_data_folder(&self) -> String {
        if self.is_root {
            return "/var/lib/octavo".into();
        }
        match (self.variable("XDG_DATA_HOME"), self.variable("HOME")) {
            (Some(data), _) => format!("{data}/octavo"),
            (None, Some(home)) => format!("{home}/.local/share/octavo"),
            (None, None) => ".octavo".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_goes_where_the_platform_keeps_it() {
        let place = |root: bool, variables: &[(&str, &str)]| {
            let environment =
                variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            ProcessEnvironment { variables: environment, is_root: root }.default_data_folder()
        };
        assert_eq!(place(true, &[("HOME", "/home/ada")]), "/var/lib/octavo");
        assert_eq!(place(false, &[("HOME", "/home/ada")]), "/home/ada/.local/share/octavo");
        assert_eq!(place(false, &[("HOME", "/home/ada"), ("XDG_DATA_HOME", "/data")]), "/data/octavo");
        assert_eq!(
            place(false, &[("HOME", "/home/ada"), ("XDG_DATA_HOME", "")]),
            "/home/ada/.local/share/octavo"
        );
        assert_eq!(place(false, &[]), ".octavo");
    }
}
