// A headless Chromium to test pictures in: Chrome DevTools protocol over a pipe, no packages.
// Messages are JSON, each followed by a NUL byte; the browser reads from descriptor 3 and writes
// to 4. https://chromedevtools.github.io/devtools-protocol/
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run',
	'--disable-background-networking', '--disable-component-update', '--disable-sync',
	'--hide-scrollbars', '--remote-debugging-pipe'];
// TIMEOUT_MS: for machines that are busy.
const TIMEOUT_MS = Number(process.env.TIMEOUT_MS ?? 20000);

export class Chromium {
	#process;
	#home = mkdtempSync(join(tmpdir(), 'perfold-browser-'));
	#waiting = new Map();
	#listeners = new Map();
	#next = 1;

	constructor(path, ...flags) {
		this.#process = spawn(path, [...FLAGS, ...flags, '--user-data-dir=' + this.#home],
			{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
		let rest = '';
		this.#process.stdio[4].setEncoding('utf8').on('data', (text) => {
			const messages = (rest + text).split('\0');
			rest = messages.pop();
			messages.forEach((m) => this.#receive(JSON.parse(m)));
		});
		this.#process.stdio[3].on('error', () => {});
	}

	// The port of --remote-debugging-port=0, once the browser has printed it.
	async port() {
		for (let i = 0; i < 100; i++) {
			const file = join(this.#home, 'DevToolsActivePort');
			if (existsSync(file) && readFileSync(file, 'utf8').includes('\n'))
				return readFileSync(file, 'utf8').split('\n')[0];
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		throw new Error('the browser opened no port');
	}

	#receive(m) {
		if (!m.id) {
			this.#listeners.get(m.sessionId)?.(m.method, m.params);
			return;
		}
		const { resolve, reject } = this.#waiting.get(m.id);
		this.#waiting.delete(m.id);
		m.error ? reject(new Error(m.error.message)) : resolve(m.result);
	}

	send(method, params = {}, sessionId = undefined) {
		const id = this.#next++;
		const answer = new Promise((resolve, reject) => {
			const late = setTimeout(() => reject(new Error(method + ': no answer')), TIMEOUT_MS);
			const done = (then) => (value) => { clearTimeout(late); then(value); };
			this.#waiting.set(id, { resolve: done(resolve), reject: done(reject) });
		});
		this.#process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
		return answer;
	}

	async page(width = 1200, height = 800) {
		const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
		const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
		const page = new Page((method, params) => this.send(method, params, sessionId), targetId);
		this.#listeners.set(sessionId, (method, params) => page.event(method, params));
		await page.send('Page.enable');
		await page.send('Runtime.enable');
		await page.send('Log.enable');
		await page.resize(width, height);
		return page;
	}

	closePage(page) { return this.send('Target.closeTarget', { targetId: page.targetId }); }

	async close() {
		const gone = new Promise((resolve) => this.#process.once('exit', resolve));
		await this.send('Browser.close').catch(() => this.#process.kill());
		await gone;
		rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
	}
}

class Page {
	errors = [];   // what went to the console as an error
	dialogs = [];  // texts of the prompts and alerts that came up
	answers = [];  // for the next prompts; null: cancel
	#loaded = () => {};

	constructor(send, targetId) {
		this.send = send;
		this.targetId = targetId;
	}

	event(method, params) {
		if (method === 'Page.loadEventFired')
			this.#loaded();
		else if (method === 'Runtime.exceptionThrown')
			this.errors.push(params.exceptionDetails.exception?.description ??
				params.exceptionDetails.text);
		else if (method === 'Log.entryAdded' && params.entry.level === 'error')
			this.errors.push(params.entry.text);
		else if (method === 'Runtime.consoleAPICalled' && params.type === 'error')
			this.errors.push(params.args.map((a) => a.value).join(' '));
		else if (method === 'Page.javascriptDialogOpening')
			this.#answer(params);
	}

	#answer({ message, type }) {
		this.dialogs.push(message);
		const text = type === 'prompt' ? this.answers.shift() ?? null : '';
		this.send('Page.handleJavaScriptDialog',
			text === null ? { accept: false } : { accept: true, promptText: text });
	}

	resize(width, height) {
		return this.send('Emulation.setDeviceMetricsOverride',
			{ width, height, deviceScaleFactor: 1, mobile: false });
	}

	dark(on) {
		return this.send('Emulation.setEmulatedMedia',
			{ features: [{ name: 'prefers-color-scheme', value: on ? 'dark' : 'light' }] });
	}

	withoutScripts() {
		return this.send('Emulation.setScriptExecutionDisabled', { value: true });
	}

	async open(url) {
		const loaded = new Promise((resolve, reject) => {
			const late = setTimeout(() => reject(new Error(url + ' did not load')), TIMEOUT_MS);
			this.#loaded = () => { clearTimeout(late); resolve(); };
		});
		const { errorText } = await this.send('Page.navigate', { url });
		if (errorText)
			throw new Error(url + ': ' + errorText);
		await loaded;
	}

	// The value of an expression, or of a function called with arguments, in the page.
	async run(code, ...args) {
		const expression = typeof code === 'function' ?
			`(${code})(...${JSON.stringify(args)})` : code;
		const { result, exceptionDetails } = await this.send('Runtime.evaluate',
			{ expression, returnByValue: true, awaitPromise: true });
		if (exceptionDetails)
			throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
		return result.value;
	}

	async #mouse(type, x, y, rest = {}) {
		await this.send('Input.dispatchMouseEvent', { type, x, y, ...rest });
	}

	async moveTo({ x, y }) {
		await this.#mouse('mouseMoved', x, y);
	}

	async clickAt({ x, y }, { shift = false } = {}) {
		const rest = { button: 'left', clickCount: 1, modifiers: shift ? 8 : 0 };

		await this.#mouse('mouseMoved', x, y);
		await this.#mouse('mousePressed', x, y, rest);
		await this.#mouse('mouseReleased', x, y, rest);
	}

	async drag(from, to) {
		const rest = { button: 'left', clickCount: 1 };

		await this.#mouse('mouseMoved', from.x, from.y, rest);
		await this.#mouse('mousePressed', from.x, from.y, rest);
		if (to.x !== from.x || to.y !== from.y)
			await this.#mouse('mouseMoved', to.x, to.y, rest);
		await this.#mouse('mouseReleased', to.x, to.y, rest);
	}

	async tapAt({ x, y }) {
		await this.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
		await this.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
	}

	async key(key, code, { ctrl = false, shift = false } = {}) {
		const event = { key, code: key.length === 1 ? 'Key' + key.toUpperCase() : key,
			windowsVirtualKeyCode: code, modifiers: (ctrl ? 2 : 0) + (shift ? 8 : 0) };
		await this.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...event });
		await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
	}

	// A PDF of paper of A4, or as options of Page.printToPDF say.
	async print(path, options = {}) {
		const { data } = await this.send('Page.printToPDF',
			{ paperWidth: 8.27, paperHeight: 11.69, ...options });
		writeFileSync(path, Buffer.from(data, 'base64'));
	}

	async screenshot(path) {
		const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
		writeFileSync(path, Buffer.from(data, 'base64'));
	}
}
