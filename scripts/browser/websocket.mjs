// A client of WebSocket (RFC 6455), as much as WebDriver BiDi needs: texts, to a server on this
// machine. Node.js 18, which Debian 12 has, has none.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';

const TEXT = 1, CLOSE = 8, PING = 9, PONG = 10, FIN = 0x80, MASKED = 0x80;

export class WebSocketClient {
	#socket;
	#rest = Buffer.alloc(0);
	#parts = []; // of a message in several frames

	// on(text): a message came.
	static connect(url, on) {
		return new Promise((resolve, reject) => {
			const { hostname, port, pathname } = new URL(url);
			const asked = request({ hostname, port, path: pathname, headers: {
				Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13,
				'Sec-WebSocket-Key': randomBytes(16).toString('base64') } });
			asked.on('upgrade', (answer, socket, head) =>
				resolve(new WebSocketClient(socket, head, on)));
			asked.on('response', (answer) => reject(new Error(`${url}: ${answer.statusCode}`)));
			asked.on('error', reject);
			asked.end();
		});
	}

	constructor(socket, head, on) {
		this.#socket = socket;
		socket.on('data', (bytes) => this.#receive(bytes, on)).on('error', () => {});
		this.#receive(head, on);
	}

	#receive(bytes, on) {
		this.#rest = Buffer.concat([this.#rest, bytes]);
		for (let frame; (frame = this.#cutFrame());) {
			const { opcode, isLast, data } = frame;
			if (opcode === PING)
				this.#write(PONG, data);
			if (opcode >= CLOSE)
				continue;
			this.#parts.push(data);
			if (!isLast)
				continue;
			on(Buffer.concat(this.#parts).toString());
			this.#parts = [];
		}
	}

	// A whole frame at the start of what was received; a server's are not masked.
	#cutFrame() {
		const b = this.#rest;
		if (b.length < 2)
			return null;
		let size = b[1] & 0x7f, at = 2;
		if (size >= 126) {
			const width = size === 126 ? 2 : 8;
			if (b.length < 2 + width)
				return null;
			size = width === 2 ? b.readUInt16BE(2) : Number(b.readBigUInt64BE(2));
			at += width;
		}
		if (b.length < at + size)
			return null;
		this.#rest = b.subarray(at + size);
		return { opcode: b[0] & 15, isLast: (b[0] & FIN) !== 0, data: b.subarray(at, at + size) };
	}

	#write(opcode, data) {
		const head = Buffer.alloc(data.length < 126 ? 2 : data.length < 65536 ? 4 : 10);
		const mask = randomBytes(4), masked = Buffer.from(data);
		head[0] = FIN | opcode;
		head[1] = MASKED | (head.length === 2 ? data.length : head.length === 4 ? 126 : 127);
		if (head.length === 4)
			head.writeUInt16BE(data.length, 2);
		else if (head.length === 10)
			head.writeBigUInt64BE(BigInt(data.length), 2);
		for (let i = 0; i < masked.length; i++)
			masked[i] ^= mask[i & 3];
		this.#socket.write(Buffer.concat([head, mask, masked]));
	}

	send(text) { this.#write(TEXT, Buffer.from(text)); }

	close() { this.#socket.destroy(); }
}
