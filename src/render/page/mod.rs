//! A page under way: titles, paragraphs and tables, laid out for a width and written once.
//!
//! Whatever is put on a page is made safe for a terminal here, so no section can forget it.

mod cell;
mod clip;
mod drawing;
mod fit;
mod glyphs;
mod grid;
mod line;
mod markup;
mod sheet;
mod shown;
mod table;
mod theme;

pub use glyphs::Glyphs;
pub use kubectl_hpa_core::model::sanitize;
pub use theme::Paint;

pub(in crate::render) use cell::{Align, Cell};
pub(in crate::render) use drawing::Drawing;
pub(in crate::render) use line::Line;
pub(in crate::render) use sheet::{Page, Style};
pub(in crate::render) use table::Table;
pub(in crate::render) use theme::Role;
