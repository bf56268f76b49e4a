//! `Shortage`: a resource that this process or its machine lacks. It says nothing about any site.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io;

/// A resource that a process may run out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Resource {
    /// Files and sockets, of the process (EMFILE) or of the machine (ENFILE).
    OpenFiles,
    /// Buffers of the network (ENOBUFS).
    NetworkBuffers,
    /// Memory (ENOMEM).
    Memory,
    /// Threads.
    Threads,
    /// Space on a disk, or within its quota (ENOSPC, EDQUOT).
    Disk,
}

/// A lack of resources in this process or its machine. It says nothing about any site: report it as an error, and
/// store nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// The lacking resource.
    pub resource: Resource,
    /// The message of the system, or empty if it adds nothing.
    pub detail: String,
}

/// ENOBUFS.
const NO_BUFFERS: i32 = if cfg!(any(target_os = "linux", target_os = "android")) {
    105
} else if cfg!(windows) {
    10_055
} else {
    55
};

/// EMFILE and ENFILE.
const TOO_MANY_FILES: [i32; 2] = if cfg!(windows) { [4, 10_024] } else { [24, 23] };

/// More files than a database, a name lookup or a runtime opens at once.
const FILES_AT_ONCE: usize = 8;

/// A device that can be opened any number of times.
const NULL_DEVICE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

impl Shortage {
    /// Creates a shortage with the message of the system.
    #[must_use]
    pub fn new(resource: Resource, detail: impl Into<String>) -> Self {
        Self {
            resource,
            detail: detail.into(),
        }
    }

    /// Returns the shortage that a system error reports, or `None` for any other problem.
    #[must_use]
    pub fn from_io(error: &io::Error) -> Option<Self> {
        let resource = match (error.kind(), error.raw_os_error()) {
            (io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded, _) => Resource::Disk,
            (io::ErrorKind::OutOfMemory, _) => Resource::Memory,
            (_, Some(code)) if TOO_MANY_FILES.contains(&code) => Resource::OpenFiles,
            (_, Some(NO_BUFFERS)) => Resource::NetworkBuffers,
            // The error may wrap another one.
            _ => return Self::from_error(error.get_ref()?),
        };
        Some(Self::new(resource, error.to_string()))
    }

    /// Returns the shortage that an error or one of its sources reports.
    #[must_use]
    pub fn from_error(error: &(dyn Error + 'static)) -> Option<Self> {
        if let Some(shortage) = error.downcast_ref::<Self>() {
            return Some(shortage.clone());
        }
        let of_io = error.downcast_ref::<io::Error>().and_then(Self::from_io);
        of_io.or_else(|| Self::from_error(error.source()?))
    }

    /// Opens eight files at once and closes them. Libraries that open files do not always say why they fail, and some
    /// panic. This shows whether the cause was, or would be, a lack of files.
    ///
    /// # Errors
    ///
    /// Returns an error if this machine lacks something.
    pub fn unless_files_open() -> Result<(), Self> {
        let files = (0..FILES_AT_ONCE).map(|_| File::open(NULL_DEVICE));
        match files.collect::<io::Result<Vec<File>>>() {
            Ok(_) => Ok(()),
            // Without such a device, nothing is known.
            Err(error) => Self::from_io(&error).map_or(Ok(()), Err),
        }
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lacks, cure) = match self.resource {
            Resource::OpenFiles => (
                "this process can open no more files and sockets",
                "raise its limit (`ulimit -n`), or fetch from fewer sites at once",
            ),
            Resource::NetworkBuffers => (
                "this machine has no network buffers left",
                "fetch from fewer sites at once",
            ),
            Resource::Memory => ("this machine has no memory left", "free some and try again"),
            Resource::Threads => (
                "this process can start no more threads",
                "raise its limit (`ulimit -u`) and try again",
            ),
            Resource::Disk => (
                "the disk is full",
                "make room and try again; what was acknowledged is kept",
            ),
        };
        f.write_str(lacks)?;
        if !self.detail.is_empty() {
            write!(f, " ({})", self.detail)?;
        }
        write!(f, ": {cure}")
    }
}

impl Error for Shortage {}

#[cfg(test)]
mod tests {
    use super::*;

    /// V-83.
    #[cfg(unix)]
    #[test]
    fn errors_of_the_system_that_report_a_shortage_are_known_however_they_are_wrapped() {
        for (code, resource) in [
            (12, Some(Resource::Memory)),
            (23, Some(Resource::OpenFiles)),
            (24, Some(Resource::OpenFiles)),
            (28, Some(Resource::Disk)),
            (NO_BUFFERS, Some(Resource::NetworkBuffers)),
            // ECONNREFUSED and EACCES are not shortages.
            (if cfg!(target_os = "linux") { 111 } else { 61 }, None),
            (13, None),
        ] {
            let error = || io::Error::from_raw_os_error(code);
            let found = |shortage: Option<Shortage>| shortage.map(|it| it.resource);
            assert_eq!(found(Shortage::from_io(&error())), resource, "{code}");
            let wrapped = io::Error::other(error());
            assert_eq!(found(Shortage::from_error(&wrapped)), resource, "{code}");
        }
    }
}
