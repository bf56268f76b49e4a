//! Laws of the masks: every block has the masks of the portable reference, and kernels run on the
//! masks of the target.
//!
//! `cargo test` runs them. For targets without tests, this is also a program. If a law does not
//! hold, it ends with a panic, which is a trap in WebAssembly.
//!
//! ```text
//! RUSTFLAGS='-C target-feature=+simd128' \
//!     cargo build -p verger-simd --all-features --example laws --target wasm32-unknown-unknown
//! node -e 'WebAssembly.instantiate(require("fs").readFileSync("laws.wasm"))
//!     .then(({ instance }) => process.exit(instance.exports.main(0, 0)))'
//! ```

use verger_simd::{ByteSet, FirstByteSet, Kernel, Masks, RunSet, dispatch, dispatch_portable};

fn main() {
    masks_are_those_of_the_target();
    every_block_has_the_masks_of_the_portable_reference();
}

#[cfg_attr(test, test)]
fn masks_are_those_of_the_target() {
    let masks = dispatch(NameOfMasks);
    assert!(masks.ends_with(expected_masks()), "{masks}");
}

#[cfg_attr(test, test)]
fn every_block_has_the_masks_of_the_portable_reference() {
    let mut bytes = Bytes(0x9E37_79B9_7F4A_7C15);
    for _ in 0..20_000 {
        let question = Question::of(&mut bytes);
        let of_target = dispatch(AllMasks(&question));
        assert_eq!(
            of_target,
            dispatch_portable(AllMasks(&question)),
            "{question:?}"
        );
    }
}

/// Returns the type that [`dispatch`] should choose.
fn expected_masks() -> &'static str {
    if !cfg!(feature = "std") {
        return "Portable";
    }
    #[cfg(target_arch = "x86_64")]
    if !["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"]
        .iter()
        .all(|name| has(name))
    {
        return "Portable";
    }
    if cfg!(target_arch = "x86_64") {
        "Avx2"
    } else if cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
        "Neon"
    } else if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
        "Simd128"
    } else {
        "Portable"
    }
}

#[cfg(target_arch = "x86_64")]
fn has(instructions: &str) -> bool {
    match instructions {
        "avx2" => is_x86_feature_detected!("avx2"),
        "bmi1" => is_x86_feature_detected!("bmi1"),
        "bmi2" => is_x86_feature_detected!("bmi2"),
        "lzcnt" => is_x86_feature_detected!("lzcnt"),
        _ => is_x86_feature_detected!("popcnt"),
    }
}

struct NameOfMasks;

impl Kernel for NameOfMasks {
    type Output = &'static str;

    fn run<M: Masks>(self, _: M) -> &'static str {
        core::any::type_name::<M>()
    }
}

/// A block, and the sets to compare it with.
#[derive(Debug)]
struct Question {
    block: [u8; 64],
    starts: u64,
    members: Vec<u8>,
    runs: Vec<Vec<u8>>,
    bytes: [u8; 4],
}

impl Question {
    /// Generates a question. Runs are bytes of the block, some of them changed, so that runs match
    /// or nearly match.
    fn of(bytes: &mut Bytes) -> Self {
        let mut block = [0; 64];
        // One to eight bits: some blocks repeat few bytes, others have all of them.
        let kept = 0xFF >> (bytes.next() % 8);
        block.fill_with(|| bytes.next_of_class() & kept);
        let starts = u64::from_le_bytes([(); 8].map(|()| bytes.next()));
        let members = (0..bytes.next() % 40)
            .map(|_| bytes.next() & 0x7F)
            .collect();
        let runs = (0..bytes.next() % 20)
            .map(|_| bytes.next_run(&block))
            .collect();
        let bytes = [block[0], b'\n', bytes.next(), 0xFF];
        Self {
            block,
            starts,
            members,
            runs,
            bytes,
        }
    }
}

/// Computes all masks.
struct AllMasks<'q>(&'q Question);

impl Kernel for AllMasks<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Vec<u64> {
        let Question {
            block,
            starts,
            members,
            runs,
            bytes,
        } = self.0;
        let first_bytes = FirstByteSet::new(b"adu \t");
        let mut all = vec![
            masks.line_ends(block),
            masks.starting_with(block, u64::MAX, &first_bytes),
            masks.starting_with(block, *starts, &first_bytes),
        ];
        let first: &[u8; 16] = block.first_chunk().expect("16 of 64 bytes");
        let others = block.windows(16).filter_map(|bytes| bytes.first_chunk());
        all.extend(others.map(|other| u64::from(masks.differs(first, other))));
        let set = ByteSet::new(members);
        for half in block.as_chunks::<32>().0 {
            all.push(u64::from(masks.members(half, &set)));
            all.extend(
                bytes
                    .iter()
                    .map(|byte| u64::from(masks.equals(half, *byte))),
            );
        }
        let set = RunSet::of(runs.iter().map(Vec::as_slice));
        let starts = block.windows(35).filter_map(|bytes| bytes.first_chunk());
        all.extend(starts.map(|bytes| u64::from(masks.may_start(bytes, &set))));
        all
    }
}

/// Generates bytes by xorshift: the same on every target, without a dependency.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.to_be_bytes()[0]
    }

    /// Returns any byte, with line ends and bytes below 16 more often than others.
    fn next_of_class(&mut self) -> u8 {
        match self.next() % 8 {
            0 => b'\n',
            1 => b'\r',
            2 => self.next() % 16,
            _ => self.next(),
        }
    }

    fn next_run(&mut self, block: &[u8; 64]) -> Vec<u8> {
        let at = usize::from(self.next() % 60);
        let mut run = [block[at], block[at + 1], block[at + 2], block[at + 3]];
        if self.next().is_multiple_of(2) {
            run[usize::from(self.next() % 4)] ^= 1 << (self.next() % 8);
        }
        let bytes = if self.next().is_multiple_of(2) { 4 } else { 2 };
        run[..bytes].to_vec()
    }
}
