//! `/-/reports`: reports of browsers about violations of the content security policy.
//!
//! Clients can send any content, so it becomes one short log line without control characters.

use serde_json::Value as Json;

use crate::{
    output::log_event,
    web::{Call, Reply},
};

/// The maximum length of each part in the log.
const MAX_PART_LENGTH: usize = 200;
/// The maximum number of reports of a request.
const MAX_REPORTS: usize = 5;

/// Logs the reports; the response is always the same.
pub(crate) fn log_reports(call: &Call) -> Reply {
    let sent: Json = call.json.as_deref().and_then(|body| serde_json::from_slice(body).ok()).unwrap_or_default();
    for line in format_reports(&sent) {
        log_event!(warn, target: "dz::http", "policy violation request_id={} {line}", call.request_id);
    }
    Reply { status: 204, ..Reply::default() }
}

/// Formats reports of both formats.
fn format_reports(sent: &Json) -> Vec<String> {
    let of = |report: &Json, names: [&str; 3]| {
        let part =
            |name: &str| format!("{:?}", report[name].as_str().unwrap_or_default().chars().take(MAX_PART_LENGTH).collect::<String>());
        format!("directive={} blocked={} page={}", part(names[0]), part(names[1]), part(names[2]))
    };
    match sent {
        Json::Array(reports) => {
            let violations = reports.iter().filter(|report| report["type"] == "csp-violation").take(MAX_REPORTS);
            violations.map(|report| of(&report["body"], ["effectiveDirective", "blockedURL", "documentURL"])).collect()
        }
        sent if sent["csp-report"].is_object() => {
            vec![of(&sent["csp-report"], ["violated-directive", "blocked-uri", "document-uri"])]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_one_harmless_line_each() {
        let old = serde_json::json!({ "csp-report": { "violated-directive": "script-src", "blocked-uri": "https://evil.example/\n500 GET", "document-uri": "x".repeat(9_000) } });
        let [line] = format_reports(&old).try_into().unwrap();
        let line: String = line;
        assert!(line.starts_with("directive=\"script-src\" blocked=\"https://evil.example/\\n500 GET\" page=\"xxx"), "{line}");
        assert!(line.len() < 500 && !line.contains('\n'));
        let new = serde_json::json!([{ "type": "csp-violation", "body": { "effectiveDirective": "img-src", "blockedURL": "inline" } }, { "type": "other" }]);
        assert_eq!(format_reports(&new), ["directive=\"img-src\" blocked=\"inline\" page=\"\""]);
        for nothing in [Json::Null, serde_json::json!([]), serde_json::json!({ "csp-report": 3 }), serde_json::json!("text")] {
            assert!(format_reports(&nothing).is_empty());
        }
        let many = Json::Array(vec![serde_json::json!({ "type": "csp-violation" }); 1_000]);
        assert_eq!(format_reports(&many).len(), MAX_REPORTS);
    }
}
