//! The program as an operator meets it: how it starts, refuses to, stops, and is killed. Each test has its own data folder.

mod away;
mod bench;
mod bulk;
mod configuration;
mod demo;
mod disk;
mod doctor;
mod greedy;
mod health;
mod jobs;
mod killed;
mod killed_index;
mod lab;
mod lab_runs;
mod ledger;
mod listens;
mod load;
mod mail;
mod notices;
mod octavo;
mod operator;
mod refuses;
mod stops;
mod walk;
