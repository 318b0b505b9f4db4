//! `kubectl hpa lint` as it is typed: the forms of its output, what it reads, and what is ignored.

mod forms;
mod ignoring;
mod input;
