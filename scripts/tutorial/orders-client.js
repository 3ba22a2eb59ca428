'use strict';
// orders-client.js PORT SECONDS: asks for / all the time, four times at once, and for /import every eight seconds,
// from the fifth on; prints how long the answers of / took. It asks for /import at the beginning, too: what only
// that needs is compiled then.
const http = require('http');

const [port, seconds] = process.argv.slice(2).map(Number);
const kept = new http.Agent({ keepAlive: true });
const end = Date.now() + seconds * 1000;
const took = [];
let asking = 4;

function ask(url, agent, done) {
  const began = process.hrtime.bigint();
  http.get({ host: '127.0.0.1', port, path: url, agent }, (response) => {
    response.resume();
    response.on('end', () => done(Number(process.hrtime.bigint() - began) / 1e6));
  }).on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
}

function often() {
  ask('/', kept, (ms) => {
    took.push(ms);
    if (Date.now() < end)
      setTimeout(often, 1);
    else if (!--asking)
      report();
  });
}

function report() {
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(2);
  console.log(`${took.length} answers: half within ${at(0.5)} ms, 99% within ${at(0.99)} ms, ` +
    `slowest ${at(1)} ms`);
  process.exit(0);
}

for (let i = 0; i < asking; i++)
  often();
// A server closes a connection that has been idle for five seconds.
const askForImport = () => ask('/import', false, () => {});
askForImport();
setTimeout(() => {
  askForImport();
  setInterval(askForImport, 8000).unref();
}, 5000);
