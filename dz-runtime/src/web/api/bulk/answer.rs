//! The results of a bulk request. Most refusals of a request are equal, so the stored form, which repeats the response to a repeated
//! request, contains each of them once.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Error, Result};

/// The results, in the order of the request.
#[derive(Default)]
pub(super) struct Answer {
    results: Vec<RowResult>,
    problems: Vec<String>,
    /// The position of each problem.
    known: HashMap<String, usize>,
}

struct RowResult {
    /// The key, as JSON.
    id: String,
    status: u16,
    problem: Option<usize>,
}

/// The stored form.
#[derive(Serialize, Deserialize)]
struct Stored {
    rows: Vec<(Box<RawValue>, u16, Option<usize>)>,
    problems: Vec<Box<RawValue>>,
}

impl Answer {
    /// Adds the result of a row that was written; `id` is its key as JSON.
    pub fn add(&mut self, id: &str, status: u16) {
        self.results.push(RowResult { id: id.to_owned(), status, problem: None });
    }

    /// Adds the result of a row that was refused, with its problem document.
    pub fn add_problem(&mut self, id: &str, status: u16, document: String) {
        let next = self.problems.len();
        let at = *self.known.entry(document).or_insert_with_key(|document| {
            self.problems.push(document.clone());
            next
        });
        self.results.push(RowResult { id: id.to_owned(), status, problem: Some(at) });
    }

    /// The body of the response.
    pub fn body(&self) -> Vec<u8> {
        let results: Vec<String> = self.results.iter().map(|row| self.result(row)).collect();
        format!("{{\"results\":[{}]}}", results.join(",")).into_bytes()
    }

    fn result(&self, RowResult { id, status, problem }: &RowResult) -> String {
        match problem.and_then(|at| self.problems.get(at)) {
            Some(problem) => format!("{{\"id\":{id},\"status\":{status},\"problem\":{problem}}}"),
            None => format!("{{\"id\":{id},\"status\":{status}}}"),
        }
    }

    /// The form that is stored.
    ///
    /// # Errors
    /// 500 if a key or a problem document is not JSON.
    pub fn to_stored(&self) -> Result<String> {
        let raw = |text: &String| RawValue::from_string(text.clone()).map_err(Error::internal);
        let rows = self.results.iter().map(|row| Ok((raw(&row.id)?, row.status, row.problem))).collect::<Result<_>>()?;
        let problems = self.problems.iter().map(raw).collect::<Result<_>>()?;
        serde_json::to_string(&Stored { rows, problems }).map_err(Error::internal)
    }
}

/// The body of the response of which this was stored.
pub(super) fn read_stored(text: &str) -> Vec<u8> {
    // Earlier versions stored the body.
    let Ok(stored) = serde_json::from_str::<Stored>(text) else { return text.as_bytes().to_vec() };
    let mut answer = Answer { problems: stored.problems.iter().map(|raw| raw.get().to_owned()).collect(), ..Answer::default() };
    let rows = stored.rows.into_iter().map(|(id, status, problem)| RowResult { id: id.get().to_owned(), status, problem });
    answer.results.extend(rows);
    answer.body()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_problems_are_stored_once_and_the_body_is_restored() {
        let mut answer = Answer::default();
        for id in 0..1_000 {
            answer.add_problem(&id.to_string(), 404, "{\"status\":404,\"title\":\"Not Found\",\"detail\":\"no such row\"}".to_owned());
        }
        answer.add("\"a\"", 204);
        answer.add_problem("\"b\"", 403, "{\"status\":403}".to_owned());
        let stored = answer.to_stored().unwrap();
        assert!(stored.len() < 20_000 && answer.body().len() > 80_000, "{}", stored.len());
        assert_eq!(read_stored(&stored), answer.body());
        let end = "{\"id\":\"a\",\"status\":204},{\"id\":\"b\",\"status\":403,\"problem\":{\"status\":403}}]}";
        assert!(String::from_utf8(answer.body()).unwrap().ends_with(end));
        // The body of an earlier version, and an empty one.
        let body = "{\"results\":[{\"id\":1,\"status\":204}]}";
        assert_eq!(read_stored(body), body.as_bytes());
        assert_eq!(read_stored(&Answer::default().to_stored().unwrap()), b"{\"results\":[]}");
    }
}
