//! User agents as readable text.

/// For example `Firefox on Windows`; an unknown user agent is shortened to its first word.
pub(crate) fn describe_device(agent: &str) -> String {
    let first = |known: &[(&str, &'static str)]| known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    // User agents also contain the names of browsers that they derive from, so the most specific name comes first.
    let browser = first(&[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Vivaldi", "Vivaldi"),
        ("Firefox/", "Firefox"),
        ("FxiOS", "Firefox"),
        ("Chrome/", "Chrome"),
        ("CriOS", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("CrOS", "ChromeOS"),
        ("Windows", "Windows"),
        ("Macintosh", "macOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => say!("dz-browser-on-system", "{browser} on {system}", browser = browser, system = system),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => match agent.split(['/', ' ']).next().unwrap_or_default() {
            "" => say!("dz-an-unnamed-device", "An unnamed device").to_owned(),
            word => word.chars().take(40).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::describe_device;

    #[test]
    fn common_browsers_are_recognised() {
        let chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36";
        assert_eq!(describe_device(chrome), "Chrome on Windows");
        assert_eq!(describe_device(&format!("{chrome} Edg/126.0")), "Edge on Windows");
        assert_eq!(describe_device("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"), "Firefox on Linux");
        assert_eq!(
            describe_device("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1"),
            "Safari on iPhone"
        );
        assert_eq!((describe_device("curl/8.5.0").as_str(), describe_device("").as_str()), ("curl", "An unnamed device"));
    }
}
