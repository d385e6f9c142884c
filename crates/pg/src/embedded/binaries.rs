//! Finds PostgreSQL's programs: the folder given, else PATH and the places where distributions put them.
//! The newest version wins, unless the data at hand was made by another: PostgreSQL reads only its own major version.

use std::cmp::Reverse;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::EmbeddedError;
use super::installation::{Installation, OLDEST, Version};

/// Where distributions put the server's programs; `*` stands for any text within one name.
const PROGRAM_FOLDERS: &[&str] = &[
    "/usr/lib/postgresql/*/bin",                          // Debian, Ubuntu
    "/usr/pgsql-*/bin",                                   // PostgreSQL's own RPMs
    "/usr/lib/postgresql*/bin",                           // openSUSE
    "/usr/lib64/postgresql-*/bin",                        // Gentoo
    "/usr/libexec/postgresql*",                           // Alpine
    "/usr/bin",                                           // Fedora, Arch
    "/usr/local/bin",                                     // FreeBSD
    "/usr/local/pgsql/bin",                               // built from source
    "/opt/homebrew/opt/postgresql@*/bin",                 // Homebrew on Apple silicon
    "/usr/local/opt/postgresql@*/bin",                    // Homebrew on Intel
    "/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",    // Homebrew on Linux
    "/opt/local/lib/postgresql*/bin",                     // MacPorts
    "/Applications/Postgres.app/Contents/Versions/*/bin", // Postgres.app
];

/// The newest that this machine has.
pub fn newest_installation() -> Option<Installation> {
    search().into_iter().max_by_key(|one| one.version)
}

/// The path of one of PostgreSQL's own clients, such as psql. Some machines link to the server alone, so the link is followed: the
/// clients are beside the server itself.
pub fn client_program(folder: &Path, name: &str) -> PathBuf {
    let server = folder.join("postgres").canonicalize().ok();
    server.as_deref().and_then(Path::parent).unwrap_or(folder).join(name)
}

/// The programs to use: from `given` if named, and of version `made_by` if `cluster` has data already.
pub(super) fn choose_installation(
    given: Option<&Path>,
    cluster: &Path,
    made_by: Option<u32>,
) -> Result<Installation, EmbeddedError> {
    let found = match given {
        Some(folder) => {
            vec![
                inspect_folder(folder)
                    .ok_or_else(|| EmbeddedError::NoBinariesIn { folder: folder.to_owned() })?,
            ]
        }
        None => search(),
    };
    pick_installation(found, cluster, made_by)
}

fn pick_installation(
    mut found: Vec<Installation>,
    cluster: &Path,
    made_by: Option<u32>,
) -> Result<Installation, EmbeddedError> {
    if found.is_empty() {
        return Err(EmbeddedError::NoneInstalled);
    }
    // Stable: of equals the first found wins, so PATH goes before the usual places.
    found.sort_by_key(|one| Reverse(one.version));
    let fits = |one: &&Installation| {
        one.version.major >= OLDEST && made_by.is_none_or(|major| major == one.version.major)
    };
    match (found.iter().find(fits), made_by) {
        (Some(one), _) => Ok(one.clone()),
        (None, Some(made_by)) if found.iter().any(|one| one.version.major >= OLDEST) => {
            Err(EmbeddedError::OtherMajor { cluster: cluster.to_owned(), made_by, found })
        }
        (None, _) => Err(EmbeddedError::TooOld { found }),
    }
}

#[expect(clippy::disallowed_methods, reason = "PATH is the machine's, no setting of Octavo's")]
fn search() -> Vec<Installation> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<Installation> = Vec::new();
    let mut seen: Vec<PathBuf> = Vec::new();
    for folder in env::split_paths(&path).chain(PROGRAM_FOLDERS.iter().flat_map(|place| expand(place))) {
        let Ok(program) = fs::canonicalize(folder.join("postgres")) else {
            continue;
        };
        if seen.contains(&program) {
            continue;
        }
        seen.push(program);
        found.extend(inspect_folder(&folder));
    }
    found
}

/// The folder as an installation, if both programs are there and `postgres` tells its version.
fn inspect_folder(folder: &Path) -> Option<Installation> {
    let folder = fs::canonicalize(folder).ok()?;
    if !folder.join("initdb").is_file() {
        return None;
    }
    let output = Command::new(folder.join("postgres")).arg("--version").output().ok()?;
    let version = parse_version(&String::from_utf8_lossy(&output.stdout))?;
    Some(Installation { folder, version })
}

/// Reads `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`, also `17beta1`.
fn parse_version(line: &str) -> Option<Version> {
    let text = line.split("(PostgreSQL)").nth(1)?.split_whitespace().next()?;
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    let major = numbers.next()?.parse().ok()?;
    let minor = match text.contains('.') {
        true => numbers.next()?.parse().ok()?,
        false => 0,
    };
    Some(Version { major, minor })
}

/// The existing folders that a place with at most one `*` stands for.
fn expand(place: &str) -> Vec<PathBuf> {
    let Some((before, after)) = place.split_once('*') else {
        return vec![PathBuf::from(place)];
    };
    let (parent, prefix) = before.rsplit_once('/').unwrap_or(("", before));
    let (suffix, rest) = after.split_once('/').unwrap_or((after, ""));
    let Ok(entries) = fs::read_dir(parent) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(prefix) && name.ends_with(suffix)
        })
        .map(|entry| entry.path().join(rest))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(versions: &[(u32, u32)]) -> Vec<Installation> {
        let one = |&(major, minor): &(u32, u32)| Installation {
            folder: PathBuf::from(format!("/pg/{major}/bin")),
            version: Version { major, minor },
        };
        versions.iter().map(one).collect()
    }

    fn picked(versions: &[(u32, u32)], made_by: Option<u32>) -> Result<String, String> {
        pick_installation(installed(versions), Path::new("/data/postgres"), made_by)
            .map(|one| one.version.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn versions_are_read_as_the_programs_print_them() {
        let version = |major, minor| Some(Version { major, minor });
        let debian = "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n";
        assert_eq!(parse_version(debian), version(15, 18));
        assert_eq!(parse_version("postgres (PostgreSQL) 18beta2"), version(18, 0));
        assert_eq!(parse_version("postgres (PostgreSQL) 19devel"), version(19, 0));
        assert_eq!(parse_version("bash: postgres"), None);
    }

    #[test]
    fn the_newest_wins() {
        assert_eq!(picked(&[(15, 4), (17, 2), (14, 9)], None), Ok("17.2".to_owned()));
    }

    #[test]
    fn data_keeps_the_version_that_made_it() {
        assert_eq!(picked(&[(15, 4), (15, 7), (17, 2)], Some(15)), Ok("15.7".to_owned()));
        let refusal = picked(&[(17, 2)], Some(15)).unwrap_err();
        assert!(refusal.contains("/data/postgres was made by PostgreSQL 15"), "{refusal}");
        assert!(refusal.contains("found only PostgreSQL 17.2 in /pg/17/bin"), "{refusal}");
    }

    #[test]
    fn too_old_says_which_and_where() {
        let refusal = picked(&[(13, 1), (14, 2)], None).unwrap_err();
        assert!(
            refusal.starts_with("found only PostgreSQL 14.2 in /pg/14/bin, 13.1 in /pg/13/bin:"),
            "{refusal}"
        );
        assert_eq!(picked(&[(14, 2)], Some(14)).unwrap_err(), picked(&[(14, 2)], None).unwrap_err());
    }

    #[test]
    fn none_says_how_to_get_one() {
        assert!(picked(&[], None).unwrap_err().contains("scripts/setup.sh"));
    }
}
