use super::raw_request::{Escaping, Field};
use super::template::{Part, Template};

/// A text is not a valid format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The text is neither a known name nor contains a variable of nginx (`$status`) or a directive
    /// of Apache (`%s`).
    #[error(
        "it is not the name of a format and has no fields: write `$status` for nginx or `%s` for Apache"
    )]
    NoFields,
    /// Two fields have no separator between them.
    #[error("there is no separator between `{first}` and `{second}`")]
    Adjacent {
        /// The first field, as written.
        first: String,
        /// The second field, as written.
        second: String,
    },
    /// A directive is unknown, or writes the time in an unsupported form.
    #[error("`{directive}` is not supported")]
    UnknownDirective {
        /// The directive, as written.
        directive: String,
    },
    /// No field has the time of the request.
    #[error("no field has the time of the request")]
    NoTime,
    /// No field has the target of the request.
    #[error("no field has the target of the request")]
    NoTarget,
    /// No field has the `User-Agent` header, so crawlers cannot be recognized.
    #[error("no field has the User-Agent header, which names the crawler")]
    NoUserAgent,
}

enum Piece {
    Text(Vec<u8>),
    Field {
        written: String,
        field: Option<Field>,
    },
}

/// Parses nginx syntax if the text contains `$`, otherwise Apache syntax.
pub(super) fn template(text: &str) -> Result<Template, FormatError> {
    let pieces = match text.contains('$') {
        true => nginx(text),
        false if text.contains('%') => apache(text)?,
        false => return Err(FormatError::NoFields),
    };
    let template = joined(pieces)?;
    let has = |fields: &[Field]| fields.iter().any(|&field| template.has(field));
    if !has(&[Field::Time, Field::Date]) {
        return Err(FormatError::NoTime);
    }
    if !has(&[Field::RequestLine, Field::Target, Field::Path]) {
        return Err(FormatError::NoTarget);
    }
    Ok(template)
}

/// Combines fields with the text after them.
fn joined(pieces: Vec<Piece>) -> Result<Template, FormatError> {
    let mut template = Template {
        start: Vec::new(),
        parts: Vec::new(),
        escaping: Escaping::Backslash,
    };
    let mut last_field = String::new();
    let mut pieces = pieces.into_iter().peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Text(text) => match template.parts.last_mut() {
                None => template.start.extend(text),
                Some(part) => part.after.extend(text),
            },
            Piece::Field {
                mut written,
                mut field,
            } => {
                // `$is_args` is the `?` of the query that follows.
                if written == "$is_args"
                    && let Some(Piece::Field { written: query, .. }) = pieces.next_if(is_query)
                {
                    written += &query;
                    field = Some(Field::Query);
                }
                let adjacent = template
                    .parts
                    .last_mut()
                    .filter(|part| part.after.is_empty());
                if let Some(before) = adjacent {
                    match (before.field, field) {
                        // `%U%q` and `$uri$is_args$args` are one field, because the query starts
                        // with `?`. `$args` alone does not.
                        (Some(Field::Path), Some(Field::Query))
                            if !matches!(&*written, "$args" | "$query_string") =>
                        {
                            continue;
                        }
                        // `$host$request_uri` can be split at the `/` that starts the target.
                        (Some(Field::Host), Some(Field::Target | Field::Path)) => {}
                        _ => {
                            let (first, second) = (last_field, written);
                            return Err(FormatError::Adjacent { first, second });
                        }
                    }
                }
                let after = Vec::new();
                template.parts.push(Part { field, after });
                last_field = written;
            }
        }
    }
    Ok(template)
}

fn is_query(piece: &Piece) -> bool {
    matches!(
        piece,
        Piece::Field {
            field: Some(Field::Query),
            ..
        }
    )
}

/// Splits into variables: `$name` or `${name}`.
fn nginx(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('$') {
        pieces.push(Piece::Text(rest[..start].into()));
        let after = &rest[start + 1..];
        let (braced, after) = match after.strip_prefix('{') {
            Some(after) => (true, after),
            None => (false, after),
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = after.find(|c| !is_name(c)).unwrap_or(after.len());
        let (name, after) = after.split_at(end);
        pieces.push(Piece::Field {
            written: format!("${name}"),
            field: nginx_field(name),
        });
        rest = if braced {
            after.strip_prefix('}').unwrap_or(after)
        } else {
            after
        };
    }
    pieces.push(Piece::Text(rest.into()));
    without_empty(pieces)
}

fn nginx_field(name: &str) -> Option<Field> {
    Some(match name {
        "remote_addr" | "realip_remote_addr" | "http_x_real_ip" | "http_cf_connecting_ip" => {
            Field::Address
        }
        "http_x_forwarded_for" | "proxy_add_x_forwarded_for" => Field::Forwarded,
        "time_local" | "time_iso8601" | "msec" => Field::Time,
        "request" => Field::RequestLine,
        "request_uri" => Field::Target,
        "uri" | "document_uri" => Field::Path,
        "args" | "query_string" => Field::Query,
        "status" => Field::Status,
        "http_user_agent" => Field::UserAgent,
        "host" | "http_host" | "server_name" => Field::Host,
        "scheme" => Field::Scheme,
        _ => return None,
    })
}

/// Splits into directives: `%h`, `%>s`, `%{User-Agent}i`, `%!200,304s`.
fn apache(text: &str) -> Result<Vec<Piece>, FormatError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['%', '\\']) {
        pieces.push(Piece::Text(rest[..start].into()));
        let from = &rest[start..];
        if let Some(after) = from.strip_prefix('\\') {
            let (text, length) = match after.chars().next() {
                Some('t') => ("\t", 1),
                Some('n') => ("\n", 1),
                Some('"') => ("\"", 1),
                _ => ("\\", 0),
            };
            pieces.push(Piece::Text(text.into()));
            rest = &after[length..];
            continue;
        }
        if let Some(after) = from.strip_prefix("%%") {
            pieces.push(Piece::Text(b"%".to_vec()));
            rest = after;
            continue;
        }
        let (written, pieces_of_it) = directive(from)?;
        pieces.extend(pieces_of_it);
        rest = &from[written.len()..];
    }
    pieces.push(Piece::Text(rest.into()));
    Ok(without_empty(pieces))
}

/// Parses the directive at the start.
fn directive(text: &str) -> Result<(&str, Vec<Piece>), FormatError> {
    let unknown = |length: usize| FormatError::UnknownDirective {
        directive: text.chars().take(length).collect(),
    };
    let modified = text[1..].trim_start_matches(|c: char| c.is_ascii_digit() || "!,<>".contains(c));
    let (argument, after) = match modified.strip_prefix('{') {
        None => (None, modified),
        Some(rest) => {
            let (argument, after) = rest.split_once('}').ok_or_else(|| unknown(20))?;
            (Some(argument), after)
        }
    };
    let letters = if after.starts_with('^') { 3 } else { 1 };
    let name = after.get(..letters).ok_or_else(|| unknown(20))?;
    let written = &text[..text.len() - after.len() + letters];
    let field = |field| Piece::Field {
        written: written.to_owned(),
        field,
    };
    let pieces = match (name, argument) {
        ("t", None) => vec![
            Piece::Text(b"[".to_vec()),
            field(Some(Field::Time)),
            Piece::Text(b"]".to_vec()),
        ],
        ("t", Some(form)) => {
            let form = form.trim_start_matches("begin:").trim_start_matches("end:");
            let is_read = [
                "sec",
                "msec",
                "usec",
                "%s",
                "%FT%T%z",
                "%Y-%m-%dT%H:%M:%S%z",
            ];
            let known = is_read.contains(&form) || form == "%d/%b/%Y:%H:%M:%S %z";
            // Fractions of a second are ignored.
            let fraction = ["msec_frac", "usec_frac"].contains(&form);
            match (known, fraction) {
                (true, _) => vec![field(Some(Field::Time))],
                (false, true) => vec![field(None)],
                (false, false) => return Err(unknown(written.chars().count())),
            }
        }
        _ if !name.chars().all(|c| c.is_ascii_alphabetic() || c == '^') => {
            return Err(unknown(written.chars().count()));
        }
        _ => vec![field(apache_field(name, argument))],
    };
    Ok((written, pieces))
}

fn apache_field(name: &str, argument: Option<&str>) -> Option<Field> {
    let header = argument.unwrap_or_default().to_ascii_lowercase();
    Some(match (name, &*header) {
        ("h" | "a", _) => Field::Address,
        ("r", _) => Field::RequestLine,
        ("U", _) => Field::Path,
        ("q", _) => Field::Query,
        ("s", _) => Field::Status,
        ("v" | "V", _) | ("i", "host" | "x-forwarded-host") => Field::Host,
        ("i", "x-forwarded-for") => Field::Forwarded,
        ("i", "user-agent") => Field::UserAgent,
        ("p", "" | "canonical") => Field::Port,
        _ => return None,
    })
}

fn without_empty(pieces: Vec<Piece>) -> Vec<Piece> {
    let is_text = |piece: &Piece| !matches!(piece, Piece::Text(text) if text.is_empty());
    pieces.into_iter().filter(is_text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_format_is_refused() {
        for (text, expected) in [
            (
                "combination",
                "it is not the name of a format and has no fields: write `$status` for nginx or `%s` for Apache",
            ),
            (
                "$status$host",
                "there is no separator between `$status` and `$host`",
            ),
            (
                "$msec $uri$args",
                "there is no separator between `$uri` and `$args`",
            ),
            (
                "$msec $uri$is_args",
                "there is no separator between `$uri` and `$is_args`",
            ),
            ("%h %t %", "`%` is not supported"),
            ("%h %{unclosed %t", "`%{unclosed %t` is not supported"),
            ("%h %{%d.%m.}t %r", "`%{%d.%m.}t` is not supported"),
            ("%h \"%r\" %s", "no field has the time of the request"),
            ("%h %t %s", "no field has the target of the request"),
            ("%h %t %= %r", "`%=` is not supported"),
        ] {
            assert_eq!(template(text).unwrap_err().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn fields_of_nginx_and_escapes_of_apache_are_read() {
        let nginx = template("$msec $scheme $uri $args").unwrap();
        let request = nginx.read(b"1791665736 http /a b=c").unwrap().read();
        let request = request.unwrap();
        let read = (&*request.target, request.scheme.as_deref());
        assert_eq!(read, (&b"/a?b=c"[..], Some("http")));
        let apache = template("%{sec}t\\t%U\\n%h").unwrap();
        let request = apache.read(b"1791665736\t/a\n192.0.2.1").unwrap().read();
        assert_eq!(&*request.unwrap().target, b"/a");
    }

    #[test]
    fn fields_of_nginx_with_nothing_between_are_read_where_a_sign_divides_them() {
        for (format, line, host, target) in [
            ("$msec $uri$is_args$args x", "5 /a?b=c x", None, "/a?b=c"),
            ("$msec $uri$is_args$args", "5 /a", None, "/a"),
            ("$msec $uri ${is_args}${args}", "5 /a ?b", None, "/a?b"),
            (
                "$msec $scheme://$host$request_uri x",
                "5 https://h.example/a?b x",
                Some("h.example"),
                "/a?b",
            ),
            (
                "$msec $http_host$uri$is_args$query_string",
                "5 h.example:8080/a?b",
                Some("h.example:8080"),
                "/a?b",
            ),
            (
                "$msec \"$request\" $uri$is_args$args",
                "5 \"GET /a?b HTTP/1.1\" /index.php?a",
                None,
                "/a?b",
            ),
        ] {
            let template = template(format).unwrap();
            let request = template.read(line.as_bytes()).unwrap().read().unwrap();
            assert_eq!(request.host.as_deref(), host, "{format}");
            assert_eq!(&*request.target, target.as_bytes(), "{format}");
        }
    }

    #[test]
    fn a_query_of_apache_follows_the_path_with_nothing_between() {
        let template = template("%h %t \"%m %U%q %H\" %>s \"%{User-Agent}i\" %{a}^ti").unwrap();
        let line = b"192.0.2.1 [10/Oct/2026:13:55:36 +0000] \"GET /a?b=c HTTP/1.1\" 200 \"x\" y";
        let request = template.read(line).unwrap().read().unwrap();
        assert_eq!(&*request.target, b"/a?b=c");
    }
}
