//! What all frames of one reading share: where it is, and how much it may still read.

use std::cell::{Cell, Ref, RefCell, RefMut};

use super::Fault;

/// Longest list: several times the pods of the largest deployments. With 200,000, `simulate` takes 800 MB.
const LONGEST_LIST: usize = 100_000;
/// Most items of all lists, and entries of all free maps. A few bytes of text become a few hundred of memory in each; pods
/// by the fifty thousand, each with a dozen containers, stay below it.
const MOST_PARTS: u32 = 2_000_000;

/// The keys on the way to where the reading is, one behind the other, of which a path is made only for an error; and how
/// many parts may still come.
pub(super) struct Names {
    text: RefCell<String>,
    left: Cell<u32>,
}

impl Default for Names {
    fn default() -> Self {
        Self { text: RefCell::default(), left: Cell::new(MOST_PARTS) }
    }
}

impl Names {
    pub fn borrow(&self) -> Ref<'_, String> {
        self.text.borrow()
    }

    pub fn borrow_mut(&self) -> RefMut<'_, String> {
        self.text.borrow_mut()
    }

    /// One more item of a list, at this place.
    pub fn item(&self, index: usize) -> Result<(), Fault> {
        if index >= LONGEST_LIST {
            return Err(Fault::bound(format!("has more than {LONGEST_LIST} items")));
        }
        self.part()
    }

    /// One more item or entry.
    pub fn part(&self) -> Result<(), Fault> {
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(Fault::bound(format!("the document has more than {MOST_PARTS} items and entries"))),
        }
    }
}
