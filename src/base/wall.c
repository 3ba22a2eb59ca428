/*
 * Two mechanisms of the kernel:
 *
 *	seccomp		a program in BPF sees the number of each system call, and the low halves of
 *			its arguments. Those in denied[] fail with EPERM: libraries cope with that,
 *			and nobody loses a result because a C library has a new call.
 *	Landlock	a rule set says below which directories files may be read or written.
 *
 * Kernels before 5.16 would slow down the whole process under a filter, as a defence for programs
 * that run foreign code (SPEC_ALLOW: not here).
 *
 * clone3() has its flags in memory, where BPF cannot see them: it "does not exist" (ENOSYS), and
 * the C library takes clone(), which is allowed for threads only.
 *
 * The limit is RLIMIT_DATA, not RLIMIT_AS: recordings of any size are mapped, and mapped files do
 * not count there.
 */
#include "base/wall.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

/* ---- system calls ------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define NATIVE_ARCH AUDIT_ARCH_RISCV64
#endif

#ifdef NATIVE_ARCH

enum { X32_BIT = 0x40000000, INSTRUCTIONS_MAX = 128 };

static const uint32_t network[] = { __NR_socket, __NR_connect, __NR_bind, __NR_listen, __NR_accept,
	__NR_accept4, __NR_sendto, __NR_sendmsg, __NR_sendmmsg, __NR_socketpair };

static const uint32_t denied[] = {
	__NR_execve,
	__NR_execveat,
#ifdef __NR_fork
	__NR_fork,
	__NR_vfork,
#endif
	/* other processes */
	__NR_ptrace,
	__NR_process_vm_readv,
	__NR_process_vm_writev,
#ifdef __NR_pidfd_getfd
	__NR_pidfd_getfd,
#endif
	__NR_perf_event_open,
	/* the kernel's larger and newer parts */
	__NR_bpf,
	__NR_userfaultfd,
#ifdef __NR_io_uring_setup
	__NR_io_uring_setup,
#endif
	__NR_add_key,
	__NR_keyctl,
	__NR_request_key,
	/* administration */
	__NR_init_module,
	__NR_finit_module,
	__NR_delete_module,
	__NR_kexec_load,
	__NR_mount,
	__NR_umount2,
	__NR_pivot_root,
	__NR_chroot,
	__NR_setns,
	__NR_unshare,
	__NR_swapon,
	__NR_reboot,
	__NR_acct,
	__NR_settimeofday,
	__NR_clock_settime,
	__NR_mknodat,
	__NR_setuid,
	__NR_setgid,
	__NR_setresuid,
	__NR_setresgid,
};

struct bpf_program {
	struct sock_filter item[INSTRUCTIONS_MAX];
	unsigned short n;
};

static void add(struct bpf_program *p, uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false)
{
	if (p->n < INSTRUCTIONS_MAX)
		p->item[p->n++] = (struct sock_filter){ code, if_true, if_false, k };
}

static void load(struct bpf_program *p, size_t offset)
{
	add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void give(struct bpf_program *p, uint32_t result)
{
	add(p, BPF_RET | BPF_K, result, 0, 0);
}

static void fail(struct bpf_program *p, int number)
{
	give(p, SECCOMP_RET_ERRNO | ((uint32_t)number & SECCOMP_RET_DATA));
}

static void deny(struct bpf_program *p, const uint32_t *calls, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		add(p, BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1);
		fail(p, EPERM);
	}
}

/* A call whose argument, masked, must not have that value; the number is loaded again after it. */
static void deny_argument(
	struct bpf_program *p, uint32_t call, unsigned argument, uint32_t mask, uint32_t value)
{
	/* The low half comes first: all these machines are little-endian. */
	size_t at = offsetof(struct seccomp_data, args) + 8 * argument;

	add(p, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5);
	load(p, at);
	add(p, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
	fail(p, EPERM);
	load(p, offsetof(struct seccomp_data, nr));
}

static void deny_calls(bool with_network)
{
	struct bpf_program p = { .n = 0 };
	struct sock_fprog program = { 0, p.item };

	load(&p, offsetof(struct seccomp_data, arch));
	add(&p, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0);
	fail(&p, EPERM);
	load(&p, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	add(&p, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	fail(&p, EPERM);
#endif
	deny(&p, denied, ARRAY_LEN(denied));
	if (with_network)
		deny(&p, network, ARRAY_LEN(network));
	add(&p, BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1);
	fail(&p, ENOSYS);
	deny_argument(&p, __NR_clone, 0, CLONE_THREAD, 0);
	deny_argument(&p, __NR_ioctl, 1, UINT32_MAX, TIOCSTI); /* typing in the user's terminal */
	give(&p, SECCOMP_RET_ALLOW);
	program.len = p.n;
	if (p.n < INSTRUCTIONS_MAX)
		syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
			SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}

#else

static void deny_calls(bool with_network)
{
	(void)with_network;
}

#endif

/* ---- files -------------------------------------------------------------------------------- */

#if defined(__NR_landlock_create_ruleset) && defined(LANDLOCK_CREATE_RULESET_VERSION)

/* Newer headers name more; these are of Landlock's versions 1 to 3. */
enum {
	ACCESS_REFER = 1 << 13,
	ACCESS_TRUNCATE = 1 << 14,
	ACCESS_READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
	ACCESS_OF_FILES =
		LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE,
	ACCESS_WRITE = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
		       LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
		       LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM | ACCESS_REFER |
		       ACCESS_TRUNCATE,
	ACCESS_NEVER = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
		       LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
		       LANDLOCK_ACCESS_FS_MAKE_BLOCK,
};

static uint64_t supported(uint64_t access)
{
	long version =
		syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	if (version < 2)
		access &= ~(uint64_t)ACCESS_REFER;
	if (version < 3)
		access &= ~(uint64_t)ACCESS_TRUNCATE;
	return version < 1 ? 0 : access;
}

static void allow(int rules, const char *const *paths, uint64_t access)
{
	struct stat st;

	for (; *paths; paths++) {
		struct landlock_path_beneath_attr rule = { .allowed_access = access,
			.parent_fd = open(*paths, O_PATH | O_CLOEXEC) };

		if (rule.parent_fd < 0)
			continue;
		if (fstat(rule.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode))
			rule.allowed_access &= ACCESS_OF_FILES;
		syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
		close(rule.parent_fd);
	}
}

static void confine_files(const struct wall *w)
{
	struct landlock_ruleset_attr attr = { .handled_access_fs = supported(
						      ACCESS_READ | ACCESS_WRITE | ACCESS_NEVER) };
	int rules;

	if (!attr.handled_access_fs)
		return;
	rules = (int)syscall(__NR_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (rules < 0)
		return;
	allow(rules, w->readable, ACCESS_READ);
	allow(rules, w->writable, supported(ACCESS_READ | ACCESS_WRITE));
	syscall(__NR_landlock_restrict_self, rules, 0);
	close(rules);
}

#else

static void confine_files(const struct wall *w)
{
	(void)w;
}

#endif

/* Sanitizers look into their own process, by a process of their own, and reserve terabytes. */
static bool has_sanitizers(void)
{
#ifdef PERFOLD_SANITIZED
	return true;
#else
	return false;
#endif
}

void wall_raise(const struct wall *w)
{
	if (has_sanitizers() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return;
	if (w->readable && w->writable)
		confine_files(w);
	deny_calls(!w->network);
}

/* ---- memory ------------------------------------------------------------------------------- */

uint64_t wall_machine_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

	return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
}

void wall_limit_memory(uint64_t bytes)
{
	struct rlimit limit;

	if (has_sanitizers() || getrlimit(RLIMIT_DATA, &limit) || limit.rlim_cur <= bytes)
		return;
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_DATA, &limit);
}
