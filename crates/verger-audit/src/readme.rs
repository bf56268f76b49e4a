//! The README's example, run as a test.

#![doc = include_str!("../README.md")]
