//! Which HPA a question is about: the one that was named or scales what was named (`subject`, `hpas`), all that match
//! (`query`), or those that a command line that is being typed may name (`offers`); and the error if there is none
//! (`refused`).

mod hpas;
mod offers;
mod query;
mod refused;
mod subject;

pub use query::HpaQuery;
pub use subject::{Subject, SubjectError};
