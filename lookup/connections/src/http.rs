//! HTTP on a connection, within the limits.

use std::error::Error;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulConnection;
use tokio::net::TcpStream;
use tokio_io_timeout::TimeoutStream;

use crate::Limits;
use crate::head::HeadTimer;

/// Smallest buffer that hyper accepts, in bytes.
const MIN_HEAD_BYTES: usize = 8192;

/// Answers the requests of a connection until it ends or exceeds a limit. The service must limit the time for a body.
///
/// # Errors
/// If the connection is interrupted, a limit is exceeded, or the input is not HTTP.
pub fn guarded<S, B>(
    stream: TcpStream,
    limits: &Limits,
    service: S,
) -> impl GracefulConnection<Error = hyper::Error> + use<S, B>
where
    S: Service<Request<Incoming>, Response = Response<B>>,
    S::Error: Into<Box<dyn Error + Send + Sync>>,
    B: Body + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    // Ignore errors: this setting only speeds answers up.
    let _ = stream.set_nodelay(true);
    let timer = HeadTimer::new(limits.head);
    let mut stream = TimeoutStream::new(timer.stream(stream));
    stream.set_write_timeout(Some(limits.write));
    http1::Builder::new()
        .timer(timer)
        .header_read_timeout(limits.idle)
        .max_buf_size(limits.head_bytes.max(MIN_HEAD_BYTES))
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
}
