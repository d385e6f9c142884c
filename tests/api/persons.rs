//! What is left of a person: a patron with unmistakable marks leaves them everywhere in the library, then their loans are
//! anonymised, then they are deleted, and the whole database is searched for each mark.

mod declared;
mod forgotten;
mod kept;
mod life;
mod marks;
mod merged;
mod told;
