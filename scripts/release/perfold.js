#!/usr/bin/env node
// Runs the program of this machine's package, @perfold/linux-x64 and the like, as if it had been called itself.
'use strict';
const { spawn } = require('child_process');
const { constants } = require('os');

const machine = `${process.platform}-${process.arch}`;

function fail(message) {
	process.stderr.write(`perfold: ${message}\n`);
	process.exit(1);
}

function findProgram() {
	const { optionalDependencies } = require('../package.json');
	const served = Object.keys(optionalDependencies).map((name) => name.replace('@perfold/', ''));
	if (!served.includes(machine)) {
		fail(`runs on ${served.join(', ')}; this is ${machine}. In a container of Linux it runs anywhere.`);
	}
	try {
		return require.resolve(`@perfold/${machine}/bin/perfold`);
	} catch (error) {
		const { version } = require('../package.json');
		fail(`the package @perfold/${machine} is not installed (npm install --include=optional, ` +
			`or npm install @perfold/${machine}@${version})`);
	}
}

const child = spawn(findProgram(), process.argv.slice(2), { stdio: 'inherit' });
// What a terminal sends reaches the program too, which decides; what others send is passed on.
process.on('SIGINT', () => {});
process.on('SIGQUIT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGCONT']) {
	process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => fail(error.message));
child.on('exit', (status, signal) => {
	if (!signal) {
		process.exit(status);
	}
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
	// A signal that node itself catches, or that is ignored.
	setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
});
