//! How the command's cost grows when the input doubles, in instructions counted by valgrind.
//!
//! Every input shape comes in three sizes, each twice the previous one. From the first doubling to the second, the
//! cost of a linear command doubles and that of a quadratic one quadruples. The fixed cost of a run cancels out.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::thread;

use crate::inputs::{Shape, shapes};

/// Maximum cost of the second doubling in percent of the first: 200 is linear, and a sort needs up to 220.
const PERCENT_MAX: u64 = 250;

/// Measures and prints all shapes on all processors. Returns an error that names the shapes with nonlinear growth.
pub(crate) fn run(command: &Path) -> Result<(), String> {
    let command =
        fs::canonicalize(command).map_err(|error| format!("cannot find the command: {error}"))?;
    let rooms = command.with_file_name("growth");
    let shapes = shapes()?;
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let of_each = shapes.len().div_ceil(workers).max(1);
    let mut counted = vec![Ok([0; 3]); shapes.len()];
    thread::scope(|scope| {
        let parts = shapes.chunks(of_each).zip(counted.chunks_mut(of_each));
        for (worker, (shapes, counted)) in parts.enumerate() {
            let (command, room) = (&command, rooms.join(worker.to_string()));
            scope.spawn(move || {
                for (shape, counted) in shapes.iter().zip(counted) {
                    *counted = count_sizes(command, &room, shape);
                }
            });
        }
    });
    let mut failures = Vec::new();
    println!("{:<70} {:>13} {:>8}", "", "instructions", "growth");
    for (shape, counted) in shapes.iter().zip(counted) {
        let name = &shape.name;
        match counted {
            Ok(counts) => {
                let percent = growth_percent(counts);
                println!("{name:<70} {:>13} {percent:>6} %", counts[2]);
                if percent > PERCENT_MAX {
                    failures.push(format!("{name} ({percent} %)"));
                }
            }
            Err(why) => failures.push(format!("{name}: {why}")),
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    let list = failures.join("; ");
    Err(format!(
        "more than linear, or not counted (a second doubling may cost {PERCENT_MAX} % of the first): {list}"
    ))
}

fn count_sizes(command: &Path, room: &Path, shape: &Shape) -> Result<[u64; 3], String> {
    let mut counts = [0; 3];
    for (doublings, count) in counts.iter_mut().enumerate() {
        *count = count_once(command, room, shape, shape.size << doublings)?;
    }
    Ok(counts)
}

fn count_once(command: &Path, room: &Path, shape: &Shape, size: usize) -> Result<u64, String> {
    let unwritable = |error| format!("{}: {error}", room.display());
    fs::create_dir_all(room).map_err(unwritable)?;
    for (name, content) in shape.files(size) {
        fs::write(room.join(name), content).map_err(unwritable)?;
    }
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .args(["--cachegrind-out-file=/dev/null", "--log-file=counted.log"])
        .arg(command)
        .args(shape.command.split_whitespace())
        .current_dir(room)
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", output.status, said.trim()));
    }
    let log = fs::read_to_string(room.join("counted.log")).map_err(unwritable)?;
    counted_in(&log).ok_or_else(|| format!("valgrind printed no count: {}", log.trim()))
}

/// Returns the number in the line `I refs: 1,234`.
fn counted_in(log: &str) -> Option<u64> {
    let (_, count) = log.lines().find_map(|line| line.split_once("refs:"))?;
    let digits = count.trim().replace(',', "");
    digits.parse().ok()
}

/// Returns the cost of the second doubling in percent of the first.
fn growth_percent([once, twice, four_times]: [u64; 3]) -> u64 {
    let first = twice.saturating_sub(once).max(1);
    four_times.saturating_sub(twice).saturating_mul(100) / first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_tells_linear_from_quadratic() {
        assert_eq!(growth_percent([1010, 1020, 1040]), 200);
        assert_eq!(growth_percent([1010, 1040, 1160]), 400);
        assert_eq!(growth_percent([7, 7, 7]), 0);
    }

    #[test]
    fn the_count_is_read_out_of_the_log() {
        let log = "==1== Command: verger\n==1== I   refs:      103,952,512\n";
        assert_eq!(counted_in(log), Some(103_952_512));
        assert_eq!(counted_in("==1== killed\n"), None);
    }

    #[test]
    fn inputs_double() {
        for shape in shapes().unwrap() {
            let bytes = |size| {
                shape
                    .files(size)
                    .map(|(_, content)| content.len())
                    .sum::<usize>()
            };
            let ratio = bytes(2 * shape.size) * 100 / bytes(shape.size);
            assert!((150..=210).contains(&ratio), "{}: {ratio} %", shape.name);
        }
    }
}
