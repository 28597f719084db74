//! Language models.

crate::vocabulary! {
    /// The providers of language models, each with its API.
    Provider {
        /// Anthropic.
        Anthropic,
        /// OpenAI.
        Openai,
        /// Google.
        Google,
        /// Microsoft Azure.
        Azure,
        /// Mistral.
        Mistral,
        /// Ollama.
        Ollama,
        /// A server of the application's owner.
        Local,
    }
}

crate::vocabulary! {
    /// The treatment of personal data that is found in a request.
    PiiAction {
        /// The request is sent, and a warning is logged.
        Warn,
        /// The data is replaced.
        Redact,
        /// The request is not sent.
        Reject,
    }
}
