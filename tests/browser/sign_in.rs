//! Sign-in and sign-out, also by keyboard.

use crate::{
    browser::{Browser, ENTER, TAB},
    client::MANAGER,
};

crate::on_both_engines! {
    a_wrong_password_is_reported_and_the_right_one_signs_in;
    sign_in_works_by_keyboard;
}

fn a_wrong_password_is_reported_and_the_right_one_signs_in(base: &str) {
    let browser = Browser::open(base);
    browser.goto("/app/project_list");
    assert_eq!(browser.at(), "/login?next=%2Fapp%2Fproject_list");
    browser.fill("#email", MANAGER.0);
    browser.fill("#password", "not this one");
    browser.click("form[action='/auth/login'] button");
    browser.wait("document.querySelector('#password[aria-invalid=true]')");
    assert_eq!(browser.js("return document.querySelector('#email').value"), MANAGER.0, "the address is kept");
    assert!(browser.text("[role=alert]").contains("wrong"), "{}", browser.text("[role=alert]"));
    browser.fill("#password", MANAGER.1);
    browser.click("form[action='/auth/login'] button");
    browser.arrives("/app/project_list");
    assert_eq!(browser.text("h1"), "Projects");
    assert_eq!(browser.text(".dz-nav [aria-current=page]").lines().last(), Some("Projects"));

    browser.click("[popovertarget=dz-account]");
    browser.wait("document.querySelector('#dz-account').matches(':popover-open')");
    browser.click("#dz-account form button");
    browser.arrives("/login");
    browser.goto("/app/project_list");
    assert!(browser.at().starts_with("/login"), "{}", browser.at());
}

fn sign_in_works_by_keyboard(base: &str) {
    let browser = Browser::open(base);
    browser.goto("/login?next=/app/task_list");
    browser.js("document.activeElement.blur()");
    for _ in 0..6 {
        if browser.focus() == "email" {
            break;
        }
        browser.press(TAB);
    }
    assert_eq!(browser.focus(), "email");
    browser.press(MANAGER.0);
    browser.press(TAB);
    assert_eq!(browser.focus(), "password");
    browser.press(MANAGER.1);
    browser.press(ENTER);
    browser.arrives("/app/task_list");

    browser.press(TAB);
    let first = "return document.activeElement.className + ' ' + document.activeElement.getAttribute('href')";
    assert_eq!(browser.js(first), "dz-skip #main", "the first stop leads past the navigation");
    browser.press(ENTER);
    browser.press(TAB);
    assert_eq!(browser.js("return document.activeElement.closest('main') !== null"), true);
    // The focused element is always visible.
    for _ in 0..12 {
        let ring = browser.js("const it = document.activeElement, style = getComputedStyle(it);
             return it === document.body || style.outlineStyle !== 'none' || style.boxShadow !== 'none' || it.type === 'search'
               || it.tagName + it.className");
        assert_eq!(ring, true, "nothing shows the focus");
        browser.press(TAB);
    }
}
