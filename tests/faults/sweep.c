/*
 * Makes each thing fail that can: fault_sweep memory|calls [MOST [JOB]]
 *
 * Every job runs in a process of its own, once as usual and then again and again while one
 * allocation, or one call of the system, fails: once, and from there on for ever. MOST limits the
 * numbers tried of a job, spread evenly; 0 tries them all. Each time: the right exit status and one
 * error, nothing leaked, no file left half-written, the old ones whole. With success the output is
 * the usual one to the byte.
 */
#include "support.h"

#include "base/mem.h"
#include "faults/jobs.h"
#include "faults/wrapped.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/mman.h>
#if defined(W2V_HAVE_ICU)
#include <unicode/uclean.h>
#endif

int program_main(int argc, char *argv[]);

#define OLD "what stood here before\n"
#define SECONDS 20   /* for a job of milliseconds: beyond it hangs */
#define SANITIZED 99 /* the exit status that a sanitizer is told to use */

/* What a child tells about itself. */
typedef struct told {
    uint64_t allocations, calls;
    int64_t blocks, mapped; /* more than before */
    int descriptors;
    bool struck;
} told;

/* A run and what it left. */
typedef struct outcome {
    int status; /* exit status, or 128 + signal */
    told told;
    char *answer, *talk;
    size_t answer_size;
    char *output[JOB_OUTPUTS];
    size_t output_size[JOB_OUTPUTS];
    int files;
} outcome;

typedef struct fault {
    bool memory;
    wrapped_plan plan; /* at and forever also of memory */
} fault;

static told *shared;
static uint64_t trials, wrong;

/* ------------------------------------------------------------------- child */

static int open_descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 64; fd++) {
        n += fcntl(fd, F_GETFD) >= 0;
    }
    return n;
}

#if defined(W2V_HAVE_ICU)
/* ICU keeps what it has loaded; so that this is no leak here, it is given back at the end. */
static void *U_CALLCONV icu_alloc(const void *context, size_t n)
{
    (void)context;
    return mem_alloc(n);
}

static void *U_CALLCONV icu_realloc(const void *context, void *p, size_t n)
{
    (void)context;
    return mem_realloc(p, n, 1);
}

static void U_CALLCONV icu_free(const void *context, void *p)
{
    (void)context;
    mem_free(p);
}

static void take_icu(void)
{
    UErrorCode code = U_ZERO_ERROR;
    u_setMemoryFunctions(NULL, icu_alloc, icu_realloc, icu_free, &code);
}

static void leave_icu(void)
{
    u_cleanup();
}
#else
static void take_icu(void)
{
}

static void leave_icu(void)
{
}
#endif

static void redirect(int fd, const char *path, int flags)
{
    const int file = open(path, flags, 0666);
    if (file < 0 || dup2(file, fd) < 0) {
        _exit(125);
    }
    close(file);
}

static void run_child(const char *const *words, const char *threads, const fault *f)
{
    char *argv[JOB_WORDS + 4] = {(char *)(uintptr_t) "w2v"};
    int argc = 1;
    for (; words[argc - 1]; argc++) {
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    }
    if (threads) {
        argv[argc++] = (char *)(uintptr_t) "--threads";
        argv[argc++] = (char *)(uintptr_t)threads;
    }
    redirect(0, "/dev/null", O_RDONLY);
    redirect(1, "../stdout", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, "../stderr", O_WRONLY | O_CREAT | O_TRUNC);
    alarm(SECONDS);
    take_icu();
    const int64_t blocks = wrapped_blocks(), mapped = wrapped_mapped();
    const int descriptors = open_descriptors();
    mem_fail_at(f->memory ? f->plan.at : 0, f->plan.forever);
    wrapped_begin(f->memory ? (wrapped_plan){0} : f->plan);
    const int status = program_main(argc, argv);
    shared->allocations = mem_tries();
    shared->calls = wrapped_end();
    mem_fail_at(0, false);
    leave_icu();
    shared->blocks = wrapped_blocks() - blocks;
    shared->mapped = wrapped_mapped() - mapped;
    shared->descriptors = open_descriptors() - descriptors;
    shared->struck = wrapped_struck();
    exit(status);
}

/* ------------------------------------------------------------------ parent */

static void take_outputs(const job *j, outcome *o)
{
    o->answer = support_read("../stdout", &o->answer_size);
    o->talk = support_read("../stderr", NULL);
    for (int i = 0; i < JOB_OUTPUTS && j->outputs[i]; i++) {
        o->output[i] =
            support_exists(j->outputs[i]) ? support_read(j->outputs[i], &o->output_size[i]) : NULL;
    }
    o->files = support_count(".") + support_count("folder");
}

static void free_outcome(outcome *o)
{
    free(o->answer);
    free(o->talk);
    for (int i = 0; i < JOB_OUTPUTS; i++) {
        free(o->output[i]);
    }
}

static outcome run(const job *j, const fault *f)
{
    for (int i = 0; i < JOB_OUTPUTS && j->outputs[i]; i++) {
        support_write_text(j->outputs[i], OLD);
    }
    *shared = (told){0};
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const bool takes_threads = strcmp(j->words[0], "help") != 0;
        const char *threads = j->threads ? j->threads : "1";
        run_child(j->words, takes_threads ? threads : NULL, f);
    }
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    outcome o = {.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
    o.told = *shared;
    take_outputs(j, &o);
    return o;
}

/* ------------------------------------------------------------------ checks */

static bool is_record(const char *name)
{
    return strstr(name, ".json") != NULL;
}

/* Is output i the usual one? Records hold times, and two threads never train alike. */
static bool complete(const job *j, const outcome *o, const outcome *usual, int i)
{
    const size_t n = o->output_size[i];
    if (!o->output[i]) {
        return false;
    }
    if (is_record(j->outputs[i])) {
        json_t *record = json_loadb(o->output[i], n, 0, NULL);
        json_decref(record);
        return record != NULL;
    }
    if (n != usual->output_size[i]) {
        return false;
    }
    const bool any = j->threads && strcmp(j->words[0], "train") == 0;
    return any || memcmp(o->output[i], usual->output[i], n) == 0;
}

static bool untouched(const outcome *o, int i)
{
    return o->output[i] && strcmp(o->output[i], OLD) == 0;
}

/* --progress json tells an error as an event. */
static int count_errors(const char *talk)
{
    int n = 0;
    for (const char *p = talk; (p = strstr(p, "w2v: error: ")) != NULL; p++) {
        n++;
    }
    for (const char *p = talk; (p = strstr(p, "\"event\":\"error\"")) != NULL; p++) {
        n++;
    }
    return n;
}

static const char *check_success(const job *j, const fault *f, const outcome *o,
                                 const outcome *usual)
{
    /* A file that changed before it was opened again is another file. */
    const bool changed = o->told.struck && f->plan.fault != WRAPPED_VANISH;
    for (int i = 0; i < JOB_OUTPUTS && j->outputs[i] && !changed; i++) {
        if (!complete(j, o, usual, i)) {
            return "success with an output that is not complete";
        }
    }
    if (!changed && (o->answer_size != usual->answer_size ||
                     memcmp(o->answer, usual->answer, o->answer_size) != 0)) {
        return "success with another answer";
    }
    return count_errors(o->talk) > count_errors(usual->talk) ? "success with an error" : NULL;
}

static const char *check_failure(const job *j, const fault *f, const outcome *o,
                                 const outcome *usual)
{
    const bool changed = o->told.struck && o->status == 4; /* into a file with other words */
    if (o->status != 1 && (f->memory || o->status != 3) && !changed) {
        return "wrong exit status";
    }
    const int errors = count_errors(o->talk); /* of unknown words, before the one that ends all */
    if (errors == 0 || (errors > 1 + count_errors(usual->talk) && !changed)) {
        return "not one error";
    }
    if (f->memory && !strstr(o->talk, "memory")) {
        return "an error that does not name memory";
    }
    for (int i = 0; i < JOB_OUTPUTS && j->outputs[i]; i++) {
        if (!untouched(o, i) && !complete(j, o, usual, i) && !changed) {
            return "an output is neither the old one nor complete";
        }
    }
    if (!changed && (o->answer_size > usual->answer_size ||
                     memcmp(o->answer, usual->answer, o->answer_size) != 0)) {
        return "half an answer that is not the beginning of the usual one";
    }
    return NULL;
}

static const char *check(const job *j, const fault *f, const outcome *o, const outcome *usual)
{
    const int lost = f->plan.fault == WRAPPED_VANISH && o->told.struck;
    if (o->status >= 128 || o->status == SANITIZED) {
        return "crashed, hung or leaked";
    }
    if (o->told.blocks != 0 || o->told.mapped != 0) {
        return "memory is not given back";
    }
    if (o->told.descriptors != 0) {
        return "a file stays open";
    }
    if (o->files != usual->files - lost) {
        return "a file is left behind";
    }
    return o->status == usual->status ? check_success(j, f, o, usual)
                                      : check_failure(j, f, o, usual);
}

/* Runs the job with the fault; what is wrong is printed. */
static void try_fault(const job *j, const fault *f, const outcome *usual, const char *what)
{
    outcome o = run(j, f);
    const char *complaint = check(j, f, &o, usual);
    trials++;
    if (complaint) {
        wrong++;
        printf("%s: %s %llu%s: %s\n  status %d, blocks %+lld, mapped %+lld, descriptors %+d, "
               "files %d (%d)\n  said: %s\n  answered: %.200s\n",
               j->name, what, (unsigned long long)f->plan.at, f->plan.forever ? " and on" : "",
               complaint, o.status, (long long)o.told.blocks, (long long)o.told.mapped,
               o.told.descriptors, o.files, usual->files, o.talk, o.answer);
    }
    free_outcome(&o);
}

/* ------------------------------------------------------------------ sweeps */

/* Numbers 1..n, or `most` of them (0: all), the last one among them. */
static uint64_t next_number(uint64_t at, uint64_t n, uint64_t most)
{
    const uint64_t step = most == 0 || n <= most ? 1 : n / most + 1;
    return at == n || at + step < n ? at + step : n;
}

static void sweep_memory(const job *j, const outcome *usual, uint64_t most)
{
    const uint64_t n = usual->told.allocations;
    for (uint64_t at = 1; at <= n; at = next_number(at, n, most)) {
        for (int forever = 0; forever < 2; forever++) {
            const fault f = {.memory = true, .plan = {.at = at, .forever = forever}};
            try_fault(j, &f, usual, "allocation");
        }
    }
}

static void sweep_changes(const job *j, const outcome *usual, uint64_t most)
{
    static const struct {
        wrapped_fault fault;
        const char *what;
    } changes[] = {{WRAPPED_SHRINK, "the input shrinks at call"},
                   {WRAPPED_GROW, "the input grows at call"},
                   {WRAPPED_VANISH, "the input vanishes at call"}};
    size_t n;
    char *bytes = support_read(j->input, &n);
    for (size_t i = 0; i < SUPPORT_COUNT(changes); i++) {
        for (uint64_t at = 1; at <= usual->told.calls;
             at = next_number(at, usual->told.calls, most)) {
            const fault f = {.plan = {.fault = changes[i].fault, .at = at, .victim = j->input}};
            try_fault(j, &f, usual, changes[i].what);
            support_write(j->input, bytes, n);
        }
    }
    free(bytes);
}

static void sweep_calls(const job *j, const outcome *usual, uint64_t most)
{
    const uint64_t n = usual->told.calls;
    for (uint64_t at = 1; at <= n; at = next_number(at, n, most)) {
        fault f = {.plan = {.fault = WRAPPED_FAIL, .at = at}};
        try_fault(j, &f, usual, "call");
        f.plan.forever = true;
        try_fault(j, &f, usual, "call");
        f.plan = (wrapped_plan){.fault = WRAPPED_FULL, .at = at};
        try_fault(j, &f, usual, "a full disk from call");
    }
    fault f = {.plan = {.fault = WRAPPED_SHORT}};
    try_fault(j, &f, usual, "short reads and writes");
    f.plan.fault = WRAPPED_INTERRUPT;
    try_fault(j, &f, usual, "interrupted calls");
    if (j->input) {
        sweep_changes(j, usual, most);
    }
}

static void make(const char *const *words)
{
    const fault none = {0};
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        run_child(words, NULL, &none);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0) {
        fprintf(stderr, "cannot make what the jobs read: %s\n", support_read("../stderr", NULL));
        exit(2);
    }
}

static void sweep(const job *j, bool memory, uint64_t most)
{
    const fault none = {0};
    outcome usual = run(j, &none);
    const uint64_t before = trials;
    if ((usual.status != 0 && usual.status != 4) || usual.told.blocks || usual.told.mapped ||
        usual.told.descriptors) {
        printf("%s: fails as it is: status %d, blocks %+lld\n%s\n", j->name, usual.status,
               (long long)usual.told.blocks, usual.talk);
        wrong++;
    } else if (memory) {
        sweep_memory(j, &usual, most);
    } else {
        sweep_calls(j, &usual, most);
    }
    printf("%-24s %6llu of it, %6llu trials\n", j->name,
           (unsigned long long)(memory ? usual.told.allocations : usual.told.calls),
           (unsigned long long)(trials - before));
    free_outcome(&usual);
}

int main(int argc, char *argv[])
{
    const bool memory = argc > 1 && strcmp(argv[1], "memory") == 0;
    if (argc < 2 || (!memory && strcmp(argv[1], "calls") != 0)) {
        fputs("usage: fault_sweep memory|calls [MOST [JOB]]\n", stderr);
        return 2;
    }
    const uint64_t most = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    char folder[SUPPORT_PATH], inner[SUPPORT_PATH];
    support_folder(folder);
    mkdir(support_path(folder, "work", inner), 0777);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (chdir(inner) != 0 || shared == MAP_FAILED) {
        return 2;
    }
    job_files();
    for (unsigned i = 0; i < job_maker_count; i++) {
        make(job_makers[i]);
    }
    job_files();
    for (const job *j = jobs; j->name; j++) {
        if (argc < 4 || strcmp(argv[3], j->name) == 0) {
            sweep(j, memory, most);
        }
    }
    support_remove(folder);
    printf("%llu trials, %llu wrong\n", (unsigned long long)trials, (unsigned long long)wrong);
    return wrong || trials == 0 ? 1 : 0;
}
