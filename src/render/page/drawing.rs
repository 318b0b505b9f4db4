//! Charts for a browser.

use super::theme::escaped;

/// The size in which the line is drawn; it is stretched to the page's. Its scale stands beside it as text, which is not.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 150.0;
/// A scale has at most so many lines above its zero.
const LINES: f64 = 5.0;

/// What is drawn: a line over time, with the band in which it moved.
pub(in crate::render) struct Drawing<'a> {
    /// What it shows, for those who do not see it.
    pub label: &'a str,
    /// The lowest and the highest value of each span of time; none where there is none.
    pub spans: &'a [Option<(f64, f64)>],
    /// The highest value that the scale has to reach: the same for charts that are compared.
    pub most: f64,
    /// A value that is marked by a line of its own.
    pub mark: Option<f64>,
    /// What stands behind a number of the scale.
    pub unit: &'a str,
    /// The times at both ends.
    pub ends: [&'a str; 2],
}

impl Drawing<'_> {
    /// As an element of HTML.
    pub fn html(&self) -> String {
        let (label, unit) = (escaped(self.label), escaped(self.unit));
        let values = scale(self.most.max(self.mark.unwrap_or_default()));
        let most = values.last().copied().unwrap_or(1.0);
        let tick = |value: &f64| format!("<span>{value:.0}{unit}</span>");
        let ticks: String = values.iter().map(tick).collect();
        let grid: String = values.iter().map(|value| across("grid", Self::y(*value, most))).collect();
        let mark = self.mark.map(|mark| across("target", Self::y(mark, most))).unwrap_or_default();
        let [start, end] = self.ends.map(escaped);
        format!(
            "<figure><div class=\"scale\" aria-hidden=\"true\">{ticks}</div>\
             <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{label}\">\
             <title>{label}</title>{grid}{}{mark}</svg>\
             <div class=\"times\" aria-hidden=\"true\"><span>{start}</span><span>{end}</span></div></figure>",
            self.band(most)
        )
    }

    fn y(value: f64, most: f64) -> f64 {
        HEIGHT - HEIGHT * (value / most).clamp(0.0, 1.0)
    }

    /// Steps: each value holds for the whole of its span.
    fn band(&self, most: f64) -> String {
        let count = u32::try_from(self.spans.len().max(1)).map_or(1.0, f64::from);
        let step = WIDTH / count;
        let (mut band, mut line) = (Vec::new(), Vec::new());
        for (place, span) in self.spans.iter().enumerate() {
            let Some((low, high)) = span else { continue };
            let x = step * u32::try_from(place).map_or(0.0, f64::from);
            let [bottom, top] = [low, high].map(|value| Self::y(*value, most));
            if bottom > top {
                band.push(format!("M{x:.1} {bottom:.1}V{top:.1}H{:.1}V{bottom:.1}Z", x + step));
            }
            let is_joined =
                place.checked_sub(1).and_then(|before| self.spans.get(before)).is_some_and(Option::is_some);
            let joint = if is_joined { 'L' } else { 'M' };
            line.push(format!("{joint}{x:.1} {top:.1}H{:.1}", x + step));
        }
        let [band, line] = [band, line].map(|steps| steps.concat());
        format!("<path class=\"band\" d=\"{band}\"/><path class=\"line\" d=\"{line}\"/>")
    }
}

/// Round values from 0 up to the highest one or just above it, all equally far apart.
fn scale(most: f64) -> Vec<f64> {
    let mut step = 1.0;
    let mut factors = [2.0, 2.5, 2.0].into_iter().cycle();
    while step * LINES < most {
        step *= factors.next().unwrap_or(2.0);
    }
    let mut values = vec![0.0, step];
    while values.last().is_some_and(|last| *last < most) {
        values.push(values.last().copied().unwrap_or_default() + step);
    }
    values
}

fn across(class: &str, y: f64) -> String {
    format!("<line class=\"{class}\" x1=\"0\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_escapes_what_it_is_told() {
        let spans = [Some((1.0, 2.0)), None, Some((3.0, 3.0))];
        let hostile = "<script>\"'&";
        let drawing = Drawing {
            label: hostile,
            spans: &spans,
            most: 3.0,
            mark: Some(2.5),
            unit: hostile,
            ends: [hostile; 2],
        };
        let html = drawing.html();
        assert!(!html.contains("<script>") && html.contains("&lt;script&gt;&quot;&#39;&amp;"), "{html}");
        assert!(html.starts_with("<figure>") && html.ends_with("</figure>"));
        // An unknown value leaves a gap in the line.
        let line = html.split_once("class=\"line\" d=\"").map_or("", |(_, rest)| rest);
        assert_eq!(line.matches('M').count(), 2, "{html}");
    }

    #[test]
    fn a_scale_has_few_round_values_and_reaches_the_highest() {
        assert_eq!(scale(0.0), [0.0, 1.0]);
        assert_eq!(scale(5.0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(scale(9.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(scale(164.0), [0.0, 50.0, 100.0, 150.0, 200.0]);
        for most in [1, 2, 99, 1_000, i32::MAX].map(f64::from) {
            let values = scale(most);
            assert!(values.len() <= 6 && values.last() >= Some(&most), "{most}: {values:?}");
        }
    }

    #[test]
    fn charts_with_one_scale_draw_the_same_value_at_the_same_height() {
        let drawn = |spans: &[Option<(f64, f64)>]| {
            let drawing = Drawing { label: "", spans, most: 20.0, mark: None, unit: "", ends: [""; 2] };
            let html = drawing.html();
            let line = html.split_once("class=\"line\" d=\"").map_or("", |(_, rest)| rest);
            line.split_once('"').map_or("", |(line, _)| line).to_owned()
        };
        assert_eq!(drawn(&[Some((5.0, 5.0))]), "M0.0 112.5H800.0");
        assert_eq!(drawn(&[Some((5.0, 5.0)), Some((20.0, 20.0))]), "M0.0 112.5H400.0L400.0 0.0H800.0");
    }
}
