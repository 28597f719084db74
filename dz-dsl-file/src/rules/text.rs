//! Rules of the text: characters, indentation, blocks.

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "text",
    rules: &[
        Rule::error(
            "bad-escape",
            "the character after a backslash does not form an escape",
            "persona clerk \"Cle\\qrk\"\n",
            "persona clerk \"Cle\\nrk\"\n",
        ),
        Rule::error(
            "bad-number",
            "a number is followed by letters that are not a unit of time",
            "app a:\n  theme: 12x\n",
            "app a:\n  theme: 12\n",
        ),
        Rule::error("empty-block", "a line ends in a colon, and no lines follow under it", "persona a:\n", "persona a\n"),
        Rule::error(
            "inconsistent-indentation",
            "a line is indented to a column at which no block begins",
            "persona a:\n    description: \"x\"\n  goals: \"y\"\n",
            "persona a:\n    description: \"x\"\n    goals: \"y\"\n",
        ),
        Rule::error(
            "missing-colon",
            "a line that does not end in a colon has lines under it",
            "persona a\n  description: \"x\"\n",
            "persona a:\n  description: \"x\"\n",
        ),
        Rule::error(
            "mixed-indentation",
            "a file is indented with tabs and with spaces",
            "persona a:\n  description: \"x\"\npersona b:\n\tdescription: \"x\"\n",
            "persona a:\n  description: \"x\"\npersona b:\n  description: \"x\"\n",
        ),
        Rule::error(
            "number-out-of-range",
            "a number is too large to be stored",
            "app a:\n  limit: 99999999999999999999\n",
            "app a:\n  limit: 99\n",
        ),
        Rule::error(
            "unexpected-token",
            "a word or sign has no meaning at this place",
            "persona clerk \"Clerk\" )\n",
            "persona clerk \"Clerk\"\n",
        ),
        Rule::error(
            "unquoted-url",
            "a comment cuts off an address without quotes",
            "app a:\n  home: https://example.com\n",
            "app a:\n  home: \"https://example.com\"\n",
        ),
        Rule::error("unterminated-string", "a string has no closing quote", "persona clerk \"Clerk\n", "persona clerk \"Clerk\"\n"),
    ],
};
