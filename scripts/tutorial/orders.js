'use strict';
// orders.js PORTFILE: a server that answers quickly, but for one thing: every request of /import parses a
// catalog, which takes 50 ms, and meanwhile nobody else is served.
const fs = require('fs');
const http = require('http');

function makeCatalog(articles) {
  const catalog = [];
  for (let i = 0; i < articles; i++)
    catalog.push({ id: i, name: `article ${i}`, price: i / 100, tags: ['new', `group ${i % 97}`] });
  return JSON.stringify(catalog);
}

function readCatalog(text) {
  return JSON.parse(text).length;
}

function millisecondsToRead(text) {
  const began = process.hrtime.bigint();
  readCatalog(text);
  return Number(process.hrtime.bigint() - began) / 1e6;
}

// So many articles that reading them takes some 50 ms here: a quarter more than the fastest
// of ten tries, one after the other.
function catalogOf50ms() {
  const text = makeCatalog(20000);
  const tries = Array.from({ length: 10 }, () => millisecondsToRead(text) * 1.25);
  return makeCatalog(Math.round(20000 * 50 / Math.min(...tries)));
}

function priceOf(articles) {
  let sum = 0;
  for (let i = 0; i < articles; i++)
    sum += i % 7;
  return sum;
}

const catalog = catalogOf50ms();
const server = http.createServer((request, response) => {
  const answer = request.url === '/import' ? readCatalog(catalog) : priceOf(200000);
  response.end(String(answer));
});

server.listen(0, '127.0.0.1', () => {
  fs.writeFileSync(process.argv[2], `${server.address().port}\n`);
});
