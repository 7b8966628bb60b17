// nvcc: -std=c++17 -arch=compute_90 -lcuda -w
// Tensor maps by cuTensorMapEncodeIm2col and copies by them: which pixels a load takes, in what order, what is outside, what
// stores and sums do, what is refused; one fact a line: the same program runs on a real GPU and on softgpu (im2col_facts.gpu.txt).
//
//   nvcc -std=c++17 -arch=compute_90 -cudart shared -lcuda -o im2col_facts im2col_facts.cu && ./im2col_facts
#include "im2col.cuh"

static const CUtensorMapDataType U16 = CU_TENSOR_MAP_DATA_TYPE_UINT16;
static const CUtensorMapSwizzle NO = CU_TENSOR_MAP_SWIZZLE_NONE;

static void walks()
{
    // Four dimensions: 16 channels, 7 x 5 pixels, 3 images.
    const way four = {4, {16, 7, 5, 3}, {0, 0}, {0, 0}, 16, 24, {}, NO, U16};
    static const int boxes[][4] = {{0, 0, 0, 0}, {-1, -1, -1, -1}, {-1, -1, 1, 1}, {0, 0, -2, -2}, {-1, -2, -1, 0}, {0, -1, -3, -2}, {2, 1, 0, 0},
                                   {1, 1, 2, 3}, {-3, 0, -3, 0}, {0, 0, -6, -4}, {0, 0, -6, 0}};
    static const place places[] = {{{0, 0, 0, 0}}, {{0, 3, 2, 1}}, {{0, -1, -1, 0}}, {{0, -1, -2, 1}, {2, 1}}, {{0, 2, 2, 2}, {1, 2}}, {{8, 1, 0, 0}, {1, 0}},
                                   {{0, 6, 4, 2}}, {{0, 7, 0, 0}}, {{0, 9, 2, 0}}, {{0, 0, 6, 0}}, {{0, -4, 0, 0}}, {{0, 0, -4, 1}}, {{0, 0, 0, -1}},
                                   {{0, 0, 0, 3}}, {{-8, 0, 0, 0}}, {{16, 0, 0, 0}}, {{0, 1, 1, 0}, {255, 255}}, {{0, 1, 1, 0}, {300, 65535}}};
    for (auto &b : boxes)
        for (const place &p : places) {
            way w = four;
            memcpy(w.lower, b, 8);
            memcpy(w.upper, b + 2, 8);
            load(w, p);
        }
    // Steps.
    static const int steps[][5] = {{1, 2, 1, 1}, {1, 2, 2, 1}, {1, 3, 2, 1}, {1, 1, 3, 1}, {1, 2, 2, 2}, {2, 1, 1, 1}, {1, 8, 1, 1}, {1, 1, 1, 2}};
    for (auto &s : steps)
        for (int shape = 0; shape < 3; shape++)
            for (const place &p : {place{{0, 0, 0, 0}}, place{{0, 1, 1, 0}, {1, 2}}, place{{0, -1, -1, 0}}, place{{0, 2, -1, 1}, {2, 0}}}) {
                way w = four;
                memcpy(w.step, s, sizeof s);
                for (int i = 0; i < 2; i++)
                    w.lower[i] = shape ? -1 : 0, w.upper[i] = shape == 1 ? -1 : shape == 2 ? 1 : 0;
                w.pixels = 20;
                load(w, p);
            }
    // Three and five dimensions.
    const way three = {3, {8, 11, 4}, {0}, {0}, 8, 18, {}, NO, U16}, five = {5, {8, 4, 3, 3, 2}, {0, 0, 0}, {0, 0, 0}, 8, 40, {}, NO, U16};
    for (int l = -2; l <= 1; l++)
        for (int u = -2; u <= 1; u++)
            for (const place &p : {place{{0, 0, 0}}, place{{0, -2, 1}, {3}}, place{{0, 5, 2}, {1}}}) {
                way w = three;
                w.lower[0] = l, w.upper[0] = u;
                load(w, p);
            }
    static const int threes[][6] = {{0, 0, 0, 0, 0, 0}, {-1, -1, -1, -1, -1, -1}, {-1, 0, 1, 0, 1, -1}, {1, 0, -1, 0, -1, 1}, {0, 1, 0, -2, 0, 0}};
    for (auto &b : threes)
        for (const place &p : {place{{0, 0, 0, 0, 0}}, place{{0, 1, 1, 1, 0}, {1, 2, 0}}, place{{0, -1, 0, 1, 0}, {2, 1, 1}}, place{{0, 1, 1, 1, 1}, {0, 31, 32}}})
            for (int step = 1; step < 3; step++) {
                way w = five;
                memcpy(w.lower, b, 12);
                memcpy(w.upper, b + 3, 12);
                for (int i = 1; i < 4; i++)
                    w.step[i] = step + (i == 2);
                load(w, p);
            }
}

static void bytes()
{
    const way four = {4, {64, 7, 5, 3}, {-1, -1}, {-1, -1}, 64, 24, {}, NO, U16};
    for (int swizzle = 0; swizzle < 4; swizzle++)
        for (int channels : {8, 16, 32, 64})
            for (int c : {0, 8, 56}) {
                way w = four;
                w.channels = channels;
                w.swizzle = (CUtensorMapSwizzle)swizzle;
                load(w, {{c, -1, 2, 1}, {1, 1}});
            }
    for (CUtensorMapDataType type : {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16}) {
        way w = four;
        w.type = type;
        w.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
        load(w, {{56, -1, 2, 1}, {1, 1}});
    }
    for (int c : {-64, -8, -4, -1, 1, 4, 8, 60, 64, 72})
        load(four, {{c, 0, 0, 0}});
    way odd = {4, {24, 7, 5, 3}, {0, 0}, {0, 0}, 16, 40, {}, NO, U16};
    load(odd, {{16, 0, 0, 0}});
    odd.size[0] = 8, odd.channels = 8, odd.pixels = 105;
    load(odd, {{0, 0, 0, 0}});
    odd.pixels = 128;
    load(odd, {{0, 0, 0, 0}});
    odd.pixels = 256, odd.size[3] = 2;
    load(odd, {{0, 0, 0, 0}});
    odd.pixels = 1024;
    load(odd, {{0, 0, 0, 0}});
}

static void stores()
{
    for (bool add : {false, true}) {
        const way four = {4, {16, 7, 5, 3}, {0, 0}, {0, 0}, 16, 24, {}, NO, U16}, three = {3, {8, 11, 4}, {0}, {0}, 8, 18, {}, NO, U16},
                  five = {5, {8, 4, 3, 3, 2}, {0, 0, 0}, {0, 0, 0}, 8, 40, {}, NO, U16};
        way w = four;
        w.type = add ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : U16;
        for (int box = 0; box < 4; box++)
            for (const place &p : {place{{0, 0, 0, 0}}, place{{0, 2, 1, 1}}, place{{8, 4, 3, 2}}}) {
                w.lower[0] = w.lower[1] = box == 0 ? 0 : box == 3 ? 1 : -1;
                w.upper[0] = w.upper[1] = box == 1 ? -1 : box == 2 ? 1 : 0;
                store(w, p, add);
            }
        w.step[1] = 2;
        store(w, {{0, 1, 1, 0}}, add);
        way n = three;
        n.type = w.type;
        store(n, {{0, 3, 1}}, add);
        n = five;
        n.type = w.type;
        store(n, {{0, 1, 1, 1, 0}}, add);
        n = four;
        n.type = w.type;
        n.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
        store(n, {{0, 1, 1, 0}}, add);
    }
}

static void refused()
{
    alignas(64) CUtensorMap map;
    cuuint64_t sizes[5] = {16, 7, 5, 3, 2}, strides[5] = {32, 224, 1120, 3360, 6720};
    int zero[3] = {0, 0, 0};
    cuuint32_t ones[5] = {1, 1, 1, 1, 1};
    auto with = [&](int rank, int *lower, int *upper, int channels, int pixels, cuuint32_t *steps = NULL, int type = U16, int swizzle = 0,
                    int interleave = 0, int fill = 0, int skew = 0) {
        return (int)cuTensorMapEncodeIm2col(&map, (CUtensorMapDataType)type, rank, (char *)tensor + skew, sizes, strides, lower, upper, channels,
                                            pixels, steps ? steps : ones, (CUtensorMapInterleave)interleave, (CUtensorMapSwizzle)swizzle,
                                            CU_TENSOR_MAP_L2_PROMOTION_NONE, (CUtensorMapFloatOOBfill)fill);
    };
    for (int rank = 1; rank <= 6; rank++)
        printf("rank %d: %d\n", rank, with(rank, zero, zero, 16, 24));
    for (int n : {0, 1, 4, 7, 8, 12, 16, 24, 128, 248, 256, 257, 264})
        printf("channels %d: %d\n", n, with(4, zero, zero, n, 24));
    for (int n : {0, 1, 3, 255, 256, 257, 512, 1023, 1024, 1025, 2048})
        printf("pixels %d: %d\n", n, with(4, zero, zero, 16, n));
    for (int rank = 3; rank <= 5; rank++)
        for (int n : {-32769, -32768, -129, -128, -17, -16, -8, -7, -6, -5, 15, 16, 127, 128, 32767, 32768}) {
            int at[3] = {n, n, n};
            printf("rank %d lower %d: %d, upper %d: %d\n", rank, n, with(rank, at, zero, 16, 24), n, with(rank, zero, at, 16, 24));
            printf("rank %d both %d: %d\n", rank, n, with(rank, at, at, 16, 24));
        }
    for (int i = 0; i < 4; i++)
        for (cuuint32_t n : {0, 8, 9}) {
            cuuint32_t steps[5] = {1, 1, 1, 1, 1};
            steps[i] = n;
            printf("step %d of %d: %d\n", n, i, with(4, zero, zero, 16, 24, steps));
        }
    for (int type = 0; type < 17; type++)
        printf("type %d: %d, with NaN %d\n", type, with(4, zero, zero, 16, 24, NULL, type), with(4, zero, zero, 16, 24, NULL, type, 0, 0, 1));
    for (int swizzle = 0; swizzle < 8; swizzle++)
        printf("swizzle %d: %d, %d\n", swizzle, with(4, zero, zero, 16, 24, NULL, U16, swizzle), with(4, zero, zero, 72, 24, NULL, U16, swizzle));
    for (int interleave = 0; interleave < 4; interleave++)
        printf("interleave %d: %d, %d\n", interleave, with(4, zero, zero, 16, 24, NULL, U16, 0, interleave), with(5, zero, zero, 16, 24, NULL, U16, 1, interleave));
    for (int skew : {1, 8, 16})
        printf("address + %d: %d\n", skew, with(4, zero, zero, 16, 24, NULL, U16, 0, 0, 0, skew));
    strides[0] = 24;
    printf("stride 24: %d\n", with(4, zero, zero, 16, 24));
    strides[0] = 32;
    sizes[1] = 0;
    printf("size 0: %d\n", with(4, zero, zero, 16, 24));
    sizes[1] = 7;
}

/** The wrong instruction for a map, coordinates that may not be. */
static void wrong()
{
    const way four = {4, {16, 7, 5, 3}, {0, 0}, {0, 0}, 16, 24, {}, NO, U16};
    load(four, {{0, 0, 0, 0}}, true);
    store(four, {{0, 0, 0, 0}}, false, true);
    for (int d = 0; d < 4; d++) {
        place p = {{0, 0, 0, 0}};
        p.at[d] = d ? -1 : -8;
        store(four, p, false);
        p.at[d] = four.size[d];
        store(four, p, false);
        way before = four;
        before.lower[0] = before.lower[1] = -1;
        p.at[d] = d ? -1 : -8;
        store(before, p, false);
    }
    store(four, {{4, 0, 0, 0}}, false);
    if (!is_next())
        return;
    alignas(64) CUtensorMap map;
    cuuint64_t sizes[] = {16, 7, 5, 3}, strides[] = {32, 224, 1120};
    cuuint32_t box[] = {16, 4, 2, 1}, ones[] = {1, 1, 1, 1};
    cuTensorMapEncodeTiled(&map, U16, 4, tensor, sizes, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, NO,
                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    fetch<4><<<1, 128>>>(map, place{{0, 0, 0, 0}}, 256, false, out);
    cudaError_t e = cudaDeviceSynchronize();
    printf("im2col by a tiled map: %s\n", cudaGetErrorName(e));
}

static void all()
{
    begin_im2col();
    walks();
    bytes();
    stores();
    if (is_next())
        refused();
    wrong();
}

int main()
{
    run_cases(all);
    return 0;
}
