//! What a person or a program reads: screens, pages, JSON, help, and the commands as they are typed.

mod agree;
mod arithmetic;
mod backtest;
#[path = "../backtest/world.rs"]
mod backtest_world;
mod before;
mod causes;
mod claims;
mod cli;
mod codes;
mod committed;
mod contract;
mod documents;
mod errors;
#[path = "../lint/example.rs"]
mod example;
mod expect;
mod lint;
mod list;
mod man;
mod objects;
#[path = "../pages/mod.rs"]
mod pages;
mod printed;
mod questions;
mod reached;
mod readme;
#[path = "../oracle/recorded.rs"]
mod recorded;
mod render_vectors;
#[path = "../root.rs"]
mod root;
mod screens;
mod simulate;
mod target;
mod tells;
mod templates;
#[path = "../oracle/versions.rs"]
mod versions;
mod vocabulary;
