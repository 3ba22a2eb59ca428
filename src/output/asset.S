/* One file of assets/ as a constant: see the rule in the Makefile. */
	.section .rodata
	.globl ASSET_NAME
ASSET_NAME:
	.incbin ASSET_FILE
	.byte 0
	.section .note.GNU-stack,"",%progbits
