//! A library of `octavo load synthetic` in a data folder, measured instead of one that is made for the run. It stays, with what the
//! measurement did to it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{ArgMatches, Command};
use octavo_lab::flags::{option, path};
use octavo_lab::load::{Login, Session};
use octavo_pg::Statement;
use octavo_pg::embedded::Embedded;

use super::desk::{self, Desk, Shelf};
use super::scratch::Scratch;
use super::search::indexing::wait_quietly;
use super::server::Server;
use super::stock::{Extent, Stock};
use super::{library, say, stock};
use crate::start::tenant_id;

pub(crate) struct Kept {
    pub(crate) folder: PathBuf,
    tenant: String,
    password: String,
}

impl Kept {
    pub(crate) fn args(command: Command) -> Command {
        let library = path(
            "library",
            "FOLDER",
            "The data folder of `octavo load synthetic` with the library to measure [default: one is made]",
        );
        command
            .arg(library.requires("admin-password"))
            .arg(option("tenant", "TENANT", "The tenant in that folder [default: synthetic]"))
            .arg(option("admin-password", "PASSWORD", "The password that the tenant was made with"))
    }

    pub(crate) fn given(flags: &ArgMatches) -> Option<Kept> {
        let text = |name: &str| flags.get_one::<String>(name).cloned();
        Some(Kept {
            folder: flags.get_one::<PathBuf>("library")?.clone(),
            tenant: text("tenant").unwrap_or_else(|| "synthetic".to_owned()),
            password: text("admin-password").unwrap_or_default(),
        })
    }

    async fn served(
        &self,
        program: &Path,
        scratch: &Scratch,
        database: &Embedded,
        items: u32,
    ) -> Result<(Server, Session, Desk)> {
        say("choosing items");
        let connection = stock::connect(&database.url())?;
        let mut session = connection.session(&tenant_id(&self.tenant)?, Default::default()).await?;
        let shelf: Vec<String> = session.read(Statement::new(SHELF).long(items.into())).await?;
        let patrons: Vec<String> = session.read(Statement::new(PATRONS)).await?;
        ensure!(!shelf.is_empty() && !patrons.is_empty(), "nothing can be lent in {}", self.tenant);
        drop(session);
        let server = Server::start(program, scratch.path(), &database.url()).await?;
        let login = Login { username: format!("{}_admin", self.tenant), password: self.password.clone() };
        let mut staff = Session::new(&server.address, &self.tenant, Some(login));
        staff.log_in().await.context("was the library made with --admin-password?")?;
        say("waiting until the indexes of the search are made");
        wait_quietly(&mut staff).await?;
        let desk = Desk::lending(staff.another(), shelf, patrons);
        Ok((server, staff, desk))
    }
}

/// A server, a member of staff and a desk with so many items to lend: of the library that is kept, or of one that is made.
pub(crate) async fn served(
    kept: Option<&Kept>,
    program: &Path,
    scratch: &Scratch,
    database: &Embedded,
    items: u32,
) -> Result<(Server, Session, Desk)> {
    if let Some(kept) = kept {
        return kept.served(program, scratch, database, items).await;
    }
    let extent = Extent { items, patrons: desk::BORROWERS, ..Extent::default() };
    let fill = async |url: &str| Stock::fill(url, extent).await.map(drop);
    let (server, staff, ()) = library::served(program, scratch, database, None, fill).await?;
    let desk = Desk::new(staff.another(), Shelf { items: 0..items, borrowers: 0..desk::BORROWERS });
    Ok((server, staff, desk))
}

/// Barcodes of items on one shelf that the demo library's rules lend, from pages all over the table, in no order.
const SHELF: &str = "\
select i.barcode
from item i tablesample system (20) repeatable (1)
where i.\"effectiveLocationId\" = '244e9d2c-5484-5fda-873d-b26fde67d328' and i.doc -> 'status' ->> 'name' = 'Available'
order by md5(i.barcode)
limit $1";
const PATRONS: &str =
    "select barcode from users where barcode is not null order by md5(barcode) limit 100000";
