//! The primary button of a page.

use super::{Icon, Link};

/// The primary button.
#[derive(Debug, Clone, PartialEq)]
pub struct PrimaryButton {
    /// The icon.
    pub icon: Icon,
    /// The target and the text.
    pub link: Link,
}
