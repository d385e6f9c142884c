//! mod-copycat 1.6.0: single records taken over from other catalogues. A profile says which job profiles make or overlay an instance.

mod given;
mod imports;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, Request, Response, calls, create};
use octavo_kernel::Outcome;
use octavo_record::{Field, RecordType};
use serde_json::{Value, json};

pub static MODULE: Module = Module {
    name: "mod-copycat",
    records: &[&PROFILE],
    calls: CALLS,
    migrations: &[Migration {
        number: 35,
        name: "profiles of copy cataloging",
        sql: include_str!("../../migrations/35_copycat_profiles.sql"),
    }],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post PROFILE.path => create_profile;
    Post "/copycat/imports" => imports::import;
};

pub static PROFILE: RecordType = RecordType {
    name: "profile",
    table: "copycat_profile",
    path: "/copycat/profiles",
    collection: "profiles",
    schema: include_str!("../../folio/records/mod-copycat/copycatprofile.tsv"),
    // The user name and password at the other catalogue.
    secrets: &["authentication"],
    fields: &[Field::text("name")],
    ..RecordType::BASE
};

/// Adds the default job profiles to the allowed ones if none are given.
async fn create_profile(request: Request) -> Outcome<Response> {
    let mut body = request.json()?;
    for (allowed, default) in [
        ("allowedCreateJobProfileIds", "createJobProfileId"),
        ("allowedUpdateJobProfileIds", "updateJobProfileId"),
    ] {
        let none = match &body[allowed] {
            Value::Null => true,
            Value::Array(ids) => ids.is_empty(),
            _ => false,
        };
        if none && body[default].is_string() {
            body[allowed] = json!([body[default]]);
        }
    }
    let mut session = request.context.session().await?;
    let mut stored = create(&request.context, &mut session, &PROFILE, body).await?;
    PROFILE.hide_secrets(&mut stored);
    Ok(Response::created(&PROFILE, &stored))
}

octavo_pg::statements!();
