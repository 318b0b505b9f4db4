//! A list that many share, each without the one item that is its own.

use std::sync::Arc;

/// All items of a list but one, at the cost of the place of that one: of a thousand HPAs each has 999 others.
#[derive(Clone, Debug)]
pub struct AllBut<T> {
    all: Arc<[T]>,
    own: Option<usize>,
}

impl<T> AllBut<T> {
    /// The same list without the item at a place, or with all.
    #[must_use]
    pub fn but(&self, own: Option<usize>) -> Self {
        Self { all: Arc::clone(&self.all), own: own.filter(|own| *own < self.all.len()) }
    }

    /// The items of another list, of as many, at the same places.
    #[must_use]
    pub fn of<U>(&self, all: Arc<[U]>) -> AllBut<U> {
        AllBut { all, own: None }.but(self.own)
    }

    /// With the one that is left out.
    #[must_use]
    pub fn all(&self) -> &[T] {
        &self.all
    }

    /// The items in their order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        let (before, after) = self.all.split_at(self.own.unwrap_or_default());
        before.iter().chain(after.iter().skip(usize::from(self.own.is_some())))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len() - usize::from(self.own.is_some())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> Default for AllBut<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T> From<Vec<T>> for AllBut<T> {
    fn from(all: Vec<T>) -> Self {
        Self { all: all.into(), own: None }
    }
}

impl<T: PartialEq> PartialEq for AllBut<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::AllBut;

    #[test]
    fn one_is_left_out_wherever_it_stands() {
        let all = AllBut::from(vec!["a", "b", "c"]);
        for (own, left) in [
            (None, &["a", "b", "c"][..]),
            (Some(0), &["b", "c"]),
            (Some(1), &["a", "c"]),
            (Some(2), &["a", "b"]),
            (Some(3), &["a", "b", "c"]),
        ] {
            let others = all.but(own);
            assert_eq!(others.iter().copied().collect::<Vec<_>>(), left);
            assert_eq!((others.len(), others.is_empty()), (left.len(), false));
            assert_eq!(others, AllBut::from(left.to_vec()));
            let numbers = others.of([1, 2, 3].into());
            assert_eq!(numbers.len(), left.len());
        }
        assert!(AllBut::from(vec![1]).but(Some(0)).is_empty());
    }
}
