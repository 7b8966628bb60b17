// Fields of a few bits and bytes of words, beside others that nothing has written: what computations leave of the undefined bits.
#include "judge.cuh"

struct fields {
    unsigned a : 4, b : 12;
    int c : 5;
    bool d : 1;
    unsigned e : 7;
};

struct top {
    unsigned a : 16, b : 9;
    int c : 7;
};

struct utop {
    unsigned a : 10, b : 16, c : 6;
};

struct wide {
    unsigned long long a : 20, b : 30, c : 9;
};

// case: field_xor grid=1 block=64 expect=silent
KERNEL(field_xor)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].a ^= 3;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 5 && f->c < 0)
        y[TID] = 1;
}

// case: field_not grid=1 block=64 expect=silent
KERNEL(field_not)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].c = ~s[TID].c;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 5 && f->c > 0)
        y[TID] = 1;
}

// case: field_inc grid=1 block=64 expect=silent
KERNEL(field_inc)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].a++;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 5 && f->c < 0)
        y[TID] = 1;
}

// case: field_inc_c grid=1 block=64 expect=silent
KERNEL(field_inc_c)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].c++;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 5 && f->c < 0)
        y[TID] = 1;
}

// case: field_add grid=1 block=64 expect=silent
KERNEL(field_add)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].c += n;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 5 && f->c < 0)
        y[TID] = 1;
}

// case: field_shl grid=1 block=64 expect=silent
KERNEL(field_shl)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].a <<= 1;
    s[TID].c *= 3;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 6 && f->c < 0)
        y[TID] = 1;
}

// case: field_flip grid=1 block=64 expect=silent
KERNEL(field_flip)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].d = TID & 1;
    s[TID].d = !s[TID].d;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 6 && f->d)
        y[TID] = 1;
}

// case: field_flip_sh grid=1 block=64 expect=silent
KERNEL(field_flip_sh)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].d = TID & 1;
    __syncthreads();
    bool o = s[63 - TID].d;
    __syncthreads();
    s[TID].d ^= o;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 6 && f->d)
        y[TID] = 1;
}

// case: field_copy grid=1 block=64 expect=silent
KERNEL(field_copy)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    __syncthreads();
    fields g = s[63 - TID];
    g.b = g.a + 1;
    __syncthreads();
    s[TID] = g;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->a == 5 && f->c < 0 && f->b == 6)
        y[TID] = 1;
}

// case: field_max grid=1 block=64 expect=silent
KERNEL(field_max)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    __syncthreads();
    if (s[63-TID].a > s[TID].a)
        y[TID] = max((int)s[63-TID].c, (int)s[TID].c);
}

// case: field_wide grid=1 block=64 expect=silent
KERNEL(field_wide)
{
    __shared__ wide s[64];
    s[TID].a = TID;
    s[TID].b = 7 * TID;
    __syncthreads();
    s[TID].b ^= 5;
    __syncthreads();
    if (s[63 - TID].a == 7 && s[63 - TID].b > 3)
        y[TID] = s[63 - TID].b;
}

// case: field_local grid=1 block=64 expect=silent
KERNEL(field_local)
{
    fields f[4];
    for (int i = 0; i < 4; i++) {
        f[i].a = i;
        f[i].e = TID + i;
    }
    f[n & 3].a ^= 1;
    f[TID & 3].e -= 3;
    if (f[(n + TID) & 3].a > 2)
        y[TID] = f[(n + 1) & 3].e;
}

// case: field_bad_xor grid=1 block=64 expect=uninitialized-read:any
KERNEL(field_bad_xor)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].b ^= 3;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->b == 5)
        y[TID] = 1;
}

// case: field_bad_sum grid=1 block=64 expect=uninitialized-read:any
KERNEL(field_bad_sum)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].e++;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->e == 5)
        y[TID] = 1;
}

// case: field_bad_not grid=1 block=64 expect=uninitialized-read:any
KERNEL(field_bad_not)
{
    __shared__ fields s[64];
    s[TID].a = TID;
    s[TID].c = -3;
    s[TID].d = !s[TID].d;
    __syncthreads();
    const fields *f = &s[63 - TID];
    if (f->d)
        y[TID] = 1;
}

// case: field_top_neg grid=1 block=64 expect=silent
KERNEL(field_top_neg)
{
    __shared__ top s[64];
    s[TID].c = TID - 9;
    __syncthreads();
    if (s[63 - TID].c < 0)
        y[TID] = 1;
}

// case: field_top_gt grid=1 block=64 expect=silent
KERNEL(field_top_gt)
{
    __shared__ utop s[64];
    s[TID].c = TID;
    __syncthreads();
    if (s[63 - TID].c > 5)
        y[TID] = 1;
}

// case: field_top_eq grid=1 block=64 expect=silent
KERNEL(field_top_eq)
{
    __shared__ utop s[64];
    s[TID].c = TID;
    __syncthreads();
    if (s[63 - TID].c == s[TID].c)
        y[TID] = 1;
}

// case: field_top_cmp grid=1 block=64 expect=silent
KERNEL(field_top_cmp)
{
    __shared__ top s[64];
    s[TID].c = TID - 5;
    __syncthreads();
    if (s[63 - TID].c < s[TID].c)
        y[TID] = 1;
}

// case: field_top_inc grid=1 block=64 expect=silent
KERNEL(field_top_inc)
{
    __shared__ utop s[64];
    s[TID].c = TID;
    s[TID].a = 3;
    __syncthreads();
    s[TID].c++;
    s[TID].a += 2;
    __syncthreads();
    if (s[63 - TID].c > 9 && s[63 - TID].a == 5)
        y[TID] = s[63 - TID].c;
}

// case: field_mid_inc grid=1 block=64 expect=silent
KERNEL(field_mid_inc)
{
    __shared__ utop s[64];
    s[TID].b = TID;
    __syncthreads();
    s[TID].b++;
    s[TID].b -= n;
    __syncthreads();
    if (s[63 - TID].b > 9)
        y[TID] = s[63 - TID].b * 3;
}

// case: field_top_bad grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(field_top_bad)
{
    __shared__ utop s[64];
    s[TID].b = TID;
    __syncthreads();
    if (s[63 - TID].c > 5) // @1
        y[TID] = 1;
}

// case: field_top_neg_bad grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(field_top_neg_bad)
{
    __shared__ top s[64];
    s[TID].a = TID;
    __syncthreads();
    if (s[63 - TID].c < 0) // @1
        y[TID] = 1;
}

// case: field_mul_bad grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(field_mul_bad)
{
    __shared__ utop s[64];
    s[TID].c = TID;
    __syncthreads();
    if (s[63 - TID].b * 6 > 100) // @1
        y[TID] = 1;
}

// case: by_bytes grid=1 block=64 expect=silent
KERNEL(by_bytes)
{
    __shared__ uchar4 s[64];
    s[TID].y = TID;
    s[TID].w = 7;
    __syncthreads();
    uchar4 v = s[63 - TID];
    if (v.y > 3)
        y[TID] = v.w;
    unsigned u = __byte_perm(v.y | v.w << 8, n, 0x4140);
    y[64 + TID] = u & 0xff00ff;
}

// case: by_perm grid=1 block=64 expect=silent
KERNEL(by_perm)
{
    __shared__ unsigned s[64];
    ((unsigned char *)&s[TID])[1] = TID;
    __syncthreads();
    y[TID] = __byte_perm(s[63 - TID], 0, 0x4441);
    y[TID + 64] = __byte_perm(s[63 - TID], n, 0x1555);
}

// case: by_perm_bad grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(by_perm_bad)
{
    __shared__ unsigned s[64];
    ((unsigned char *)&s[TID])[1] = TID;
    __syncthreads();
    if (__byte_perm(s[63 - TID], 0, 0x4442)) // @1
        y[TID] = 1;
}

// case: by_funnel grid=1 block=64 expect=silent
KERNEL(by_funnel)
{
    __shared__ unsigned s[64];
    ((unsigned char *)&s[TID])[1] = TID;
    __syncthreads();
    y[TID] = __funnelshift_r(s[63 - TID], 0, 8) & 255;
    if (__funnelshift_l(s[TID], n, 16) & 0xff000000)
        y[TID + 64] = 1;
}

// case: by_funnel_bad grid=1 block=64 expect=uninitialized-read:any@1
KERNEL(by_funnel_bad)
{
    __shared__ unsigned s[64];
    ((unsigned char *)&s[TID])[1] = TID;
    __syncthreads();
    if (__funnelshift_r(s[63 - TID], 0, 8) & 256) // @1
        y[TID] = 1;
}

// case: by_brev grid=1 block=64 expect=silent
KERNEL(by_brev)
{
    __shared__ unsigned s[64];
    ((unsigned char *)&s[TID])[1] = TID;
    __syncthreads();
    if (__brev(s[63 - TID]) & 0x00f00000)
        y[TID] = 1;
}

// case: by_half grid=1 block=64 expect=silent
KERNEL(by_half)
{
    __shared__ unsigned s[64];
    ((short *)&s[TID])[1] = TID;
    __syncthreads();
    unsigned v = s[63 - TID];
    unsigned short lo, hi;
    asm("mov.b32 {%0,%1}, %2;" : "=h"(lo), "=h"(hi) : "r"(v));
    if (hi & 4)
        y[TID] = hi;
    unsigned w;
    asm("mov.b32 %0, {%1,%2};" : "=r"(w) : "h"(hi), "h"(lo));
    if (w & 0xffff)
        y[TID + 64] = 1;
}
