'use strict';
function cpu() { const u = process.cpuUsage(); return (u.user + u.system) / 1e6; }
const spent = [0, 0, 0];
let sink = 1;
function first(x, n) {
  for (let i = 0; i < n; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0; // planted 0
  return x;
}
function second(x, n) {
  for (let i = 0; i < n; i++) x = (Math.imul(x, 22695477) + 1) | 0; // planted 1
  return x;
}
function third(x, n) {
  for (let i = 0; i < n; i++) x = (Math.imul(x, 48271) + 7) | 0; // planted 2
  return x;
}
const seconds = Number(process.argv[2] || 20);
while (cpu() < seconds) {
  const a = cpu(); sink = first(sink, 10000000);
  const b = cpu(); sink = second(sink, 6000000);
  const c = cpu(); sink = third(sink, 4000000);
  const d = cpu();
  spent[0] += b - a; spent[1] += c - b; spent[2] += d - c;
}
spent.forEach((s, i) => console.log(i, s.toFixed(6)));
console.log('all', cpu().toFixed(6), sink);
