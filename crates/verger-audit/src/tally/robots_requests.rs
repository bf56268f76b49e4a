use serde::Serialize;
use verger_access::Timestamp;

/// Requests of a crawler for robots.txt by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RobotsRequests {
    /// 2xx and 304.
    pub served: u64,
    /// 404, 410 and other 4xx.
    pub absent: u64,
    /// 401, 403, 407, 429 and 451: the server refused the file.
    pub refused: u64,
    /// 5xx.
    pub failed: u64,
    /// Other 3xx.
    pub redirected: u64,
    /// Another status, or none.
    pub other: u64,
}

/// A request for robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RobotsRequest {
    /// The time of the request.
    pub time: Timestamp,
    /// The result.
    pub answer: RobotsAnswer,
}

/// The result of a request for robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RobotsAnswer {
    /// 2xx and 304.
    Served,
    /// 404, 410 and other 4xx.
    Absent,
    /// 401, 403, 407, 429 and 451.
    Refused,
    /// 5xx.
    Failed,
    /// Other 3xx.
    Redirected,
    /// Another status, or none.
    Other,
}

impl RobotsAnswer {
    /// Returns `served`, `absent`, `refused`, `failed`, `redirected` or `other`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Served => "served",
            Self::Absent => "absent",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Redirected => "redirected",
            Self::Other => "other",
        }
    }

    /// Returns the result for a status.
    #[must_use]
    pub fn from_status(status: Option<u16>) -> Self {
        match status {
            Some(200..=299 | 304) => Self::Served,
            Some(300..=399) => Self::Redirected,
            Some(401 | 403 | 407 | 429 | 451) => Self::Refused,
            Some(400..=499) => Self::Absent,
            Some(500..=599) => Self::Failed,
            _ => Self::Other,
        }
    }
}

impl RobotsRequests {
    /// Returns the number of all requests.
    #[must_use]
    pub fn total(&self) -> u64 {
        let answered = self.served + self.absent + self.refused + self.failed;
        answered + self.redirected + self.other
    }

    pub(crate) fn count(&mut self, answer: RobotsAnswer) {
        *match answer {
            RobotsAnswer::Served => &mut self.served,
            RobotsAnswer::Absent => &mut self.absent,
            RobotsAnswer::Refused => &mut self.refused,
            RobotsAnswer::Failed => &mut self.failed,
            RobotsAnswer::Redirected => &mut self.redirected,
            RobotsAnswer::Other => &mut self.other,
        } += 1;
    }
}
