	.globl	label
	.text
label:
	xorl	%eax, %eax
	incl	%eax
	ret
	.size	label, . - label
