//! FTP servers, each with one fault.

use super::ftp_faults::{FtpFaults, Greeting, Login, Passive, Retrieval};
use super::script::Script::Ftp;
use super::script::{NamedScript, Script};

pub(super) const SCRIPTS: &[NamedScript] = &[
    ("ftp-usual", Ftp(FtpFaults::NONE)),
    ("ftp-pasv-only", with_passive(Passive::OldOnly)),
    (
        "ftp-greeting-lines-endless",
        with_greeting(Greeting::LinesWithoutEnd),
    ),
    (
        "ftp-greeting-line-endless",
        with_greeting(Greeting::LineWithoutEnd),
    ),
    ("ftp-silent", with_greeting(Greeting::Silence)),
    ("ftp-421", with_greeting(Greeting::Unavailable)),
    ("ftp-530", with_login(Login::Denied)),
    ("ftp-greeting-550", with_greeting(Greeting::NoFile)),
    ("ftp-user-550", with_login(Login::UserIsNoFile)),
    ("ftp-pass-553", with_login(Login::PasswordIsNoFile)),
    ("ftp-type-550", with_login(Login::TypeIsNoFile)),
    ("ftp-pasv-550", with_passive(Passive::NoFile)),
    ("ftp-550", with_retrieval(Retrieval::Missing)),
    ("ftp-pasv-to-another-host", with_passive(Passive::OtherHost)),
    ("ftp-data-refused", with_passive(Passive::Refused)),
    (
        "ftp-data-never-accepted",
        with_passive(Passive::NeverAccepted),
    ),
    ("ftp-data-hangs", with_retrieval(Retrieval::Hangs)),
    ("ftp-data-cut", with_retrieval(Retrieval::Cut)),
    ("ftp-data-endless", with_retrieval(Retrieval::Endless)),
    (
        "ftp-426",
        with_retrieval(Retrieval::EndsWith("426 Something broke")),
    ),
    (
        "ftp-551",
        with_retrieval(Retrieval::EndsWith("551 Of which page type?")),
    ),
];

const fn with_greeting(greeting: Greeting) -> Script {
    Ftp(FtpFaults {
        greeting,
        ..FtpFaults::NONE
    })
}

const fn with_login(login: Login) -> Script {
    Ftp(FtpFaults {
        login,
        ..FtpFaults::NONE
    })
}

const fn with_passive(passive: Passive) -> Script {
    Ftp(FtpFaults {
        passive,
        ..FtpFaults::NONE
    })
}

const fn with_retrieval(retrieval: Retrieval) -> Script {
    Ftp(FtpFaults {
        retrieval,
        ..FtpFaults::NONE
    })
}
