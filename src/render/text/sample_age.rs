//! The time in which the usage was measured that was decided on: it explains a slow reaction.

use crate::render::options::Options;
use crate::render::page::{Page, Role};
use crate::render::units::{ago, clock, span};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Evidence;
use kubectl_hpa_core::snapshot::{PodUsage, Reading};

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    if let Some(text) = text(explanation).filter(|_| options.is_wide()) {
        page.note("Measured", Role::Quiet, &text);
    }
}

fn text(explanation: &Explanation) -> Option<String> {
    let of_usage = explanation.metrics().any(|metric| {
        let reading = explanation.snapshot().readings.get(metric.trace.index);
        metric.proposal().is_some() && reading == Some(&Reading::Usage)
    });
    let samples = || explanation.pods().iter().filter_map(|pod| pod.usage.as_ref()).filter(|_| of_usage);
    let begins = |sample: &PodUsage| sample.at - sample.window;
    let (first, last) = (samples().map(begins).min()?, samples().map(|sample| sample.at).max()?);
    let longest = samples().map(|sample| sample.window).max()?;
    let now = explanation.now();
    let period = &explanation.snapshot().controller.sync_period;
    let assumed = if period.evidence >= Evidence::Assumed { " (assumed)" } else { "" };
    Some(format!(
        "the usage from {} to {}, in samples of {} or less; the newest ended {}. The controller syncs every {}{assumed}: a change counts in the first sync after the next sample. The API does not show how often samples are taken",
        clock(now, first),
        clock(now, last),
        span(longest),
        ago(now, last),
        span(period.value)
    ))
}
