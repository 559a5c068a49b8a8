/* How answers stood before the arithmetic: their ranks among the neighbours of single words. */
#ifndef W2V_QUERY_STANDING_H
#define W2V_QUERY_STANDING_H

#include "query/board.h"

/**
 * Of every question with several words and an answer that is no input: fills
 * best_rank and best_cosine of its answers, by one more pass. Neighbours are by
 * cosine, whatever the metric of the question, and among the candidates if there are any.
 */
w2v_status standing_count(const board *b, const word_set *candidates, w2v_vectors *vectors,
                          w2v_answers *answers, w2v_error *err);

#endif
