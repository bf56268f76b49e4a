//! Runs the README's example as a test.

#![doc = include_str!("../README.md")]
