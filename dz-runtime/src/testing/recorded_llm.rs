//! Answers of language models that a test records once and plays back afterwards.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::environment;
use crate::{App, Error, LlmFailure, LlmProvider, LlmRequest, LlmResponse, Result, llm};

/// The content of the file.
#[derive(Default, Serialize, Deserialize)]
struct Recording {
    calls: Vec<Call>,
}

/// A request with its answer.
#[derive(Serialize, Deserialize)]
struct Call {
    request: Request,
    answer: Answer,
}

/// What the answer depends on.
#[derive(PartialEq, Serialize, Deserialize)]
struct Request {
    intent: String,
    model: String,
    messages: Vec<Message>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schema: Option<Json>,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Message {
    role: Role,
    text: String,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    User,
    Assistant,
}

#[derive(Serialize, Deserialize)]
struct Answer {
    text: String,
    input_tokens: u64,
    output_tokens: u64,
}

impl Request {
    fn from_request(request: &LlmRequest) -> Request {
        let message =
            |it: &crate::LlmMessage| Message { role: if it.is_answer { Role::Assistant } else { Role::User }, text: it.text.clone() };
        Request {
            intent: request.intent.clone(),
            model: request.model.clone(),
            messages: request.messages.iter().map(message).collect(),
            max_tokens: request.max_tokens,
            schema: request.schema.clone(),
        }
    }
}

/// A provider that answers from a file.
struct RecordedLlm {
    path: PathBuf,
    recording: Mutex<Recording>,
    /// Answers the requests that the file does not have; `None` refuses them.
    source: Option<Arc<dyn LlmProvider>>,
}

impl RecordedLlm {
    /// # Errors
    /// The file cannot be read, or is not a recording.
    fn open(path: &Path, source: Option<Arc<dyn LlmProvider>>) -> Result<RecordedLlm> {
        let recording = match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| wrong_file(path, &error))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Recording::default(),
            Err(error) => return Err(wrong_file(path, &error)),
        };
        Ok(RecordedLlm { path: path.to_owned(), recording: Mutex::new(recording), source })
    }

    /// Adds an answer to the file.
    fn store(&self, recording: &mut Recording, request: Request, answer: &LlmResponse) -> Result<()> {
        let LlmResponse { text, input_tokens, output_tokens } = answer.clone();
        recording.calls.push(Call { request, answer: Answer { text, input_tokens, output_tokens } });
        let text = serde_json::to_string_pretty(recording).map_err(Error::internal)?;
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(|error| wrong_file(&self.path, &error))?;
        }
        fs::write(&self.path, text + "\n").map_err(|error| wrong_file(&self.path, &error))
    }
}

fn wrong_file(path: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::new(500, "CONFIGURATION", format!("the recorded answers {}: {why}", path.display()))
}

fn failure(detail: String) -> LlmFailure {
    LlmFailure { code: "NOT_RECORDED", detail, is_temporary: false, retry_after: None }
}

impl LlmProvider for RecordedLlm {
    fn complete(&self, request: &LlmRequest) -> Result<LlmResponse, LlmFailure> {
        let wanted = Request::from_request(request);
        let mut recording = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Call { answer, .. }) = recording.calls.iter().find(|call| call.request == wanted) {
            return Ok(LlmResponse { text: answer.text.clone(), input_tokens: answer.input_tokens, output_tokens: answer.output_tokens });
        }
        let Some(source) = &self.source else {
            let (intent, path) = (&request.intent, self.path.display());
            return Err(failure(format!("{path} has no answer to this request of `{intent}`; run the test once with DZ_RECORD_LLM=true")));
        };
        let answer = source.complete(request)?;
        self.store(&mut recording, wanted, &answer).map_err(|error| failure(error.detail))?;
        Ok(answer)
    }
}

impl App {
    /// Plays back the answers of language models from a file, so that a test needs no network and no keys.
    ///
    /// With the environment variable `DZ_RECORD_LLM=true`, a request that the file does not have is sent to the provider of
    /// [`llm_provider`](App::llm_provider) or, without one, to those of the declaration, and its answer is added to the file. Without the
    /// variable, such a request fails with the code `NOT_RECORDED`. Requests are equal if their intent, model, messages, schema and limit
    /// of tokens are equal. The file contains the prompts as they are sent, after the treatment of personal data.
    ///
    /// ```ignore
    /// let app = TestApp::new(app().recorded_llm("tests/answers.json"));
    /// ```
    ///
    /// # Panics
    /// The file is not a recording, or the variable is set and a declared provider cannot be used, for example without its key.
    #[must_use]
    #[track_caller]
    pub fn recorded_llm(mut self, path: impl AsRef<Path>) -> App {
        let given = self.llm_provider.take();
        let source = environment::read_process().record_llm.then(|| match given {
            Some(provider) => Ok(provider),
            None => llm::declared(self.def).map(|it| Arc::new(it) as Arc<dyn LlmProvider>),
        });
        let recorded = source.transpose().and_then(|source| RecordedLlm::open(path.as_ref(), source));
        self.llm_provider(recorded.unwrap_or_else(|error| panic!("{}", error.detail)))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU32, Ordering},
        time::Duration,
    };

    use super::*;
    use crate::LlmMessage;

    fn request(text: &str) -> LlmRequest {
        LlmRequest {
            intent: "summary".to_owned(),
            model: "small".to_owned(),
            messages: vec![LlmMessage { is_answer: false, text: text.to_owned() }],
            max_tokens: None,
            schema: None,
            timeout: Duration::from_secs(1),
        }
    }

    #[test]
    fn an_answer_is_recorded_once_and_played_back() {
        let folder = std::env::temp_dir().join(format!("dz-recorded-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let path = folder.join("answers.json");
        let asked = Arc::new(AtomicU32::new(0));
        let count = asked.clone();
        let source = move |request: &LlmRequest| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(LlmResponse { text: format!("about {}", request.messages[0].text), input_tokens: 3, output_tokens: 2 })
        };
        let records = RecordedLlm::open(&path, Some(Arc::new(source))).expect("a new recording");
        let first = records.complete(&request("chains")).expect("an answer");
        assert_eq!(records.complete(&request("chains")).expect("an answer"), first);
        assert_eq!(asked.load(Ordering::Relaxed), 1, "the second answer is that of the file");
        records.complete(&request("wheels")).expect("an answer");

        let plays = RecordedLlm::open(&path, None).expect("a recording");
        assert_eq!(plays.complete(&request("chains")).expect("an answer"), first);
        // The timeout does not change the answer; every other part of the request does.
        let patient = LlmRequest { timeout: Duration::from_secs(9), ..request("wheels") };
        assert_eq!(plays.complete(&patient).expect("an answer").text, "about wheels");
        for other in
            [LlmRequest { max_tokens: Some(5), ..request("wheels") }, LlmRequest { model: "large".to_owned(), ..request("wheels") }]
        {
            let refused = plays.complete(&other).expect_err("not recorded");
            assert_eq!((refused.code, refused.is_temporary), ("NOT_RECORDED", false));
            assert!(refused.detail.contains("DZ_RECORD_LLM"), "{}", refused.detail);
        }
        fs::write(&path, "{").expect("written");
        assert!(RecordedLlm::open(&path, None).is_err());
        let _ = fs::remove_dir_all(&folder);
    }
}
