//! mod-inventory-storage 27.1.3 and mod-inventory 20.2.6: what is kept of instances, holdings and items, what is computed, and
//! how it is shown.

mod batch;
mod bound_withs;
mod effective;
mod elsewhere;
mod hierarchy;
mod hrids;
mod instances;
mod isbn;
mod items;
mod jobs;
mod locations;
mod locking;
mod moves;
mod reference_types;
mod relations;
mod search;
mod sets;
pub(crate) mod shelf;
mod source_marc;
mod statistical_codes;
mod titles;
mod updated;
