//! What patrons owe: accounts, what staff do with them, and the records around them.

mod accounts;
mod actions;
mod books;
mod bulk;
mod manual_blocks;
mod overdue;
mod policies;
mod reports;
mod till;
mod types;
