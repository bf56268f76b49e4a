use std::fs::{Metadata, Permissions};

/// The permissions and the owner that a file inherits from the file it replaces.
#[derive(Clone)]
#[cfg_attr(
    not(unix),
    allow(dead_code, reason = "other systems have other permissions")
)]
pub(crate) struct Kept {
    pub(crate) permissions: Permissions,
    /// User and group ids, if they should be kept.
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

    /// Sets the owner, then the permissions, because a change of owner may clear some of them.
    #[cfg(unix)]
    pub(crate) fn give(&self, file: &std::fs::File) -> std::io::Result<()> {
        if let Some([user, group]) = self.owner
            && Self::of(&file.metadata()?).owner != self.owner
        {
            std::os::unix::fs::fchown(file, Some(user), Some(group)).map_err(|error| {
                let why =
                    "it belongs to another user or group, and the new file cannot be given to them";
                std::io::Error::new(error.kind(), why)
            })?;
        }
        file.set_permissions(self.permissions.clone())
    }
}
