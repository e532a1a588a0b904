// What the kernel allows: lists a tree with N threads, opens each .html file
// relative to its folder, reads its first 8 KiB and closes it.
//
//	cc -O2 -pthread -o reference reference.c && ./reference THREADS DIR
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static char **stack; // folders that are shared
static size_t used, room, waiting, threads, idle;
static long files, bytes;

static void push(char ***s, size_t *n, size_t *cap, char *path) {
	if (*n == *cap)
		*s = realloc(*s, (*cap = *cap ? 2 * *cap : 64) * sizeof **s);
	(*s)[(*n)++] = path;
}

static char *take(void) {
	pthread_mutex_lock(&lock);
	waiting++;
	while (used == 0 && waiting < threads) {
		__atomic_store_n(&idle, 1, __ATOMIC_RELAXED);
		pthread_cond_wait(&wake, &lock);
	}
	char *path = NULL;
	if (used > 0) {
		path = stack[--used];
		waiting--;
	} else {
		pthread_cond_broadcast(&wake);
	}
	__atomic_store_n(&idle, waiting > used, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
	return path;
}

static void give(char *path) {
	pthread_mutex_lock(&lock);
	push(&stack, &used, &room, path);
	__atomic_store_n(&idle, waiting > used, __ATOMIC_RELAXED);
	pthread_cond_signal(&wake);
	pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
	char **own = NULL, *path, *head = malloc(8192), *buf = malloc(32768);
	size_t n = 0, cap = 0;
	long f = 0, b = 0;
	for (;;) {
		path = n > 0 ? own[--n] : take();
		if (path == NULL)
			break;
		int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		long got;
		while (dir >= 0 && (got = syscall(SYS_getdents64, dir, buf, 32768)) > 0) {
			for (long at = 0; at < got;) {
				struct dirent64_raw *e = (struct dirent64_raw *)(buf + at);
				at += e->reclen;
				size_t len = strlen(e->name);
				if (e->type == DT_DIR && strcmp(e->name, ".") && strcmp(e->name, "..")) {
					char *child = malloc(strlen(path) + len + 2);
					sprintf(child, "%s/%s", path, e->name);
					if (__atomic_load_n(&idle, __ATOMIC_RELAXED))
						give(child);
					else
						push(&own, &n, &cap, child);
				} else if (e->type == DT_REG && len > 5 && !strcmp(e->name + len - 5, ".html")) {
					int fd = openat(dir, e->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
					if (fd < 0)
						continue;
					ssize_t r = read(fd, head, 8192);
					close(fd);
					f++;
					b += r;
				}
			}
		}
		close(dir);
		free(path);
	}
	__atomic_add_fetch(&files, f, __ATOMIC_RELAXED);
	__atomic_add_fetch(&bytes, b, __ATOMIC_RELAXED);
	return NULL;
}

int main(int argc, char **argv) {
	if (argc != 3)
		return fprintf(stderr, "usage: reference THREADS DIR\n"), 2;
	threads = atoi(argv[1]);
	push(&stack, &used, &room, strdup(argv[2]));
	pthread_t all[1024];
	for (size_t i = 0; i < threads; i++)
		pthread_create(&all[i], NULL, work, NULL);
	for (size_t i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	printf("%ld files, %ld bytes\n", files, bytes);
}
