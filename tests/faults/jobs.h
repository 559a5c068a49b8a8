/* Small jobs of every command, and the files they work on. */
#ifndef W2V_TESTS_JOBS_H
#define W2V_TESTS_JOBS_H

#define JOB_WORDS 32
#define JOB_OUTPUTS 4

typedef struct job {
    const char *name;
    const char *words[JOB_WORDS];     /* of the command line, after the program's name */
    const char *outputs[JOB_OUTPUTS]; /* files that it replaces */
    const char *input;                /* one that it reads, to be changed meanwhile; or NULL */
    const char *threads;              /* "1" where NULL */
} job;

extern const job jobs[]; /* a job without a name ends them */

/** Commands that make the files which jobs read; run in this order, each ended by NULL. */
extern const char *const job_makers[][JOB_WORDS];
extern const unsigned job_maker_count;

/** Writes the texts and lists into the current folder. */
void job_files(void);

#endif
