/*
 * Completion scripts for three shells, made from the same two tables as --help: commands.c and the
 * rows of options.c. Each shell has its own writer, since the three have nothing in common but the
 * data. What completes a value is the row's words, names of formats or palettes, or files where the
 * name of the value says FILE or DIR.
 */
#include "cli/completion.h"

#include "base/mem.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdlib.h>

/* What completes the value of an option. */
enum completion_source {
	COMPLETE_NOTHING,
	COMPLETE_ANY,
	COMPLETE_WORDS,
	COMPLETE_FILES,
	COMPLETE_DIRS,
	COMPLETE_FILTERS /* names as perfold filters lists them at that moment, or files */
};

static void put_names(struct buf *words, const char *option)
{
	size_t i;

	for (i = 0; strcmp(option, "to") == 0 && output_formats[i]; i++)
		buf_printf(words, " %s", output_formats[i]->name);
	for (i = 0; strcmp(option, "colors") == 0 && output_palette((unsigned)i); i++)
		buf_printf(words, " %s", output_palette((unsigned)i));
	if (strcmp(option, "from") != 0)
		return;
	buf_puts(words, " perf.data");
	for (i = 0; input_formats[i]; i++)
		buf_printf(words, " %s", input_formats[i]->name);
}

/* Appends the words, with a blank before each. */
static enum completion_source find_source(const struct option_help *o, struct buf *words)
{
	if (!o->arg)
		return COMPLETE_NOTHING;
	if (o->words)
		buf_printf(words, " %s", o->words);
	else
		put_names(words, o->name);
	if (words->n)
		return COMPLETE_WORDS;
	if (strcmp(o->name, "filter") == 0)
		return COMPLETE_FILTERS;
	if (strstr(o->arg, "FILE"))
		return COMPLETE_FILES;
	return strstr(o->arg, "DIR") ? COMPLETE_DIRS : COMPLETE_ANY;
}

/* What the first argument of perfold spans may be, with blanks between. */
static void put_presets(struct buf *b)
{
	size_t i;

	for (i = 0; span_preset_at(i); i++)
		buf_printf(b, "%s%s", i ? " " : "", span_preset_at(i)->name);
}

/* Only help texts have quotes; names and words are our own and have none. */
static void put_escaped(struct buf *b, const char *text, const char *special, const char *escape)
{
	for (; *text; text++) {
		if (*text == '\'')
			buf_puts(b, escape);
		else if (strchr(special, *text))
			buf_printf(b, "\\%c", *text);
		else
			buf_putc(b, *text);
	}
}

/* Bash. */

static void put_bash_options(struct buf *b, const struct command *c)
{
	struct option_help o;
	size_t at = 0;

	buf_printf(b, "\t%s) options='", c->name ? c->name : "*");
	while (options_next(c->options, &at, &o)) {
		buf_printf(b, "--%s ", o.name);
		if (o.letter)
			buf_printf(b, "-%c ", o.letter);
	}
	b->n--;
	buf_puts(b, "' ;;\n");
}

static void put_bash_value(struct buf *b, const struct option_help *o)
{
	struct buf words = { 0 };
	enum completion_source from = find_source(o, &words);

	if (from != COMPLETE_NOTHING) {
		buf_printf(b, "\t--%s", o->name);
		if (o->letter)
			buf_printf(b, " | -%c", o->letter);
		buf_puts(b, ") ");
	}
	if (from == COMPLETE_WORDS)
		buf_printf(b, "mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$current\")",
			buf_str(&words) + 1);
	else if (from == COMPLETE_DIRS)
		buf_puts(b, "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")");
	else if (from == COMPLETE_FILTERS)
		buf_puts(b,
			"mapfile -t COMPREPLY < <(compgen -f -W \"$(\"${COMP_WORDS[0]}\" filters "
			"2>/dev/null | cut -d ' ' -f 1)\" -- \"$current\")");
	if (from == COMPLETE_ANY)
		buf_puts(b, "compopt +o default; ");
	if (from == COMPLETE_WORDS || from == COMPLETE_DIRS || from == COMPLETE_FILTERS)
		buf_puts(b, "; ");
	if (from != COMPLETE_NOTHING)
		buf_puts(b, "return ;;\n");
	buf_release(&words);
}

static void put_bash(struct buf *b)
{
	const struct command *c;
	struct option_help o;
	size_t i, at = 0;

	buf_puts(b, "# completion of perfold for bash: perfold --completion bash\n"
		    "_perfold() {\n"
		    "\tlocal current=${COMP_WORDS[COMP_CWORD]} options commands=''\n"
		    "\tCOMPREPLY=()\n"
		    "\tcase ${COMP_WORDS[1]} in\n");
	for (i = 1; (c = commands_at(i)) != NULL; i++)
		put_bash_options(b, c);
	put_bash_options(b, commands_at(0));
	buf_puts(b, "\tesac\n"
		    "\tcase ${COMP_WORDS[COMP_CWORD - 1]} in\n");
	while (options_next(FOR_ALL, &at, &o))
		put_bash_value(b, &o);
	buf_puts(b, "\tesac\n"
		    "\t[ \"$COMP_CWORD\" != 1 ] || commands='");
	for (i = 1; (c = commands_at(i)) != NULL; i++)
		buf_printf(b, "%s%s", i > 1 ? " " : "", c->name);
	buf_puts(b, "'\n"
		    "\tcase $COMP_CWORD${COMP_WORDS[1]} in\n"
		    "\t2filters) commands=$(\"${COMP_WORDS[0]}\" filters 2>/dev/null | cut -d ' ' "
		    "-f 1) ;;\n"
		    "\t2spans) commands='");
	put_presets(b);
	buf_puts(b, "' ;;\n"
		    "\tesac\n"
		    "\tcase $current in\n"
		    "\t-*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\") ;;\n"
		    "\t*) mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$current\") ;;\n"
		    "\tesac\n"
		    "}\n"
		    "complete -o bashdefault -o default -F _perfold perfold\n");
}

/* Zsh. */

static void put_zsh_option(struct buf *b, const char *dashes, const char *name, const char *sign,
	const struct option_help *o)
{
	struct buf words = { 0 };
	enum completion_source from = find_source(o, &words);

	buf_printf(b, "\t\t'*%s%s%s[", dashes, name, from == COMPLETE_NOTHING ? "" : sign);
	put_escaped(b, o->help, "[]:\\", "'\\''");
	buf_putc(b, ']');
	if (from != COMPLETE_NOTHING) {
		buf_putc(b, ':');
		put_escaped(b, o->arg, "[]:\\", "'\\''");
		buf_putc(b, ':');
	}
	if (from == COMPLETE_WORDS) {
		buf_putc(b, '(');
		put_escaped(b, buf_str(&words) + 1, ":", "");
		buf_putc(b, ')');
	} else if (from == COMPLETE_FILES) {
		buf_puts(b, "_files");
	} else if (from == COMPLETE_DIRS) {
		buf_puts(b, "_directories");
	} else if (from == COMPLETE_FILTERS) {
		buf_puts(b, "{ compadd -- ${(f)\"$($words[1] filters 2>/dev/null | cut -d \" \" -f "
			    "1)\"}; "
			    "_files }");
	}
	buf_puts(b, "'\n");
	buf_release(&words);
}

static void put_zsh_options(struct buf *b, const struct command *c)
{
	struct option_help o;
	size_t at = 0;

	buf_printf(b, "%s)\n\toptions=(\n", c->name ? c->name : "*");
	while (options_next(c->options, &at, &o)) {
		put_zsh_option(b, "--", o.name, "=", &o);
		if (o.letter)
			put_zsh_option(b, "-", (char[]){ o.letter, '\0' }, "+", &o);
	}
	buf_puts(b, "\t) ;;\n");
}

static void put_zsh(struct buf *b)
{
	const struct command *c;
	size_t i;

	buf_puts(b, "#compdef perfold\n"
		    "# completion of perfold for zsh: perfold --completion zsh\n"
		    "local -a options commands\n"
		    "case $words[2] in\n");
	for (i = 1; (c = commands_at(i)) != NULL; i++)
		put_zsh_options(b, c);
	put_zsh_options(b, commands_at(0));
	buf_puts(b, "esac\n"
		    "commands=(\n");
	for (i = 1; (c = commands_at(i)) != NULL; i++) {
		buf_printf(b, "\t'%s:", c->name);
		put_escaped(b, c->about, ":\\", "'\\''");
		buf_puts(b, "'\n");
	}
	buf_puts(b, ")\n"
		    "if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
		    "\t_describe command commands\n"
		    "\t_files\n"
		    "elif [[ $CURRENT$words[2] == 3filters && $words[3] != -* ]]; then\n"
		    "\tcompadd -- ${(f)\"$($words[1] filters 2>/dev/null | cut -d ' ' -f 1)\"}\n"
		    "elif [[ $CURRENT$words[2] == 3spans && $words[3] != -* ]]; then\n"
		    "\tcompadd -- ");
	put_presets(b);
	buf_puts(b, "\n"
		    "\t_files\n"
		    "else\n"
		    "\t_arguments -s -S $options '*:file:_files'\n"
		    "fi\n");
}

/* Fish. */

static void put_fish_commands(struct buf *b)
{
	const struct command *c;
	size_t i;

	for (i = 1; (c = commands_at(i)) != NULL; i++)
		buf_printf(b, " %s", c->name);
}

static void put_fish_options(struct buf *b, const struct command *c)
{
	struct option_help o;
	size_t at = 0;

	while (options_next(c->options, &at, &o)) {
		struct buf words = { 0 };
		enum completion_source from = find_source(&o, &words);

		buf_puts(b, "complete -c perfold -n '");
		if (c->name) {
			buf_printf(b, "__fish_seen_subcommand_from %s", c->name);
		} else {
			buf_puts(b, "not __fish_seen_subcommand_from");
			put_fish_commands(b);
		}
		buf_printf(b, "' -l %s", o.name);
		if (o.letter)
			buf_printf(b, " -s %c", o.letter);
		if (from != COMPLETE_NOTHING)
			buf_puts(b, from == COMPLETE_FILES || from == COMPLETE_FILTERS ? " -rF"
										       : " -x");
		if (from == COMPLETE_WORDS)
			buf_printf(b, " -a '%s'", buf_str(&words) + 1);
		else if (from == COMPLETE_DIRS)
			buf_puts(b, " -a '(__fish_complete_directories)'");
		else if (from == COMPLETE_FILTERS)
			buf_puts(b, " -a '(perfold filters 2>/dev/null | string replace -r \" .*\" "
				    "\"\")'");
		buf_puts(b, " -d '");
		put_escaped(b, o.help, "\\", "\\'");
		buf_puts(b, "'\n");
		buf_release(&words);
	}
}

static void put_fish(struct buf *b)
{
	const struct command *c;
	size_t i;

	buf_puts(b, "# completion of perfold for fish: perfold --completion fish\n");
	for (i = 1; (c = commands_at(i)) != NULL; i++) {
		buf_printf(b, "complete -c perfold -n __fish_use_subcommand -a %s -d '", c->name);
		put_escaped(b, c->about, "\\", "\\'");
		buf_puts(b, "'\n");
	}
	buf_puts(b, "complete -c perfold -n '__fish_seen_subcommand_from filters' -a '(perfold "
		    "filters 2>/dev/null | string replace -r \" .*\" \"\")'\n"
		    "complete -c perfold -n '__fish_seen_subcommand_from spans' -a '");
	put_presets(b);
	buf_puts(b, "'\n");
	for (i = 0; (c = commands_at(i)) != NULL; i++)
		put_fish_options(b, c);
}

int completion_put(struct buf *b, const char *shell, struct err *e)
{
	if (strcmp(shell, "bash") == 0)
		put_bash(b);
	else if (strcmp(shell, "zsh") == 0)
		put_zsh(b);
	else if (strcmp(shell, "fish") == 0)
		put_fish(b);
	else
		return err_set(e, ERR_USAGE,
			"--completion: \"%.100s\" is not one of bash, zsh, fish", shell);
	return OK;
}
