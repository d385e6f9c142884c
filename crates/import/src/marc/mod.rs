//! Changes of MARC records: modifications that a profile lists, the overlay of a stored record by an incoming one, and the
//! numbers and ids that a stored record has.

mod edit;
mod links;
mod modify;
mod numbers;
mod operation;
mod overlay;
mod pattern;
mod protection;
mod single;

pub use links::Link;
pub use numbers::{
    clear_linked_ninths, drop_former_number, former_number, give_number, keep_former_number, order_by_tags,
    set_change_time, set_folio_id,
};
pub use protection::Protection;

pub(crate) use edit::folio_id;
pub(crate) use modify::modify;
pub(crate) use numbers::{add_035, set_number};
pub(crate) use operation::Operation;
pub(crate) use overlay::{Overlay, overlay, overlay_selected};
pub(crate) use pattern::Pattern;
