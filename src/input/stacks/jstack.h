/*
 * jstack.h - thread dumps of Java virtual machines, any number of them in one text
 *
 *	Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode, sharing):
 *
 *	"worker-1" #22 daemon prio=5 os_prio=0 cpu=12.3ms tid=0x7f nid=0x1b03 runnable  [0x7f]
 *	   java.lang.Thread.State: RUNNABLE
 *		at java.io.FileInputStream.readBytes(java.base@17.0.9/Native Method)
 *		- locked <0x0000> (a java.io.X)
 *		at Main.main(Main.java:12)
 *
 * A thread in a dump is a sample; its state is the event, of which RUNNABLE counts if the user
 * names none. A thread that waits in the kernel is RUNNABLE to Java: here those in accept(), read()
 * and epoll_wait() are NETWORK and WAITING, and threads of the virtual machine itself are
 * BACKGROUND, as in stackcollapse-jstack.pl. The number at the end of a pooled thread's name is cut
 * off.
 *
 * Source: jstack(1), SIGQUIT of java(1).
 */
#ifndef PERFOLD_INPUT_JSTACK_H
#define PERFOLD_INPUT_JSTACK_H

#include "input/input.h"

extern const struct input_format stacks_jstack;

#endif
