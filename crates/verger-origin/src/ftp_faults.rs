//! The faults of an FTP server, step by step.

/// The faults of an FTP server.
#[derive(Clone, Copy, Debug)]
pub(super) struct FtpFaults {
    pub(super) greeting: Greeting,
    pub(super) login: Login,
    pub(super) passive: Passive,
    pub(super) retrieval: Retrieval,
}

impl FtpFaults {
    /// No fault.
    pub(super) const NONE: Self = Self {
        greeting: Greeting::Usual,
        login: Login::Accepted,
        passive: Passive::Both,
        retrieval: Retrieval::File,
    };
}

/// The greeting.
#[derive(Clone, Copy, Debug)]
pub(super) enum Greeting {
    Usual,
    /// A reply with endless lines.
    LinesWithoutEnd,
    /// An endless line.
    LineWithoutEnd,
    /// No greeting.
    Silence,
    /// 421, then close.
    Unavailable,
    /// 550, then close.
    NoFile,
}

/// The reply to an anonymous login.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Login {
    Accepted,
    /// 530 to PASS.
    Denied,
    /// 550 to USER.
    UserIsNoFile,
    /// 553 to PASS.
    PasswordIsNoFile,
    /// The login succeeds, but TYPE is answered with 550.
    TypeIsNoFile,
}

/// How data connections are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passive {
    /// With EPSV and PASV.
    Both,
    /// With neither: 550.
    NoFile,
    /// With PASV only.
    OldOnly,
    /// With PASV, at the address of another host.
    OtherHost,
    /// At a port without a listener.
    Refused,
    /// At a port that accepts no connection.
    NeverAccepted,
}

/// The reply to RETR.
#[derive(Clone, Copy, Debug)]
pub(super) enum Retrieval {
    /// Sends the file.
    File,
    /// Replies 550.
    Missing,
    /// Sends part of the file, then this reply.
    EndsWith(&'static str),
    /// Sends part of the file, then closes both connections.
    Cut,
    /// Sends data forever.
    Endless,
    /// Sends part of the file, then nothing.
    Hangs,
}
