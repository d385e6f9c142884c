//! `octavo bench search`: makes the search index of a library that `octavo load synthetic` made, times searches beside the times that
//! they may take, and compares what random queries find with what plain SQL finds in a sample of the titles.

mod desk;
mod ids;
pub(crate) mod indexing;
mod oracle;
mod queries;
mod requests;
mod saves;
mod titles;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{ArgMatches, Command};
use octavo_kernel::TenantId;
use octavo_lab::flags::{number, number_value, option, path};
use octavo_lab::load::{Login, Session};
use octavo_lab::table::{Page, format_number};
use octavo_lab::{clock, machine};
use octavo_pg::embedded::Embedded;
use octavo_pg::{Database, Limits};

use self::oracle::Extent;
use self::titles::Titles;
use super::calls::keys::Keys;
use super::print_progress;
use super::private::on_one_thread;
use super::scratch::Scratch;
use super::server::{Server, measured_program, program_arg};
use crate::{config, start};

pub(super) fn command() -> Command {
    let command = Command::new("search")
        .about("Time searches of a library of `octavo load synthetic`, and compare what they find with plain SQL")
        .arg(option("tenant", "TENANT", "The tenant that was made [default: synthetic]"))
        .arg(option("admin-password", "PASSWORD", "The password that it was made with").required(true))
        .arg(number("titles", "10000", 1..=100_000, "Titles of the sample in which SQL looks for what queries find"))
        .arg(number("queries", "10000", 0..=10_000_000, "Random queries that are compared"))
        .arg(number("seed", "1", 0..=i64::from(u32::MAX), "Other numbers give other random queries"))
        .arg(number("saves", "40", 1..=1000, "Titles that are saved and looked for by who saved them, and as many by others"))
        .arg(number("calls", "1000", 1..=1400, "Check-outs while the index is made anew, and as many before"))
        .arg(path(
            "index",
            "FOLDER",
            "Keep the index there, and take one that is there already [default: make one, and remove it]",
        ))
        .arg(program_arg());
    config::add_setting_args(command)
}

pub(super) fn run(flags: &ArgMatches) -> Result<()> {
    let settings = config::load(flags)?.settings;
    let tenant = flags.get_one::<String>("tenant").map_or("synthetic", String::as_str);
    let password = flags.get_one::<String>("admin-password").map_or("", String::as_str);
    let extent = Extent {
        titles: number_value(flags, "titles"),
        queries: number_value(flags, "queries"),
        seed: number_value(flags, "seed"),
    };
    let program = measured_program(flags)?;
    let (page, differences) = on_one_thread(async {
        let scratch = Scratch::make()?;
        let folder = flags.get_one::<PathBuf>("index").map_or(scratch.path(), PathBuf::as_path);
        let (database, private) = start::open_database(&settings, Limits::default()).await?;
        let url = private.as_ref().map(Embedded::url).or(settings.database_url).context("no database")?;
        let server = Server::start(&program, folder, &url).await?;
        let login = Login { username: format!("{tenant}_admin"), password: password.to_owned() };
        let mut staff = Session::new(&server.address, tenant, Some(login));
        staff.log_in().await.context("was the library made with --admin-password?")?;
        let run = Run {
            database: &database,
            tenant: TenantId::parse(tenant)?,
            server: &server,
            folder,
            staff,
            saved_titles: number_value(flags, "saves") as usize,
            check_outs: number_value(flags, "calls") as usize,
        };
        let measured = run.measure(extent).await;
        server.stop().await?;
        if let Some(private) = private {
            private.stop().await;
        }
        measured
    })?;
    std::io::stdout().write_all(page.to_markdown().as_bytes())?;
    ensure!(differences == 0, "{differences} queries find other titles than SQL");
    Ok(())
}

/// What is measured, and by whom.
struct Run<'a> {
    database: &'a Database,
    tenant: TenantId,
    server: &'a Server,
    /// The folder in which the server keeps its data folder.
    folder: &'a Path,
    staff: Session,
    /// The number of titles that are saved and then searched for by each of two users.
    saved_titles: usize,
    /// The number of check-outs before and while the index is rebuilt.
    check_outs: usize,
}

impl Run<'_> {
    /// Measures, and returns the report and the number of queries that find other titles than SQL.
    async fn measure(&self, extent: Extent) -> Result<(Page, usize)> {
        let mut page = Page::default();
        let made = indexing::wait_for_indexes(self).await?;
        print_progress(&made);
        let keys = Keys::choose(self.database, &self.tenant).await?;
        page.add_text(format!(
            "Octavo {} on {}, {}. {} instances, {} holdings, {} items.",
            env!("CARGO_PKG_VERSION"),
            clock::date(),
            machine::describe(),
            format_number(keys.record_counts[0], 0),
            format_number(keys.record_counts[1], 0),
            format_number(keys.record_counts[2], 0),
        ));
        page.add_text(made);
        let titles = Titles::choose(self.database, &self.tenant).await?;
        page.add_table(&requests::TABLE_HEAD, requests::measure(self, &titles).await?);
        let mut told = |text: String| {
            print_progress(&text);
            page.add_text(text);
        };
        told(ids::measure(self, &titles).await?);
        told(saves::measure(self, self.saved_titles).await?);
        let (compared, differences) = oracle::compare(self, extent).await?;
        told(compared);
        // Last: the index goes on being made after the check-outs.
        told(desk::measure(self, &keys, self.check_outs).await?);
        Ok((page, differences))
    }

    /// Another connection of the member of staff.
    fn session(&self) -> Session {
        self.staff.with_new_connection()
    }
}

/// A measured figure with its goal: `52 ms of 60`, or `71 ms, MORE than 60`.
fn compare_with_goal(measured: f64, wanted: f64, decimals: usize, unit: &str) -> String {
    let (measured_text, wanted_text) = (format_number(measured, decimals), format_number(wanted, decimals));
    if measured <= wanted {
        format!("{measured_text} {unit} of {wanted_text}")
    } else {
        format!("{measured_text} {unit}, MORE than {wanted_text}")
    }
}
