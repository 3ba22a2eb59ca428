// Rules in the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDED, recording, report, boxes, text, rules, pick, share, test_at } from './html_page.mjs';

test_at('rules change the picture as they are written', async (t, width) => {
	await report(t, 'rules', FOLDED);
	const tried = async (rule) => {
		await rules(t.page, rule);
		return boxes(t.page);
	};
	let f = await tried('drop /^vfs_/');
	assert.ok(!('vfs_read' in f));
	assert.equal(f.ext4_read.level, f.read.level + 1);
	f = await tried('keep /read/');
	assert.deepEqual(Object.keys(f).sort(), ['all', 'ext4_read', 'read', 'sock_read', 'vfs_read']);
	f = await tried('drop-stack /idle/');
	share(f.server, 70 / 95, 'server');
	f = await tried('keep-stack /ext4/');
	share(f.ext4_read, 30 / 55, 'ext4_read');
	f = await tried('root /^parse$/');
	assert.equal(f.parse.level, 1);
	assert.equal(f.idle.level, 2);
	f = await tried('leaf /^read$/');
	share(f.read, .4, 'read');
	assert.ok(!('vfs_read' in f));
	f = await tried('rename s/^(ext4|sock)_(\\w+)$/${2}_\\U$1/');
	assert.ok('read_EXT4' in f && 'read_SOCK' in f);
	f = await tried('group /^(vfs|ext4|sock)_/ "the kernel"');
	share(f['the kernel'], .4, 'the kernel');
	assert.equal(f['the kernel'].level, f.read.level + 1);
	f = await tried('label /^parse$/ parsing');
	share(f.parsing, .3, 'parsing');
	assert.ok(!('Parse_json' in f));
	f = await tried('fold-recursion');
	assert.equal(await t.page.run('app.profile.tree.n - app.model.tree.n'), 1);
	share(f.parse_text, .1, 'parse_text');
	await pick(t.page, 'choose-color', 'by category');
	await tried('category /^ext4/ disk');
	await t.page.run('app.showLegend()');
	assert.match(await text(t.page, 'legend'), /disk 55\.00 %/);
	f = await tried('# a comment\n\nrename s/^ext4_//\ndrop /^vfs/\nroot m{^read$}');
	assert.equal(f.read.level, 1);
	await t.page.screenshot(join(t.folder, `html-rules-${width}.png`));
});

test_at('rules do what those of the command line do', async (t) => {
	const stacks = async () => (await t.page.run(() => {
		const { model } = app, lines = [];
		for (let i = 0; i < model.tree.n; i++)
			if (model.self[i] > 0)
				lines.push(`${model.stackOf(i).join(';') || '[empty]'} ${model.self[i]}`);
		return lines;
	})).sort();
	const input = recording().replaceAll('main', 'std::main<int>');
	await report(t, 'same', input, '--from', 'perf-script', '--weight', 'samples');
	for (const rule of ['drop /read/', 'keep /read/', 'drop-stack /^ext4/', 'keep-stack /^ext4|json/',
		'root /^read$/', 'leaf /^(read|parse)$/', 'rename s/^std::(\\w+)<(.*)>/$2 ${1}\\U!$1/',
		'group /_|^read/ "x y"', 'label module /other/ other', 'fold-recursion /read|parse/',
		'drop module m,/other$,', 'keep frame /main.*main/', 'drop kind /^user$/', 'drop /READ/i',
		'rename s/(?P<first>[a-z])([a-z]+)/\\u${first}$2/g']) {
		t.perfold(input, '--from', 'perf-script', '--weight', 'samples', '-e', rule, '-o', 'same.folded');
		await rules(t.page, rule);
		assert.equal(await text(t.page, 'rules-result').then((r) => /matches \d/.test(r)), true, rule);
		assert.deepEqual(await stacks(),
			readFileSync(join(t.folder, 'same.folded'), 'utf8').trim().split('\n').sort(), rule);
	}
});

test_at('a rule that cannot be read is said to be one, with its line', async (t) => {
	await report(t, 'bad-rules', FOLDED);
	const complaint = async (rule) => {
		await rules(t.page, rule);
		return text(t.page, 'rules-result');
	};
	assert.match(await complaint('drop /a/\ndrop /(/'), /^line 2: /);
	assert.match(await complaint('delete /a/'), /no such action: delete/);
	assert.match(await complaint('drop colour /a/'), /no such field: colour/);
	assert.match(await complaint('group /a/'), /a label is missing/);
	assert.match(await complaint('rename /a/'), /rename needs/);
	assert.match(await complaint('drop'), /an expression like/);
	assert.match(await complaint('include x'), /no other filters/);
	assert.match(await complaint('drop /nowhere/'), /matches nothing/);
	await t.page.run('app.openPanel("rules", true)');
	await rules(t.page, 'drop /^idle$/');
	assert.equal(await t.page.run('app.rules.file()'),
		'# Tried in the report "standard input"\ndrop /^idle$/\n');
});
