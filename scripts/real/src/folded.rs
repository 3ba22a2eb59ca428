//! folded.rs: a TCP server and its clients in one process, for SECONDS. Functions of equal code are one
//! in the program, with two names for one address: by the compiler, and more with the linker's --icf.
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

#[inline(never)]
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf29ce484222325, |h, b| (h ^ *b as u64).wrapping_mul(0x100000001b3))
}

trait Scale {
    fn scale(v: &mut [Self]) -> usize
    where
        Self: Sized;
}
macro_rules! scale {
    ($t:ident, $f:ident) => {
        #[inline(never)]
        pub fn $f(v: &mut [$t]) -> usize {
            for round in 0..40 {
                for x in v.iter_mut() {
                    *x = x.wrapping_mul(31).wrapping_add(round) ^ 5;
                }
            }
            v.len()
        }
        impl Scale for $t {
            fn scale(v: &mut [$t]) -> usize {
                $f(v)
            }
        }
    };
}
scale!(u32, scale_unsigned);
scale!(i32, scale_signed);

#[inline(never)]
fn exchange<S: Read + Write>(mut s: S, out: &[u8], back: &mut [u8]) -> bool {
    s.write_all(out).is_ok() && s.read_exact(back).is_ok()
}

fn serve(mut s: TcpStream) {
    let mut b = [0u8; 512];
    let mut v = [3u32; 512];
    while let Ok(()) = s.read_exact(&mut b) {
        let h = digest(&b) ^ u32::scale(&mut v) as u64;
        if s.write_all(&h.to_le_bytes()).is_err() {
            return;
        }
    }
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1.5);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for s in listener.incoming().flatten() {
            std::thread::spawn(move || serve(s));
        }
    });
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let clients: Vec<_> = (0..2)
        .map(|_| {
            std::thread::spawn(move || {
                let s = TcpStream::connect(addr).unwrap();
                let (mut a, mut v, mut sum) = ([0u8; 8], [5i32; 512], 0);
                while Instant::now() < end && exchange(&s, &[7; 512], &mut a) {
                    sum ^= u64::from_le_bytes(a) ^ i32::scale(&mut v) as u64;
                }
                sum
            })
        })
        .collect();
    for c in clients {
        println!("{}", c.join().unwrap());
    }
    if seconds < 0.0 {
        // Never so: what makes the compiler generate the same code for another type.
        let (a, _) = UnixStream::pair().unwrap();
        println!("{}", exchange(&a, &[7; 512], &mut [0; 8]));
    }
}
