// copy.js: copies a text, and says that it did. Browsers refuse a page their clipboard where it
// came over plain http, in frames, or where the user says so: there the text is shown, selected, in
// a field, and Ctrl-C does it.
//
// copyText(text, host): host is an element in which others may be placed; position: fixed in it
// must be a place of the window.

const OVERLAY = 'position: fixed; left: 50%; bottom: 24px; transform: translateX(-50%); ' +
	'z-index: 100; box-sizing: border-box; max-width: calc(100% - 16px); padding: 7px 12px; ' +
	'border-radius: 6px; background: #24282f; color: #fff; border: 1px solid #6b7380; ' +
	'font: 13px/1.4 system-ui, sans-serif; pointer-events: auto;';
const TOAST_MS = 2500;

// host is an element of XHTML too, so an SVG gets none of its own.
function overlayElement(host, name, properties, ...children) {
	const e = document.createElementNS(host.namespaceURI, name);

	Object.assign(e, properties);
	e.append(...children);
	return e;
}

// There is one message at a time, in one element, so that screen readers hear of all of them.
function showToast(text, host) {
	let toast = host.querySelector('.toast');

	if (!toast) {
		toast = overlayElement(host, 'div', { className: 'toast' });
		toast.setAttribute('role', 'status');
		host.append(toast);
	}
	toast.style.cssText = OVERLAY;
	toast.textContent = text;
	clearTimeout(Number(toast.dataset.timer));
	toast.dataset.timer =
		setTimeout(() => toast.style.setProperty('display', 'none'), TOAST_MS);
}

// A field with the text, until it was copied or the user went elsewhere.
function offerToCopy(text, host) {
	const before = document.activeElement;
	const field = overlayElement(host, 'input', { value: text, readOnly: true });
	const box = overlayElement(host, 'label', { className: 'copy-field' },
		'Ctrl-C copies: ', field);
	let isOpen = true;
	const close = () => {
		if (!isOpen)
			return;
		isOpen = false; // before the removal takes the focus away, and calls this again
		box.remove();
		before?.focus?.({ preventScroll: true });
	};

	host.querySelector('.copy-field')?.remove();
	box.style.cssText = OVERLAY;
	field.style.cssText = 'font: inherit; width: 34em; max-width: 60vw; color: #111; ' +
		'background: #fff; border: 1px solid #6b7380; border-radius: 3px; ' +
		'padding: 1px 4px;';
	field.setAttribute('aria-label', 'The text to copy with Ctrl-C');
	field.addEventListener('keydown', (e) => {
		e.stopPropagation(); // no keys of the page
		if (e.key === 'Escape')
			close();
	});
	field.addEventListener('copy', (e) => {
		e.stopPropagation();
		setTimeout(() => { // after the browser has taken the selection
			close();
			showToast('Copied', host);
		});
	});
	field.addEventListener('blur', close);
	host.append(box);
	field.focus({ preventScroll: true });
	field.select();
}

async function copyText(text, host) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		offerToCopy(text, host);
		return false;
	}
	showToast('Copied: ' + (text.length > 80 ? text.slice(0, 80) + '…' : text), host);
	return true;
}
