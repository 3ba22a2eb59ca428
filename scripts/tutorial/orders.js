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

function priceOf(articles) {
  let sum = 0;
  for (let i = 0; i < articles; i++)
    sum += i % 7;
  return sum;
}

// The fastest of ten tries, one after the other.
function millisecondsOf(work) {
  const tries = Array.from({ length: 10 }, () => {
    const began = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - began) / 1e6;
  });
  return Math.min(...tries);
}

// So many articles that the work of a request takes as long on every machine. A catalog is read once in a while,
// which takes a quarter longer than the fastest of tries.
function catalogOf50ms() {
  const text = makeCatalog(20000);
  return makeCatalog(Math.round(20000 * 50 / 1.25 / millisecondsOf(() => readCatalog(text))));
}

function articlesOfQuarterMs() {
  return Math.round(1e6 * 0.25 / millisecondsOf(() => priceOf(1e6)));
}

const catalog = catalogOf50ms();
const articles = articlesOfQuarterMs();
const server = http.createServer((request, response) => {
  const answer = request.url === '/import' ? readCatalog(catalog) : priceOf(articles);
  response.end(String(answer));
});

server.listen(0, '127.0.0.1', () => {
  fs.writeFileSync(process.argv[2], `${server.address().port}\n`);
});
