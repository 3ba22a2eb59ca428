'use strict';
// node server.js PORT PORTFILE: GET /<unit>?s=N runs one unit of CPU work; /quit ends it.
const http = require('http');
const fs = require('fs');
const { units } = require('./work.js');

const server = http.createServer((req, res) => {
  const u = new URL(req.url, 'http://x');
  const name = u.pathname.slice(1), seed = Number(u.searchParams.get('s') || 0);
  if (name === 'quit') { res.end('bye'); server.close(); server.closeAllConnections(); return; }
  if (name === 'async') return fs.readFile(__filename, (e, d) => setTimeout(() => setImmediate(() => res.end(String(d.length))), 2));
  const f = units[name];
  if (!f) { res.statusCode = 404; return res.end('no'); }
  res.end(String(f(seed)));
});
server.listen(Number(process.argv[2] || 0), '127.0.0.1', () => {
  fs.writeFileSync(process.argv[3] || '/dev/stdout', String(server.address().port) + '\n');
});
