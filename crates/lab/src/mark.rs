//! The server under test, and the mark of a test tenant: a configuration entry whose value is the tenant's name. Nothing that changes
//! records runs against a tenant without the mark, so a wrong address does no harm. Because the entry names the tenant, it is not valid in
//! a copy of the database under another name.

use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Command};
use serde_json::json;

use crate::flags::{option, path};
use crate::http::{Address, Authorities};
use crate::load::{Login, Session, on_one_thread};

const MODULE: &str = "OCTAVO-LAB";
const NAME: &str = "test-tenant";

/// The server, the tenant and the user that the laboratory works with.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) address: Rc<Address>,
    pub(crate) tenant: String,
    pub(crate) login: Option<Login>,
}

pub(crate) fn target_args() -> [Arg; 5] {
    [
        option("url", "URL", "Address of the server").default_value("http://localhost:9130"),
        option("tenant", "TENANT", "Tenant that is measured").default_value("diku"),
        option("username", "NAME", "User who logs in; without one nobody does"),
        option("password", "PASSWORD", "The user's password").requires("username"),
        path("ca", "FILE.pem", "Certificates of authorities that are trusted too, for a server with TLS"),
    ]
}

impl Target {
    pub(crate) fn from_flags(flags: &ArgMatches) -> Result<Target> {
        let text = |name: &str| flags.get_one::<String>(name).cloned();
        let login = text("username")
            .map(|username| Login { username, password: text("password").unwrap_or_default() });
        let authorities = match flags.get_one::<PathBuf>("ca") {
            Some(file) => Authorities::read(file)?,
            None => Authorities::default(),
        };
        let address = Address::parse(&text("url").context("which server?")?, &authorities)?;
        Ok(Target { address: Rc::new(address), tenant: text("tenant").unwrap_or_default(), login })
    }

    pub(crate) fn with_url(&self, url: &str) -> Result<Target> {
        let address = Rc::new(Address::parse(url, &self.address.authorities)?);
        Ok(Target { address, tenant: self.tenant.clone(), login: self.login.clone() })
    }

    pub(crate) fn session(&self) -> Session {
        Session::new(&self.address, &self.tenant, self.login.clone())
    }
}

/// `octavo lab mark`
pub(crate) fn command() -> Command {
    Command::new("mark")
        .about(
            "Mark a tenant as one for tests: without the mark nothing that changes records is run against it",
        )
        .args(target_args())
}

pub(crate) fn run(flags: &ArgMatches) -> Result<String> {
    let target = Target::from_flags(flags)?;
    on_one_thread(async {
        let mut session = target.session();
        session.log_in().await?;
        let (tenant, url) = (&target.tenant, &target.address.url);
        if is_marked(&mut session, tenant).await? {
            return Ok(format!("{tenant} at {url} is marked as a test tenant already\n"));
        }
        let entry = json!({"module": MODULE, "configName": NAME, "enabled": true, "value": tenant});
        session.post("/configurations/entries", &entry).await?;
        Ok(format!(
            "{tenant} at {url} is now marked as a test tenant; to unmark it, delete the configuration entry {MODULE} {NAME}\n"
        ))
    })
}

pub(crate) async fn ensure_marked(session: &mut Session, tenant: &str, why: &str) -> Result<()> {
    if !is_marked(session, tenant).await? {
        bail!("{tenant} is not marked as a test tenant, and {why}; `octavo lab mark` marks one");
    }
    Ok(())
}

async fn is_marked(session: &mut Session, tenant: &str) -> Result<bool> {
    Ok(find_mark_id(session, tenant).await?.is_some())
}

pub(crate) async fn find_mark_id(session: &mut Session, tenant: &str) -> Result<Option<String>> {
    let query = format!("/configurations/entries?query=(module=={MODULE}%20and%20configName=={NAME})");
    let found = session.get(&query).await.context("looking for the mark of a test tenant")?;
    let mut entries = found["configs"].as_array().into_iter().flatten();
    let mark = entries.find(|entry| entry["value"] == tenant && entry["enabled"] != false);
    Ok(mark.map(|entry| entry["id"].as_str().unwrap_or_default().to_owned()))
}
