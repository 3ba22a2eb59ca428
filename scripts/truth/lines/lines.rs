use std::hint::black_box;
#[repr(C)] struct Timespec { sec: i64, nsec: i64 }
extern "C" { fn clock_gettime(clock: i32, t: *mut Timespec) -> i32; }
fn cpu() -> f64 { let mut t = Timespec { sec: 0, nsec: 0 }; unsafe { clock_gettime(2, &mut t); } t.sec as f64 + t.nsec as f64 / 1e9 }
#[inline(never)] fn work(n: u32, spent: &mut [f64; 3]) {
    let mut x: u32 = black_box(1); let mut i: u32; let a = cpu();
    i = 0; while i < 5 * n { x = black_box(x.wrapping_mul(1664525).wrapping_add(1013904223)); i += 1; } // planted 0
    let b = cpu();
    i = 0; while i < 3 * n { x = black_box(x.wrapping_mul(22695477).wrapping_add(1)); i += 1; } // planted 1
    let c = cpu();
    i = 0; while i < 2 * n { x = black_box(x.wrapping_mul(48271).wrapping_add(7)); i += 1; } // planted 2
    let d = cpu(); black_box(x);
    spent[0] += b - a; spent[1] += c - b; spent[2] += d - c;
}
fn main() {
    let s: f64 = std::env::args().nth(1).map_or(20.0, |s| s.parse().unwrap());
    let mut spent = [0.0; 3];
    while cpu() < s { work(2000000, &mut spent); }
    for i in 0..3 { println!("{} {:.6}", i, spent[i]); }
    println!("all {:.6}", cpu());
}
