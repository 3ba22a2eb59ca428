#!/usr/bin/perl
# line-sums.pl PROGRAM: the lines of a function cost together what it costs itself, in weight and in
# samples, for every function of every recording in testdata/; and all functions what the whole costs.
# Lines that are not known count as one of them. Instructions cost at most the whole.
use strict;
use warnings;
use JSON::PP;

my $program = shift;
my ($number, $failed, $with_lines, $with_code) = (0, 0, 0, 0);

sub report {
	my ($ok, $name, @faults) = @_;
	$number++;
	print "# $_\n" for @faults;
	print $ok ? '' : 'not ', "ok $number - $name\n";
	$failed++ if !$ok;
}

sub sum { my $s = 0; $s += $_ // 0 for @_; return $s }

sub faults_of {
	my ($f) = @_;
	my @lines = map { @{ $_->{lines} } } @{ $f->{files} };
	my @faults;
	for my $what ('self', 'self_samples') {
		my $sum = sum(map { $_->{$what} } @lines);
		push @faults, "$f->{name}: $what is $f->{$what}, that of its lines $sum" if $sum != $f->{$what};
	}
	$with_lines++ if grep { $_->{line} && $_->{self} } @lines;
	return @faults;
}

sub check {
	my ($file) = @_;
	my ($dir) = $file =~ m{(.*)/};
	my @command = ($program, 'annotate', '^', $file, qw(--json --asm -q));
	push @command, '--symfs', "$dir/root" if -d "$dir/root";
	open my $out, '-|', @command or die "$program: $!\n";
	my $text = do { local $/; <$out> };
	close $out or return 0;
	my $a         = JSON::PP->new->allow_bignum->decode($text);
	my @functions = @{ $a->{functions} };
	my @faults    = map { faults_of($_) } @functions;
	my $whole     = sum(map { $_->{self} } @functions);
	my $code      = sum(map { $_->{self} } map { @{ $_->{instructions} } } map { @{ $_->{code} } } @functions);
	push @faults, "functions cost $whole, the whole $a->{total}" if $whole > $a->{total};
	push @faults, "instructions cost $code, the whole $a->{total}" if $code > $a->{total};
	$with_code++ if $code;
	report(!@faults, "line-sums: $file", @faults);
	return 1;
}

$ENV{PERFOLD_NO_SYSTEM} = 1;
open STDERR, '>', '/dev/null';
check($_) for sort glob 'testdata/*/*/input.perf.data testdata/*/*/input.perf.data.zst';
report($with_lines >= 40 && $with_code >= 15,
	"line-sums: $with_lines functions have lines, $with_code recordings instructions");
print "1..$number\n";
exit($failed ? 1 : 0);
