//! The figures.

use std::collections::BTreeMap;
use std::fmt;

use super::judge::Judged;

#[derive(Default)]
pub struct Figures {
    looks: usize,
    wrong: usize,
    exact: usize,
    width: f64,
}

impl Figures {
    fn add(&mut self, judged: &Judged) {
        self.looks += 1;
        self.wrong += usize::from(judged.is_wrong());
        self.exact += usize::from(judged.said.is_exact());
        self.width += judged.said.width;
    }
}

#[derive(Default)]
pub struct Tally {
    pub worlds: usize,
    all: Figures,
    what_ifs: Figures,
    /// Looks whose promises were followed, and how many were not kept.
    followed: usize,
    broken: usize,
    by_act: BTreeMap<&'static str, Figures>,
}

impl Tally {
    pub fn add(&mut self, judged: &Judged) {
        if judged.change.is_some() {
            self.what_ifs.add(judged);
            return;
        }
        self.all.add(judged);
        self.broken += usize::from(!judged.broken.is_empty());
        if judged.acts.is_empty() {
            self.by_act.entry("(nothing)").or_default().add(judged);
        }
        for act in &judged.acts {
            self.by_act.entry(act).or_default().add(judged);
        }
    }

    pub fn followed(&mut self, is_followed: bool) {
        self.followed += usize::from(is_followed);
    }

    pub fn looks(&self) -> usize {
        self.all.looks
    }

    pub fn wrong(&self) -> usize {
        self.all.wrong + self.what_ifs.wrong
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:24} {:>8} {:>7} {:>8} {:>11}",
            "within the longest window", "looks", "wrong", "exact", "mean width"
        )?;
        for (act, figures) in self
            .by_act
            .iter()
            .map(|(act, figures)| (*act, figures))
            .chain([("all", &self.all), ("what-ifs", &self.what_ifs)])
        {
            let looks = figures.looks.max(1) as f64;
            let (exact, width) = (figures.exact as f64 * 100.0 / looks, figures.width * 100.0 / looks);
            writeln!(f, "{act:25} {:8} {:7} {exact:7.1}% {width:10.1}%", figures.looks, figures.wrong)?;
        }
        write!(f, "{} worlds; {} of {} promised times not kept", self.worlds, self.broken, self.followed)
    }
}
