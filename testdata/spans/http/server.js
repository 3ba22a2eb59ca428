// A server and its client: fast requests, slow ones that compute, and one whose answer comes in two parts.
'use strict';
const http = require('http');

const big = JSON.stringify(Array.from({ length: 60000 }, (_, i) => ({ id: i, name: 'x' + i })));
const server = http.createServer((request, response) => {
	switch (request.url) {
	case '/slow':
		response.end(String(JSON.parse(big).length));
		break;
	case '/parts':
		response.write('a');
		setTimeout(() => response.end('b'), 20);
		break;
	default:
		response.end('fast');
	}
});

function get(port, path) {
	return new Promise((done) => {
		http.get({ port, path, agent: server.agent }, (response) => {
			response.resume();
			response.on('end', done);
		});
	});
}

server.agent = new http.Agent({ keepAlive: true });
server.listen(0, async () => {
	const { port } = server.address();

	for (const path of ['/fast', '/slow', '/fast?again', '/parts', '/slow'])
		await get(port, path);
	process.exit();
});
