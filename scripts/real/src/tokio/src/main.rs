//! A TCP echo server and its clients in one process, for SECONDS; each request is hashed.
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[inline(never)]
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf29ce484222325, |h, b| (h ^ *b as u64).wrapping_mul(0x100000001b3))
}

async fn serve(mut s: TcpStream) -> std::io::Result<()> {
    let mut b = [0u8; 512];
    loop {
        let n = s.read(&mut b).await?;
        if n == 0 {
            return Ok(());
        }
        let h = digest(&b[..n]);
        s.write_all(&h.to_le_bytes()).await?;
    }
}

async fn ask(addr: std::net::SocketAddr, end: Instant) -> std::io::Result<u64> {
    let mut s = TcpStream::connect(addr).await?;
    let mut sum = 0;
    let (q, mut a) = ([7u8; 512], [0u8; 8]);
    while Instant::now() < end {
        s.write_all(&q).await?;
        s.read_exact(&mut a).await?;
        sum ^= u64::from_le_bytes(a);
    }
    Ok(sum)
}

#[tokio::main(worker_threads = 2)]
async fn main() -> std::io::Result<()> {
    let seconds: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(2.0);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let addr = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((s, _)) = listener.accept().await {
            tokio::spawn(serve(s));
        }
    });
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let clients: Vec<_> = (0..4).map(|_| tokio::spawn(ask(addr, end))).collect();
    for c in clients {
        println!("{}", c.await.unwrap()?);
    }
    Ok(())
}
