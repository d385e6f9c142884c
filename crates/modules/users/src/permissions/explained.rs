//! Why a user has a permission, or through which sets they could get it: an addition of Octavo's.

use std::collections::{BTreeMap, VecDeque};

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Statement, read_each};
use serde_json::json;

use super::known::{Holder, unique_names};

/// `GET /perms/users/{id}/explain?permission=...`
pub(super) async fn explain(request: Request) -> Outcome<Response> {
    let wanted = request.query("permission").unwrap_or_default();
    if wanted.is_empty() {
        return Err(Fault::bad_request("The parameter permission is missing"));
    }
    let holder = Holder::from_request(&request, request.path_parameter(0))?;
    let mut session = request.context.session().await?;
    let Some((_, record)) = holder.find(&mut session).await? else {
        return Err(Fault::not_found_with(format!("No user with {}", holder.description())));
    };
    let user = record["userId"].as_str().unwrap_or_default();
    let answers = session
        .batch(vec![
            Statement::new(CONTAINED).text(wanted),
            Statement::new(STATE).text(wanted),
            Statement::new(IS_ACTIVE).text(user),
        ])
        .await?;
    let (contained, state, active): (Vec<(String, String)>, Option<State>, Option<bool>) =
        read_each(&answers);
    let sets = ContainingSets::new(contained);
    let chains: Vec<_> =
        unique_names(&record, "permissions").iter().filter_map(|held| sets.chain(held, wanted)).collect();
    let (dummy, deprecated) = state.unwrap_or((true, false));
    Ok(Response::json(
        200,
        &json!({
            "userId": user,
            "permission": wanted,
            "granted": !chains.is_empty(),
            "active": active == Some(true),
            "defined": !dummy,
            "deprecated": deprecated,
            "chains": chains,
            "containedIn": sets.parts.keys().collect::<Vec<_>>(),
        }),
    ))
}

type State = (bool, bool);

/// The permission sets that contain a permission, directly or through others.
struct ContainingSets {
    /// For each set, the permissions in it through which it contains the permission.
    parts: BTreeMap<String, Vec<String>>,
}

impl ContainingSets {
    fn new(contained: Vec<(String, String)>) -> ContainingSets {
        let mut sets = ContainingSets { parts: BTreeMap::new() };
        for (part, set) in contained {
            sets.parts.entry(set).or_default().push(part);
        }
        sets
    }

    /// The shortest way from a permission that is held down to the one that is wanted, both included.
    fn chain(&self, held: &str, wanted: &str) -> Option<Vec<String>> {
        let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
        let mut open = VecDeque::from([held]);
        while let Some(name) = open.pop_front() {
            if name == wanted {
                let mut chain = vec![name];
                while let Some(before) =
                    chain.last().filter(|last| **last != held).and_then(|last| came_from.get(last))
                {
                    chain.push(before);
                }
                return Some(chain.into_iter().rev().map(str::to_owned).collect());
            }
            for part in self.parts.get(name).into_iter().flatten() {
                if part != held && !came_from.contains_key(part.as_str()) {
                    came_from.insert(part, name);
                    open.push_back(part);
                }
            }
        }
        None
    }
}

const CONTAINED: &str = "\
with recursive above (part, name) as (
  select null::text collate \"C\", $1::text collate \"C\"
  union
  select a.name, p.\"permissionName\"
  from above a
  join permissions p on (p.doc -> 'subPermissions')::jsonb ? a.name
)
select part, name from above where part is not null order by name, part";

const STATE: &str = "\
select coalesce((doc ->> 'dummy')::boolean, false), coalesce((doc ->> 'deprecated')::boolean, false)
from permissions
where \"permissionName\" = $1";

const IS_ACTIVE: &str = "select active is not distinct from 'true' from users where id = $1::text::uuid";

octavo_pg::statements!(other = [CONTAINED, STATE, IS_ACTIVE]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_chain_is_found_though_sets_contain_each_other() {
        let row = |part: &str, set: &str| (part.to_owned(), set.to_owned());
        let sets = ContainingSets::new(vec![
            row("p", "a"),
            row("a", "b"),
            row("b", "a"),
            row("b", "c"),
            row("p", "d"),
            row("d", "c"),
        ]);
        for (held, expected) in [
            ("p", Some(vec!["p"])),
            ("a", Some(vec!["a", "p"])),
            ("b", Some(vec!["b", "a", "p"])),
            ("c", Some(vec!["c", "d", "p"])),
            ("x", None),
        ] {
            let expected = expected.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(sets.chain(held, "p"), expected, "{held}");
        }
    }
}
