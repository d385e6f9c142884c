//! Decides which entries a caller may read and write.

use octavo_cql::{Clause, Node};
use octavo_kernel::{Caller, Fault, Kind, Outcome};
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Access {
    fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
        }
    }
}

/// 403 unless the caller has the permission for the entry's scope and kind.
pub(super) fn check_access(caller: &Caller, entry: &Value, access: Access) -> Outcome<()> {
    let scope = entry["scope"].as_str().unwrap_or_default();
    let allowed =
        |kind: &str| caller.permissions.has(&format!("mod-settings.{kind}.{}.{scope}", access.name()));
    let own = |user: &str| caller.user_id.is_some_and(|id| id.to_string() == user);
    let granted = match entry["userId"].as_str() {
        None => allowed("global"),
        Some(user) => allowed("users") || (own(user) && allowed("owner")),
    };
    if granted { Ok(()) } else { Err(forbidden()) }
}

fn forbidden() -> Fault {
    Fault::new(Kind::Forbidden, "Forbidden")
}

/// The part of a query that excludes entries which the caller may not read. `None` if the caller may read all entries; 403 if the caller
/// may read those of no scope.
pub(super) fn readable_filter(caller: &Caller) -> Outcome<Option<Node>> {
    let granted = caller.permissions.granted();
    if caller.permissions.is_all() {
        return Ok(None);
    }
    let of = |kind: &str| -> Vec<String> {
        let prefix = format!("mod-settings.{kind}.read.");
        granted.iter().filter_map(|name| name.strip_prefix(&prefix)).map(str::to_owned).collect()
    };
    let scope = |scope: &str| clause("scope", scope);
    let owned = || clause("userId", "*");
    let both = |left: Node, right: Node| Node::And(Box::new(left), Box::new(right));
    let mut parts: Vec<Node> =
        of("global").iter().map(|name| Node::Not(Box::new(scope(name)), Box::new(owned()))).collect();
    parts.extend(of("users").iter().map(|name| both(scope(name), owned())));
    if let Some(user) = caller.user_id {
        let user = user.to_string();
        parts.extend(of("owner").iter().map(|name| both(scope(name), clause("userId", &user))));
    }
    let any = parts.into_iter().reduce(|left, right| Node::Or(Box::new(left), Box::new(right)));
    any.map(Some).ok_or_else(forbidden)
}

fn clause(index: &str, term: &str) -> Node {
    Node::Clause(Clause::exact(index, term))
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_kernel::{Permissions, TenantId};
    use serde_json::json;
    use uuid::Uuid;

    const ME: Uuid = Uuid::from_u128(7);

    fn caller(granted: &[&str]) -> Caller {
        Caller {
            tenant: TenantId::parse("diku").unwrap(),
            user_id: Some(ME),
            username: None,
            session: None,
            permissions: Permissions::new(granted.iter().map(|name| (*name).to_owned()).collect()),
        }
    }

    #[test]
    fn an_entry_is_changed_by_whom_its_scope_and_owner_allow() {
        let (common, mine, other) = (
            json!({"scope": "s", "key": "k"}),
            json!({"scope": "s", "key": "k", "userId": ME}),
            json!({"scope": "s", "key": "k", "userId": Uuid::from_u128(8)}),
        );
        for (granted, allowed) in [
            (&[][..], [false, false, false]),
            (&["mod-settings.global.write.s"], [true, false, false]),
            (&["mod-settings.owner.write.s"], [false, true, false]),
            (&["mod-settings.users.write.s"], [false, true, true]),
            (&["mod-settings.global.write.other", "mod-settings.global.read.s"], [false, false, false]),
        ] {
            let answers = [&common, &mine, &other]
                .map(|entry| check_access(&caller(granted), entry, Access::Write).is_ok());
            assert_eq!(answers, allowed, "{granted:?}");
        }
    }

    #[test]
    fn a_list_shows_what_may_be_read() {
        let shown =
            |granted: &[&str]| readable_filter(&caller(granted)).map(|filter| filter.unwrap().to_string());
        assert_eq!(shown(&["mod-settings.global.write.s"]).unwrap_err().status, 403);
        assert_eq!(shown(&["mod-settings.global.read.s"]).unwrap(), r#"scope == "s" not userId == "*""#);
        let everything = Caller { permissions: Permissions::all(), ..caller(&[]) };
        assert_eq!(readable_filter(&everything).unwrap(), None);
    }
}
