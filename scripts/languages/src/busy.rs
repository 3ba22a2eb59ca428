// busy SECONDS: spends its time in known shares, and prints these.
use std::collections::BTreeMap;
use std::hint::black_box;

extern "C" {
    fn clock() -> i64;
}

/// Of the CPU.
fn now() -> f64 {
    unsafe { clock() as f64 / 1e6 }
}

#[inline(never)]
fn heavy(n: u64) -> u64 {
    (1..n).fold(0, |s, i| s + i % (7 + s % 3) * i)
}

#[inline(never)]
fn middle(n: u64) -> u64 {
    let mut words = BTreeMap::new();
    for i in 0..n {
        *words.entry(format!("word {}", i % 997)).or_insert(0) += i;
    }
    words.len() as u64
}

#[inline(never)]
fn light(n: u64) -> u64 {
    let mut v: Vec<u64> = (0..n).map(|i| i * 7919 % 10007).collect();
    v.sort();
    v[v.len() / 2]
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let parts: [(&str, fn(u64) -> u64, u64); 3] = [("heavy", heavy, 50_000), ("middle", middle, 2000), ("light", light, 10_000)];
    let mut spent = [0.0; 3];
    let end = now() + seconds;
    while now() < end {
        for (part, spent) in parts.iter().zip(&mut spent) {
            let from = now();
            black_box(part.1(black_box(part.2)));
            *spent += now() - from;
        }
    }
    for (part, s) in parts.iter().zip(spent) {
        println!("{} {}", part.0, 100.0 * s / spent.iter().sum::<f64>());
    }
}
