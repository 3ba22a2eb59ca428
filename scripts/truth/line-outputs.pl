#!/usr/bin/perl
# line-outputs.pl PROGRAM: what lines cost, as annotate --json has it, is what every other output says, for
# every recording in testdata/ whose functions have lines: to the unit, function by function and line by line.
#
#	pprof, callgrind	weight and samples of each line
#	HTML			weight and samples of each line of the functions that have source there
#	Firefox			samples of each line
#	speedscope		weight of each function: its frames are functions, at their first lines
#	.cpuprofile		of the busiest thread: ticks are of lines that ran, and as many as hits
#				where annotate knows all lines of all functions of that name, in one file
#
# pprof and callgrind have no word for a line that is not known: that is the function's first line.
use strict;
use warnings;
use Compress::Zlib ();
use File::Temp     ();
use JSON::PP       ();
use MIME::Base64   ();

my $program = shift;
my ($number, $failed) = (0, 0);
my %compared;
my $dir = File::Temp::tempdir(CLEANUP => 1);

sub report {
	my ($ok, $name, @faults) = @_;
	$number++;
	print "# $_\n" for @faults[0 .. ($#faults < 9 ? $#faults : 9)];
	print $ok ? '' : 'not ', "ok $number - $name\n";
	$failed++ if !$ok;
}

sub contents {
	my ($file) = @_;
	open my $in, '<:raw', $file or die "$file: $!\n";
	local $/;
	return scalar <$in>;
}

sub json { return JSON::PP->new->allow_bignum->decode($_[0]) }

# The function of a generated name: "heavy /app/main.ts:5:10" is heavy.
sub function_of { my ($name) = @_; $name =~ s/ \S+:\d+:\d+$//; return $name }

# Costs are { function => { line => [weight, samples] } }.
sub add {
	my ($costs, $function, $line, @cost) = @_;
	$costs->{$function}{$line}[$_] += $cost[$_] for 0 .. $#cost;
}

# ---- readers ---------------------------------------------------------------------------------

sub read_annotations {
	my ($a) = @_;
	my %costs;
	for my $f (@{ $a->{functions} }) {
		for my $l (map { @{ $_->{lines} } } @{ $f->{files} }) {
			add(\%costs, $f->{name}, $l->{line}, $l->{self}, $l->{self_samples}) if $l->{self_samples};
		}
	}
	return \%costs;
}

# The fields of a message: [number, value], a value a number or bytes.
sub fields {
	my ($m) = @_;
	my @fields;
	my $at     = 0;
	my $varint = sub {
		my ($v, $shift) = (0, 0);
		while (1) {
			my $byte = vec($m, $at++, 8);
			$v |= ($byte & 127) << $shift;
			return $v if $byte < 128;
			$shift += 7;
		}
	};
	while ($at < length $m) {
		my $key = $varint->();
		if (($key & 7) == 0) {
			push @fields, [$key >> 3, $varint->()];
		} elsif (($key & 7) == 2) {
			my $n = $varint->();
			push @fields, [$key >> 3, substr $m, $at, $n];
			$at += $n;
		} else {
			die "pprof: a field of type ", $key & 7, "\n";
		}
	}
	return @fields;
}

sub one { my ($n, @fields) = @_; my ($f) = grep { $_->[0] == $n } @fields; return $f ? $f->[1] : 0 }
sub numbers { return map { $_->[1] } fields(join '', map { "\x08$_" } split_varints($_[0])) }
sub split_varints { return $_[0] =~ /([\x80-\xff]*[\x00-\x7f])/gs }

sub read_pprof {
	my ($file, $first) = @_;
	my @profile = fields(Compress::Zlib::memGunzip(contents($file)));
	my @strings = map { $_->[1] } grep { $_->[0] == 6 } @profile;
	my @types   = map { $strings[one(1, fields($_->[1]))] } grep { $_->[0] == 1 } @profile;
	my (%name, %start, %place, %costs);
	for (map { [fields($_->[1])] } grep { $_->[0] == 5 } @profile) {
		$name{ one(1, @$_) }  = $strings[one(2, @$_)];
		$start{ one(1, @$_) } = one(5, @$_);
	}
	for my $location (map { [fields($_->[1])] } grep { $_->[0] == 4 } @profile) {
		my @line = fields(one(4, @$location));
		my $function = one(1, @line);
		$place{ one(1, @$location) } = [$name{$function}, one(2, @line)];
		$first->{ $name{$function} }{ $start{$function} } = 1;
	}
	my ($samples) = grep { $types[$_] eq 'samples' } 0 .. $#types;
	for my $sample (map { [fields($_->[1])] } grep { $_->[0] == 2 } @profile) {
		my ($leaf) = numbers(one(1, @$sample));
		my @value = numbers(one(2, @$sample));
		add(\%costs, @{ $place{$leaf} // ['', 0] }, $value[-1], $value[$samples]);
	}
	return \%costs;
}

sub read_callgrind {
	my ($file) = @_;
	my (%name, %costs, $function, $calls, $positions);
	for (split /\n/, contents($file)) {
		$positions = /instr/ ? 2 : 1 if /^positions:/;
		if (/^fn=\((\d+)\)(?: (.*))?/) {
			$name{$1} = $2 if defined $2;
			$function = $name{$1};
		} elsif (/^cfn=\((\d+)\) (.*)/) {
			$name{$1} = $2;
		} elsif (/^calls=/) {
			$calls = 1;
		} elsif (/^(?:0x)?[0-9a-f]+ /) {
			my @n = split / /;
			my ($weight, $samples) = @n[$positions, -1];
			add(\%costs, $function, $n[$positions - 1], $weight, $samples) if !$calls && $samples;
			$calls = 0;
		}
	}
	return \%costs;
}

sub read_firefox {
	my ($file) = @_;
	my %costs;
	for my $t (@{ json(contents($file))->{threads} }) {
		my ($frames, $stacks) = @{$t}{qw(frameTable stackTable)};
		for my $i (0 .. $t->{samples}{length} - 1) {
			my $frame = $stacks->{frame}[$t->{samples}{stack}[$i] // next];
			my $name  = $t->{stringArray}[$t->{funcTable}{name}[$frames->{func}[$frame]]];
			add(\%costs, $name, $frames->{line}[$frame] // 0, $t->{samples}{weight} ? $t->{samples}{weight}[$i] : 1);
		}
	}
	delete $costs{'(idle)'};
	return \%costs;
}

sub read_speedscope {
	my ($file)  = @_;
	my $s       = json(contents($file));
	my @names   = map { $_->{name} } @{ $s->{shared}{frames} };
	my %costs;
	for my $p (@{ $s->{profiles} }) {
		for my $i (0 .. $#{ $p->{samples} }) {
			my $leaf = $p->{samples}[$i][-1];
			add(\%costs, $names[$leaf], 0, $p->{weights}[$i]) if defined $leaf;
		}
	}
	return \%costs;
}

sub read_html {
	my ($file) = @_;
	my ($text) = contents($file) =~ m{<script type="text/plain" id="source">([^<]*)</script>};
	my %costs;
	return \%costs if !defined $text;
	my $data = json(Compress::Zlib::uncompress(MIME::Base64::decode_base64($text)));
	for my $f (@{ $data->{functions} }) {
		for my $costs (map { $_->{costs} // [] } @{ $f->{files} }) {
			for (my $i = 0; $i < @$costs; $i += 5) {
				add(\%costs, $f->{name}, @{$costs}[$i .. $i + 2]) if $costs->[$i + 2];
			}
		}
	}
	return \%costs;
}

# ---- comparisons -------------------------------------------------------------------------------

sub without_unknown { # at the first line instead
	my ($costs, $first) = @_;
	my %to;
	for my $function (keys %$costs) {
		my @first = sort { $a <=> $b } keys %{ $first->{$function} // {} };
		for my $line (keys %{ $costs->{$function} }) {
			my $first = grep { $_ == $line } 0, @first;
			add(\%to, $function, $first ? 'first' : $line, @{ $costs->{$function}{$line} });
		}
	}
	return \%to;
}

sub of_functions {
	my ($costs) = @_;
	my %to;
	for my $function (keys %$costs) {
		add(\%to, $function, 'all', @$_) for values %{ $costs->{$function} };
	}
	return \%to;
}

sub by_function_alone {
	my ($costs) = @_;
	my %to;
	for my $name (keys %$costs) {
		add(\%to, function_of($name), $_, @{ $costs->{$name}{$_} }) for keys %{ $costs->{$name} };
	}
	return \%to;
}

# Which of the two values of a cost: 0 the weight, 1 the samples.
sub values_of {
	my ($costs, @which) = @_;
	my %values;
	for my $function (keys %$costs) {
		for my $line (keys %{ $costs->{$function} }) {
			my $v = join ' ', map { $costs->{$function}{$line}[$_] // 0 } @which;
			$values{"$function:$line"} = $v if $v =~ /[1-9]/;
		}
	}
	return \%values;
}

sub differences {
	my ($what, $expected, $got) = @_;
	my %all = (%$expected, %$got);
	$compared{$what} += keys %$expected;
	return map { "$what: $_ is " . ($got->{$_} // 'nothing') . ', not ' . ($expected->{$_} // 'nothing') }
		grep { ($expected->{$_} // '') ne ($got->{$_} // '') } sort keys %all;
}

# Ticks are of the file of the function: those of code that was inlined from another one have no place.
sub in_several_files {
	my ($a) = @_;
	my %several;
	for my $f (@{ $a->{functions} }) {
		my @files = grep { grep { $_->{self_samples} } @{ $_->{lines} } } @{ $f->{files} };
		$several{ function_of($f->{name}) } = 1 if @files > 1;
	}
	return \%several;
}

sub faults_of_ticks {
	my ($file, $costs, $several) = @_;
	my @faults;
	for my $node (@{ json(contents($file))->{nodes} }) {
		my ($name, $sum) = ($node->{callFrame}{functionName}, 0);
		my $lines = $costs->{$name};
		for my $tick (@{ $node->{positionTicks} // next }) {
			$sum += $tick->{ticks};
			$compared{cpuprofile}++;
			push @faults, "cpuprofile: $name did not run at line $tick->{line}" if $lines && !$lines->{ $tick->{line} };
		}
		my $hits = $node->{hitCount};
		push @faults, "cpuprofile: $name has $sum ticks of $hits hits"
			if $sum > $hits || $lines && !$lines->{0} && !$several->{$name} && $sum != $hits;
	}
	return @faults;
}

sub check {
	my ($file) = @_;
	my ($at)   = $file =~ m{(.*)/};
	my @where  = ((-d "$at/root" ? ('--symfs', "$at/root") : ()), (-d "$at/project" ? ('--source-maps', "$at/project") : ()));
	open my $out, '-|', $program, 'annotate', '^', $file, '--json', '-q', @where or die "$program: $!\n";
	my $text = do { local $/; <$out> };
	close $out or return;
	my $a      = json($text);
	my $costs  = read_annotations($a);
	return if !grep { $_ } map { keys %$_ } values %$costs;
	my %file = map { $_ => "$dir/x.$_" } qw(pb.gz callgrind firefox.json speedscope.json cpuprofile html);
	my @run = ($program, $file, '-q', @where);
	# .cpuprofile has lines of native code only with --lines, which changes names elsewhere.
	if (system(@run, '--lines', '-o', delete $file{cpuprofile}) || system(@run, map { ('-o', $_) } values %file)) {
		report(0, "line-outputs: $file", 'perfold failed');
		return;
	}
	my %first;
	my $pprof = read_pprof($file{'pb.gz'}, \%first);
	my $known = values_of(without_unknown($costs, \%first), 0, 1);
	my $html  = read_html($file{html});
	my %shown = map { $_ => $costs->{$_} } grep { $costs->{$_} } keys %$html;
	my @faults = (
		differences('pprof', $known, values_of(without_unknown($pprof, \%first), 0, 1)),
		differences('callgrind', $known, values_of(without_unknown(read_callgrind($file{callgrind}), \%first), 0, 1)),
		differences('Firefox', values_of(by_function_alone($costs), 1), values_of(read_firefox($file{'firefox.json'}), 0)),
		differences('speedscope', values_of(of_functions($costs), 0), values_of(of_functions(read_speedscope($file{'speedscope.json'})), 0)),
		differences('HTML', values_of(\%shown, 0, 1), values_of($html, 0, 1)),
		faults_of_ticks("$dir/x.cpuprofile", by_function_alone($costs), in_several_files($a)));
	report(!@faults, "line-outputs: $file", @faults);
}

$ENV{PERFOLD_NO_SYSTEM} = 1;
check($_) for @ARGV ? @ARGV : sort glob 'testdata/*/*/input.perf.data testdata/*/*/input.perf.data.zst';
print "# $_: $compared{$_}\n" for sort keys %compared;
print "1..$number\n";
exit($failed ? 1 : 0);
