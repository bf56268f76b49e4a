//! `CaptureRun`: one file for all inputs, or parts that a later run keeps.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use verger_bulk::{
    CaptureFile, CaptureInput, CaptureObserver, CaptureRun, CaptureRunError, CaptureTable,
    CaptureTableRow, CaptureTally, CaptureTotals, Damage,
};

use crate::warc::ok;

const THREADS: NonZero<usize> = NonZero::new(2).unwrap();

/// A directory with inputs, and the reports of its runs.
struct Scene {
    folder: tempfile::TempDir,
    reports: Mutex<Vec<String>>,
}

impl CaptureObserver for Scene {
    fn file_read(&self, input: &CaptureInput, tally: &CaptureTally, damage: Option<&Damage>) {
        if let Some(damage) = damage {
            let (places, first) = (tally.damaged(), damage.offset);
            self.report(input, &format!("{places} damaged, first at {first}"));
        }
    }

    fn file_kept(&self, input: &CaptureInput) {
        self.report(input, "kept");
    }

    fn file_failed(&self, input: &CaptureInput, error: &CaptureRunError) {
        self.report(input, &error.to_string());
    }
}

impl Scene {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            reports: Mutex::default(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn report(&self, input: &CaptureInput, what: &str) {
        let name = input.path().unwrap().file_name().unwrap();
        let report = format!("{}: {what}", name.to_string_lossy());
        self.reports.lock().unwrap().push(report);
    }

    fn inputs(&self, names: &[&str]) -> Vec<CaptureInput> {
        let paths = names.iter().map(|name| self.path(name));
        paths.map(|it| CaptureInput::new(it.as_os_str())).collect()
    }

    /// Makes a part for each input and returns the reports.
    fn parts(&self, names: &[&str], resumes: bool) -> (CaptureTotals, Vec<String>) {
        let inputs = self.inputs(names);
        let parts = CaptureInput::parts(&inputs, self.folder.path()).unwrap();
        let totals = CaptureRun::new(&inputs, THREADS, self).to_parts(&parts, resumes);
        let mut reports = std::mem::take(&mut *self.reports.lock().unwrap());
        reports.sort();
        (totals, reports)
    }

    /// Returns the number of rows and bodies in the part of an input.
    fn rows(&self, input: &str) -> (usize, usize) {
        rows(&self.path(&format!("{input}.parquet")))
    }
}

fn rows(path: &Path) -> (usize, usize) {
    let (mut rows, mut bodies) = (0, 0);
    let mut table = CaptureTable::open(path).unwrap();
    let read = table.each(|row| {
        rows += 1;
        bodies += usize::from(matches!(row, CaptureTableRow::Capture(_, Some(_))));
        true
    });
    read.unwrap();
    (rows, bodies)
}

fn of(host: &str, body: &str) -> Vec<u8> {
    ok(&format!("https://{host}/robots.txt"), body)
}

#[test]
fn a_run_keeps_parts_that_are_whole_and_of_the_same_input() {
    let scene = Scene::new();
    scene.write("one.warc", of("a.example", "one"));
    scene.write("two.warc", "no WARC\n");
    let both = ["one.warc", "two.warc"];
    let (totals, reports) = scene.parts(&both, false);
    assert!(!totals.is_whole);
    assert!(
        reports[0].starts_with("two.warc: `") && reports[0].contains("is not a WARC file"),
        "{reports:?}"
    );
    assert!(!scene.path("two.warc.parquet").exists());
    let one = scene.path("one.warc.parquet");
    let before = fs::metadata(&one).unwrap().modified().unwrap();
    scene.write("two.warc", of("b.example", "two"));
    let (totals, reports) = scene.parts(&both, true);
    assert_eq!((totals.is_whole, totals.kept), (true, 1));
    assert_eq!(totals.tally.rows, 1);
    assert_eq!(reports, ["one.warc: kept"]);
    assert_eq!(fs::metadata(&one).unwrap().modified().unwrap(), before);
    // Inputs whose size changed are read again, as are inputs whose part is incomplete.
    scene.write("one.warc", of("a.example", "another one"));
    scene.write("two.warc.parquet", "PAR1");
    let (totals, _) = scene.parts(&both, true);
    assert_eq!((totals.is_whole, totals.kept), (true, 0));
    assert_eq!(both.map(|name| scene.rows(name)), [(1, 1), (1, 1)]);
    let identity = CaptureFile::sound_inputs_of(&one).unwrap();
    assert!(identity.contains("one.warc "), "{identity}");
}

#[test]
fn a_part_with_damage_is_made_again() {
    let scene = Scene::new();
    let records = [of("a.example", "one"), of("b.example", "two")];
    let (cut_at, whole) = (records[0].len(), records.concat());
    let mut damaged = whole.clone();
    let key = b"WARC-Target-URI";
    let at = whole.windows(key.len()).position(|it| it == key).unwrap();
    damaged[at + key.len() - 2..][..2].copy_from_slice(b"xx");
    scene.write("one.warc", damaged);
    scene.write("two.warc", &whole[..cut_at + 200]);
    let both = ["one.warc", "two.warc"];
    let (totals, reports) = scene.parts(&both, false);
    assert_eq!((totals.is_whole, totals.tally.damaged()), (true, 2));
    let expected = [
        "one.warc: 1 damaged, first at 0".to_owned(),
        format!("two.warc: 1 damaged, first at {cut_at}"),
    ];
    assert_eq!(reports, expected);
    // Both are read again, the first one with the same size as before.
    for (name, kept) in [("one.warc", 0), ("two.warc", 1), ("two.warc", 2)] {
        scene.write(name, &whole);
        assert_eq!(scene.parts(&both, true).0.kept, kept);
    }
    assert_eq!(both.map(|name| scene.rows(name)), [(2, 2), (2, 2)]);
}

#[test]
fn one_file_of_all_inputs_is_whole_or_the_one_before_stays() {
    let scene = Scene::new();
    scene.write("one.warc", of("a.example", "one"));
    scene.write("empty.warc", "");
    scene.write("out.parquet", "old");
    let out = scene.path("out.parquet");
    let absent = scene.inputs(&["one.warc", "absent.warc"]);
    let run = CaptureRun::new(&absent, THREADS, &scene);
    assert!(matches!(
        run.to_file(&out),
        Err(CaptureRunError::Unreadable(_))
    ));
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(fs::read_dir(scene.folder.path()).unwrap().count(), 3);
    let inputs = scene.inputs(&["one.warc", "empty.warc", "one.warc"]);
    let run = || CaptureRun::new(&inputs, THREADS, &scene);
    let nowhere = run().to_file(&scene.path("absent/out.parquet"));
    assert!(matches!(nowhere, Err(CaptureRunError::Unwritable(_))));
    let totals = run().to_file(&out).unwrap();
    assert_eq!((totals.is_whole, totals.tally.rows), (true, 2));
    // Only the first row contains the body.
    assert_eq!(rows(&out), (2, 1));
    let (totals, _) = scene.parts(&["empty.warc"], false);
    assert_eq!((totals.is_whole, totals.tally.records), (true, 0));
    assert_eq!(scene.rows("empty.warc"), (0, 0));
}
