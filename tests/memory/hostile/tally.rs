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

    fn tightness(&self) -> (f64, f64) {
        let looks = count(self.looks.max(1));
        (count(self.exact) * 100.0 / looks, self.width * 100.0 / looks)
    }
}

fn count(of: usize) -> f64 {
    f64::from(u32::try_from(of).expect("a count"))
}

#[derive(Default)]
pub struct Tally {
    pub worlds: usize,
    all: Figures,
    what_ifs: Figures,
    /// Promised times that were awaited, and those that were not kept.
    promised: BTreeMap<&'static str, usize>,
    broken: usize,
    /// Looks at something refused, or given back, that no sync has come upon: either of two numbers is right.
    unforeseeable: usize,
    /// Looks with nothing done within the longest window: judged, and not counted.
    aside: usize,
    is_tame: bool,
    by_act: BTreeMap<&'static str, Figures>,
}

impl Tally {
    pub fn new(is_tame: bool) -> Self {
        Self { is_tame, ..Self::default() }
    }

    pub fn add(&mut self, judged: &Judged) {
        for name in &judged.promises.given {
            *self.promised.entry(*name).or_default() += 1;
        }
        self.broken += judged.promises.broken.len();
        if judged.change.is_some() {
            self.what_ifs.add(judged);
            return;
        }
        if judged.acts.is_empty() && !self.is_tame && !judged.is_wrong() {
            self.aside += 1;
            return;
        }
        self.unforeseeable += usize::from(!judged.truth.is_foreseeable());
        self.all.add(judged);
        for act in &judged.acts {
            self.by_act.entry(act).or_default().add(judged);
        }
    }

    /// Of a hundred answers, how many are exact; and how wide they are on average.
    pub fn tightness(&self) -> (f64, f64) {
        self.all.tightness()
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
            let (exact, width) = figures.tightness();
            writeln!(f, "{act:25} {:8} {:7} {exact:7.1}% {width:10.1}%", figures.looks, figures.wrong)?;
        }
        let Self { worlds, aside, broken, promised, unforeseeable, .. } = self;
        write!(
            f,
            "{worlds} worlds, {aside} looks set aside, {unforeseeable} before any sign; {broken} promises not kept of {promised:?}"
        )
    }
}
