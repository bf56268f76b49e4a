//! `KeptStore`: a persistent store in the file or the database that a user names.

use core::fmt;
use core::ops::Deref;
use core::time::Duration;
use std::path::Path;
use std::sync::Arc;

use crate::archive::Archive;
#[cfg(feature = "postgres")]
use crate::postgres::open_database_error::OpenDatabaseError;
#[cfg(feature = "postgres")]
use crate::postgres::postgres_settings::PostgresSettings;
#[cfg(feature = "postgres")]
use crate::postgres::postgres_store::PostgresStore;
use crate::sqlite::schema::OpenError;
use crate::sqlite::sqlite_store::SqliteStore;

/// A store in a file, or in a database with the feature `postgres`. It dereferences to the [`Archive`].
#[derive(Clone)]
pub struct KeptStore {
    store: Arc<dyn Archive>,
    file: Option<Arc<SqliteStore>>,
    name: String,
}

impl fmt::Debug for KeptStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptStore")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Deref for KeptStore {
    type Target = dyn Archive;

    fn deref(&self) -> &Self::Target {
        &*self.store
    }
}

impl KeptStore {
    /// Returns the URL if `name` is that of a database: `postgres://…` or `postgresql://…`, in any case.
    #[must_use]
    pub fn database_url(name: &Path) -> Option<&str> {
        let scheme = scheme(name)?;
        let is_known = ["postgres", "postgresql"].map(|it| scheme.eq_ignore_ascii_case(it));
        name.to_str().filter(|_| is_known.contains(&true))
    }

    /// Returns whether `name` is a URL with any scheme, and not a file.
    #[must_use]
    pub fn is_url(name: &Path) -> bool {
        scheme(name).is_some()
    }

    /// Opens the named store, and creates a file that does not exist.
    ///
    /// # Errors
    ///
    /// Returns a [`KeptStoreError`], which never repeats the URL, because it may contain a password.
    pub fn open(name: &Path) -> Result<Self, KeptStoreError> {
        match Self::database_url(name) {
            Some(url) => Self::open_database(url),
            None => Ok(Self::in_file(SqliteStore::open(file(name)?)?, name)),
        }
    }

    /// Opens the named store like [`KeptStore::open`], even if it is in a database that does not answer within
    /// `patience`. Then the error is returned with the store: calls fail until the database answers, and find it by
    /// themselves.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`KeptStore::open`] for which [`KeptStoreError::is_away`] is false.
    pub fn open_within(
        patience: Duration,
        name: &Path,
    ) -> Result<(Self, Option<KeptStoreError>), KeptStoreError> {
        #[cfg(feature = "postgres")]
        if let Some(url) = Self::database_url(name) {
            let settings = PostgresSettings::default();
            let (store, away) = PostgresStore::open_within(patience, url, settings)?;
            return Ok((Self::in_database(store), away.map(KeptStoreError::from)));
        }
        let _ = patience;
        Ok((Self::open(name)?, None))
    }

    /// Opens the named store, a file for reading only.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`KeptStore::open`], and an error if the file does not exist.
    pub fn open_read_only(name: &Path) -> Result<Self, KeptStoreError> {
        match Self::database_url(name) {
            Some(url) => Self::open_database(url),
            None => Ok(Self::in_file(
                SqliteStore::open_read_only(file(name)?)?,
                name,
            )),
        }
    }

    /// Returns whether `name` is a file that does not exist.
    #[must_use]
    pub fn is_missing(name: &Path) -> bool {
        // Other errors appear when it is opened.
        !Self::is_url(name) && name.try_exists().is_ok_and(|exists| !exists)
    }

    fn in_file(store: SqliteStore, path: &Path) -> Self {
        let store = Arc::new(store);
        Self {
            store: Arc::clone(&store) as Arc<dyn Archive>,
            file: Some(store),
            name: path.to_string_lossy().into_owned(),
        }
    }

    /// Opens the store in the database at a URL.
    ///
    /// # Errors
    ///
    /// Returns [`KeptStoreError::Database`] if the database cannot be opened.
    #[cfg(feature = "postgres")]
    pub fn open_database(url: &str) -> Result<Self, KeptStoreError> {
        Ok(Self::in_database(PostgresStore::open(url)?))
    }

    #[cfg(feature = "postgres")]
    fn in_database(store: PostgresStore) -> Self {
        let name = store.database().to_owned();
        let (store, file) = (Arc::new(store), None);
        Self { store, file, name }
    }

    /// Fails, because the program was built without the feature `postgres`.
    ///
    /// # Errors
    ///
    /// Returns [`KeptStoreError::DatabasesLeftOut`].
    #[cfg(not(feature = "postgres"))]
    pub fn open_database(_url: &str) -> Result<Self, KeptStoreError> {
        Err(KeptStoreError::DatabasesLeftOut)
    }

    /// Creates or migrates the store in the database at a URL. Returns whether it changed anything.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`KeptStore::open_database`].
    pub fn init_database(url: &str) -> Result<bool, KeptStoreError> {
        #[cfg(feature = "postgres")]
        return Ok(PostgresStore::init(url)?);
        #[cfg(not(feature = "postgres"))]
        Self::open_database(url).map(|_| false)
    }

    /// Returns the file, or the database without its password.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the store for shared ownership.
    #[must_use]
    pub fn shared(&self) -> Arc<dyn Archive> {
        Arc::clone(&self.store)
    }

    /// Returns the store in a file, for operations that only files have.
    ///
    /// # Errors
    ///
    /// Returns an error if the store is in a database.
    pub fn file(&self) -> Result<&SqliteStore, KeptStoreError> {
        self.file.as_deref().ok_or(KeptStoreError::InDatabase)
    }

    /// Removes the file of a store, if the store is in a file and has no other owner.
    pub fn remove(self) {
        drop(self.store);
        if let Some(Ok(store)) = self.file.map(Arc::try_unwrap) {
            let _ = store.remove(Path::new(&self.name));
        }
    }
}

/// Returns the scheme of a URL. A single letter is a Windows drive.
fn scheme(name: &Path) -> Option<&str> {
    let bytes = name.as_os_str().as_encoded_bytes();
    let end = bytes.windows(3).position(|it| it == b"://")?;
    let scheme = core::str::from_utf8(&bytes[..end]).ok()?;
    let is_scheme = |it: u8| it.is_ascii_alphanumeric() || b"+-.".contains(&it);
    (end > 1 && scheme.bytes().all(is_scheme)).then_some(scheme)
}

fn file(name: &Path) -> Result<&Path, KeptStoreError> {
    scheme(name).map_or(Ok(name), |scheme| {
        Err(KeptStoreError::UnknownScheme(scheme.to_owned()))
    })
}

/// The store that a user named cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeptStoreError {
    /// The file cannot be opened as a store.
    #[error(transparent)]
    File(#[from] OpenError),
    /// The database cannot be opened as a store.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Database(#[from] OpenDatabaseError),
    /// The program was built without the feature `postgres`.
    #[error(
        "this program was built without PostgreSQL: use one installed with `cargo install \
         verger-cli`, or name a file"
    )]
    DatabasesLeftOut,
    /// The URL has another scheme. The rest of the URL may contain a password, so it is not repeated.
    #[error("`{0}://` is not a supported store: name a file or postgres://USER@HOST/DATABASE")]
    UnknownScheme(String),
    /// The store is in a database, and the operation is only for files.
    #[error(
        "the store is in a database, and this is only for a store in a file: use the tools of the database (docs/guide/fleet.md)"
    )]
    InDatabase,
}

impl KeptStoreError {
    /// Returns whether the database does not answer now. It may come back at any time.
    #[must_use]
    pub fn is_away(&self) -> bool {
        match self {
            #[cfg(feature = "postgres")]
            Self::Database(error) => matches!(error, OpenDatabaseError::Away { .. }),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_url_is_a_file_and_none_is_repeated() {
        for url in ["POSTGRES://u:secret@h/x", "PostgreSQL://u:secret@h/x"] {
            assert_eq!(KeptStore::database_url(Path::new(url)), Some(url));
        }
        for url in ["mysql://u:secret@h/x", "postgres+tls://u:secret@h/x"] {
            let url = Path::new(url);
            assert_eq!(KeptStore::database_url(url), None);
            assert!(KeptStore::is_url(url) && !KeptStore::is_missing(url));
            for opened in [KeptStore::open(url), KeptStore::open_read_only(url)] {
                let error = opened.unwrap_err().to_string();
                assert!(
                    error.contains("postgres://") && !error.contains("secret"),
                    "{error}"
                );
            }
        }
        for file in ["./mysql://x", "C://x", "store.db", "a b://x"] {
            assert!(!KeptStore::is_url(Path::new(file)), "{file}");
        }
    }
}
