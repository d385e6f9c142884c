//! mod-event-config 2.7.1: which templates are sent by which channel after an event, such as a changed password.

use octavo_engine::Module;
use octavo_modules_base::account_events::EVENT_CONFIGURATION;

pub static MODULE: Module =
    Module { name: "mod-event-config", records: &[&EVENT_CONFIGURATION], ..Module::BASE };
