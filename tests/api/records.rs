//! What every declared record type does: create, read, replace, delete, list and search (RAML Module Builder 35.2).

mod columns;
mod counts;
mod cql;
mod crud;
mod faults;
mod indexes;
mod pages;
mod roots;
mod sorting;
mod tables;
mod words;
