//! What is answered about decisions, as text and as data.

use std::io::{self, Write};

use serde::Serialize;

use super::writer::Answered;
use crate::render::{self, Fleet, Options, Title};
use kubectl_hpa_core::comparison::{Upgrade, Versions};
use kubectl_hpa_core::explanation::Explanation;

impl Answered for Explanation {
    const LIST: &'static str = "DecisionList";

    fn names(&self) -> Vec<&str> {
        vec![&self.snapshot().hpa.key.name]
    }

    fn title(&self) -> Title<'_> {
        Title { what: "Explanation".to_owned(), of: Some(self) }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::text(out, self, options)
    }

    fn view(&self) -> impl Serialize {
        render::decision_view(self)
    }
}

impl Answered for Versions {
    const LIST: &'static str = "VersionsList";

    fn names(&self) -> Vec<&str> {
        self.decided.first().into_iter().flat_map(|(_, first)| Answered::names(first)).collect()
    }

    fn title(&self) -> Title<'_> {
        Title { what: "Versions".to_owned(), of: self.decided.first().map(|(_, first)| first) }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::versions(out, self, options)
    }

    fn view(&self) -> impl Serialize {
        render::versions_view(self)
    }
}

impl Answered for Upgrade {
    const LIST: &'static str = "UpgradeList";

    fn names(&self) -> Vec<&str> {
        self.changed.iter().flat_map(Answered::names).collect()
    }

    fn title(&self) -> Title<'_> {
        Title { what: format!("Upgrade to {}", self.to.value), of: None }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::upgrade(out, self, options)
    }

    fn view(&self) -> impl Serialize {
        render::upgrade_view(self)
    }
}

impl Answered for Fleet {
    /// A list of HPAs is one object already, so nothing makes a list of it.
    const LIST: &'static str = "HpaListList";

    fn names(&self) -> Vec<&str> {
        Fleet::names(self).collect()
    }

    fn title(&self) -> Title<'_> {
        Title { what: "HPAs".to_owned(), of: None }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::fleet(out, self, options)
    }

    fn view(&self) -> impl Serialize {
        render::fleet_view(self)
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        render::fleet_csv(out, self)
    }
}
