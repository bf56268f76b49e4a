//! Encoded bodies: decoded, refused if malformed, cut at the limit.

use std::io::Write as _;

use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use flate2::{Compression, GzBuilder};
use verger_access::{BODY_BYTES_WANTED, BodyEnd, TransportFailure};
use verger_client::HttpReply;

use crate::loopback::{Loopback, response};
use crate::scene::{assert_failure, fetch, reply, settings};

const FILE: &[u8] = b"User-agent: *\nDisallow: /a\n";

/// `FILE` as other programs encode it.
const BROTLI: &str = "0b0d80557365722d6167656e743a202a0a446973616c6c6f773a202f610a03";
const ZSTD_OF_ONE_SEGMENT: &str =
    "28b52ffd201bd90000557365722d6167656e743a202a0a446973616c6c6f773a202f610a";
const ZSTD_WITH_CHECKSUM: &str =
    "28b52ffd0458d90000557365722d6167656e743a202a0a446973616c6c6f773a202f610a7ee26948";
/// Its window is 8 MiB, and one of 16 MiB.
const ZSTD_OF_8_MIB: &str =
    "28b52ffd0068d90000557365722d6167656e743a202a0a446973616c6c6f773a202f610a";
const ZSTD_OF_16_MIB: &str =
    "28b52ffd0070d90000557365722d6167656e743a202a0a446973616c6c6f773a202f610a";

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    let byte = |pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

/// More incompressible bytes than are read.
fn noise() -> Vec<u8> {
    let mut state = 1_u32;
    let bytes = (0..700_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    });
    bytes.collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A zstd frame with one block per row: raw bytes, or one byte repeated.
fn zstd_of_runs(window: u8, byte: u8, runs: usize) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, window];
    for run in 1..=runs {
        // The last block is marked. A run has 128 KiB, the longest block.
        let header = (128 * 1024_u32) << 3 | 1 << 1 | u32::from(run == runs);
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(byte);
    }
    frame
}

async fn encoded(codings: &str, body: &[u8]) -> verger_client::Arrival {
    let fields = format!("Content-Encoding: {codings}\r\n");
    let server = Loopback::answering(response("200 OK", &fields, body));
    fetch(settings(), &server.url()).await
}

async fn decoded(codings: &str, body: &[u8]) -> HttpReply {
    println!("{codings}, {} bytes", body.len());
    reply(encoded(codings, body).await)
}

async fn assert_broken(codings: &str, body: &[u8], words: &str) {
    println!("{codings}, {} bytes", body.len());
    let arrival = encoded(codings, body).await;
    assert_failure(arrival, TransportFailure::ContentEncoding, words);
}

#[tokio::test]
async fn each_coding_is_undone() {
    for (codings, body) in [
        ("identity", FILE.to_vec()),
        ("", FILE.to_vec()),
        ("gzip", gzip(FILE)),
        ("X-GZip", gzip(FILE)),
        ("gzip, identity", gzip(FILE)),
        ("deflate", zlib(FILE)),
        ("deflate", deflate(FILE)),
        ("br", bytes(BROTLI)),
        ("zstd", bytes(ZSTD_OF_ONE_SEGMENT)),
        ("zstd", bytes(ZSTD_WITH_CHECKSUM)),
        ("zstd", bytes(ZSTD_OF_8_MIB)),
    ] {
        let reply = decoded(codings, &body).await;
        assert_eq!((&*reply.body, reply.body_end), (FILE, BodyEnd::Whole));
    }
}

#[tokio::test]
async fn an_unexpected_transfer_coding_is_broken() {
    let chunks = [b"2f\r\n", &gzip(FILE)[..], b"\r\n0\r\n\r\n"].concat();
    for fields in [
        "gzip, chunked",
        "gzip\r\nTransfer-Encoding: chunked",
        "gzip",
    ] {
        let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: {fields}\r\n\r\n");
        let server = Loopback::answering([head.as_bytes(), &chunks].concat());
        let arrival = fetch(settings(), &server.url()).await;
        assert_failure(arrival, TransportFailure::Chunking, "gzip");
    }
}

#[tokio::test]
async fn several_members_and_frames_are_one_body() {
    let twice = [FILE, FILE].concat();
    let members = [gzip(FILE), gzip(FILE)].concat();
    assert_eq!(decoded("gzip", &members).await.body, twice);
    let skipped = bytes("502a4d1803000000ffffff");
    let frames = [
        bytes(ZSTD_WITH_CHECKSUM),
        skipped,
        bytes(ZSTD_OF_ONE_SEGMENT),
    ]
    .concat();
    assert_eq!(decoded("zstd", &frames).await.body, twice);
}

#[tokio::test]
async fn codings_are_undone_from_the_last_to_the_first_and_up_to_three() {
    let two = zlib(&gzip(FILE));
    assert_eq!(decoded("gzip, deflate", &two).await.body, FILE);
    assert_eq!(
        decoded("gzip\r\nContent-Encoding: deflate", &two)
            .await
            .body,
        FILE
    );
    assert_broken("deflate, gzip", &two, "").await;
    let three = gzip(&two);
    assert_eq!(decoded("gzip,deflate,,gzip", &three).await.body, FILE);
    assert_broken("gzip,deflate,gzip,gzip", &gzip(&three), "more than 3").await;
}

#[tokio::test]
async fn a_word_that_names_no_coding_is_passed_over() {
    for words in [
        "none",
        "UTF-8",
        "binary",
        "8bit",
        "aws-chunked",
        "identity, none",
        "x y",
    ] {
        assert_eq!(decoded(words, FILE).await.body, FILE);
    }
    for words in [
        "gzip, aws-chunked",
        "aws-chunked,gzip",
        "utf-8, gzip, none, identity",
    ] {
        assert_eq!(decoded(words, &gzip(FILE)).await.body, FILE);
    }
    // The access method refuses it.
    assert_eq!(decoded("gzip;q=1", &gzip(FILE)).await.body, gzip(FILE));
}

#[tokio::test]
async fn a_coding_that_cannot_be_undone_is_broken() {
    assert_broken("compress", FILE, "compress").await;
    assert_broken("none, dcb", FILE, "dcb").await;
    for coding in ["gzip", "deflate", "br", "zstd"] {
        assert_broken(coding, FILE, "").await;
        assert_broken(coding, b"\n", "").await;
    }
}

#[tokio::test]
async fn an_encoded_body_that_ends_early_is_broken() {
    let bodies = [
        ("gzip", gzip(FILE)),
        ("deflate", zlib(FILE)),
        ("deflate", deflate(FILE)),
        ("br", bytes(BROTLI)),
        ("zstd", bytes(ZSTD_WITH_CHECKSUM)),
    ];
    for (coding, body) in bodies {
        for length in 1..body.len() {
            // The last four bytes are zlib's checksum, and all are required.
            assert_broken(coding, &body[..length], "").await;
        }
    }
}

#[tokio::test]
async fn a_whole_encoded_body_is_whole_whatever_follows_it() {
    let long = vec![b'\n'; 2 * BODY_BYTES_WANTED];
    let rests = [
        &b"\r\n"[..],
        &[0; 8],
        b"more",
        b"\x1F\x8B",
        b"\x28\xB5",
        &long,
    ];
    for (coding, body) in [
        ("gzip", gzip(FILE)),
        ("gzip", [gzip(FILE), gzip(b"")].concat()),
        ("br", bytes(BROTLI)),
        ("zstd", bytes(ZSTD_WITH_CHECKSUM)),
        ("deflate", zlib(FILE)),
        ("deflate", deflate(FILE)),
    ] {
        for rest in rests {
            let reply = decoded(coding, &[&body, rest].concat()).await;
            assert_eq!((&*reply.body, reply.body_end), (FILE, BodyEnd::Whole));
        }
    }
    let twice = [gzip(FILE), gzip(FILE)].concat();
    assert_eq!(
        decoded("gzip", &[&*twice, &[0]].concat()).await.body,
        FILE.repeat(2)
    );
    assert_eq!(decoded("gzip", &gzip(b"")).await.body, b"");
    // Another member that is broken or cut.
    let cut = &gzip(FILE)[..20];
    assert_broken("gzip", &[&gzip(FILE), cut].concat(), "").await;
    let frame = bytes(ZSTD_WITH_CHECKSUM);
    assert_broken("zstd", &[&frame, &frame[..20]].concat(), "").await;
}

#[tokio::test]
async fn a_checksum_or_length_that_is_not_that_of_the_body_is_broken() {
    let raw = [0x01_u8, 0, 0];
    // A frame that states eight bytes more than its block has.
    let mut longer = bytes(ZSTD_OF_ONE_SEGMENT);
    longer[5] += 8;
    assert_broken("zstd", &longer, "states").await;
    // Without a checksum. The last block is empty.
    let frame = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58][..], &raw].concat();
    assert_eq!(decoded("zstd", &frame).await.body, b"");
    for (coding, body, trailer) in [
        ("gzip", gzip(FILE), 8),
        ("deflate", zlib(FILE), 4),
        ("zstd", bytes(ZSTD_WITH_CHECKSUM), 4),
    ] {
        for at in body.len() - trailer..body.len() {
            let mut broken = body.clone();
            broken[at] ^= 1;
            assert_broken(coding, &broken, "").await;
            // Also if another member or frame follows.
            if coding != "deflate" {
                broken.extend_from_slice(&body);
                assert_broken(coding, &broken, "").await;
            }
        }
    }
}

#[tokio::test]
async fn a_transfer_coding_that_is_not_exactly_chunked_is_broken() {
    let chunks = format!("{:x}\r\n{}\r\n0\r\n\r\n", FILE.len(), FILE.escape_ascii());
    let chunks = chunks.replace("\\n", "\n");
    for (value, is_read) in [
        ("chunked", true),
        ("\t Chunked \t", true),
        ("chunked\r\nContent-Length: 3", true),
        ("chunked\x0b", false),
        ("\x0bchunked", false),
        ("xchunked", false),
        ("chunked, identity", false),
        ("identity, chunked", false),
        ("chunked,", false),
        ("chunked\r\nTransfer-Encoding: chunked", false),
        ("chunked\r\nTransfer-Encoding: identity", false),
        ("chunked\x0b\r\nContent-Length: 3", false),
        ("\r\n chunked", false),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: {value}\r\n\r\n");
        let server = Loopback::answering([head.as_bytes(), chunks.as_bytes()].concat());
        let arrival = fetch(settings(), &server.url()).await;
        println!("{value:?}");
        if is_read {
            assert_eq!(reply(arrival).body, FILE);
        } else {
            assert_failure(arrival, TransportFailure::Chunking, "transfer coding");
        }
        // The status of an error is still valid.
        let head = head.replace("200 OK", "404 Not Found");
        let server = Loopback::answering([head.as_bytes(), chunks.as_bytes()].concat());
        let arrival = fetch(settings(), &server.url()).await;
        assert_eq!(reply(arrival).status, 404);
    }
}

#[tokio::test]
async fn chunks_must_be_well_formed() {
    let length = FILE.len();
    for (size, end, is_read) in [
        (format!("{length:x}"), "\r\n0\r\n\r\n", true),
        (format!("00{length:X}"), "\r\n0\r\n\r\n", true),
        (
            format!("{length:x} \t;a=\"b\";\x01"),
            "\r\n000\r\n\r\n",
            true,
        ),
        (format!("{length:x}"), "\r\n0\r\nTrailer: x\r\n\r\n", true),
        (format!("{length:x};a\nb"), "\r\n0\r\n\r\n", false),
        (format!("{length:x} a"), "\r\n0\r\n\r\n", false),
        (format!("0x{length:x}"), "\r\n0\r\n\r\n", false),
        (format!("+{length:x}"), "\r\n0\r\n\r\n", false),
        (format!(" {length:x}"), "\r\n0\r\n\r\n", false),
        (String::new(), "\r\n0\r\n\r\n", false),
        (format!("{:x}", length - 1), "\r\n0\r\n\r\n", false),
        (format!("{:x}", length + 1), "\r\n0\r\n\r\n", false),
        (format!("{length:x}"), "\n0\r\n\r\n", false),
        (format!("{length:x}"), "\r\n0\n\r\n", false),
        (format!("{length:x}"), "0\r\n\r\n", false),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{size}\r\n");
        println!("{size:?} {end:?}");
        let bytes = [head.as_bytes(), FILE, end.as_bytes()].concat();
        let arrival = fetch(settings(), &Loopback::answering(bytes).url()).await;
        if is_read {
            assert_eq!(reply(arrival).body, FILE);
        } else {
            assert_failure(arrival, TransportFailure::Chunking, "");
        }
    }
    // Line ends of LF alone.
    let bytes = format!(
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n{length:x}\n{}0\n\n",
        str::from_utf8(FILE).unwrap()
    );
    let arrival = fetch(settings(), &Loopback::answering(bytes).url()).await;
    assert_failure(arrival, TransportFailure::Chunking, "");
}

#[tokio::test]
async fn an_empty_body_is_not_decoded() {
    for coding in ["gzip", "br", "zstd", "compress"] {
        let reply = decoded(coding, b"").await;
        assert_eq!((reply.body.len(), reply.body_end), (0, BodyEnd::Whole));
    }
}

#[tokio::test]
async fn a_bomb_is_cut_at_the_limit() {
    let zeros = vec![0; 8 << 20];
    // 64 MiB of zeros in 106 bytes.
    let brotli = bytes(concat!(
        "cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200ddfb3ffeffffc1",
        "3f0110870500baf77ffcffff837f02200e0b0074effff8ffff07ff04401c1600e8defff1ffff0ffe0980382c",
        "00d0bdffe3ffff1ffc1300715800a07bff37",
    ));
    // With a window of 8 MiB a decoder keeps all of it before it returns any.
    for (coding, bomb) in [
        ("gzip", gzip(&zeros)),
        ("deflate", zlib(&zeros)),
        ("br", brotli),
        ("zstd", zstd_of_runs(0x68, 0, 512)),
        ("gzip, gzip", gzip(&gzip(&zeros))),
        ("gzip, gzip, gzip", gzip(&gzip(&gzip(&zeros)))),
    ] {
        let reply = decoded(coding, &bomb).await;
        assert_eq!(reply.body.len(), BODY_BYTES_WANTED);
        assert_eq!(reply.body_end, BodyEnd::CutAtLimit);
    }
}

/// A block has at most 128 KiB, even when decoded (RFC 8878 3.1.1.2.4).
#[tokio::test]
async fn a_zstd_block_that_makes_more_than_it_may_is_broken() {
    // One byte eight times, then a block without literals whose sequences repeat 65,539 bytes each.
    let frame = |sequences: u8| {
        let bits = vec![0; 2 * usize::from(sequences)];
        let block = [&[0, sequences, 0x54, 0, 0, 52], bits.as_slice(), &[1]].concat();
        let header = u32::try_from(block.len()).unwrap() << 3 | 2 << 1 | 1;
        let repeated = [8 << 3 | 1 << 1, 0, 0, b'\n'];
        let head = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68];
        [
            &head,
            repeated.as_slice(),
            &header.to_le_bytes()[..3],
            &block,
        ]
        .concat()
    };
    assert_eq!(decoded("zstd", &frame(1)).await.body.len(), 8 + 65_539);
    assert_broken("zstd", &frame(100), "").await;
}

#[tokio::test]
async fn a_body_with_a_long_encoding_is_decoded() {
    // Digits without repetitions are compressed to half.
    let lines = (0..20_000_u32).map(|number| format!("#{}\n", number.wrapping_mul(2_654_435_761)));
    let body = lines.collect::<Vec<_>>().concat().into_bytes();
    for (coding, encoded) in [("gzip", gzip(&body)), ("deflate", zlib(&body))] {
        assert!(encoded.len() > 50_000, "{}", encoded.len());
        assert!(decoded(coding, &encoded).await.body == body, "{coding}");
        assert_broken(coding, &encoded[..encoded.len() / 2], "").await;
    }
}

#[tokio::test]
async fn a_transport_may_read_longer_bodies() {
    let max = 2 * BODY_BYTES_WANTED;
    for (length, end) in [(max - 1, BodyEnd::Whole), (max, BodyEnd::CutAtLimit)] {
        let body = vec![b'a'; length];
        let encoded = gzip(&body);
        for (headers, sent) in [("", &body), ("Content-Encoding: gzip\r\n", &encoded)] {
            let mut settings = settings();
            settings.body_bytes_max = max;
            let head = format!(
                "HTTP/1.1 200 OK\r\n{headers}Content-Length: {}\r\n\r\n",
                sent.len()
            );
            let server = Loopback::answering([head.as_bytes(), sent].concat());
            let url = format!("http://{}/sitemap.xml", server.address);
            let reply = reply(fetch(settings, &url).await);
            assert_eq!((reply.body.len(), reply.body_end), (length, end));
        }
    }
}

#[tokio::test]
async fn a_body_is_decoded_up_to_the_limit() {
    for (length, end) in [
        (BODY_BYTES_WANTED - 1, BodyEnd::Whole),
        (BODY_BYTES_WANTED, BodyEnd::CutAtLimit),
        (BODY_BYTES_WANTED + 1, BodyEnd::CutAtLimit),
    ] {
        let reply = decoded("gzip", &gzip(&vec![b'a'; length])).await;
        assert_eq!(reply.body.len(), length.min(BODY_BYTES_WANTED));
        assert_eq!(reply.body_end, end);
    }
}

#[tokio::test]
async fn an_encoded_body_that_the_reader_cut_may_end_after_what_is_wanted() {
    let noise = noise();
    for (coding, body) in [("gzip", gzip(&noise)), ("deflate", zlib(&noise))] {
        let reply = decoded(coding, &body).await;
        assert_eq!(reply.body, noise[..BODY_BYTES_WANTED]);
        assert_eq!(reply.body_end, BodyEnd::CutAtLimit);
    }
}

#[tokio::test]
async fn an_encoded_body_that_the_reader_cut_is_broken_where_it_cannot_be_undone() {
    let plain = FILE.repeat(BODY_BYTES_WANTED * 4 / 3 / FILE.len());
    for coding in ["gzip", "deflate", "br", "zstd"] {
        assert_broken(coding, &plain, "").await;
    }
    // More empty members than are read, so rules may follow. In the second body, the last member
    // read is whole, because 577,537 bytes are.
    assert_broken("gzip", &gzip(b"").repeat(100_000), "end of file").await;
    let named = |name| {
        let member = GzBuilder::new().filename(name);
        let member = member.write(Vec::new(), Compression::default());
        member.finish().unwrap()
    };
    let mut members = named("abcd");
    members.extend(named("abc").repeat(100_000));
    assert_broken("gzip", &members, "give only 0 bytes").await;
}

#[tokio::test]
async fn a_window_larger_than_the_limit_is_broken() {
    assert_broken("zstd", &bytes(ZSTD_OF_16_MIB), "memory").await;
    // A segment of 2^56 bytes, which the decoder would keep in memory.
    let segment = bytes("28b52ffde0000000000000000153000000");
    assert_broken("zstd", &segment, "memory").await;
    // Brotli's large windows are not part of its RFC.
    assert_broken("br", &bytes("111e000000000000"), "malformed").await;
}

#[tokio::test]
async fn noise_breaks_no_decoder() {
    let mut state = 7_u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state.to_be_bytes()[0]
    };
    let bodies = [
        ("gzip", gzip(FILE)),
        ("deflate", zlib(FILE)),
        ("br", bytes(BROTLI)),
        ("zstd", bytes(ZSTD_OF_ONE_SEGMENT)),
        ("zstd", zstd_of_runs(0x50, b'a', 3)),
    ];
    for (coding, body) in bodies {
        for _ in 0..100 {
            let mut body = body.clone();
            for _ in 0..=random() % 3 {
                let at = usize::from(random()) % body.len();
                body[at] = random();
            }
            // Any result within the limit is right.
            if let verger_client::Received::Http(reply) = encoded(coding, &body).await.received {
                assert!(reply.body.len() <= BODY_BYTES_WANTED);
            }
        }
    }
}
