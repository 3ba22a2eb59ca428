/* One file of assets/ as a constant: see the rule in the Makefile. */
	.section .rodata
	/* On s390x, instructions can only name even addresses. */
	.balign 2
	.globl ASSET_NAME
ASSET_NAME:
	.incbin ASSET_FILE
	.byte 0
	.section .note.GNU-stack,"",%progbits
