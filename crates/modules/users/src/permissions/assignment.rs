//! Whether a user may give permissions that they do not hold themselves, or act as a user who holds them.

use std::collections::HashSet;
use std::sync::LazyLock;

use octavo_engine::Context;
use octavo_kernel::{Caller, Fault, Kind, Outcome};
use octavo_modules_base::facts::FACTS;
use octavo_modules_base::grants;
use octavo_pg::{Session, Statement};
use uuid::Uuid;

use super::known::{KnownPermission, find_known, unknown_names};

const OKAPI: &str = "perms.users.assign.okapi";
const IMMUTABLE: &str = "perms.users.assign.immutable";
const MUTABLE: &str = "perms.users.assign.mutable";

/// Which permissions are of a kind.
type IsOfKind = fn(&KnownPermission) -> bool;

/// The kinds of permissions, each with the right to assign them, in the order in which they are checked. A permission of Okapi is also
/// mutable or immutable.
const KINDS: [(&str, &str, IsOfKind); 3] = [
    ("okapi", OKAPI, |permission| permission.name.starts_with("okapi.") || permission.name == OKAPI),
    ("immutable", IMMUTABLE, |permission| !permission.mutable),
    ("mutable", MUTABLE, |permission| permission.mutable),
];

/// 403 with the permissions that the caller may not give. The caller may give permissions that they hold; for others they need the right
/// to assign permissions of each of their kinds.
pub(super) fn check_may_assign(added: &[KnownPermission], caller: &Caller) -> Outcome<()> {
    for (kind, right, is_of_kind) in KINDS {
        if caller.permissions.has(right) {
            continue;
        }
        let refused: Vec<&str> = added
            .iter()
            .filter(|permission| is_of_kind(permission) && !caller.permissions.has(&permission.name))
            .map(|permission| permission.name.as_str())
            .collect();
        if !refused.is_empty() {
            let user = caller.user_id.map(|user| user.to_string()).unwrap_or_default();
            let plural = if refused.len() > 1 { "s" } else { "" };
            return Err(Fault::new(
                Kind::Forbidden,
                format!(
                    "Cannot add {kind} permission{plural} {} not owned by operating user {user}",
                    refused.join(", ")
                ),
            ));
        }
    }
    Ok(())
}

/// Names of permissions that routes require or modules declare. Whoever creates a permission with such a name creates access to these
/// routes.
static NAMES_OF_MODULES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let declared = FACTS.modules.values().flat_map(|module| &module.permissions).flat_map(|permission| {
        // A role also names permissions of FOLIO's apps, which these define.
        let sets = (!permission.is_role()).then_some(&permission.sub_permissions);
        sets.into_iter().flatten().chain(&permission.replaces).copied().chain([permission.name])
    });
    let interfaces = FACTS.modules.values().flat_map(|module| &module.provides);
    let asked_for = interfaces
        .flat_map(|interface| &interface.routes)
        .flat_map(|route| route.required.iter().chain(&route.desired).copied());
    declared.chain(asked_for).collect()
});
/// Names that mod-settings makes of an entry's scope.
const SETTINGS_PREFIX: &str = "mod-settings.";

/// Whether a built-in module defines or requires a permission of this name, or the name is reserved for such modules.
pub(crate) fn is_of_built_in_module(name: &str) -> bool {
    NAMES_OF_MODULES.contains(name) || ["okapi.", "octavo."].iter().any(|kept| name.starts_with(kept))
}

/// 403 if a permission of this name opens something by its name alone and the caller may not give that.
pub(super) fn check_may_create(name: &str, caller: &Caller) -> Outcome<()> {
    match NAMES_OF_MODULES.contains(name) || name.starts_with(SETTINGS_PREFIX) {
        true => check_may_assign(
            &[KnownPermission { name: name.to_owned(), mutable: false, dummy: false }],
            caller,
        ),
        false => Ok(()),
    }
}

/// 403 unless the caller could give themselves all that a user may do. Whoever sets a user's password, or may try any number of
/// them, can log in as that user.
pub(crate) async fn may_take_the_place_of(
    context: &Context,
    session: &mut Session,
    user: Uuid,
) -> Outcome<()> {
    let caller = &context.caller;
    if caller.permissions.is_all() || caller.user_id == Some(user) {
        return Ok(());
    }
    let names = session.read(Statement::new(GRANTED).uuid(user)).await?;
    may_give(context, session, names).await.map_err(|fault| {
        if fault.status != Kind::Forbidden.status() {
            return fault;
        }
        let caller = caller.user_id.map(|user| user.to_string()).unwrap_or_default();
        Fault::new(
            Kind::Forbidden,
            format!("User {user} has permissions that operating user {caller} may not give"),
        )
    })
}

/// 403 unless the caller could give themselves all that any user may do.
pub(crate) async fn may_take_the_place_of_anybody(context: &Context, session: &mut Session) -> Outcome<()> {
    if context.caller.permissions.is_all() {
        return Ok(());
    }
    let names = session.read(Statement::new(GRANTED_TO_ANYBODY)).await?;
    may_give(context, session, names).await
}

/// 403 unless the caller may give these permissions with all that they contain, whether these are defined or not.
pub(crate) async fn may_give(context: &Context, session: &mut Session, names: Vec<String>) -> Outcome<()> {
    let names = grants::expand(session, names).await?;
    let mut given = find_known(session, &names).await?;
    let not_told = unknown_names(&names, &given).into_iter();
    given.extend(not_told.map(|name| KnownPermission { name, mutable: false, dummy: true }));
    check_may_assign(&given, &context.caller)
}

const GRANTED: &str = "\
select json_array_elements_text(doc -> 'permissions')
from permissions_users
where \"userId\" = $1";

const GRANTED_TO_ANYBODY: &str = "\
select distinct name
from permissions_users, json_array_elements_text(doc -> 'permissions') as name";

octavo_pg::statements!(hot = [GRANTED], other = [GRANTED_TO_ANYBODY]);

#[cfg(test)]
mod tests {
    use octavo_kernel::{Permissions, TenantId};

    use super::*;

    fn caller(held: &[&str]) -> Caller {
        let permissions = Permissions::new(held.iter().map(|name| (*name).to_owned()).collect());
        Caller {
            tenant: TenantId::parse("diku").unwrap(),
            user_id: None,
            username: None,
            session: None,
            permissions,
        }
    }

    fn permission(name: &str, mutable: bool) -> KnownPermission {
        KnownPermission { name: name.to_owned(), mutable, dummy: false }
    }

    #[test]
    fn what_is_not_held_needs_the_right_to_assign_its_kind() {
        let cases: &[(&[&str], &str, bool, Option<&str>)] = &[
            (&["users.all"], "users.all", false, None),
            (&[], "users.all", false, Some("immutable")),
            (&[IMMUTABLE], "users.all", false, None),
            (&[MUTABLE], "users.all", false, Some("immutable")),
            (&[IMMUTABLE], "desk staff", true, Some("mutable")),
            (&[MUTABLE], "desk staff", true, None),
            (&[IMMUTABLE, MUTABLE], "okapi.all", false, Some("okapi")),
            (&[IMMUTABLE, MUTABLE], OKAPI, false, Some("okapi")),
            (&[OKAPI], "okapi.all", false, Some("immutable")),
            (&[OKAPI], "okapi.mine", true, Some("mutable")),
            (&[OKAPI, IMMUTABLE], "okapi.all", false, None),
            (&[OKAPI, MUTABLE], "okapi.mine", true, None),
            (&["okapi.all"], "okapi.all", false, None),
        ];
        for (held, added, mutable, refused) in cases {
            let answer = check_may_assign(&[permission(added, *mutable)], &caller(held));
            match (answer, refused) {
                (Ok(()), None) => {}
                (Err(fault), Some(kind)) => {
                    let text = format!("Cannot add {kind} permission {added} not owned");
                    assert_eq!(fault.status, 403);
                    assert!(fault.body.render().starts_with(&text), "{fault}");
                }
                (answer, _) => panic!("{held:?} adds {added}: {answer:?}"),
            }
        }
    }

    #[test]
    fn kinds_are_refused_in_folios_order_with_all_their_names() {
        let added = [permission("b", false), permission("okapi.x", false), permission("okapi.y", false)];
        let fault = check_may_assign(&added, &caller(&[])).unwrap_err();
        assert!(fault.body.render().starts_with("Cannot add okapi permissions okapi.x, okapi.y not owned"));
    }
}
