//! Whether somebody may hand on permissions that they do not hold themselves.

use octavo_kernel::{Caller, Fault, Outcome};

use super::known::Known;

const OKAPI: &str = "perms.users.assign.okapi";
const IMMUTABLE: &str = "perms.users.assign.immutable";
const MUTABLE: &str = "perms.users.assign.mutable";

/// 403 with the permissions that the caller may not give. What is held may be given; what is not needs the right to
/// assign permissions of its kind.
pub(super) fn permitted(added: &[Known], caller: &Caller) -> Outcome<()> {
    for (kind, right) in [("okapi", OKAPI), ("immutable", IMMUTABLE), ("mutable", MUTABLE)] {
        if caller.permissions.has(right) {
            continue;
        }
        let refused: Vec<&str> = added
            .iter()
            .filter(|permission| self::kind(permission) == kind && !caller.permissions.has(&permission.name))
            .map(|permission| permission.name.as_str())
            .collect();
        if !refused.is_empty() {
            let user = caller.user_id.map(|user| user.to_string()).unwrap_or_default();
            let plural = if refused.len() > 1 { "s" } else { "" };
            return Err(Fault::text(
                403,
                format!(
                    "Cannot add {kind} permission{plural} {} not owned by operating user {user}",
                    refused.join(", ")
                ),
            ));
        }
    }
    Ok(())
}

fn kind(permission: &Known) -> &'static str {
    if permission.name.starts_with("okapi.") || permission.name == OKAPI {
        "okapi"
    } else if permission.mutable {
        "mutable"
    } else {
        "immutable"
    }
}

#[cfg(test)]
mod tests {
    use octavo_kernel::{Permissions, TenantId};

    use super::*;

    fn caller(held: &[&str]) -> Caller {
        let permissions = Permissions::new(held.iter().map(|name| (*name).to_owned()).collect());
        Caller { tenant: TenantId::parse("diku").unwrap(), user_id: None, username: None, permissions }
    }

    fn permission(name: &str, mutable: bool) -> Known {
        Known { name: name.to_owned(), mutable, dummy: false }
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
            (&[OKAPI], "okapi.all", false, None),
            (&["okapi.all"], "okapi.all", false, None),
        ];
        for (held, added, mutable, refused) in cases {
            let answer = permitted(&[permission(added, *mutable)], &caller(held));
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
        let fault = permitted(&added, &caller(&[])).unwrap_err();
        assert!(fault.body.render().starts_with("Cannot add okapi permissions okapi.x, okapi.y not owned"));
    }
}
