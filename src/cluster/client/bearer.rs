//! The token of a file, read anew as client-go does it.
//!
//! Source: `NewCachedFileTokenSource` and `NewBearerAuthWithRefreshRoundTripper` of client-go's `transport`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::HeaderValue;
use kube::config::AuthInfo;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

use super::bounded::read_bounded;
use crate::cluster::error::ClusterError;

/// A token is taken for as long.
const PERIOD: Duration = Duration::from_secs(50);

/// A token is a few kilobytes.
const LONGEST: u64 = 1 << 20;

/// A file with a token, which somebody may write anew at any time.
#[derive(Clone)]
pub(super) struct Bearer {
    path: PathBuf,
    last: Arc<Mutex<(HeaderValue, Instant)>>,
}

impl Bearer {
    /// The file of a user. Where it can be read it wins over the user's token; where it cannot, that one is used.
    ///
    /// # Errors
    /// If there is nothing to show.
    pub fn of(user: &mut AuthInfo) -> Result<Option<Self>, ClusterError> {
        let Some(path) = user.token_file.take().map(PathBuf::from) else { return Ok(None) };
        match read(&path) {
            Ok(token) => {
                user.token = None;
                Ok(Some(Self { path, last: Arc::new(Mutex::new((token, Instant::now()))) }))
            }
            Err(_) if user.token.is_some() => Ok(None),
            Err(problem) => Err(ClusterError::Config(format!("the token file {} {problem}", path.display()))),
        }
    }

    /// What goes into the header. A file that cannot be read any more leaves its last token.
    pub fn header(&self) -> HeaderValue {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.1.elapsed() > PERIOD {
            let token = read(&self.path).unwrap_or_else(|_| last.0.clone());
            *last = (token, Instant::now());
        }
        last.0.clone()
    }
}

/// What is wrong with the file of a token.
#[derive(Debug, Error)]
enum TokenError {
    #[error("cannot be read: {0}")]
    Unreadable(ErrorKind),
    #[error("contains no text")]
    NotText,
    #[error("is empty")]
    Empty,
    #[error("contains a line break or another character that no header can have")]
    NotAHeader,
}

fn read(path: &Path) -> Result<HeaderValue, TokenError> {
    let text = read_bounded(path, LONGEST).map_err(|error| TokenError::Unreadable(error.kind()))?;
    let text = String::from_utf8(text).map_err(|_| TokenError::NotText)?;
    let token = SecretString::from(text.trim());
    if token.expose_secret().is_empty() {
        return Err(TokenError::Empty);
    }
    header(&token).ok_or(TokenError::NotAHeader)
}

/// A token as a header has it; `None` where none can.
pub(super) fn header(token: &SecretString) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.expose_secret())).ok()?;
    value.set_sensitive(true);
    Some(value)
}
