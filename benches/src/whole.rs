//! Declarations with every construct, of any length.

/// Constructs that occur once.
const HEAD: &str = "app bench \"Bench\":\n  timezone: \"Europe/Lisbon\"\n\npersona manager \"Manager\"\npersona clerk \"Clerk\"\n\n\
llm_model small \"Small\":\n  provider: anthropic\n  model_id: claude-3-haiku-20240307\n  api_key_env: KEY\n\n\
llm_config:\n  default_model: small\n\n";

/// An application of three entities, with its pages, its process and its stories; `00` is replaced by its number.
const BLOCK: &str = include_str!("block.dsl");

/// About `lines` lines: each construct has the same share in texts of any length.
pub fn whole(lines: usize) -> String {
    let each = BLOCK.lines().count();
    let blocks = (lines + each / 2) / each;
    (0..blocks).fold(HEAD.to_owned(), |text, block| text + &BLOCK.replace("00", &(block + 100).to_string()))
}

#[cfg(test)]
mod tests {
    use dz_dsl_file::{SourceMap, analyse};

    #[test]
    fn it_is_right_and_as_long_as_wanted() {
        let text = super::whole(1_000);
        let analysis = analyse(SourceMap::single("app.dsl", &text));
        let found: Vec<&str> = analysis.diagnostics.iter().map(|it| it.message.as_str()).collect();
        let model = analysis.model.unwrap_or_else(|| panic!("{found:#?}"));
        assert_eq!((model.processes.len(), model.workspaces.len(), model.experiences.len(), model.stories.len()), (4, 4, 4, 4));
        assert!(text.lines().count().abs_diff(1_000) < 150);
    }
}
