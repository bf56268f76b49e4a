//! The README, whose example is a test.

#![doc = include_str!("../README.md")]
