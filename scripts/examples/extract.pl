#!/usr/bin/perl
# extract.pl PROGRAM: the commands that a user may paste, from README.md, the man pages, --help, and the
# notes and advice in src/.
#
# Prints recipes: a line "@@ WHERE", then the commands. A recipe is
#	a literal block of a man page, or an indented one of README.md, that begins with a command; of one
#	with prompts, the lines after "$ "
#	*perfold ...* in a man page, and `perfold ...` in README.md
#	the indented lines of what perfold --help and perfold spans PRESET --help print
#	what perfold --during PRESET prints of a recording without the preset's events
#	"perf record ...", "perfold COMMAND" and the like in a string of the program, to the end of the phrase;
#	of "record with -OPTION" a perf record with it
use strict;
use warnings;

my $program = shift;
my $tools   = qr/perfold|perf|node|npx|sudo|make|scp|cat|cp|ls|gdb|dtrace|jcmd|sysctl|for/;
my $command = qr/(?:\$ )?(?:[A-Z]\w*=|(?:$tools)\b)/;

sub put {
	my ($where, @lines) = @_;
	print "\@\@ $where\n", map { "$_\n" } @lines;
}

# Lines of one block; those with a prompt alone if there are any, and what continues them.
sub put_block {
	my ($where, @lines) = @_;
	return if !@lines || $lines[0] !~ /^\s*$command(?!  )/;
	if ($lines[0] =~ /^\s*\$ /) {
		my $going = 0;
		@lines = grep { my $take = $going || /^\s*\$ /; $going = $take && /\\$/; $take } @lines;
		s/^\s*\$ // for @lines;
	}
	my $text = join "\n", @lines;
	$text =~ s/\\\n\s*//g;
	# Calls of perfold alone are recipes of their own: each has files of its own to read.
	return map { put($where, $_) } split /\n/, $text if $text !~ /^(?!perfold )/m;
	put($where, @lines);
}

sub read_lines {
	my ($file) = @_;
	open my $in, '<', $file or die "$file: $!\n";
	chomp(my @lines = <$in>);
	return @lines;
}

sub man_page {
	my ($file) = @_;
	my (@block, $literal);
	for (read_lines($file)) {
		if (/^\t*```/) {
			put_block($file, @block);
			@block = ();
			$literal = !$literal;
		} elsif ($literal) {
			s/\\\\/\\/g;
			push @block, $_;
		} elsif (/^\t+((?:perf|node|sudo|perfold) \S.*)/) {
			my $line = $1;
			$line =~ s/(?<!\w)_(?=\w)|(?<=\w)_(?!\w)|\*//g;    # markup
			$line =~ s/\\//g;
			put($file, $line);
		} else {
			put($file, $1) while /\*(perfold(?: [a-z]+)? -[^*]*)\*(?! '?_)/g;
		}
	}
}

sub readme {
	my ($file) = @_;
	my @block;
	for (read_lines($file), '') {
		if (/^    (.*)/) {
			push @block, $1;
			next;
		}
		put_block($file, @block);
		@block = ();
		next if /^\|/;    # a table, of calls cut short
		put($file, $1) while /`((?:perfold|make|sudo make) [^`]*)`/g;
	}
}

sub help {
	my (@arguments) = @_;
	my $where = join ' ', 'perfold', @arguments, '--help';
	my @recipe;
	for (`$program @arguments --help`) {
		chomp;
		last if /^(?:Commands|Presets|Input and output):$/;
		my ($text) = /^  (.*)/ or next;
		push @recipe, $text if (@recipe || $text =~ /^$command/);
	}
	put_block($where, @recipe);
}

# It says how to record the events that it lacks.
sub during {
	my ($preset) = @_;
	my $said = `$program testdata/node/server/input.perf.data --during '$preset' -o folded:- 2>&1`;
	put("perfold --during $preset", $1) while $said =~ /record them: (perf record .*? -p PID)/g;
}

# Strings of the program, those that follow each other as one; %s and PRIu64 become "...".
sub strings {
	my ($file) = @_;
	my $text = join "\n", read_lines($file);
	$text =~ s{/\*.*?\*/}{}gs;
	while ($text =~ /((?:"(?:[^"\\\n]|\\.)*"(?:\s|PRI\w+)*)+)/g) {
		my ($found, $string) = ($1, '');
		while ($found =~ /"((?:[^"\\]|\\.)*)"/g) { $string .= $1 }
		$string =~ s/\\n.*//s;
		$string =~ s/%[-.0-9]*[a-z]*/.../g;
		next if $file =~ /span_preset\.c/;    # --help prints them
		while ($string =~ /(?<!perf )\brecord (?:with )?(-(?:[^,;:()"]|:(?=\S))*)/g) {
			my $phrase = "perf record $1";
			$phrase =~ s/ (?:with|for|or|and)\b.*//;
			put($file, $phrase);
		}
		while ($string =~ /\b(perf record (?:[^,;:()]|:(?=\S))*|node --[^,;:()]*|sysctl [^,;:()]*|perfold [a-z]+ --[^,;:()]*)/g) {
			my $phrase = $1;
			$phrase =~ s/ (?:with|for|or|and|says|shows|lists|to|from|on|in|\[)\b.*//;
			put($file, $phrase);
		}
	}
}

readme('README.md');
man_page($_) for glob 'man/*.scd';
help();
help($_) for qw(info top diff spans merge pack resolve filters);
for my $preset (`$program spans --help` =~ /^  ([a-z][\w-]+)  /mg) {
	help('spans', $preset);
	during($preset);
}
chomp(my @sources = grep { !/_test\.c$|_fuzz\.c$/ } `find src -name '*.c' -o -name '*.def'`);
strings($_) for sort @sources;
