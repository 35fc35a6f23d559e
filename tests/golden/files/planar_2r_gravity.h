/* gravity_forces: tau from q. Made by momentarm; do not edit.
 *
 *   robot       planar_2r
 *   version     0.0.0
 *   operations  5 mul + 2 add, 2 sincos (2 fused)
 *   arrays      q[2], tau[2]
 *
 * Arrays are contiguous, the last index fastest; results must not overlap arguments.
 * Nothing is allocated or kept; any number of threads may call. NaN and infinities pass.
 * C99, link with -lm. The bits are those of momentarm's own code on a machine with IEEE
 * arithmetic if the compiler keeps to it: -ffp-contract=off, never -ffast-math.
 */
#ifndef GRAVITY_FORCES_H
#define GRAVITY_FORCES_H

#ifdef __cplusplus
extern "C" {
#endif

void gravity_forces(const float q[2], float tau[2]);

#ifdef __cplusplus
}
#endif

#endif
