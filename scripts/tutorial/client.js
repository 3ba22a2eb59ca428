'use strict';
// client.js PORT SECONDS: asks for / all the time and for /report now and then, one connection each;
// prints how long the answers of / took.
const http = require('http');

const [port, seconds] = process.argv.slice(2).map(Number);
const agent = new http.Agent({ keepAlive: true });
const end = Date.now() + seconds * 1000;
const took = [];

function ask(url, done) {
  const began = process.hrtime.bigint();
  http.get({ host: '127.0.0.1', port, path: url, agent }, (response) => {
    response.resume();
    response.on('end', () => done(Number(process.hrtime.bigint() - began) / 1e6));
  }).on('error', () => process.exit(1));
}

function often() {
  ask('/', (ms) => {
    took.push(ms);
    if (Date.now() < end)
      setTimeout(often, 2);
    else
      report();
  });
}

function seldom() {
  ask('/report', () => {
    if (Date.now() < end)
      setTimeout(seldom, 100).unref();
  });
}

function report() {
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(2);
  console.log(`${took.length} answers: half within ${at(0.5)} ms, 99% within ${at(0.99)} ms, ` +
    `slowest ${at(1)} ms`);
  process.exit(0);
}

often();
seldom();
