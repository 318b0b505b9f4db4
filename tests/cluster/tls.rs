//! TLS for the played API server.

use std::net::{Shutdown, TcpStream};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};

use crate::server::Wire;

/// The path of a file of the folder `tls`.
pub fn path(name: &str) -> String {
    format!("{}/tests/cluster/tls/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A server that takes clients with a certificate of its authority, and without any.
pub fn config() -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let certificate = |name: &str| CertificateDer::from_pem_file(path(name)).expect("a certificate");
    let mut roots = RootCertStore::empty();
    roots.add(certificate("ca.pem")).expect("an authority");
    let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
    let clients = clients.allow_unauthenticated().build().expect("a verifier");
    let key = PrivateKeyDer::from_pem_file(path("server.key")).expect("a key");
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("versions").with_client_cert_verifier(clients);
    Arc::new(config.with_single_cert(vec![certificate("server.pem")], key).expect("a server"))
}

/// The connection, once hands are shaken; `None` where the client doesn't want to.
pub fn accept(config: &Arc<ServerConfig>, stream: TcpStream) -> Option<Box<dyn Wire>> {
    let connection = ServerConnection::new(Arc::clone(config)).expect("a connection");
    let mut stream = StreamOwned::new(connection, stream);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock).ok()?;
    }
    Some(Box::new(stream))
}

impl Wire for StreamOwned<ServerConnection, TcpStream> {
    fn hang_up(&mut self) {
        let _ = self.sock.shutdown(Shutdown::Both);
    }

    fn peer(&self) -> Option<(String, String)> {
        let certificates = self.conn.peer_certificates().filter(|all| !all.is_empty())?;
        Some(("x-client-certificate".into(), certificates.len().to_string()))
    }
}
