//! `BoxFuture`: the futures that traits of this crate return, so that they can be objects.

use core::future::Future;
use core::pin::Pin;

/// A future that is on the heap and may move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
