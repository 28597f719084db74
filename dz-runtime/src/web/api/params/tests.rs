//! Parameters of requests.

use super::*;
use crate::rows::tests::app::{APP, TASK};

fn pairs(query: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

fn read(query: &str, strictness: Strictness) -> Result<Query> {
    parse(&APP, APP.entity(TASK), None, &pairs(query), strictness)
}

#[track_caller]
fn refused(query: &str, status: u16, word: &str) {
    let error = read(query, Strictness::Api).expect_err(query);
    let text = format!("{} {:?}", error.detail, error.field_errors);
    assert_eq!(error.status, status, "{query}: {text}");
    assert!(text.contains(word), "{query}: `{word}` is not in: {text}");
    assert!(read(query, Strictness::Page).is_ok(), "{query}");
}

#[test]
fn unknown_parameters_are_reported() {
    refused("titel=x", 400, "did you mean `title`");
    refused("pag=1", 400, "did you mean `page`");
    refused("sort=titel", 400, "did you mean `title`");
    refused("sort=", 400, "unknown field to sort by");
    refused("title__contain=x", 400, "did you mean `contains`");
    refused("status=opne", 400, "open");
    refused("hours=1.2.3", 400, "hours");
    refused("hours=", 400, "hours__isnull=true");
    refused("status__in=open,", 400, "status__isnull=true");
    refused("points=9223372036854775808", 400, "whole number");
    refused("hours__contains=1", 400, "compares text");
    refused("title__isnull=maybe", 400, "true or false");
    refused("title=%00", 400, "U+0000");
    refused("title.name=x", 400, "not a reference");
    refused("owner.salary=1", 400, "sensitive");
    refused("owner.titel=1", 400, "unknown");
    refused("search=x", 400, "search:");
    refused("page=0", 422, "page");
    refused("page=99999999999999999999", 422, "page");
    refused("page_size=101", 422, "from 1 to 100");
    refused("parent.parent.parent.parent.parent.title=x", 400, "at most 4");
}

#[test]
fn parameters_beyond_the_limits_are_refused() {
    let of_each = ["points", "title", "hours", "due", "owner.title", "parent.title", "parent.points", "parent.parent.points", "team.name"];
    let of = of_each.iter().flat_map(|name| OPERATORS.iter().map(move |operator| format!("{name}__{operator}=1")));
    let filters: Vec<String> = of.filter(|it| read(it, Strictness::Api).is_ok()).take(51).collect();
    assert_eq!(filters.len(), 51, "{filters:?}");
    refused(&filters.join("&"), 400, "50 filters");
    refused(&format!("sort={}", "title,".repeat(11)), 400, "10 fields");
    refused(&format!("points__in={}1", "1,".repeat(1_000)), 400, "1000 values");
    let twice = format!("points__in={0}&points__in={0}", vec!["1"; 600].join(","));
    assert!(read(&twice, Strictness::Page).unwrap().filters.iter().all(|it| matches!(&it.op, FilterOp::In(values) if values.len() == 600)));
    refused(&twice, 400, "is given twice");
    let names = ["owner", "team", "parent"];
    let mut hops = vec![String::new()];
    for _ in 0..3 {
        hops = hops.iter().flat_map(|hop| ["owner.", "parent.", "team."].map(|next| format!("{hop}{next}"))).collect();
    }
    let fits = |name: &String| read(&format!("{name}id__isnull=true"), Strictness::Api).is_ok();
    let query: String = hops.iter().filter(|name| fits(name)).map(|name| format!("{name}id__isnull=true&")).collect();
    assert!(names.iter().all(|name| query.contains(name)), "{query}");
    if query.matches('&').count() > MAX_JOINS {
        refused(&query, 400, "16 references");
    }
}

#[test]
fn an_empty_text_is_a_value_and_lists_are_joined() {
    let query = read("title=", Strictness::Api).unwrap();
    assert!(matches!(&query.filters[0].op, FilterOp::Compare(Comparison::Eq, Value::Text(text)) if text.is_empty()));
    let query = read("status__in=open&status__in=closed", Strictness::Page).unwrap();
    assert!(matches!(&query.filters[0].op, FilterOp::In(values) if values.len() == 2));
    let page = read("title=&status=&hours=x&page=-1&page_size=1000", Strictness::Page).unwrap();
    assert!(page.filters.is_empty());
    assert_eq!((page.limit, page.offset), (PAGE_SIZE, 0));
}

#[test]
fn any_text_is_parsed_or_refused() {
    let pieces =
        ["title", "owner", ".", "__", "in", "gt", "=", "&", ",", "-", "%00", "%FF", "é", "sort", "page", "9e9", "\u{202e}", "'", "expand"];
    let mut seed = 1_u64;
    for _ in 0..5_000 {
        let mut text = String::new();
        for _ in 0..seed % 9 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if let Err(error) = read(&text, Strictness::Api) {
            assert!(matches!(error.status, 400 | 422), "{text}: {error}");
        }
        assert!(read(&text, Strictness::Page).is_ok(), "{text}");
    }
}
