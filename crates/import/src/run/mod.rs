//! Takes one record through a plan.

mod barcodes;
mod create_from_marc;
mod document;
mod holdings;
mod instance;
mod item;
mod item_shape;
mod log;
mod marc_record;
mod matches;
mod merge;
mod modify;
mod narrow;
mod progress;
mod step;
mod stop;
mod title;
mod update_marc;
mod world;
mod writes;

pub use progress::{Incoming, Progress};
pub use step::Step;
pub use title::logged_title;
pub use world::{Format, MappedRecord, MappingRules, World};
