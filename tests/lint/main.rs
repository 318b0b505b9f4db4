//! `kubectl hpa lint`: a bad and a good example of each rule, what the fixes do, and the forms of its output.

mod examples;
mod forms;
mod ignoring;
mod input;
mod many;
#[path = "../pages/mod.rs"]
mod pages;
mod places;
mod public;
