'use strict';
// A server that answers quickly, but for one thing: every request of /report writes its audit file
// synchronously, and while it waits for the disk nobody else is served.
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'blocked-'));
const rows = Buffer.alloc(1 << 20, 'one row of the audit\n');

function writeAudit() {
  const file = fs.openSync(path.join(folder, 'audit.log'), 'w');
  for (let i = 0; i < 4; i++)
    fs.writeSync(file, rows);
  fs.fsyncSync(file);
  fs.closeSync(file);
}

function count(n) {
  let sum = 0;
  for (let i = 0; i < n; i++)
    sum += i % 7;
  return sum;
}

const server = http.createServer((request, response) => {
  if (request.url === '/report')
    writeAudit();
  response.end(String(count(200000)));
});

server.listen(0, '127.0.0.1', () => {
  fs.writeFileSync(process.argv[2], `${server.address().port}\n`);
});
process.on('SIGTERM', () => {
  fs.rmSync(folder, { recursive: true });
  process.exit(0);
});
