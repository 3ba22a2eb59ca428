import { step } from './mix';

interface Sums { heavy: number; light: number }

function heavy(n: number): number {
  let seed = 7;
  for (let i = 0; i < n; i++)
    seed = (seed * 1664525 + 1013904223) | 0;
  for (let i = 0; i < n; i++)
    seed = step(seed);
  return seed;
}

function light(n: number): number {
  let seed = 1;
  for (let i = 0; i < n; i++)
    seed = Math.imul(seed, 48271) ^ i;
  return seed;
}

const sums: Sums = { heavy: 0, light: 0 };
const microseconds = Number(process.argv[2]) * 1e6;
while (process.cpuUsage().user < microseconds) {
  sums.heavy += heavy(200000);
  sums.light += light(200000);
}
console.log(sums.heavy, sums.light);
