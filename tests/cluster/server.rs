//! A small HTTP/1.1 server on 127.0.0.1: one thread for each connection, any answer for each path.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::tls;

/// The `Date` of every answer that has none of its own.
pub const DATE: &str = "Sat, 21 Nov 2026 10:42:00 GMT";

/// A request, as far as it matters.
#[derive(Clone, Debug)]
pub struct Request {
    /// `GET`, `PATCH`.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Headers in order, their names in small letters.
    pub headers: Vec<(String, String)>,
    /// What was sent.
    pub body: Vec<u8>,
}

impl Request {
    /// All values of a header.
    pub fn header(&self, name: &str) -> Vec<&str> {
        let named = self.headers.iter().filter(|header| header.0 == name);
        named.map(|header| header.1.as_str()).collect()
    }

    /// The path without the query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// 0: none comes.
    pub code: u16,
    pub content_type: Option<String>,
    pub date: Option<String>,
    pub body: Vec<u8>,
    /// What the head promises beyond the body that comes.
    pub withheld: usize,
    /// Whether the connection ends with it.
    pub hangs_up: bool,
    pub retry_after_seconds: Option<u32>,
    /// Whether it has an `Audit-Id`, as all answers of an API server have.
    pub is_signed: bool,
    pub location: Option<String>,
    /// Headers that none of the fields stands for.
    pub more: Vec<(String, String)>,
    /// True if its body comes a byte at a time, five in a second.
    pub trickles: bool,
}

impl Reply {
    pub fn json(body: impl ToString) -> Self {
        Self::new(200, Some("application/json"), &body.to_string())
    }

    pub fn new(code: u16, content_type: Option<&str>, body: &str) -> Self {
        Self {
            code,
            content_type: content_type.map(Into::into),
            date: Some(DATE.into()),
            body: body.as_bytes().to_vec(),
            withheld: 0,
            hangs_up: false,
            retry_after_seconds: None,
            is_signed: false,
            location: None,
            more: Vec::new(),
            trickles: false,
        }
    }

    /// As an API server answers for a path that it does not serve.
    pub fn unserved() -> Self {
        Self::new(404, Some("text/plain; charset=utf-8"), "404 page not found\n").signed()
    }

    /// As an API server signs what it answers.
    pub fn signed(self) -> Self {
        Self { is_signed: true, ..self }
    }

    /// As an API server refuses.
    pub fn forbidden(message: &str) -> Self {
        Self::failure(403, "Forbidden", message)
    }

    /// As an API server fails.
    pub fn failure(code: u16, reason: &str, message: &str) -> Self {
        let status = serde_json::json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": message, "reason": reason, "code": code,
        });
        Self { code, ..Self::json(status) }
    }

    pub fn with_date(self, date: Option<&str>) -> Self {
        Self { date: date.map(Into::into), ..self }
    }

    fn write(&self, stream: &mut Box<dyn Wire>) -> std::io::Result<()> {
        let mut head = format!("HTTP/1.1 {} Code\r\n", self.code);
        for (name, value) in [("Content-Type", &self.content_type), ("Date", &self.date)] {
            if let Some(value) = value {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        if self.is_signed {
            head.push_str("Audit-Id: 3d0c1c5e-6a0e-4a62-9a52-2f5b2f1f3c11\r\n");
        }
        if let Some(location) = &self.location {
            head.push_str(&format!("Location: {location}\r\n"));
        }
        for (name, value) in &self.more {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(seconds) = self.retry_after_seconds {
            head.push_str(&format!("Retry-After: {seconds}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", self.body.len() + self.withheld));
        if self.trickles {
            stream.write_all(head.as_bytes())?;
            for byte in &self.body {
                stream.write_all(&[*byte])?;
                stream.flush()?;
                std::thread::sleep(Duration::from_millis(200));
            }
            return Ok(());
        }
        // In one piece: a second small one would wait for the first to be acknowledged.
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        stream.write_all(&bytes)?;
        stream.flush()
    }
}

type Handler = dyn Fn(&Request) -> Reply + Send + Sync;

/// A running server; it stops when it is dropped.
pub struct Server {
    address: SocketAddr,
    stopping: Arc<AtomicBool>,
    acceptor: Option<JoinHandle<()>>,
    requests: Arc<Mutex<Vec<Request>>>,
    scheme: &'static str,
}

impl Server {
    pub fn start(handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self::listen(handler, "http", |stream| Some(Box::new(stream)))
    }

    /// The same behind TLS, with the certificate of `tls/server.pem`. A client's certificate shows as a header
    /// `x-client-certificate` of the request.
    pub fn start_tls(handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let config = tls::config();
        Self::listen(handler, "https", move |stream| tls::accept(&config, stream))
    }

    fn listen(
        handler: impl Fn(&Request) -> Reply + Send + Sync + 'static,
        scheme: &'static str,
        wrap: impl Fn(TcpStream) -> Option<Box<dyn Wire>> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
        let address = listener.local_addr().expect("an address");
        let (stopping, requests) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let handler: Arc<Handler> = Arc::new(handler);
        let wrap = Arc::new(wrap);
        let (stop, seen) = (Arc::clone(&stopping), Arc::clone(&requests));
        let acceptor = std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let (handler, seen, wrap) = (Arc::clone(&handler), Arc::clone(&seen), Arc::clone(&wrap));
                std::thread::spawn(move || wrap(stream).map(|wire| serve(wire, &*handler, &seen)));
            }
        });
        Self { address, stopping, acceptor: Some(acceptor), requests, scheme }
    }

    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("the requests").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
        if let Some(acceptor) = self.acceptor.take() {
            drop(acceptor.join());
        }
    }
}

/// Answers the requests of one connection until it is closed.
fn serve(wire: Box<dyn Wire>, handler: &Handler, seen: &Mutex<Vec<Request>>) {
    let mut reader = BufReader::new(wire);
    while let Some(mut request) = next(&mut reader) {
        request.headers.extend(reader.get_ref().peer());
        seen.lock().expect("the requests").push(request.clone());
        let reply = handler(&request);
        let wire = reader.get_mut();
        if reply.code == 0 {
            wire.hang_up();
            return;
        }
        if reply.write(wire).is_err() || reply.hangs_up {
            wire.hang_up();
            return;
        }
    }
}

/// What a connection is made of.
pub trait Wire: Read + Write {
    fn hang_up(&mut self);

    /// A header that tells who is at the other end, where that is known.
    fn peer(&self) -> Option<(String, String)> {
        None
    }
}

impl Wire for TcpStream {
    fn hang_up(&mut self) {
        let _ = self.shutdown(Shutdown::Both);
    }
}

fn next(reader: &mut BufReader<Box<dyn Wire>>) -> Option<Request> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut words = lines.first()?.split(' ').map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let headers = lines.iter().skip(1).filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    let mut request = Request { method, target, headers, body: Vec::new() };
    let length = request.header("content-length").first().and_then(|length| length.parse().ok());
    request.body = vec![0; length.unwrap_or_default()];
    reader.read_exact(&mut request.body).ok()?;
    Some(request)
}
