//! The page of `service`.

use super::{
    frames::flows as frames,
    page::{Entry, Page, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "service.md",
        title: "service",
        summary: "A function with typed input and output that Rust, or another system, provides.",
        constructs: &["service"],
        pieces: vec![
            text(
                "`service NAME \"Title\":` declares the input and the output of logic that is implemented elsewhere. The application implements \
                 it in Rust, or the file of a Python stub does; without an implementation the application does not start. A service of another system has `spec` or `kind: integration`.",
            ),
            sound(frames::BESIDE, WHOLE),
            words("service", "Key", frames::IN_SERVICE, KEYS),
            text(
                "### Fields of `input` and `output`\n\nA name, a [type](types.md), `required` or a default. Lists are allowed, relations and computed fields are not.",
            ),
            further("Type", frames::IN_SERVICE, TYPES),
            text("### Kinds"),
            words("kind of service", "Kind", frames::IN_SERVICE, KINDS),
            text("### Stubs"),
            words("stub", "Language", frames::BARE_SERVICE, STUBS),
            text("### Other systems\n\n`spec` and `auth_profile` give the configuration of an adapter."),
            words("spec", "Form", frames::IN_ADAPTER, SPECS),
            words("auth_profile", "Authentication", frames::IN_ADAPTER, AUTH),
            wrong(
                "unknown-value",
                "entity Bike:\n  id: uuid pk\n  permit:\n    read: authenticated\nservice carrier:\n  kind: integraton\n  stub: rust\n",
            ),
        ],
    }
}

const WHOLE: &str = "service quote \"Quote\":
  kind: domain_logic
  input:
    repair: ref Repair required
    discounts: list[decimal(4, 2)]
  output:
    fee: decimal(8, 2) required
    effort: enum[small, large] required
  guarantees:
    - \"The fee is never below zero\"
  stub: rust";

const KEYS: &[Entry] = &[
    entry("kind", "The kind of logic; default `domain_logic`.", "kind: validation"),
    entry("input", "The inputs.", "input:\n  name: str(80) required\n  count: int = 1"),
    entry("output", "The outputs.", "output:\n  receipt: str(40) required"),
    entry(
        "guarantees",
        "Its guarantees, in sentences, for the authors of its code and tests.",
        "guarantees:\n  - \"Nothing is ordered twice\"",
    ),
    entry_in(frames::BARE_SERVICE, "stub", "The language of the generated stub.", "stub: rust"),
    entry_in(
        frames::IN_ADAPTER,
        "spec",
        "The description of another system's interface, or its address.",
        "spec: \"https://carrier.example.com/openapi.json\"",
    ),
    entry_in(frames::IN_ADAPTER, "auth_profile", "The authentication, with options.", "auth_profile: oauth2_client scopes=\"parcels\""),
    entry_in(frames::IN_ADAPTER, "owner", "The responsible person or team.", "owner: \"Carrier Ltd\""),
];

const TYPES: &[Entry] = &[
    entry("list", "Several values of one type.", "input:\n  prices: list[decimal(8, 2)]"),
    entry("str", "A text; the length is optional here.", "input:\n  name: str required"),
];

const KINDS: &[Entry] = &[
    entry("domain_logic", "It computes a value.", "kind: domain_logic"),
    entry("validation", "It validates data.", "kind: validation"),
    entry("workflow", "It performs several actions in order.", "kind: workflow"),
    entry_in(frames::BARE_SERVICE, "integration", "It belongs to another system.", "kind: integration"),
];

const STUBS: &[Entry] = &[entry("python", "Python.", "stub: python"), entry("rust", "Rust.", "stub: rust")];

const SPECS: &[Entry] = &[
    entry("url", "The text is the address of the description; the default.", "spec: url \"https://carrier.example.com/openapi.json\""),
    entry("inline", "The text is the description.", "spec: inline \"POST /parcels\""),
];

const AUTH: &[Entry] = &[
    entry("none", "None.", "auth_profile: none"),
    entry("basic", "Name and password.", "auth_profile: basic"),
    entry("bearer", "A token in the header.", "auth_profile: bearer"),
    entry("api_key_header", "A key in a header.", "auth_profile: api_key_header header=\"X-Key\""),
    entry("api_key_query", "A key in the address.", "auth_profile: api_key_query param=key"),
    entry("jwt_static", "A signed token that does not change.", "auth_profile: jwt_static"),
    entry("oauth2_client", "OAuth 2 with client credentials.", "auth_profile: oauth2_client scopes=\"parcels\""),
    entry("oauth2_legacy", "OAuth 2 in an older form.", "auth_profile: oauth2_legacy"),
    entry("oauth2_pkce", "OAuth 2 with a proof key.", "auth_profile: oauth2_pkce"),
];
