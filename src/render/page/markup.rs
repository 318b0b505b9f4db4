//! A page's lines and tables as elements of HTML.

use std::io::{self, Write};

use super::cell::{Align, Cell};
use super::line::Line;
use super::shown::Shown;
use super::theme::escaped;
use super::{Paint, Role};

/// Writes each run of text lines as one box; tables and drawings stand between them.
pub(super) fn blocks(out: &mut dyn Write, lines: &[Line]) -> io::Result<()> {
    for block in lines.chunk_by(|one, next| !one.is_figure() && !next.is_figure()) {
        let lines: Vec<String> = block.iter().map(|line| line.paint(Paint::Html)).collect();
        let text = lines.join("\n");
        match block {
            [figure] if figure.is_figure() => writeln!(out, "{text}")?,
            _ if text.trim().is_empty() => {}
            // A line break after the tag would show as an empty line.
            _ => writeln!(out, "<div class=\"text\">{}</div>", text.trim_matches('\n'))?,
        }
    }
    Ok(())
}

/// A table with heads for its columns and rows. It scrolls in a box of its own, which the keyboard reaches and whose name
/// is the section's. Remarks that have no room beside their rows stand below them.
pub(super) fn table(shown: &Shown, has_room: bool, section: &str) -> String {
    let (heads, rows) = shown.split();
    let is_below = |align: Align| align == Align::Below || align == Align::Remark && !has_room;
    let beside = |cell: &(&Cell, Align)| !is_below(cell.1);
    let columns = || shown.alignments.iter().copied();
    let first = columns()
        .position(|align| matches!(align, Align::Left | Align::Right | Align::Name | Align::Reading));
    let mut html = format!(
        "<div class=\"table\" role=\"group\" aria-label=\"{}\" tabindex=\"0\"><table>",
        escaped(section)
    );
    if let Some(row) = heads {
        let cells = row.iter().zip(columns()).filter(beside);
        let cells = cells.map(|(cell, align)| {
            element(cell, align, if cell.text.is_empty() { "td" } else { "th scope=\"col\"" })
        });
        html.extend(["<thead>", &line(cells), "</thead>"]);
    }
    html += "<tbody>";
    for row in rows {
        let all = || row.iter().zip(columns());
        let cells = all().enumerate().filter(|(_, cell)| beside(cell)).map(|(place, (cell, align))| {
            let is_head = Some(place) == first && !cell.text.is_empty();
            element(cell, align, if is_head { "th scope=\"row\"" } else { "td" })
        });
        html += &line(cells);
        let width = all().filter(beside).count();
        let remarks = all().filter(|(cell, align)| is_below(*align) && !cell.text.is_empty());
        html.extend(remarks.map(|(remark, _)| below(remark, width)));
    }
    html + "</tbody></table></div>"
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("<tr>{}</tr>", cells.collect::<String>())
}

fn element(cell: &Cell, align: Align, start: &str) -> String {
    let class = match align {
        Align::Left => "",
        Align::Name | Align::Reading => " class=\"name\"",
        Align::Right | Align::Ordinal => " class=\"number\"",
        Align::Text | Align::Remark | Align::Below => " class=\"wraps\"",
    };
    let name = start.split(' ').next().unwrap_or(start);
    let role = if cell.text.is_empty() { Role::Plain } else { cell.role };
    format!("<{start}{class}>{}</{name}>", Paint::Html.brush(role, &cell.text))
}

/// A remark below its row, from side to side.
fn below(remark: &Cell, columns: usize) -> String {
    let text = Paint::Html.brush(Role::Quiet, &remark.text);
    format!("<tr><td class=\"below\" colspan=\"{columns}\">{text}</td></tr>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::page::{Glyphs, Page, Style, Table};

    const HOSTILE: &str = "</style><script>\"'&";
    const SHOWN: &str = "&lt;/style&gt;&lt;script&gt;&quot;&#39;&amp;";

    fn written(page: &Page) -> String {
        let mut out = Vec::new();
        page.write(&mut out).expect("memory takes it");
        String::from_utf8(out).expect("UTF-8")
    }

    fn page() -> Page {
        Page::new(Style { width: 100, glyphs: Glyphs::Unicode, paint: Paint::Html })
    }

    #[test]
    fn a_table_has_heads_and_is_named_after_its_section() {
        let mut table = Table::new([("POD", Align::Name), ("USAGE", Align::Right), ("", Align::Remark)]);
        table.row([Cell::from(HOSTILE), Cell::new(Role::Holds, HOSTILE), Cell::from("why")]);
        let mut page = page();
        page.title(HOSTILE, "beside");
        page.table(&table);
        let expected = format!(
            "<div class=\"text\"><h2>{SHOWN}</h2>  beside</div>\n\
             <div class=\"table\" role=\"group\" aria-label=\"{SHOWN}\" tabindex=\"0\"><table>\
             <thead><tr><th scope=\"col\" class=\"name\"><span class=\"quiet\">POD</span></th>\
             <th scope=\"col\" class=\"number\"><span class=\"quiet\">USAGE</span></th><td class=\"wraps\"></td></tr></thead>\
             <tbody><tr><th scope=\"row\" class=\"name\">{SHOWN}</th>\
             <td class=\"number\"><span class=\"holds\">{SHOWN}</span></td><td class=\"wraps\">why</td></tr></tbody>\
             </table></div>\n"
        );
        assert_eq!(written(&page), expected);
    }

    #[test]
    fn the_first_row_of_heads_is_one_of_heads_in_a_browser_too() {
        let mut table = Table::new([("", Align::Left), ("", Align::Right)]);
        table.heads([Cell::default(), Cell::from("now")]);
        table.row(["pod-hours", "3"].map(Cell::from));
        let mut page = page();
        page.table(&table);
        let written = written(&page);
        let heads = "<thead><tr><td></td><th scope=\"col\" class=\"number\"><span class=\"quiet\">now</span></th></tr></thead>";
        assert!(written.contains(heads), "{written}");
        assert!(written.contains("<th scope=\"row\">pod-hours</th>"), "{written}");
    }

    #[test]
    fn remarks_without_room_stand_below_their_rows() {
        let mut table = Table::new([("POD", Align::Name), ("USAGE", Align::Right), ("WHY", Align::Remark)]);
        table.row([Cell::from("web-1"), Cell::from("90m"), Cell::from("why ".repeat(40))]);
        let mut page = page();
        page.table(&table);
        let written = written(&page);
        assert!(!written.contains("WHY") && !written.contains("wraps"), "{written}");
        let below = "90m</td></tr><tr><td class=\"below\" colspan=\"2\"><span class=\"quiet\">why why";
        assert!(written.contains(below), "{written}");
    }
}
