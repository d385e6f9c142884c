//! mod-oai-pmh 3.13.2: the library's records for harvesters, by the Open Archives Initiative's protocol 2.0.
//!
//! The table `oai_record` (`tenant.sql`) has one narrow row for each instance, with the time when anything that harvesters see of the
//! instance last changed. Triggers keep it up to date. A page of a harvest is read from this table in the order of time and id, so every
//! page costs the same, and the position in a resumption token is the time and id of the last record. Facts: mod-oai-pmh 3.13.2 and
//! edge-oai-pmh 2.9.2.

mod arguments;
mod copies;
mod dates;
mod dublin_core;
mod edge;
mod envelope;
mod errors;
mod fields;
mod generate;
mod harvest;
mod harvests;
mod names;
mod page;
mod published;
mod record;
mod repository;
mod sets;
mod settings;
mod token;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, Request, Response, calls};
use octavo_kernel::Outcome;

pub use published::{PublishedRecord, load_published_records};

use arguments::Verb;
use envelope::Envelope;
use errors::Code;
use settings::Settings;

pub static MODULE: Module = Module {
    name: "mod-oai-pmh",
    records: &[&sets::SET],
    calls: CALLS,
    script: include_str!("oai_pmh/tenant.sql"),
    migrations: &[
        Migration {
            number: 26,
            name: "harvests",
            sql: concat!(
                include_str!("../../migrations/26_harvests.sql"),
                include_str!("oai_pmh/tenant.sql"),
                ";\n",
                include_str!("oai_pmh/earlier.sql")
            ),
        },
        Migration {
            number: 42,
            name: "harvests without loans",
            sql: include_str!("../../migrations/42_harvests_without_loans.sql"),
        },
    ],
    edges: &[edge::EDGE],
    on_enable: Some(|context| Box::pin(settings::install(context))),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/oai/records" => answer, may_be_late;
    Post "/oai-pmh/sets" => sets::create;
    Put "/oai-pmh/sets/{id}" => sets::replace;
    Get "/oai-pmh/filtering-conditions" => sets::conditions;
    Get "/oai/request-metadata" => harvests::list, may_be_late;
    Get "/oai/request-metadata/{requestId}/failed-to-save-instances" => harvests::empty_list;
    Get "/oai/request-metadata/{requestId}/failed-instances" => harvests::failed_instances;
    Get "/oai/request-metadata/{requestId}/skipped-instances" => harvests::empty_list;
    Get "/oai/request-metadata/{requestId}/suppressed-from-discovery-instances" => harvests::empty_list;
    Post "/oai-pmh/clean-up-instances" => harvests::clean_instances;
    Post "/oai-pmh/clean-up-error-logs" => harvests::clean;
};

async fn answer(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let settings = Settings::from_snapshot(&*context.snapshot().await?);
    let (verb, arguments, mut errors) = arguments::read(&request.query);
    let envelope = Envelope {
        settings: &settings,
        verb,
        arguments: &arguments,
        now: context.now,
        response_date: context.now,
    };
    if !settings.enabled {
        return Ok(envelope.refuse(&[Code::ServiceUnavailable.with_message("OAI-PMH service is disabled")]));
    }
    let resumed = match harvest::resumed_harvest(&request, &envelope) {
        Ok(resumed) => resumed,
        Err(wrong) => {
            errors.push(wrong);
            None
        }
    };
    let (Some(verb), true) = (verb, errors.is_empty()) else { return Ok(envelope.refuse(&errors)) };
    match verb {
        Verb::Identify => Ok(repository::identify(&envelope, context.tenant.id.as_str())),
        Verb::ListSets if resumed.is_some() => {
            let message = "The value of the resumptionToken argument is invalid";
            Ok(envelope.refuse(&[Code::BadResumptionToken.with_message(message)]))
        }
        Verb::ListSets => Ok(repository::sets(&envelope)),
        Verb::ListMetadataFormats => match arguments.get("identifier") {
            None => Ok(repository::formats(&envelope)),
            Some(identifier) => Ok(match harvest::find_record(&request, &envelope, identifier).await? {
                Ok(_) => repository::formats(&envelope),
                Err(wrong) => envelope.refuse(&[wrong]),
            }),
        },
        Verb::GetRecord => harvest::get(&request, &envelope).await,
        Verb::ListIdentifiers | Verb::ListRecords => {
            match harvest::list_request(&request, &envelope, resumed) {
                Ok(asked) => harvest::list(&request, &envelope, asked).await,
                Err(errors) => Ok(envelope.refuse(&errors)),
            }
        }
    }
}

octavo_pg::statements!(within = [harvests, page, published, settings]);
