#!/usr/bin/perl
# leaks.pl FILE SECRET...: where in a file a secret is. As it is, in UTF-16 of either byte order, in base64 at
# each of its three places, in hexadecimal digits; and any 8 bytes of it, as a word of memory has them. Exit status 1
# if it is there.
use strict;
use warnings;
use MIME::Base64;

my $file = shift;
open(my $f, '<:raw', $file) or die "$file: $!\n";
my $bytes = do { local $/; <$f> };
my $found = 0;

sub look {
	my ($what, $needle) = @_;
	my $at = index($bytes, $needle);
	return if $at < 0;
	print "$file: $what at $at\n";
	$found = 1;
}

for my $secret (@ARGV) {
	my @wide = (join('', map { "$_\0" } split //, $secret), join('', map { "\0$_" } split //, $secret));
	look("secret", $secret);
	look("secret in UTF-16", $_) for @wide;
	look("secret in hexadecimal", unpack('H*', $secret));
	for my $text ($secret, @wide) {
		for my $shift (0 .. 2) {
			# Characters that depend on what is before and after are left out.
			my $code = encode_base64(('x' x $shift) . $text, '');
			$code =~ s/=+$//;
			look("secret in base64", substr($code, $shift ? $shift + 1 : 0, length($code) - $shift - 3));
		}
	}
	look("part of a secret", substr($secret, $_, 8)) for 0 .. length($secret) - 8;
}
exit $found;
