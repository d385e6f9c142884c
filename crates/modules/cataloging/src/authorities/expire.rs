//! `POST /authority-storage/expire/authorities`: removes authorities for good that were deleted some time ago. A setting of mod-settings
//! (scope `authority-storage`, key `authority-archives-expiration`) gives the number of days, or disables the removal.

use jiff::SignedDuration;
use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use serde_json::Value;
use uuid::Uuid;

/// How many days deleted authorities are kept if the setting does not give another number.
const RETENTION_DAYS: i64 = 7;

pub(super) async fn expire(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let setting: Option<Value> = session.read(Statement::new(SETTING)).await?;
    if let Some(days) = retention_days(setting.as_ref()) {
        let until = folio_time(context.now - SignedDuration::from_hours(24 * days));
        let mut expired = 0;
        loop {
            let gone: Vec<Uuid> = session.read(Statement::new(EXPIRE).text(until.as_str())).await?;
            expired += gone.len();
            if gone.is_empty() {
                break;
            }
        }
        if expired > 0 {
            tracing::info!(tenant = %context.tenant.id, expired, "deleted authorities are removed for good");
        }
    }
    Ok(Response { status: 202, ..Response::no_content() })
}

/// After how many days deleted authorities are removed; `None` if they are kept.
fn retention_days(setting: Option<&Value>) -> Option<i64> {
    let value = setting.map(|setting| &setting["value"]);
    if value.is_some_and(|value| value["expirationEnabled"] == false) {
        return None;
    }
    let days = value.and_then(|value| value["retentionInDays"].as_i64()).unwrap_or(RETENTION_DAYS);
    Some(days.clamp(0, 36_500))
}

const SETTING: &str = "\
select s.doc::text
from settings s
where s.doc ->> 'scope' = 'authority-storage'
and s.doc ->> 'key' = 'authority-archives-expiration'
limit 1";

/// All generations of their MARC records go too, unless there is an authority of this id again.
const EXPIRE: &str = "\
with gone as (
  delete from authority_archive
  where id in (
    select a.id
    from authority_archive a
    where a.doc #>> '{metadata,updatedDate}' <= $1
    limit 1000)
  returning id
), records as (
  delete from records_lb r
  using gone g
  where r.\"externalIdsHolder.authorityId\" = g.id
  and not exists (select from authority a where a.id = g.id)
)
select g.id from gone g";

octavo_pg::statements!(other = [SETTING, EXPIRE]);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_setting_says_how_long_authorities_are_kept() {
        let setting = |value: Value| json!({"value": value});
        let cases = [
            (None, Some(7)),
            (Some(setting(json!({"expirationEnabled": true, "retentionInDays": 30}))), Some(30)),
            (Some(setting(json!({"expirationEnabled": false, "retentionInDays": 30}))), None),
            (Some(setting(json!("nonsense"))), Some(7)),
        ];
        for (setting, days) in cases {
            assert_eq!(retention_days(setting.as_ref()), days, "{setting:?}");
        }
    }
}
