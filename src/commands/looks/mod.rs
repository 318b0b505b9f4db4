//! Looks at HPAs, again and again: how often, at what time, what each is decided to show, and who takes it.

mod clock;
mod decided;
mod follow;
mod pace;
mod trails;
mod trouble;

use kubectl_hpa_core::snapshot::Origin;

pub use clock::Clock;
pub use decided::decided;
pub use follow::{Follower, Told, follow};
pub use pace::{FIRST_PAUSE, LONGEST_PAUSE, LOOKS, SHARE, SHORTEST_PAUSE};
pub use trails::{Changed, Trails};
pub use trouble::{Trouble, failing, first_line};

/// Where an HPA is, and its name.
pub type Place = (Option<Origin>, String, String);
