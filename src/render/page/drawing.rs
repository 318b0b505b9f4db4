//! Charts for a browser.

use super::theme::escaped;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 180.0;
/// Room for the scale at the left, and for the times below.
const LEFT: f64 = 48.0;
const BELOW: f64 = 20.0;
const ABOVE: f64 = 10.0;

/// What is drawn: a line over time, with the band in which it moved.
pub(in crate::render) struct Drawing<'a> {
    /// What it shows, for those who do not see it.
    pub label: &'a str,
    /// The lowest and the highest value of each span of time; none where there is none.
    pub spans: &'a [Option<(f64, f64)>],
    /// A value that is marked by a line of its own.
    pub mark: Option<f64>,
    /// What stands behind a number of the scale.
    pub unit: &'a str,
    /// The times at both ends.
    pub ends: [&'a str; 2],
}

impl Drawing<'_> {
    /// As an element of HTML.
    pub fn svg(&self) -> String {
        let values = self.spans.iter().flatten().map(|(_, high)| *high).chain(self.mark);
        let most = values.fold(1.0, f64::max).ceil();
        let label = escaped(self.label);
        let mut svg = vec![format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\"><title>{label}</title>"
        )];
        for part in [0.0, 0.5, 1.0] {
            let value = most * part;
            let y = Self::y(value, most);
            svg.push(format!(
                "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\"/>\
                 <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{value:.0}{}</text>",
                LEFT - 6.0,
                y + 4.0,
                escaped(self.unit),
            ));
        }
        svg.push(self.band(most));
        if let Some(mark) = self.mark {
            let y = Self::y(mark, most);
            svg.push(format!(
                "<line class=\"target\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\"/>"
            ));
        }
        let [start, end] = self.ends.map(escaped);
        svg.push(format!(
            "<text x=\"{LEFT}\" y=\"{0:.0}\">{start}</text>\
             <text x=\"{WIDTH}\" y=\"{0:.0}\" text-anchor=\"end\">{end}</text></svg>",
            HEIGHT - 4.0
        ));
        svg.concat()
    }

    fn y(value: f64, most: f64) -> f64 {
        HEIGHT - BELOW - (HEIGHT - BELOW - ABOVE) * (value / most).clamp(0.0, 1.0)
    }

    /// Steps: each value holds for the whole of its span.
    fn band(&self, most: f64) -> String {
        let count = u32::try_from(self.spans.len().max(1)).map_or(1.0, f64::from);
        let step = (WIDTH - LEFT) / count;
        let (mut band, mut line) = (Vec::new(), Vec::new());
        for (place, span) in self.spans.iter().enumerate() {
            let Some((low, high)) = span else { continue };
            let x = LEFT + step * u32::try_from(place).map_or(0.0, f64::from);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_escapes_what_it_is_told() {
        let spans = [Some((1.0, 2.0)), None, Some((3.0, 3.0))];
        let hostile = "<script>\"'&";
        let drawing =
            Drawing { label: hostile, spans: &spans, mark: Some(2.5), unit: hostile, ends: [hostile; 2] };
        let svg = drawing.svg();
        assert!(!svg.contains("<script>") && svg.contains("&lt;script&gt;&quot;&#39;&amp;"), "{svg}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
        // What is not known leaves a gap in the line.
        let line = svg.split_once("class=\"line\" d=\"").map_or("", |(_, rest)| rest);
        assert_eq!(line.matches('M').count(), 2, "{svg}");
    }
}
