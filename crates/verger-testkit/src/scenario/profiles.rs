use std::collections::BTreeMap;

use crate::access_oracle::profile::ProfileName;

/// The names of the profiles that answer every scenario.
pub const PROFILES: [&str; ProfileName::ALL.len()] = {
    let mut names = [""; ProfileName::ALL.len()];
    let mut nth = 0;
    while nth < names.len() {
        names[nth] = ProfileName::ALL[nth].as_str();
        nth += 1;
    }
    names
};

/// Returns the answers of the profiles in order: a profile's own, or else that of `all`.
///
/// # Errors
///
/// Returns an error that names an unknown profile.
pub(crate) fn by_profile(
    all: Option<&String>,
    own: &BTreeMap<String, String>,
) -> Result<Vec<(&'static str, String)>, String> {
    refuse_unknown(own.keys())?;
    let answer = |profile: &'static str| Some((profile, own.get(profile).or(all)?.clone()));
    Ok(PROFILES.into_iter().filter_map(answer).collect())
}

pub(crate) fn refuse_unknown<'n>(
    mut names: impl Iterator<Item = &'n String>,
) -> Result<(), String> {
    match names.find(|name| !PROFILES.contains(&name.as_str())) {
        Some(name) => Err(format!("`{name}` is no profile")),
        None => Ok(()),
    }
}
