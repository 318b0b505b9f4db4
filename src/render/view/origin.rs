//! Where the HPA of a row was read.

use super::future::quoted;
use kubectl_hpa_core::snapshot::Origin;

/// The first columns of a row of comma-separated values: each is there only if rows differ in it.
pub(super) struct OriginColumns {
    is_of_clusters: bool,
    has_cases: bool,
}

impl OriginColumns {
    /// Those of rows with these origins.
    pub fn of<'a>(is_of_clusters: bool, mut origins: impl Iterator<Item = Option<&'a Origin>>) -> Self {
        Self { is_of_clusters, has_cases: origins.any(|origin| origin.is_some_and(|it| it.case().is_some())) }
    }

    pub fn heads(&self) -> String {
        self.joined("context".to_owned(), "case".to_owned())
    }

    /// The cells of one row.
    pub fn cells(&self, origin: Option<&Origin>) -> String {
        let cell = |text: Option<&str>| quoted(text.unwrap_or_default());
        self.joined(cell(origin.and_then(Origin::context)), cell(origin.and_then(Origin::case)))
    }

    fn joined(&self, context: String, case: String) -> String {
        let columns = [(self.is_of_clusters, context), (self.has_cases, case)];
        columns.into_iter().filter_map(|(is_there, cell)| is_there.then(|| cell + ",")).collect()
    }
}
