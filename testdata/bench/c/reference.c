// What the kernel allows: lists a tree with N threads, opens each folder and
// each .html file relative to the folder that holds it, reads the first 8 KiB
// of the files, or with a third argument all that is in them, and closes them.
//
//	cc -O2 -pthread -o reference reference.c && ./reference THREADS DIR [whole]
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct dirent64_raw {
	unsigned long long ino;
	long long off;
	unsigned short reclen;
	unsigned char type;
	char name[];
};

// A folder stays open until its folders have been opened relative to it.
struct folder {
	struct folder *in;
	int fd, refs;
	char name[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static struct folder **stack; // folders that are shared
static size_t used, room, busy, threads;
static int idle, whole;
static long files, bytes;

static void push(struct folder ***s, size_t *n, size_t *cap, struct folder *f) {
	if (*n == *cap)
		*s = realloc(*s, (*cap = *cap ? 2 * *cap : 64) * sizeof **s);
	(*s)[(*n)++] = f;
}

static struct folder *child(struct folder *in, const char *name) {
	struct folder *f = malloc(sizeof *f + strlen(name) + 1);
	f->in = in;
	f->refs = 1;
	strcpy(f->name, name);
	if (in)
		__atomic_add_fetch(&in->refs, 1, __ATOMIC_RELAXED);
	return f;
}

static void drop(struct folder *f) {
	if (f && __atomic_sub_fetch(&f->refs, 1, __ATOMIC_ACQ_REL) == 0) {
		close(f->fd);
		free(f);
	}
}

static struct folder *take(int again) {
	struct folder *f = NULL;
	pthread_mutex_lock(&lock);
	busy -= again;
	__atomic_store_n(&idle, threads - busy > used, __ATOMIC_RELAXED);
	while (used == 0 && busy > 0)
		pthread_cond_wait(&wake, &lock);
	if (used > 0) {
		f = stack[--used];
		busy++;
	} else {
		pthread_cond_broadcast(&wake);
	}
	__atomic_store_n(&idle, threads - busy > used, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
	return f;
}

static void give(struct folder *f) {
	pthread_mutex_lock(&lock);
	push(&stack, &used, &room, f);
	__atomic_store_n(&idle, threads - busy > used, __ATOMIC_RELAXED);
	pthread_cond_signal(&wake);
	pthread_mutex_unlock(&lock);
}

static void list(struct folder *f, struct folder ***own, size_t *n, size_t *cap, char *buf, char *head, long *count, long *sum) {
	long got;
	while ((got = syscall(SYS_getdents64, f->fd, buf, 32768)) > 0) {
		for (long at = 0; at < got;) {
			struct dirent64_raw *e = (struct dirent64_raw *)(buf + at);
			at += e->reclen;
			size_t len = strlen(e->name);
			if (e->type == DT_DIR && strcmp(e->name, ".") && strcmp(e->name, "..")) {
				if (__atomic_load_n(&idle, __ATOMIC_RELAXED))
					give(child(f, e->name));
				else
					push(own, n, cap, child(f, e->name));
			} else if (e->type == DT_REG && len > 5 && !strcmp(e->name + len - 5, ".html")) {
				int fd = openat(f->fd, e->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
				if (fd < 0)
					continue;
				long n = read(fd, head, whole ? 65536 : 8192);
				for (*sum += n; whole && n > 0; *sum += n)
					n = read(fd, head, 65536);
				close(fd);
				++*count;
			}
		}
	}
}

static void *work(void *unused) {
	struct folder **own = NULL;
	char *head = malloc(65536), *buf = malloc(32768);
	size_t n = 0, cap = 0;
	long count = 0, sum = 0;
	for (struct folder *f = take(0); f; f = n > 0 ? own[--n] : take(1)) {
		f->fd = openat(f->in ? f->in->fd : AT_FDCWD, f->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (f->in ? O_NOFOLLOW : 0));
		drop(f->in);
		if (f->fd >= 0)
			list(f, &own, &n, &cap, buf, head, &count, &sum);
		drop(f);
	}
	__atomic_add_fetch(&files, count, __ATOMIC_RELAXED);
	__atomic_add_fetch(&bytes, sum, __ATOMIC_RELAXED);
	return NULL;
}

int main(int argc, char **argv) {
	if (argc != 3 && argc != 4)
		return fprintf(stderr, "usage: reference THREADS DIR [whole]\n"), 2;
	whole = argc == 4;
	threads = atoi(argv[1]);
	push(&stack, &used, &room, child(NULL, argv[2]));
	pthread_t all[1024];
	for (size_t i = 0; i < threads; i++)
		pthread_create(&all[i], NULL, work, NULL);
	for (size_t i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	printf("%ld files, %ld bytes\n", files, bytes);
}
