// A headless Firefox to test pictures in: WebDriver BiDi over a WebSocket, no packages. Its pages
// are used like those of chromium.mjs. https://www.w3.org/TR/webdriver-bidi/
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketClient } from './websocket.mjs';

const TIMEOUT_MS = Number(process.env.TIMEOUT_MS ?? 20000);
const START_MS = 60000;
const PREFERENCES = {
	'browser.shell.checkDefaultBrowser': false, 'browser.aboutwelcome.enabled': false,
	'datareporting.policy.dataSubmissionEnabled': false, 'toolkit.telemetry.enabled': false,
	'app.update.enabled': false, 'extensions.update.enabled': false,
	'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false,
	'browser.safebrowsing.update.enabled': false, 'ui.prefersReducedMotion': 1,
};
// The keys of WebDriver that are no characters.
const KEYS = { Enter: '\ue007', Escape: '\ue00c', Backspace: '\ue003', Tab: '\ue004', Home: '\ue011',
	End: '\ue010', ArrowLeft: '\ue012', ArrowUp: '\ue013', ArrowRight: '\ue014', ArrowDown: '\ue015',
	F3: '\ue033' };
const SHIFT = '\ue008', CONTROL = '\ue009';

export class Firefox {
	#process;
	#home = mkdtempSync(join(tmpdir(), 'perfold-firefox-'));
	#waiting = new Map();
	#pages = new Map();
	#next = 1;
	#socket;

	static async start(path) {
		const browser = new Firefox();
		await browser.#start(path);
		return browser;
	}

	async #start(path) {
		writeFileSync(join(this.#home, 'user.js'), Object.entries(PREFERENCES)
			.map(([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`).join(''));
		this.#process = spawn(path, ['--headless', '--no-remote', '--profile', this.#home,
			'--remote-debugging-port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
		this.#socket = await WebSocketClient.connect(await this.#url() + '/session',
			(text) => this.#receive(JSON.parse(text)));
		await this.send('session.new', { capabilities: { alwaysMatch: {
			unhandledPromptBehavior: { default: 'ignore' } } } });
		await this.send('session.subscribe',
			{ events: ['log.entryAdded', 'browsingContext.userPromptOpened'] });
	}

	// Firefox prints where it listens.
	#url() {
		return new Promise((resolve, reject) => {
			let printed = '';
			const late = setTimeout(() => reject(new Error('Firefox did not start: ' + printed)), START_MS);
			this.#process.stderr.setEncoding('utf8').on('data', (text) => {
				printed += text;
				const found = /WebDriver BiDi listening on (ws:\S+)/.exec(printed);
				if (found) {
					clearTimeout(late);
					resolve(found[1]);
				}
			});
		});
	}

	#receive(m) {
		if (m.type === 'event') {
			this.#pages.get(m.params.context ?? m.params.source?.context)?.event(m.method, m.params);
			return;
		}
		const { resolve, reject } = this.#waiting.get(m.id) ?? {};
		this.#waiting.delete(m.id);
		if (m.type === 'success')
			resolve?.(m.result);
		else
			reject?.(new Error(`${m.error}: ${m.message}`));
	}

	send(method, params = {}) {
		const id = this.#next++;
		const answer = new Promise((resolve, reject) => {
			const late = setTimeout(() => reject(new Error(method + ': no answer')), TIMEOUT_MS);
			const done = (then) => (value) => { clearTimeout(late); then(value); };
			this.#waiting.set(id, { resolve: done(resolve), reject: done(reject) });
		});
		this.#socket.send(JSON.stringify({ id, method, params }));
		return answer;
	}

	async page(width = 1200, height = 800) {
		const { context } = await this.send('browsingContext.create', { type: 'tab' });
		const page = new Page((method, params) => this.send(method, { context, ...params }), context);
		this.#pages.set(context, page);
		await page.resize(width, height);
		return page;
	}

	closePage(page) { return page.send('browsingContext.close'); }

	async close() {
		const gone = new Promise((resolve) => this.#process.once('exit', resolve));
		await this.send('browser.close').catch(() => this.#process.kill());
		await gone;
		this.#socket.close();
		rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
	}
}

class Page {
	errors = [];   // what went to the console as an error
	dialogs = [];  // texts of the prompts and alerts that came up
	answers = [];  // for the next prompts; null: cancel

	constructor(send, context) {
		this.send = send;
		this.context = context;
	}

	event(method, params) {
		if (method === 'log.entryAdded' && params.level === 'error')
			this.errors.push(params.text);
		else if (method === 'browsingContext.userPromptOpened')
			this.#answer(params);
	}

	#answer({ message, type }) {
		this.dialogs.push(message);
		const userText = type === 'prompt' ? this.answers.shift() ?? null : '';
		this.send('browsingContext.handleUserPrompt',
			userText === null ? { accept: false } : { accept: true, userText });
	}

	resize(width, height) {
		return this.send('browsingContext.setViewport', { viewport: { width, height } });
	}

	open(url) { return this.send('browsingContext.navigate', { url, wait: 'complete' }); }

	// The value of an expression, or of a function called with arguments, in the page.
	async run(code, ...args) {
		const expression = typeof code === 'function' ?
			`(${code})(...${JSON.stringify(args)})` : `(0, eval)(${JSON.stringify(code)})`;
		const { type, result, exceptionDetails } = await this.send('script.evaluate', {
			expression: `(async () => JSON.stringify(await ${expression}))()`, awaitPromise: true,
			target: { context: this.context } });
		if (type === 'exception')
			throw new Error(exceptionDetails.text);
		return result.value === undefined ? undefined : JSON.parse(result.value);
	}

	#perform(...actions) { return this.send('input.performActions', { actions }); }

	#pointer(pointerType, ...actions) {
		return { type: 'pointer', id: pointerType, parameters: { pointerType }, actions };
	}

	#to({ x, y }) { return { type: 'pointerMove', x: Math.floor(x), y: Math.floor(y), duration: 0 }; }

	moveTo(place) { return this.#perform(this.#pointer('mouse', this.#to(place))); }

	clickAt(place, { shift = false } = {}) {
		const hold = (type) => shift ? { type, value: SHIFT } : { type: 'pause' };
		return this.#perform(
			{ type: 'key', id: 'keyboard', actions: [hold('keyDown'), { type: 'pause' }, { type: 'pause' },
				hold('keyUp')] },
			this.#pointer('mouse', this.#to(place), { type: 'pointerDown', button: 0 },
				{ type: 'pointerUp', button: 0 }));
	}

	drag(from, to) {
		return this.#perform(this.#pointer('mouse', this.#to(from), { type: 'pointerDown', button: 0 },
			this.#to(to), { type: 'pointerUp', button: 0 }));
	}

	tapAt(place) {
		return this.#perform(this.#pointer('touch', this.#to(place), { type: 'pointerDown', button: 0 },
			{ type: 'pointerUp', button: 0 }));
	}

	key(key, code, { ctrl = false, shift = false } = {}) {
		const held = [ctrl && CONTROL, shift && SHIFT].filter(Boolean), value = KEYS[key] ?? key;
		return this.#perform({ type: 'key', id: 'keyboard', actions: [
			...held.map((one) => ({ type: 'keyDown', value: one })),
			{ type: 'keyDown', value }, { type: 'keyUp', value },
			...held.map((one) => ({ type: 'keyUp', value: one }))] });
	}

	// A PDF of paper of A4.
	async print(path) {
		const { data } = await this.send('browsingContext.print', { page: { width: 21, height: 29.7 } });
		writeFileSync(path, Buffer.from(data, 'base64'));
	}

	async screenshot(path) {
		const { data } = await this.send('browsingContext.captureScreenshot');
		writeFileSync(path, Buffer.from(data, 'base64'));
	}
}
