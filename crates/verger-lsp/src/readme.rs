//! Tests the example in the README.

#![doc = include_str!("../README.md")]
