/* Taking turns: threads that each hold a number go one after the other, in the order of numbers. */
#ifndef W2V_OS_TURN_H
#define W2V_OS_TURN_H

#include <stdint.h>

typedef struct turn turn; /* heap and opaque; begins at number 0 */

turn *turn_create(void); /* NULL without memory */
void turn_free(turn *t);
/** Returns when it is `number`'s turn. Every number must be waited for and passed by some thread.
 */
void turn_wait(turn *t, uint64_t number);
/** Ends the turn of the thread that has it: the next number is up. */
void turn_pass(turn *t);

#endif
