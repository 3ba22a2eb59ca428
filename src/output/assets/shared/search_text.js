// search_text.js: what is typed into the search, as an expression. For flame graphs and reports.

// Text in lower case ignores case; with a capital it minds it. choice: '1' minds case whatever the
// text, '0' ignores it. \S, \W and the like are no capitals.
function searchMindsCase(text, choice = '') {
	const written = text.replace(/\\(?:[pP]\{[^}]*\}|.)/gs, '');
	return choice ? choice === '1' : /\p{Lu}/u.test(written);
}

// null where nothing is searched for; throws where the text is no expression.
function searchExpression(text, choice = '') {
	return text ? new RegExp(text, searchMindsCase(text, choice) ? '' : 'i') : null;
}
