//! `Archive`: everything that a persistent store offers.

use crate::deliveries::Deliveries;
use crate::history::History;

/// A store with its whole history and its deliveries.
pub trait Archive: History + Deliveries {}

impl<S: History + Deliveries + ?Sized> Archive for S {}
