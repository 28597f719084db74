//! Replaces the lines of the declaration that have errors by comments.

use dz_dsl_file::{Diagnostic, Severity, SourceMap, analyse, format};

use super::declare::Declared;

/// The maximum number of rounds; each round replaces at least one line by a comment.
const ROUNDS: usize = 100;

/// The text of a declaration that validates. A line with an error becomes a comment that contains the error.
pub fn text(declared: &mut Declared) -> Result<String, String> {
    let mut text = declared.lines.join("\n") + "\n";
    for _ in 0..ROUNDS {
        let analysis = analyse(SourceMap::single("app.dsl", text.as_str()));
        let errors: Vec<&Diagnostic> = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
        if errors.is_empty() {
            return formatted(&text);
        }
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut changed = false;
        for error in errors {
            let (line, _) = analysis.files.file(error.span.file).line_column(error.span.start);
            let Some(line) = lines.get_mut(line - 1).filter(|line| can_leave_out(line)) else { continue };
            let indent = line.len() - line.trim_start().len();
            declared.left_out.push(format!("`{}`: {}", line.trim(), error.message));
            *line = format!("{}# not imported: {} ({})", &line[..indent], line.trim(), error.message);
            changed = true;
        }
        if !changed {
            let first = analysis.diagnostics.iter().find(|it| it.severity == Severity::Error);
            let message = first.map_or("", |error| error.message.as_str());
            return Err(format!("the database cannot be declared: {message}"));
        }
        text = lines.join("\n") + "\n";
    }
    Err("the database cannot be declared: too many parts have errors".to_owned())
}

/// True for a line of an entity that has no block.
fn can_leave_out(line: &str) -> bool {
    let inside = line.starts_with("  ") && !line.starts_with("    ");
    inside && !line.trim_start().starts_with('#') && !line.trim_end().ends_with(':')
}

fn formatted(text: &str) -> Result<String, String> {
    let files = SourceMap::single("app.dsl", text);
    let (file, _) = files.files().next().ok_or("the declaration has no text")?;
    format(&files, file).map_err(|found| found.first().map(|it| it.message.clone()).unwrap_or_default())
}
