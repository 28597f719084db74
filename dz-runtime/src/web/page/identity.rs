//! Pages about the account and about invitations: sign-in, second factor, sessions and tokens.

pub(crate) mod account;
pub(crate) mod device;
pub(crate) mod invitations;
pub(crate) mod preferences;
pub(crate) mod second_factor;
