//! Times such as `0s`, `12h`, `30d-1s`, `24h+90s`.

pub(crate) fn read_seconds(text: &str) -> Result<i64, String> {
    let wrong = || format!("`{text}` is no time; one is written `90s`, `15m`, `12h` or `30d-1s`");
    let mut sum = 0_i64;
    let mut rest = text;
    let mut sign = 1;
    if let Some(negative) = rest.strip_prefix('-') {
        (rest, sign) = (negative, -1);
    }
    loop {
        let end = rest.find(['+', '-']).unwrap_or(rest.len());
        let (term, after) = rest.split_at(end);
        let unit = term.chars().next_back().ok_or_else(wrong)?;
        let factor = match unit {
            's' => 1,
            'm' => 60,
            'h' => 60 * 60,
            'd' => 24 * 60 * 60,
            _ => return Err(wrong()),
        };
        let count: u32 = term[..term.len() - 1].parse().map_err(|_| wrong())?;
        sum += sign * i64::from(count) * factor;
        match after.chars().next() {
            None => return Ok(sum),
            Some('-') => sign = -1,
            Some(_) => sign = 1,
        }
        rest = &after[1..];
    }
}

#[cfg(test)]
mod tests {
    use super::read_seconds;

    #[test]
    fn terms_are_added_and_taken_off() {
        assert_eq!(read_seconds("0s"), Ok(0));
        assert_eq!(read_seconds("30d-1s"), Ok(2_591_999));
        assert_eq!(read_seconds("12h+1m+1s"), Ok(43_261));
        assert_eq!(read_seconds("-1h"), Ok(-3600));
    }

    #[test]
    fn what_is_no_time_is_quoted() {
        for text in ["", "1", "h", "1w", "1h+", "1.5h", "ü"] {
            assert!(read_seconds(text).is_err(), "{text}");
        }
    }
}
