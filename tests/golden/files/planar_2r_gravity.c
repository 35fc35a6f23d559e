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
#if defined(__FAST_MATH__)
#error "-ffast-math changes what this file computes"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize ("fp-contract=off", "no-tree-slp-vectorize")
#elif defined(_MSC_VER)
#pragma fp_contract (off)
#endif

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The upper half of the product of two 64-bit numbers. */
static uint64_t high_half(uint64_t a, uint64_t b)
{
    const uint64_t low = UINT64_C(0xffffffff);
    const uint64_t cross = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
    const uint64_t other = (a & low) * (b >> 32) + (cross & low);
    return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
}

/* An angle beyond 1e5 brought into [-pi, pi] by 192 bits of 1/(2 pi); any other as it is. */
static double into_turn(double x)
{
    static const uint64_t turns[] = {
        UINT64_C(0x0000000000000000),
        UINT64_C(0x28be60db9391054a),
        UINT64_C(0x7f09d5f47d4d3770),
        UINT64_C(0x36d8a5664f10e410),
        UINT64_C(0x7f9458eaf7aef158),
        UINT64_C(0x6dc91b8e909374b8),
        UINT64_C(0x01924bba82746487),
        UINT64_C(0x3f877ac72c4a69cf),
        UINT64_C(0xba208d7d4baed121),
        UINT64_C(0x3a671c09ad17df90),
        UINT64_C(0x4e64758e60d4ce7d),
        UINT64_C(0x272117e2ef7e4a0e),
        UINT64_C(0xc7fe25fff7816603),
        UINT64_C(0xfbcbc462d6829b47),
        UINT64_C(0xdb4d9fb3c9f2c26d),
        UINT64_C(0xd3d18fd9a797fa8b),
        UINT64_C(0x5d49eeb1faf97c5e),
        UINT64_C(0xcf41ce7de294a4ba),
        UINT64_C(0x9afed7ec47e35742),
        UINT64_C(0x1580cc11bf1edaea)};
    const double size = fabs(x);
    uint64_t bits, m, at, a, b, c;
    int64_t fraction;
    double result;
    if (!(size > 100000.0 && size < INFINITY)) {
        return x;
    }
    memcpy(&bits, &size, sizeof bits);
    m = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x10000000000000);
    at = (bits >> 52) - 1011;
    a = turns[at >> 6];
    b = turns[(at >> 6) + 1];
    c = turns[(at >> 6) + 2];
    at &= 63;
    if (at != 0) {
        a = a << at | b >> (64 - at);
        b = b << at | c >> (64 - at);
    }
    a = m * a + high_half(m, b);
    memcpy(&fraction, &a, sizeof fraction);
    result = (double)fraction * 0x1.921fb54442d18p-62;
    return x < 0 ? -result : result;
}

typedef struct { double sine, cosine; } angle;

/* x with its sign changed where the second bit of k is set. */
static double flipped(double x, uint64_t k)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= (k >> 1 & 1) << (62 + 1);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static angle sine_cosine(double x)
{
    const double near_x = into_turn(x);
    const double shifted = fma(near_x, 0x1.45f306dc9c883p-1, 0x1.8p+52);
    const double minus_k = 0x1.8p+52 - shifted;
    double r = near_x, z, p, sine, cosine;
    uint64_t k;
    angle result;
    r = fma(minus_k, 0x1.921fb54442d18p+0, r);
    r = fma(minus_k, 0x1.1a62633145c07p-54, r);
    z = r * r;
    p = 0x1.5d64c91716a36p-33;
    p = fma(z, p, (-0x1.ae5db47820c92p-26));
    p = fma(z, p, 0x1.71de3475642ap-19);
    p = fma(z, p, (-0x1.a01a019ab4ad9p-13));
    p = fma(z, p, 0x1.111111110eb1fp-7);
    p = fma(z, p, (-0x1.555555555553dp-3));
    sine = fma(r * z, p, r);
    p = (-0x1.8faecef75dfacp-37);
    p = fma(z, p, 0x1.1ee9ec474a0fdp-29);
    p = fma(z, p, (-0x1.27e4f80a75c4dp-22));
    p = fma(z, p, 0x1.a01a019cb26e3p-16);
    p = fma(z, p, (-0x1.6c16c16c15184p-10));
    p = fma(z, p, 0x1.555555555554cp-5);
    cosine = fma(z * z, p, fma((-0x1p-1), z, 1.0));
    memcpy(&k, &shifted, sizeof k);
    result.sine = flipped(k & 1 ? cosine : sine, k);
    result.cosine = flipped(k & 1 ? sine : cosine, k + 1);
    return result;
}

void gravity_forces(const double q[2], double tau[2])
{
    const angle a0 = sine_cosine(q[0]);
    const angle a1 = sine_cosine(q[1]);
    const double v7 = a0.sine * 0x1.39eb851eb851fp+3;
    const double v8 = a0.cosine * 0x1.39eb851eb851fp+3;
    const double v9 = a1.cosine * v8;
    const double v10 = -a1.sine;
    const double v11 = fma(v7, v10, v9);
    const double v13 = fma(v8, 2.0, v11);
    tau[0] = v13;
    tau[1] = v11;
}
