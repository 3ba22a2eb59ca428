// What the Source view shows of a function, as rows of two lists (report_lines.js): its lines, with
// what each calls below it, and its instructions.
//
// Rows of source: file, note, line, call, more; of code: part, note, code.

const CALLS_SHOWN = 4; // of a line, the heaviest

const placeKey = (path, line) => `${line} ${path}`;
const leftOutText = (n) => `… ${n.toLocaleString('en-US')} line${n > 1 ? 's' : ''}`;
const baseName = (path) => path.split('/').pop();

// In an address: a call that is open, below those around it.
const callKey = (up, call) => (up ? up + '>' : '') + `${call.line} ${call.name}`;

class SourceRows {
	// open: keys of calls whose inlined function is shown in place, and "+" and the place of
	// lines all of whose calls are.
	constructor(sources, open) {
		this.sources = sources;
		this.open = open;
		this.rows = [];
	}

	// begin: { path, line } or null.
	ofFunction(fn, begin) {
		for (const file of fn.files) {
			if (fn.files.length > 1 || file.path)
				this.rows.push({ kind: 'file', text: this.fileText(file), file });
			this.notes(file);
			if (begin?.path === file.path)
				this.noteInlined(file, begin.line);
			this.addLines(fn, file, '', 0);
		}
		if (!fn.files.length)
			this.rows.push({ kind: 'note', text: 'No line of it is known.' });
		return this.rows;
	}

	fileText({ path, found }) {
		return (path || 'No file is known') + (found ? ` from ${found}` : '');
	}

	notes(file) {
		if (file.note)
			this.rows.push({
				kind: 'note',
				text: file.hasText ? `Warning: ${file.note}`
						   : `No text: ${file.note}`
			});
	}

	noteInlined(file, begin) {
		if (file.lines().some((line) => line && line < begin))
			this.rows.push({
				kind: 'note',
				text: `It begins in line ${begin}: ` +
					'lines before that are of functions inlined into it'
			});
	}

	addLines(fn, file, up, depth) {
		let indent = '';
		for (const line of file.lines()) {
			const text = line ? file.text(line) : '(line not known)';
			const leftOut = file.leftOutBefore(line);
			if (leftOut)
				this.rows.push({ kind: 'note', depth, text: leftOutText(leftOut) });
			indent = /^\s*/.exec(text ?? '')[0] || (text ? '' : indent);
			this.rows.push({ kind: 'line', fn, file, line, depth, path: file.path,
				text: text ?? '', cost: file.costs.get(line) });
			this.addCalls({ fn, file, line, up, depth, indent },
				file.calls.get(line) ?? []);
		}
	}

	addCalls(at, calls) {
		const all = '+' + callKey(at.up, { line: at.line, name: '' });
		const most = calls.length > CALLS_SHOWN + 1 && !this.open.has(all) ? CALLS_SHOWN
										     : calls.length;
		for (const call of calls.slice(0, most))
			this.addCall(at, call);
		if (most < calls.length)
			this.rows.push({ kind: 'more', key: all, depth: at.depth,
				text: `${at.indent}  … ${calls.length - most} more` });
	}

	// Nothing is opened within itself.
	addCall({ fn, file, line, up, depth, indent }, call) {
		const key = callKey(up, call), isOpen = this.open.has(key);
		const canOpen = call.inlined && call.number >= 0 && call.number !== fn.number &&
			!up.split('>').some((part) => part.endsWith(` ${call.name}`));
		this.rows.push({ kind: 'call', fn, file, line, depth, path: file.path, call, key,
			indent, text: `${indent}  ${call.name}`, canOpen,
			isOpen: isOpen && canOpen });
		if (!isOpen || !canOpen)
			return;
		const callee = this.sources.at(call.number);
		this.rows.push({ kind: 'note', depth: depth + 1,
			text: `${callee.name}, wherever it is inlined or called` });
		for (const of of callee.files) {
			this.notes(of);
			this.addLines(callee, of, key, depth + 1);
		}
	}
}

function codeRows(fn) {
	const rows = [];
	for (const code of fn.code) {
		const title = [code.name || fn.name, baseName(code.module || fn.module)];
		if (code.start)
			title.push('0x' + code.start.toString(16));
		rows.push({ kind: 'part', text: title.join(' · '), code });
		if (code.note)
			rows.push({ kind: 'note', text: code.note });
		const first = rows.length;
		for (let i = 0; i < code.n; i++)
			rows.push({
				kind: 'code',
				fn,
				code,
				i,
				path: code.path[i],
				line: code.line[i],
				at: code.line[i] ? placeKey(code.path[i], code.line[i]) : '',
				cost: code.costs.get(i),
				call: code.outside.get(i) ?? '',
				target: code.jumps.has(i) ? first + code.jumps.get(i) : -1,
				text: code.text(i)
			});
	}
	return rows;
}

// Of rows: jumps between them.
function rowJumps(rows) {
	const jumps = new Map();
	rows.forEach(({ target }, i) => {
		if (target >= 0)
			jumps.set(i, target);
	});
	return jumpLanes(jumps);
}

// Columns of the widest text; buttons are beside and below it.
const BUTTON_COLUMNS = 70;
const widest = (rows) => rows.reduce((n, row) => Math.max(n, columnsOf(row.text) +
	2 * (row.depth ?? 0) + (row.kind === 'code' && row.call ? BUTTON_COLUMNS : 0)), 0);
