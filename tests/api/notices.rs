//! Letters to patrons: templates, mail, what is sent when, and the ledger of it all.

mod templates;
