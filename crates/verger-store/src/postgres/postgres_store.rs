//! `PostgresStore`: a store in a database, for several machines.

use core::fmt;
use core::ops::{Range, RangeInclusive};
use core::time::Duration;
use std::collections::BTreeSet;
use std::sync::Arc;

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::history::History;
use crate::lease::{Acquisition, FencingToken, Lease};
use crate::observation::Observation;
use crate::packed_facts::PackedFacts;
use crate::postgres::address::{Address, CONNECT_MAX};
use crate::postgres::connection::{Connection, in_time};
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::leases::{self, LeaseTime};
use crate::postgres::migrations::{self, Found};
use crate::postgres::open_database_error::OpenDatabaseError;
use crate::postgres::pool::Pool;
use crate::postgres::postgres_settings::{PostgresRoute, PostgresSettings};
use crate::postgres::puts::{self, NewSnapshots};
use crate::postgres::rows::{self, StateOf, column, seconds, unsigned, whole};
use crate::postgres::runtime::Runtime;
use crate::postgres::schema::SCHEMA_VERSION;
use crate::postgres::statement::Statement;
use crate::postgres::wakes::Wakes;
use crate::postgres::{sizes, sweeping, turns};
use crate::snapshot::{Snapshot, SnapshotId};
use crate::stat::{Stat, Swept};
use crate::store::{Store, Wake};
use crate::store_error::StoreError;
use crate::stored_state::StoredState;
use crate::turn::{Turn, TurnRequest};
use crate::unpoisoned_mutex::UnpoisonedMutex;

/// Maximum number of puts without a reply that are remembered.
const UNRESOLVED_MAX: usize = 10_000;

/// A store in a `PostgreSQL` database, version 14 or newer, which many processes on many machines share.
///
/// Create it with [`PostgresStore::init`], which also migrates an older one.
///
/// - *Deadlines.* Every call has one ([`PostgresSettings::deadline`]), even if the server is stopped or gone. It then
///   fails with [`StoreError::Away`]. Calls succeed again once the database is back.
/// - *Durability.* A put returns once it is committed, and is as durable as the server's `synchronous_commit` setting.
/// - *One put, one snapshot,* even if the reply to the commit is lost. The put is repeated within its deadline, and a
///   caller that repeats it gets the first id.
/// - *Clock.* Leases expire by the clock of the database ([`crate::LeaseClock`]).
/// - *Limits.* Times after 2⁶³ − 1 seconds are stored as that second. A text that contains NUL is an error.
///
/// `docs/guide/fleet.md` describes the tables. You may query them, but only migrations may change them.
pub struct PostgresStore {
    runtime: Runtime,
    pool: Arc<Pool>,
    wakes: Arc<Wakes>,
    /// The leases of puts without a reply.
    unresolved: UnpoisonedMutex<BTreeSet<FencingToken>>,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("PostgresStore");
        debug.field("database", &self.pool.address.shown);
        debug.finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// Opens the store in the database of a URL, such as
    /// `postgres://crawler@db.example/robots?sslrootcert=/etc/ca.pem&verger_deadline_ms=500`.
    ///
    /// Connections to other machines are encrypted, and the certificate is verified, unless the URL has an `sslmode`.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL is invalid, the database cannot be queried, or its store has another version than
    /// this program.
    pub fn open(url: &str) -> Result<Self, OpenDatabaseError> {
        Self::open_with(url, PostgresSettings::default())
    }

    /// Opens the store with these settings. Parameters of the URL take precedence.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`PostgresStore::open`].
    pub fn open_with(url: &str, settings: PostgresSettings) -> Result<Self, OpenDatabaseError> {
        let (store, away) = Self::open_within(CONNECT_MAX, url, settings)?;
        away.map_or(Ok(store), Err)
    }

    /// Opens the store, even if its database does not answer within `patience`. Then the error is returned with the
    /// store: calls fail until the database answers, and find it by themselves.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`PostgresStore::open`] that a change of the configuration or of the database can end.
    pub fn open_within(
        patience: Duration,
        url: &str,
        settings: PostgresSettings,
    ) -> Result<(Self, Option<OpenDatabaseError>), OpenDatabaseError> {
        let address = Address::of(url, settings)?;
        let runtime = start(&address)?;
        let pool = Pool::new(address.clone());
        let connected = Arc::clone(&pool);
        let connecting = async move { connected.connection().await.map(drop) };
        let failure = runtime.ask(patience, connecting).err();
        let away = match failure.map(|it| OpenDatabaseError::of(address.shown.clone(), &it)) {
            None => None,
            Some(away @ OpenDatabaseError::Away { .. }) => Some(away),
            // Only a change of the configuration or of the database can end it.
            Some(error) => return Err(error),
        };
        let store = Self {
            runtime,
            pool,
            wakes: Wakes::new(address),
            unresolved: UnpoisonedMutex::default(),
        };
        Ok((store, away))
    }

    /// Creates the store in the database of a URL, or migrates an older one. Returns whether it changed anything.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL is invalid, the database cannot be queried or denies permission, the server is older
    /// than 14, or a newer program has migrated the store.
    pub fn init(url: &str) -> Result<bool, OpenDatabaseError> {
        let address = Address::of(url, PostgresSettings::default())?;
        let database = address.shown.clone();
        let found = start(&address)?.ask(address.step_deadline(), async move {
            let connected = Connection::to_server(&address, |_| ());
            migrations::init(&in_time(connected).await?).await
        });
        match found {
            Ok(Found::Version(found)) if found > SCHEMA_VERSION => {
                Err(OpenDatabaseError::Newer { database, found })
            }
            Ok(Found::Version(found)) => Ok(found < SCHEMA_VERSION),
            Ok(Found::OldServer(major)) => Err(OpenDatabaseError::OldServer { database, major }),
            Err(failure) => Err(OpenDatabaseError::of(database, &failure)),
        }
    }

    /// Returns the database without password and parameters, for messages.
    #[must_use]
    pub fn database(&self) -> &str {
        &self.pool.address.shown
    }

    pub(crate) fn deadline(&self) -> Duration {
        self.pool.address.settings.deadline
    }

    fn step_deadline(&self) -> Duration {
        self.pool.address.step_deadline()
    }

    fn lease_time(&self, now: Timestamp, duration: Duration) -> LeaseTime {
        LeaseTime::new(self.pool.address.settings.lease_clock, now, duration)
    }

    /// Reads rows within `limit`, and converts them on this thread.
    pub(crate) fn read<T>(
        &self,
        limit: Duration,
        statement: Statement,
        read: impl Fn(&Row) -> Result<T, DatabaseFailure>,
    ) -> Result<Vec<T>, StoreError> {
        let pool = Arc::clone(&self.pool);
        let rows = self
            .runtime
            .call(limit, async move { pool.read(&statement).await })?;
        let read: Result<Vec<T>, DatabaseFailure> = rows.iter().map(read).collect();
        read.map_err(DatabaseFailure::into_store_error)
    }

    /// Reads at most one row, like [`PostgresStore::read`].
    pub(crate) fn read_first<T>(
        &self,
        limit: Duration,
        statement: Statement,
        read: impl Fn(&Row) -> Result<T, DatabaseFailure>,
    ) -> Result<Option<T>, StoreError> {
        let found = self.read(limit, statement, read)?;
        Ok(found.into_iter().next())
    }

    /// Puts snapshots, each with its lease. Returns the ids of the snapshots whose leases are valid.
    fn put_new(
        &self,
        new: NewSnapshots,
        leases: &[FencingToken],
    ) -> Result<puts::PutIds, StoreError> {
        let unresolved = self.unresolved.lock();
        let may_be_done = leases.iter().any(|lease| unresolved.contains(lease));
        drop(unresolved);
        let limit = if leases.len() == 1 {
            self.deadline()
        } else {
            self.step_deadline()
        };
        let put = puts::put(Arc::clone(&self.pool), new, may_be_done);
        let put = self.runtime.ask(limit, put);
        let mut unresolved = self.unresolved.lock();
        if put.as_ref().is_err_and(DatabaseFailure::is_ambiguous) {
            unresolved.extend(leases);
            while unresolved.len() > UNRESOLVED_MAX {
                unresolved.pop_first();
            }
        } else if put.is_ok() && may_be_done {
            for lease in leases {
                unresolved.remove(lease);
            }
        }
        put.map_err(DatabaseFailure::into_store_error)
    }
}

fn start(address: &Address) -> Result<Runtime, OpenDatabaseError> {
    Runtime::start().map_err(|error| OpenDatabaseError::Away {
        database: address.shown.clone(),
        why: error.to_string(),
    })
}

impl Store for PostgresStore {
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        let (pool, authority) = (Arc::clone(&self.pool), authority.clone());
        let time = self.lease_time(now, duration);
        let acquired = leases::acquire(pool, authority, holder.to_owned(), time);
        self.runtime.call(self.deadline(), acquired)
    }

    fn renew(
        &self,
        lease: &Lease,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Lease, StoreError> {
        let time = self.lease_time(now, duration);
        let renewal = leases::renewal(lease, time);
        let read = |row: &Row| leases::renewed(lease, row);
        let renewed = self.read_first(self.deadline(), renewal, read)?;
        renewed.ok_or_else(|| StoreError::lost(lease))
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        let released = self.read(self.deadline(), leases::release(lease), |_| Ok(()));
        released.map(drop)
    }

    fn watch(&self, authority: &Authority, wake: Wake) -> Option<Box<dyn Send + Sync>> {
        if self.pool.address.settings.route == PostgresRoute::Pooler {
            return None;
        }
        let name = authority.to_string();
        Some(self.wakes.add(self.runtime.handle(), name, wake))
    }

    fn take_turn(&self, request: &TurnRequest) -> Result<Turn, StoreError> {
        let (pool, clock) = (
            Arc::clone(&self.pool),
            self.pool.address.settings.lease_clock,
        );
        self.runtime
            .call(self.deadline(), turns::take(pool, clock, request.clone()))
    }

    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        let mut answers = self.put_all(&[(observation, lease)])?;
        answers
            .pop()
            .unwrap_or_else(|| Err(StoreError::lost(lease)))
    }

    fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        let mut new = NewSnapshots::default();
        let mut leases = BTreeSet::new();
        let mut answers: Vec<Result<Option<FencingToken>, StoreError>> = Vec::new();
        for (seen, lease) in puts {
            answers.push(match StoreError::unless_for(lease, &seen.authority) {
                Err(error) => Err(error),
                // The put before this one ends the lease.
                Ok(()) if !leases.insert(lease.token) => Ok(None),
                Ok(()) => {
                    new.push(seen, lease).map_err(backend)?;
                    Ok(Some(lease.token))
                }
            });
        }
        let leases: Vec<FencingToken> = leases.into_iter().collect();
        let ids = if leases.is_empty() {
            puts::PutIds::new()
        } else {
            self.put_new(new, &leases)?
        };
        let answers = answers.into_iter().zip(puts).map(|(answer, (_, lease))| {
            let id = answer?.and_then(|token| ids.get(&token).copied());
            id.ok_or_else(|| StoreError::lost(lease))
        });
        Ok(answers.collect())
    }

    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError> {
        let statement = rows::state(authority, StateOf::LastPut);
        self.read_first(self.deadline(), statement, rows::stored_state)
    }

    fn state_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        let statement = rows::state(authority, StateOf::Time(at));
        self.read_first(self.deadline(), statement, rows::stored_state)
    }

    fn latest_many(
        &self,
        authorities: &[Authority],
    ) -> Result<Vec<Result<Option<StoredState>, StoreError>>, StoreError> {
        if let [one] = authorities {
            // Planning the query for one authority takes a tenth less time.
            return Ok(vec![self.latest(one)]);
        }
        let statement = rows::states(authorities, StateOf::LastPut);
        let limit = self.pool.address.deadline_for(authorities.len());
        self.read(limit, statement, |row| {
            Ok(rows::state_if_any(row).map_err(DatabaseFailure::into_store_error))
        })
    }

    fn states_at(
        &self,
        authorities: &[Authority],
        at: Timestamp,
    ) -> Result<Vec<Option<StoredState>>, StoreError> {
        let statement = rows::states(authorities, StateOf::Time(at));
        self.read(self.step_deadline(), statement, rows::state_if_any)
    }

    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let statement = rows::snapshots_during(authority, during, after, snapshots_max);
        self.read(self.step_deadline(), statement, rows::snapshot)
    }

    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let statement = Statement::new(rows::SNAPSHOTS_BEFORE)
            .text(authority.to_string())
            .number(whole(before.0))
            .number(whole(snapshots_max));
        self.read(self.deadline(), statement, rows::snapshot)
    }

    fn keeps_facts(&self) -> bool {
        true
    }

    fn facts(
        &self,
        authority: &Authority,
        ids: RangeInclusive<SnapshotId>,
    ) -> Result<Vec<(SnapshotId, PackedFacts)>, StoreError> {
        let statement = Statement::new(rows::FACTS)
            .text(authority.to_string())
            .number(whole(ids.start().0))
            .number(whole(ids.end().0));
        self.read(self.step_deadline(), statement, rows::facts)
    }

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        let statement = Statement::new("select octets from verger.body where sha256 = $1")
            .with(hash.bytes().to_vec(), Type::BYTEA);
        let read = |row: &Row| Ok(rows::checked(hash, column(row, 0)?));
        let found = self.read_first(self.deadline(), statement, read);
        found.map(Option::flatten)
    }
}

impl History for PostgresStore {
    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError> {
        if observations.is_empty() {
            return Ok(Vec::new());
        }
        let mut new = NewSnapshots::default();
        for seen in observations {
            StoreError::unless_for(lease, &seen.authority)?;
            new.push(seen, lease).map_err(backend)?;
        }
        let appended = puts::append(Arc::clone(&self.pool), new);
        let appended = self.runtime.call(self.step_deadline(), appended)?;
        if appended.is_empty() {
            return Err(StoreError::lost(lease));
        }
        Ok(appended)
    }

    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError> {
        let now = self.lease_time(now, Duration::ZERO).now();
        let mut swept = Swept::default();
        let mut after = Some(0);
        while let Some(authority) = after {
            let step = sweeping::step(Arc::clone(&self.pool), authority, keep_from, now);
            let step = self.runtime.call(self.step_deadline(), step)?;
            swept.snapshots += step.swept.snapshots;
            swept.bodies += step.swept.bodies;
            swept.leases += step.swept.leases;
            after = step.next;
        }
        self.read(self.step_deadline(), turns::sweep(now), |_| Ok(()))?;
        loop {
            let statement = Statement::new(sweeping::DELIVERIES).number(seconds(keep_from));
            let read = |row: &Row| unsigned(row, 0);
            match self.read_first(self.step_deadline(), statement, read)? {
                None | Some(0) => return Ok(swept),
                Some(deleted) => swept.deliveries += deleted,
            }
        }
    }

    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError> {
        let statement = Statement::new(
            // Older versions also stored hosts that cannot exist.
            r"select name from verger.authority where is_seen and name > $1
            and length(substring(name from '//([^/:]*)')) < 255 and name !~ '[^/.:]{64}|//\.|\.\.'
            order by name limit $2",
        )
        .text(after.map(ToString::to_string).unwrap_or_default())
        .number(whole(authorities_max));
        self.read(self.step_deadline(), statement, |row| {
            let name: &str = column(row, 0)?;
            let authority = Authority::from_url(name);
            authority.map_err(|_| DatabaseFailure::Damaged(format!("authority `{name}`").into()))
        })
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        let stat = Statement::new(sizes::STAT);
        let stat = self.read_first(self.step_deadline(), stat, sizes::stat)?;
        stat.ok_or_else(|| StoreError::Damaged("the row of counts is missing".to_owned()))
    }
}

fn backend(error: serde_json::Error) -> StoreError {
    StoreError::Backend(error.into())
}
