use serde::{Serialize, Serializer};

/// A JSON list whose items are computed as they are written.
pub(super) struct Walked<F>(pub(super) F);

impl<F, I> Serialize for Walked<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_as_a_list_is() {
        for items in [vec![], vec![1], vec![1, 2, 3]] {
            // A filter does not know its length.
            let walked = Walked(|| items.iter().filter(|_| true));
            let written = crate::json::to_string(&walked).unwrap();
            assert_eq!(written, crate::json::to_string(&items).unwrap());
        }
    }
}
