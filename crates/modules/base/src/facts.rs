//! FOLIO's published facts at release Quesnelia (R1-2024-GA): modules with their versions, interfaces, routes,
//! permissions and dependencies, from the module descriptors. They stand in `folio/*.tsv`; nothing in the code repeats them.
//! What Octavo adds to FOLIO's interface is declared in the same form in `octavo/*.tsv`; what it adds to a module of FOLIO's
//! has permissions that begin with `octavo.`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use octavo_engine::Method;

pub static FACTS: LazyLock<Facts> = LazyLock::new(Facts::read);

#[derive(Debug)]
pub struct Facts {
    pub modules: BTreeMap<&'static str, ModuleFacts<'static>>,
}

/// The facts of a module that is built in; of another, those that the registration of its permissions needs.
#[derive(Debug, Default)]
pub struct ModuleFacts<'a> {
    pub name: &'a str,
    pub version: &'a str,
    /// The name in its descriptor: "Circulation Module". FOLIO's user interface looks modules up by it.
    pub title: &'a str,
    pub provides: Vec<Interface>,
    pub requires: Vec<Requirement<'a>>,
    pub permissions: Vec<Permission<'a>>,
    /// Products whose place the module takes, so that it may define their permissions.
    pub replaces: Vec<&'a str>,
}

#[derive(Debug)]
pub struct Interface {
    pub id: &'static str,
    pub version: &'static str,
    /// Empty, `system`, `multiple` or `internal`.
    pub kind: &'static str,
    pub routes: Vec<Route>,
}

#[derive(Debug)]
pub struct Route {
    pub methods: Vec<Method>,
    /// With `{name}` for one segment and `*` for anything.
    pub path: &'static str,
    pub required: Vec<&'static str>,
    pub desired: Vec<&'static str>,
    /// When Okapi calls the route, if it is a timer.
    pub schedule: &'static str,
}

#[derive(Debug)]
pub struct Requirement<'a> {
    pub interface: &'a str,
    /// One or several versions, separated by spaces.
    pub versions: &'a str,
    pub optional: bool,
}

#[derive(Debug, Clone)]
pub struct Permission<'a> {
    pub name: &'a str,
    /// The name that staff see in a list of permissions.
    pub display_name: &'a str,
    pub visible: bool,
    pub sub_permissions: Vec<&'a str>,
    pub replaces: Vec<&'a str>,
}

impl Permission<'_> {
    /// Whether it is one of the roles that every tenant has: nobody is given them without asking.
    pub fn is_role(&self) -> bool {
        self.name.starts_with(ROLES)
    }
}

const ROLES: &str = "octavo.role.";

/// The ready-made roles: permission sets that name what whoever does this work needs, across modules.
fn roles() -> impl Iterator<Item = Permission<'static>> {
    let parts = |role| {
        let rows = rows(include_str!("../../octavo/role_permissions.tsv"));
        rows.filter(move |row| row[0] == role).map(|row| row[1]).collect()
    };
    rows(include_str!("../../octavo/roles.tsv")).map(move |row| Permission {
        name: row[0],
        display_name: row[1],
        visible: true,
        sub_permissions: parts(row[0]),
        replaces: Vec::new(),
    })
}

impl ModuleFacts<'_> {
    /// The routes that Okapi calls by the clock, numbered as it numbers them.
    pub fn timers(&self) -> impl Iterator<Item = (usize, &Route)> {
        let system = self.provides.iter().filter(|interface| interface.id == "_timer");
        system.flat_map(|interface| &interface.routes).enumerate()
    }

    /// Whether FOLIO has no such module.
    pub fn is_own(&self) -> bool {
        self.name.starts_with("octavo-")
    }

    /// `mod-users-19.3.1`
    pub fn id(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

/// The lines of FOLIO's file, then those that Octavo adds.
fn folio_and_octavo_rows(folio: &'static str, own: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    rows(folio).chain(rows(own))
}

fn column(row: &[&'static str], at: usize) -> &'static str {
    row.get(at).copied().unwrap_or_default()
}

fn comma_separated_column(row: &[&'static str], at: usize) -> Vec<&'static str> {
    column(row, at).split(',').map(str::trim).filter(|part| !part.is_empty()).collect()
}

impl Facts {
    fn read() -> Facts {
        let mut modules: BTreeMap<&'static str, ModuleFacts<'_>> = BTreeMap::new();
        for row in folio_and_octavo_rows(
            include_str!("../../folio/modules.tsv"),
            include_str!("../../octavo/modules.tsv"),
        ) {
            let facts = ModuleFacts {
                name: row[0],
                version: column(&row, 1),
                title: column(&row, 2),
                ..ModuleFacts::default()
            };
            modules.insert(row[0], facts);
        }
        for row in folio_and_octavo_rows(
            include_str!("../../folio/interfaces.tsv"),
            include_str!("../../octavo/interfaces.tsv"),
        ) {
            let Some(module) = modules.get_mut(row[0]) else { continue };
            let (id, version, kind) = (column(&row, 1), column(&row, 2), column(&row, 3));
            let same = |interface: &&mut Interface| interface.id == id && interface.kind == kind;
            let route = Route {
                methods: methods(column(&row, 4)),
                path: column(&row, 5),
                required: comma_separated_column(&row, 6),
                desired: comma_separated_column(&row, 7),
                schedule: column(&row, 8),
            };
            let routes = if route.path.is_empty() { Vec::new() } else { vec![route] };
            match module.provides.iter_mut().find(same) {
                Some(interface) => interface.routes.extend(routes),
                None => module.provides.push(Interface { id, version, kind, routes }),
            }
        }
        for row in rows(include_str!("../../folio/requires.tsv")) {
            let Some(module) = modules.get_mut(row[0]) else { continue };
            let optional = column(&row, 1) == "optional";
            module.requires.push(Requirement {
                interface: column(&row, 2),
                versions: column(&row, 3),
                optional,
            });
        }
        for row in folio_and_octavo_rows(
            include_str!("../../folio/permissions.tsv"),
            include_str!("../../octavo/permissions.tsv"),
        ) {
            let Some(module) = modules.get_mut(column(&row, 1)) else { continue };
            module.permissions.push(Permission {
                name: row[0],
                display_name: row[0],
                visible: column(&row, 2) == "true",
                sub_permissions: comma_separated_column(&row, 3),
                replaces: comma_separated_column(&row, 4),
            });
        }
        if let Some(permissions) = modules.get_mut("mod-permissions") {
            permissions.permissions.extend(roles());
        }
        Facts { modules }
    }

    /// The module with this id (`mod-users-19.3.1`) or name.
    pub fn module(&self, id: &str) -> Option<&ModuleFacts<'static>> {
        self.modules.get(id).or_else(|| self.modules.values().find(|module| module.id() == id))
    }

    pub fn providers<'a>(&'a self, interface: &'a str) -> impl Iterator<Item = &'a ModuleFacts<'a>> {
        self.all().filter(move |module| module.provides.iter().any(|provided| provided.id == interface))
    }

    /// A route by one of its methods and its path as it is written in the facts.
    pub fn route(&self, method: Method, path: &str) -> Option<&Route> {
        let mut routes = self.modules.values().flat_map(|module| &module.provides).flat_map(|i| &i.routes);
        routes.find(|route| route.path == path && route.methods.contains(&method))
    }

    pub fn all<'a>(&'a self) -> impl Iterator<Item = &'a ModuleFacts<'a>> {
        fn as_any<'a>(module: &'a ModuleFacts<'static>) -> &'a ModuleFacts<'a> {
            module
        }
        self.modules.values().map(as_any)
    }
}

fn methods(text: &str) -> Vec<Method> {
    if text == "*" {
        Method::ALL.to_vec()
    } else {
        text.split(' ').filter_map(|word| word.parse().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_are_whole() {
        let facts = &FACTS;
        assert_eq!(facts.modules.values().filter(|module| !module.is_own()).count(), 50);
        let users = facts.module("mod-users-19.3.1").unwrap();
        let route = users
            .provides
            .iter()
            .flat_map(|interface| &interface.routes)
            .find(|r| r.path == "/users")
            .unwrap();
        assert_eq!(route.required, ["users.collection.get"]);
        assert_eq!(
            facts.providers("circulation").map(|module| module.name).collect::<Vec<_>>(),
            ["mod-circulation"]
        );
    }

    #[test]
    fn modules_have_the_names_that_folio_publishes() {
        let title = |name| FACTS.modules[name].title;
        assert_eq!([title("mod-users"), title("mod-circulation")], ["users", "Circulation Module"]);
        assert!(FACTS.modules.values().all(|module| !module.title.is_empty()));
    }

    #[test]
    fn the_separator_of_lists_is_the_one_that_is_used() {
        let many = FACTS.modules.values().flat_map(|module| &module.permissions);
        assert!(
            many.into_iter()
                .all(|permission| permission.sub_permissions.iter().all(|sub| !sub.contains([' ', '|'])))
        );
    }
}
