/* What this build is made of, for `--version`: facts fixed when it was compiled. */
#include "os/cpu.h"
#include "w2v/w2v.h"

#include <jansson.h>
#include <zlib.h>

#if defined(W2V_HAVE_ICU)
#include <unicode/uvernum.h>
#define WITH_ICU ", icu " U_ICU_VERSION
#else
#define WITH_ICU ", no icu"
#endif

const char *w2v_build_info(void)
{
    return "openmp, zlib " ZLIB_VERSION ", jansson " JANSSON_VERSION WITH_ICU;
}

int w2v_cpu_count(void)
{
    return cpu_usable();
}
