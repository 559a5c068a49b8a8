/*
 * 64 bytes of text as bit masks: bit i belongs to byte i. The plain version is
 * the specification; the others give the same masks.
 */
#ifndef W2V_TEXT_MASKS_H
#define W2V_TEXT_MASKS_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

#define MASK_BYTES 64

typedef struct byte_masks {
    uint64_t separator; /* ASCII white space (9-13, 32) and NUL */
    uint64_t special;   /* those of them that mean more: LF, CR, NUL */
    uint64_t high;      /* not ASCII */
} byte_masks;

static inline byte_masks byte_masks_plain(const char *text)
{
    byte_masks m = {0, 0, 0};
    for (unsigned i = 0; i < MASK_BYTES; i++) {
        const unsigned char c = (unsigned char)text[i];
        m.separator |= (uint64_t)((c >= 9 && c <= 13) || c == ' ' || c == 0) << i;
        m.special |= (uint64_t)(c == '\n' || c == '\r' || c == 0) << i;
        m.high |= (uint64_t)(c >= 0x80) << i;
    }
    return m;
}

#if defined(__SSE2__)

static inline byte_masks byte_masks_of(const char *text)
{
    byte_masks m = {0, 0, 0};
    for (unsigned i = 0; i < MASK_BYTES; i += 16) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
        const __m128i from_tab = _mm_sub_epi8(v, _mm_set1_epi8(9));
        const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(from_tab, _mm_set1_epi8(4)), from_tab);
        const __m128i nul = _mm_cmpeq_epi8(v, _mm_setzero_si128());
        const __m128i space = _mm_cmpeq_epi8(v, _mm_set1_epi8(' '));
        const __m128i line = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')),
                                          _mm_cmpeq_epi8(v, _mm_set1_epi8('\r')));
        const __m128i separator = _mm_or_si128(_mm_or_si128(control, space), nul);
        m.separator |= (uint64_t)(unsigned)_mm_movemask_epi8(separator) << i;
        m.special |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_or_si128(line, nul)) << i;
        m.high |= (uint64_t)(unsigned)_mm_movemask_epi8(v) << i;
    }
    return m;
}

#elif defined(__ARM_NEON) && defined(__aarch64__)

/* One bit of each of 64 bytes that are all ones or all zeros. */
static inline uint64_t neon_bits(const uint8x16_t v[4])
{
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t weight = vld1q_u8(weights);
    const uint8x16_t a = vpaddq_u8(vandq_u8(v[0], weight), vandq_u8(v[1], weight));
    const uint8x16_t b = vpaddq_u8(vandq_u8(v[2], weight), vandq_u8(v[3], weight));
    const uint8x16_t c = vpaddq_u8(a, b);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(c, c)), 0);
}

static inline byte_masks byte_masks_of(const char *text)
{
    uint8x16_t separator[4], special[4], high[4];
    for (unsigned i = 0; i < 4; i++) {
        const uint8x16_t v = vld1q_u8((const uint8_t *)text + 16 * i);
        const uint8x16_t nul = vceqq_u8(v, vdupq_n_u8(0));
        const uint8x16_t control = vcleq_u8(vsubq_u8(v, vdupq_n_u8(9)), vdupq_n_u8(4));
        const uint8x16_t line =
            vorrq_u8(vceqq_u8(v, vdupq_n_u8('\n')), vceqq_u8(v, vdupq_n_u8('\r')));
        separator[i] = vorrq_u8(vorrq_u8(control, nul), vceqq_u8(v, vdupq_n_u8(' ')));
        special[i] = vorrq_u8(line, nul);
        high[i] = vcgeq_u8(v, vdupq_n_u8(0x80));
    }
    const byte_masks m = {neon_bits(separator), neon_bits(special), neon_bits(high)};
    return m;
}

#else

static inline byte_masks byte_masks_of(const char *text)
{
    return byte_masks_plain(text);
}

#endif

/** Index of the lowest set bit; mask is not 0. */
static inline unsigned mask_first(uint64_t mask)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(mask);
#else
    unsigned i = 0;
    while (!((mask >> i) & 1)) {
        i++;
    }
    return i;
#endif
}

#endif
