//! The context of a trace in the format of the header `traceparent` (W3C Trace Context, version 00).

use std::fmt;

/// The identifier of a span.
pub(crate) type SpanId = [u8; 8];

/// The position in a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Context {
    trace: [u8; 16],
    pub(crate) span: SpanId,
    /// True if the trace is recorded.
    pub(crate) sampled: bool,
}

/// Reads lower-case hexadecimal digits. Zero is not a valid identifier.
fn read_id<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != N * 2 || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut id = [0; N];
    for (at, byte) in id.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()?;
    }
    (id != [0; N]).then_some(id)
}

fn random<const N: usize>() -> Option<[u8; N]> {
    let mut id = [0; N];
    getrandom::fill(&mut id).ok()?;
    Some(id)
}

pub(crate) fn hexadecimal(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Context {
    /// Reads the header; `None` if it is not valid. A later version can have further parts, which are ignored.
    pub(crate) fn parse(header: &str) -> Option<Context> {
        let mut parts = header.trim().split('-');
        let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let has_more = parts.next().is_some();
        let is_hexadecimal = |text: &str| text.len() == 2 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !is_hexadecimal(version) || version == "ff" || !is_hexadecimal(flags) || (version == "00" && has_more) {
            return None;
        }
        let sampled = u8::from_str_radix(flags, 16).ok()? & 1 == 1;
        Some(Context { trace: read_id(trace)?, span: read_id(span)?, sampled })
    }

    /// The first span of a new trace; `None` if the system has no random numbers.
    pub(crate) fn random(sampled: bool) -> Option<Context> {
        Some(Context { trace: random()?, span: random()?, sampled })
    }

    /// Another span of the same trace.
    pub(crate) fn child(self) -> Option<Context> {
        Some(Context { span: random()?, ..self })
    }

    /// The identifier of the trace in hexadecimal.
    pub(crate) fn trace_id(&self) -> String {
        hexadecimal(&self.trace)
    }

    /// The identifier of the span in hexadecimal.
    #[cfg_attr(not(feature = "adapters"), allow(dead_code, reason = "only the exporter writes it"))]
    pub(crate) fn span_id(&self) -> String {
        hexadecimal(&self.span)
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{}-{}-{:02x}", hexadecimal(&self.trace), hexadecimal(&self.span), u8::from(self.sampled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_specification() {
        let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let context = Context::parse(header).unwrap();
        assert_eq!((context.to_string().as_str(), context.sampled), (header, true));
        assert!(
            Context::parse("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-what-the-future-holds").is_some_and(|it| !it.sampled)
        );
        for wrong in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473\u{e4}-00f067aa0ba902b7-01",
        ] {
            assert_eq!(Context::parse(wrong), None, "{wrong}");
        }
    }
}
