//! Page directives: for any head and meta elements, the order of fields does not matter, stating everything twice changes
//! nothing, another rule never makes a page more indexable, and `noindex` always keeps it out.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger_access::Timestamp;
use verger_answer::{PageAccess, PageAnswer, PageFacts, PageState, ResponseHead};
use verger_extensions::{DIRECTIVES_MAX, PageConvention, PageOperator, PageReader};

type Field = (Vec<u8>, Vec<u8>);

fn readers() -> impl Iterator<Item = PageReader> {
    let operators = [
        PageOperator::Google,
        PageOperator::Bing,
        PageOperator::Amazon,
        PageOperator::Other,
    ];
    operators.into_iter().flat_map(|operator| {
        [PageConvention::Google, PageConvention::RepExt].map(|convention| {
            PageReader::named(["googlebot", "bingbot", "a"], convention).of_operator(operator)
        })
    })
}

fn answer(reader: &PageReader, fields: &[Field], metas: &[(&str, &str)]) -> PageAnswer {
    let mut facts = PageFacts::of_response(ResponseHead::new(200, fields.iter().cloned()));
    for (line, (name, content)) in (1..).zip(metas) {
        facts.add_meta(name, content, line, line % 3 != 0);
    }
    let at = Timestamp::from_unix_seconds(1_795_996_800);
    let answer = PageAnswer::new(&PageAccess::Allowed, reader, &facts, at);
    assert!(answer.directives.len() <= DIRECTIVES_MAX);
    assert_ne!(answer.state, PageState::Unseen);
    answer
}

fn limits(answer: &PageAnswer) -> impl PartialEq + std::fmt::Debug {
    (
        answer.state,
        answer.max_snippet,
        answer.ai_input,
        answer.ai_train,
    )
}

fuzz_target!(|input: &[u8]| {
    // The head ends at the first empty line. Lines after it are meta elements: `name=content`.
    let text = [&b"HTTP/1.1 200 OK\n"[..], input].concat();
    let Ok((head, rest)) = ResponseHead::parse(&text) else {
        return;
    };
    let fields: Vec<Field> = head
        .fields
        .into_iter()
        .map(|it| (it.name, it.value))
        .collect();
    let html = String::from_utf8_lossy(rest);
    let metas: Vec<_> = html
        .lines()
        .filter_map(|line| line.split_once('='))
        .collect();
    let noindex = (b"X-Robots-Tag".to_vec(), b"noindex".to_vec());
    for reader in readers() {
        let all = answer(&reader, &fields, &metas);
        let is_whole = all.directives.len() < DIRECTIVES_MAX / 2;

        let reversed: Vec<Field> = fields.iter().rev().cloned().collect();
        let unrelated = (b"Server".to_vec(), b"noindex, none".to_vec());
        let others: Vec<Field> = std::iter::once(unrelated).chain(reversed).collect();
        let twice: Vec<Field> = fields.iter().chain(&fields).cloned().collect();
        if is_whole {
            assert_eq!(
                limits(&answer(&reader, &others, &metas)),
                limits(&all),
                "order"
            );
            assert_eq!(
                limits(&answer(&reader, &twice, &metas)),
                limits(&all),
                "twice"
            );
        }

        // With one rule fewer, a page is at least as indexable, and its excerpt at least as long.
        for without in 0..fields.len().min(4) {
            let mut fewer = fields.clone();
            fewer.remove(without);
            let fewer = answer(&reader, &fewer, &metas);
            if is_whole {
                let is_wider =
                    all.state == PageState::NotIndexed || fewer.state == PageState::Indexable;
                assert!(
                    is_wider,
                    "{:?} with a rule fewer, {:?} with it",
                    fewer.state, all.state
                );
                let [fewer, all] = [&fewer, &all].map(|it| it.max_snippet.unwrap_or(u32::MAX));
                assert!(fewer >= all, "excerpt");
            }
        }

        let restricted: Vec<Field> = std::iter::once(noindex.clone())
            .chain(fields.clone())
            .collect();
        assert_eq!(
            answer(&reader, &restricted, &metas).state,
            PageState::NotIndexed
        );
    }
});
