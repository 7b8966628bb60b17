/**
 * @file mends.h
 * One finding stands for many pairs of threads: what it advises is to mend all of them.
 */
#ifndef SOFTGPU_REPORT_MENDS_H
#define SOFTGPU_REPORT_MENDS_H

#include "report/finding.h"

/** Two of the same lines: what the first advises becomes what mends `other`, too. Of threads that are further apart it is the other's; of as far ones
 *  what the other wants at another place is added. */
void mend_both(struct finding *f, const struct finding *other);
/** Two of other lines, or of another kind: where they advise the same at a line, it is as wide as the wider needs. */
void mend_as_wide(struct finding *f, const struct finding *other);
/** Does what the one advises mend the other, too? The same change at the same place; or a barrier that stands where the other's may stand. */
bool mend_does_for(const struct finding *f, const struct finding *other);

#endif
