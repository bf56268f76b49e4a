//! What may be wrong with an FTP server, step by step.

/// The faults of an FTP server.
#[derive(Clone, Copy, Debug)]
pub(super) struct FtpFaults {
    pub(super) greeting: Greeting,
    pub(super) login: Login,
    pub(super) passive: Passive,
    pub(super) retrieval: Retrieval,
}

impl FtpFaults {
    /// None.
    pub(super) const NONE: Self = Self {
        greeting: Greeting::Usual,
        login: Login::Accepted,
        passive: Passive::Both,
        retrieval: Retrieval::File,
    };
}

/// What it says first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Greeting {
    Usual,
    /// A reply of lines without end.
    LinesWithoutEnd,
    /// A line without end.
    LineWithoutEnd,
    /// Nothing.
    Silence,
    /// 421 and good-bye.
    Unavailable,
    /// 550 and good-bye.
    NoFile,
}

/// Whether it accepts an anonymous login.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Login {
    Accepted,
    /// 530.
    Denied,
    /// 550 to USER.
    UserIsNoFile,
    /// 553 to PASS.
    PasswordIsNoFile,
    /// It does, and replies 550 to TYPE.
    TypeIsNoFile,
}

/// How it offers data connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passive {
    /// By EPSV and PASV.
    Both,
    /// By neither: 550.
    NoFile,
    /// By PASV alone.
    OldOnly,
    /// By PASV, on an address that is not its own.
    OtherHost,
    /// At a port without a listener.
    Refused,
    /// At a port that accepts no connection.
    NeverAccepted,
}

/// What it does with the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Retrieval {
    /// It sends the file.
    File,
    /// 550.
    Missing,
    /// It sends a part, and then says this.
    EndsWith(&'static str),
    /// It sends a part, and closes all.
    Cut,
    /// It sends without end.
    Endless,
    /// It sends a part, and nothing more.
    Hangs,
}
