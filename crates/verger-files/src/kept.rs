//! `Kept`: what a file keeps of the one in whose place it is put.

use std::fs::{Metadata, Permissions};

/// What a file keeps of the one in whose place it is put.
#[derive(Clone)]
#[cfg_attr(
    not(unix),
    allow(dead_code, reason = "other systems have other permissions")
)]
pub(crate) struct Kept {
    pub(crate) permissions: Permissions,
    /// The user and the group that own it, where they are to stay.
    #[cfg(unix)]
    pub(crate) owner: Option<[u32; 2]>,
}

impl Kept {
    pub(crate) fn of(there: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt as _;
        Self {
            permissions: there.permissions(),
            #[cfg(unix)]
            owner: Some([there.uid(), there.gid()]),
        }
    }

    /// Gives a new file its owner, and then the permissions: another owner may take some of them.
    #[cfg(unix)]
    pub(crate) fn give(&self, file: &std::fs::File) -> std::io::Result<()> {
        if let Some([user, group]) = self.owner
            && Self::of(&file.metadata()?).owner != self.owner
        {
            std::os::unix::fs::fchown(file, Some(user), Some(group)).map_err(|error| {
                let why =
                    "it belongs to another user or group, to which the new file cannot be given";
                std::io::Error::new(error.kind(), why)
            })?;
        }
        file.set_permissions(self.permissions.clone())
    }
}
